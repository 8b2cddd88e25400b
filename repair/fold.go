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

// ErrSuperseded says that another run did this one's work, so this one changed nothing. For a
// build the other one began its scan no earlier than this one was called; for a compaction it
// is any run.
var ErrSuperseded = errors.New("another repair of this collection won")

// ErrOvertaken says that other runs changed the index each time before this one
// could, and none of them scanned the store since this one was called. Nothing
// is lost, but nothing was repaired: run it again.
var ErrOvertaken = errors.New("overtaken by other repairs of this collection each time: run it again")

// errTooOld says that F lies further back than Firestore keeps versions.
var errTooOld = errors.New("the scan took longer than Firestore keeps the past, an hour")

// attempts bounds how often a build is tried: again if F became too old to read, or if a run
// won that had scanned earlier.
const attempts = 3

// Build makes a full fold: it scans the memory collection, replaces the base by
// what it found and reports the drift. After it, or after ErrSuperseded, the index
// holds all that had changed before the call. Other errors are ErrOvertaken, a
// path that is no collection's, a scan that took longer than Firestore keeps the past, and
// those of Firestore.
func Build(ctx context.Context, client *firestore.Client, memories string,
	o *Options) (*Result, error) {
	r, err := newRun(client, memories, index.Build, o)
	if err != nil {
		return nil, err
	}
	return r.build(ctx)
}

func (r *run) build(ctx context.Context) (*Result, error) {
	var began memory.Micros // the server's time when the first attempt began
	for attempt := 1; ; attempt++ {
		err := r.tryBuild(ctx, &began)
		if err == nil {
			return r.done(), nil
		}
		var lost *supersededError
		if errors.As(err, &lost) {
			if lost.scanStarted >= began {
				return nil, fmt.Errorf("build the index of %s: %w", r.memories, err)
			}
			err = ErrOvertaken
		} else if !errors.Is(err, errTooOld) {
			return nil, fmt.Errorf("build the index of %s: %w", r.memories, err)
		}
		if attempt == attempts {
			return nil, fmt.Errorf("build the index of %s: %w", r.memories, err)
		}
		r.Logger.InfoContext(ctx, "full fold starts again", "collection", r.memories, "attempt",
			attempt, "reason", err.Error())
	}
}

func (r *run) tryBuild(ctx context.Context, began *memory.Micros) error {
	seen, err := r.observe(ctx)
	if err != nil {
		return err
	}
	if *began == 0 {
		*began = seen.meta.readTime
	}
	if r.result.Drift, err = r.drift(ctx, seen); err != nil {
		return err
	}
	if seen.view.Err != nil {
		r.result.NotCompared = seen.view.Err.Error()
	}
	meta := &index.Meta{
		ScanStarted: seen.snapshotTime,
		AsOf:        seen.snapshotTime,
		Due:         seen.snapshotTime + memory.Micros(r.Interval.Microseconds()),
		Count:       len(seen.store),
	}
	if err := r.replaceBase(ctx, meta, seen.store, seen.meta); err != nil {
		return err
	}
	seen.view.Request = seen.meta.request
	r.cleanUp(ctx, seen.view, func(version memory.Micros) bool { return version <= seen.snapshotTime })
	return nil
}

// Compact merges the shards of an index into its base, without a scan. An index
// that it cannot read it builds instead. It returns ErrSuperseded if another run won.
func Compact(ctx context.Context, client *firestore.Client, memories string,
	o *Options) (*Result, error) {
	r, err := newRun(client, memories, index.Compaction, o)
	if err != nil {
		return nil, err
	}
	return r.compact(ctx)
}

func (r *run) compact(ctx context.Context) (*Result, error) {
	found, err := r.readIndex(ctx, 0)
	if err != nil {
		return nil, fmt.Errorf("compact the index of %s: %w", r.memories, err)
	}
	view := index.Read(found.Docs, r.Schema)
	entries, err := view.Compacted()
	if err != nil {
		r.result.Kind, r.result.WhyBuild = index.Build, err.Error()
		return r.build(ctx)
	}
	if len(view.Shards) == 0 && len(view.Parts) == view.Meta.Parts-1 {
		r.result.Unchanged = true
		r.result.Memories, r.result.Parts = view.Meta.Count, view.Meta.Parts
		r.cleanUp(ctx, &index.View{Request: view.Request}, nil)
		return r.done(), nil
	}
	before := metaState{written: view.MetaUpdateTime, generation: view.Meta.Generation}
	meta := &index.Meta{
		ScanStarted: view.Meta.ScanStarted,
		AsOf:        max(found.Time, view.Meta.AsOf),
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
