package repair

import (
	"context"
	"errors"
	"fmt"
	"time"

	"hippocampus/index"
	"hippocampus/internal/indexdb"
	"hippocampus/internal/outcome"
	"hippocampus/memory"
)

// supersededError is ErrSuperseded with the time of the scan that the winner's base rests on,
// 0 if meta is gone.
type supersededError struct{ scanStarted memory.Micros }

func (e *supersededError) Error() string { return ErrSuperseded.Error() }
func (e *supersededError) Unwrap() error { return ErrSuperseded }

// replaceBase writes entries, which are in list order, as the base of the next
// generation and flips meta to it. meta comes with what the entries mean; the
// rest is filled in here.
func (r *run) replaceBase(ctx context.Context, meta *index.Meta, entries []index.Entry,
	before metaState) error {
	parts := index.EncodeParts(entries)
	meta.Schema = r.Schema
	meta.Generation, meta.Run = before.generation+1, r.id
	meta.Parts, meta.Sum = len(parts), index.Checksum(parts)
	r.result.Memories, r.result.Parts, r.result.BaseBytes = meta.Count, len(parts), 0
	for _, part := range parts {
		r.result.BaseBytes += len(part)
	}
	// One part a commit keeps each far below the limit of a commit.
	for i, part := range parts[1:] {
		if err := r.index.PutPart(ctx, index.PartID(meta.Generation, r.id, i+1), part); err != nil {
			return fmt.Errorf("write part %d of %d of the base: %w", i+2, len(parts), err)
		}
		r.result.Writes++
	}
	meta.Last = index.LastRun{
		Kind:     r.result.Kind,
		Memories: meta.Count,
		Reads:    r.result.Reads,
		Writes:   r.result.Writes + 1,
		Took:     time.Since(r.started),
	}
	if d := r.result.Drift; d != nil {
		meta.Last.Missing, meta.Last.Ghosts, meta.Last.Stale, meta.Last.InFlight = d.Missing, d.Ghosts, d.Stale, d.InFlight
	}
	err := r.flip(ctx, meta.Fields(parts[0]), before)
	if errors.Is(err, ErrSuperseded) {
		r.deleteParts(ctx, meta.Generation, len(parts))
	}
	return err
}

// flip writes meta on the condition that it is as it was when the run began. After
// an error the write may have been applied all the same, its reply lost: meta tells.
func (r *run) flip(ctx context.Context, fields map[string]any, before metaState) error {
	flipErr := r.index.PutMeta(ctx, fields, before.written)
	if flipErr == nil {
		r.result.Writes++
		return nil
	}
	docs, _, err := r.index.Get(ctx, index.MetaID)
	if err != nil {
		return fmt.Errorf("flip meta: %w", errors.Join(flipErr, err))
	}
	r.result.Reads++
	lost := &supersededError{}
	if meta := docs[0]; meta != nil {
		now, _ := index.ParseMeta(meta.Fields)
		if now.Run == r.id {
			r.result.Writes++
			return nil
		}
		lost.scanStarted = now.ScanStarted
	}
	if indexdb.WrittenSince(flipErr) || outcome.Of(flipErr) == outcome.Exists {
		return lost
	}
	return fmt.Errorf("flip meta: %w", flipErr)
}
