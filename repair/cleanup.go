package repair

import (
	"context"
	"errors"
	"time"

	"hippocampus/index"
	"hippocampus/internal/indexdb"
	"hippocampus/memory"
)

// cleanUp removes what the new base has taken in, and only what the run has
// seen: from shards the keys whose version folded accepts, the parts of other
// runs, and the request. None of it matters to any list, so a failure does not
// fail the run; it is in the result, and the next run cleans up.
func (r *run) cleanUp(ctx context.Context, seen *index.View, folded func(memory.Micros) bool) {
	var failures []error
	for _, shard := range seen.Shards {
		if err := r.cleanShard(ctx, shard, folded); err != nil {
			failures = append(failures, err)
		}
	}
	// Parts that are not this run's belong to the generation replaced, or to a
	// run that can no longer win: it began before this run's flip.
	for _, part := range seen.Parts {
		if err := r.delete(ctx, part.ID, time.Time{}); err != nil {
			failures = append(failures, err)
		}
	}
	if seen.Request != nil {
		err := r.delete(ctx, index.RequestID, seen.Request.UpdateTime)
		if err != nil && !indexdb.WrittenSince(err) {
			failures = append(failures, err)
		}
	}
	if err := errors.Join(failures...); err != nil {
		r.result.Uncleaned = err.Error()
		r.Logger.WarnContext(ctx, "repair left something to clean up for the next", "collection",
			r.memories, "reason", err.Error())
	}
}

// cleanShard deletes a shard that is still as it was seen. From one that has
// changed it removes the keys that were seen and are folded.
func (r *run) cleanShard(ctx context.Context, shard index.Doc,
	folded func(memory.Micros) bool) error {
	err := r.delete(ctx, shard.ID, shard.UpdateTime)
	if !indexdb.WrittenSince(err) {
		return err
	}
	entries, _ := shard.Fields[index.EntriesField].(map[string]any)
	var gone []string
	for k := range entries {
		// A key that does not parse is damage, and was never a version.
		if version, _, err := index.ParseKey(k); err != nil || folded(version) {
			gone = append(gone, k)
		}
	}
	writes, err := r.index.RemoveKeys(ctx, shard.ID, gone)
	r.result.Writes += writes
	return err
}

// deleteParts removes the further parts of a run that lost.
func (r *run) deleteParts(ctx context.Context, generation int64, parts int) {
	for i := 1; i < parts; i++ {
		if err := r.delete(ctx, index.PartID(generation, r.id, i), time.Time{}); err != nil {
			r.Logger.WarnContext(ctx, "a lost repair left a part for the next to clean up",
				"collection", r.memories, "reason", err.Error())
		}
	}
}

func (r *run) delete(ctx context.Context, id string, written time.Time) error {
	err := r.index.Delete(ctx, id, written)
	if err == nil {
		r.result.Writes++
	}
	return err
}
