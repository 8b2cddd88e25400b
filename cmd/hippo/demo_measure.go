package main

import (
	"context"

	"hippocampus/index"
	"hippocampus/internal/eval"
	"hippocampus/internal/eval/result"
	"hippocampus/memory"
)

// measuredTurns is how many turns each way of listing is measured; their median
// counts.
const measuredTurns = 21

// cost is what a turn costs in one way of listing.
type cost struct {
	Way       string  `json:"way"`
	Documents int     `json:"documents_read"` // as Firestore bills them
	Bytes     int64   `json:"bytes"`          // that came over the wire
	MS        float64 `json:"ms"`
}

// measure measures the same turn in three ways.
func (d *demo) measure(ctx context.Context) error {
	turns, err := eval.MeasureTurns(ctx, d.stack.Emulator.Client, &eval.TurnSpec{
		Collection: demoCollection, Ways: []result.Way{result.Index, result.NamesScan,
			result.FullScan},
		Memories: d.facts.Import.Memories, MinTurns: measuredTurns, MaxTurns: measuredTurns,
	})
	if err != nil {
		return err
	}
	d.facts.Turns = measuredTurns
	names := map[result.Way]string{result.Index: "with the index",
		result.NamesScan: "names-only scan", result.FullScan: "full scan"}
	for _, t := range turns {
		d.facts.Costs = append(d.facts.Costs, cost{names[t.Way], t.Documents, t.Bytes, t.MedianMS})
	}
	return nil
}

// scan returns the list as a scan of the memories gives it.
func (d *demo) scan(ctx context.Context) ([]index.Entry, error) {
	var entries []index.Entry
	err := d.importer.store.Scan(ctx, nil, func(r memory.Record) error {
		entries = append(entries, index.EntryOf(memory.Base64URL, r))
		return nil
	})
	index.Sort(entries)
	return entries, err
}
