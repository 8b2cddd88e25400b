package repair

import (
	"context"
	"errors"
	"fmt"
	"time"

	"cloud.google.com/go/firestore"

	"hippocampus/index"
	"hippocampus/memory"
)

// ErrLost says that another run changed the index meanwhile, so this one
// changed nothing. The index is right.
var ErrLost = errors.New("another repair of this collection won")

// attempts bounds how often a run starts again: when F has become too old to
// read, and when a full fold was overtaken by compactions, which did not scan.
const attempts = 3

// Full makes a full fold: it scans the memory collection, replaces the base by
// what it found and reports the drift. It returns ErrLost if another full fold
// won.
func Full(ctx context.Context, client *firestore.Client, memories string, o *Options) (*Result, error) {
	r, err := newRun(client, memories, index.Build, o)
	if err != nil {
		return nil, err
	}
	return r.full(ctx)
}

func (r *run) full(ctx context.Context) (*Result, error) {
	for attempt := 1; ; attempt++ {
		err := r.tryFull(ctx)
		if err == nil {
			return r.done(), nil
		}
		var lost *lostError
		again := tooOld(err) || errors.As(err, &lost) && lost.winner == index.Compaction
		if !again || attempt == attempts {
			return nil, fmt.Errorf("build the index of %s: %w", r.memories, err)
		}
		r.Logger.InfoContext(ctx, "full fold starts again", "collection", r.memories, "attempt", attempt, "reason", err.Error())
	}
}

func (r *run) tryFull(ctx context.Context) error {
	seen, err := r.observe(ctx)
	if err != nil {
		return err
	}
	if r.result.Drift, err = r.drift(ctx, seen); err != nil {
		return err
	}
	meta := &index.Meta{
		ScanStarted: seen.f,
		AsOf:        seen.f,
		Due:         seen.f + memory.Micros(r.Interval.Microseconds()),
		Count:       len(seen.store),
	}
	if err := r.replaceBase(ctx, meta, seen.store, seen.meta); err != nil {
		return err
	}
	seen.view.Request = seen.meta.request
	r.cleanUp(ctx, seen.view, func(version memory.Micros) bool { return version <= seen.f })
	return nil
}

// Compact merges the shards of an index into its base, without a scan. An index
// that it cannot read it builds instead. It returns ErrLost if another run won.
func Compact(ctx context.Context, client *firestore.Client, memories string, o *Options) (*Result, error) {
	r, err := newRun(client, memories, index.Compaction, o)
	if err != nil {
		return nil, err
	}
	return r.compact(ctx)
}

func (r *run) compact(ctx context.Context) (*Result, error) {
	docs, readTime, err := r.readIndex(ctx, r.index.Query)
	if err != nil {
		return nil, fmt.Errorf("compact the index of %s: %w", r.memories, err)
	}
	view := index.Read(docs, r.Schema)
	entries, err := view.Compacted()
	if err != nil {
		r.result.Kind, r.result.Why = index.Build, err.Error()
		return r.full(ctx)
	}
	if len(view.Shards) == 0 && len(view.Parts) == view.Meta.Parts-1 {
		r.result.Unchanged = true
		r.result.Memories, r.result.Parts = view.Meta.Count, view.Meta.Parts
		r.cleanUp(ctx, &index.View{Request: view.Request}, nil)
		return r.done(), nil
	}
	before := metaState{exists: true, updateTime: view.MetaUpdateTime, generation: view.Meta.Generation}
	meta := &index.Meta{
		ScanStarted: view.Meta.ScanStarted,
		AsOf:        max(readTime, view.Meta.AsOf),
		Due:         view.Meta.Due,
	}
	for _, e := range entries {
		if !e.Deleted {
			meta.Count++
		}
	}
	if err := r.replaceBase(ctx, meta, entries, before); err != nil {
		return nil, fmt.Errorf("compact the index of %s: %w", r.memories, err)
	}
	r.cleanUp(ctx, view, func(memory.Micros) bool { return true })
	return r.done(), nil
}

func (r *run) done() *Result {
	r.result.Took = time.Since(r.started)
	return &r.result
}
