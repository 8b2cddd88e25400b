package main

import (
	"time"

	"hippocampus/index"
	"hippocampus/memory"
)

// indexFigures describe an index. Zero: there is none, or it cannot be read.
type indexFigures struct {
	State        string        `json:"state"` // ok, missing, format, settings or damaged
	Generation   int64         `json:"generation,omitempty"`
	Listed       int           `json:"listed"` // memories in the base
	Parts        int           `json:"parts,omitempty"`
	BaseBytes    int           `json:"base_bytes"`
	BytesAMemory float64       `json:"bytes_a_memory"`
	Shards       []shardFigure `json:"shards"`
	Leftover     []string      `json:"leftover_parts,omitempty"`
	LastRun      index.Kind    `json:"last_run,omitempty"`
	ScanStarted  time.Time     `json:"scan_started,omitzero"`
	AsOf         time.Time     `json:"as_of,omitzero"`
	Due          time.Time     `json:"due,omitzero"`
	Request      index.Kind    `json:"request,omitempty"`
	RequestDue   time.Time     `json:"request_due,omitzero"`
}

type shardFigure struct {
	ID      string `json:"id"`
	Entries int    `json:"entries"`
	Bytes   int    `json:"bytes"` // of the document, as Firestore counts
}

func figuresOf(view *index.View, collection string) indexFigures {
	f := indexFigures{State: "ok", Shards: []shardFigure{}}
	if view.Err != nil {
		f.State = index.Reason(view.Err)
	}
	path, _ := index.Path(collection) // it has been read there
	for _, shard := range view.Shards {
		entries, _ := shard.Fields[index.EntriesField].(map[string]any)
		f.Shards = append(f.Shards, shardFigure{shard.ID, len(entries),
			memory.DocumentSize(path+"/"+shard.ID, shard.Fields)})
	}
	if view.Request != nil {
		f.Request = index.ParseRequest(view.Request.Fields).Kind
		f.RequestDue, _ = view.Request.Fields[index.DueField].(time.Time)
	}
	meta := view.Meta
	if meta == nil || view.Err != nil {
		return f
	}
	f.Generation, f.Parts, f.Listed = meta.Generation, meta.Parts, meta.Count
	f.LastRun, f.ScanStarted, f.AsOf, f.Due = meta.Last.Kind, meta.ScanStarted.Time(), meta.AsOf.Time(), meta.Due.Time()
	f.BaseBytes = view.BaseBytes()
	if meta.Count > 0 {
		f.BytesAMemory = float64(f.BaseBytes) / float64(meta.Count)
	}
	current := map[string]bool{}
	for i := 1; i < meta.Parts; i++ {
		current[index.PartID(meta.Generation, meta.Run, i)] = true
	}
	for _, part := range view.Parts {
		if !current[part.ID] {
			f.Leftover = append(f.Leftover, part.ID)
		}
	}
	return f
}
