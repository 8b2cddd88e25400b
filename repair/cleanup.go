package repair

import (
	"context"
	"errors"
	"fmt"

	"cloud.google.com/go/firestore"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"hippocampus/index"
	"hippocampus/memory"
)

// removals is how many keys of a shard one write removes: few enough for a
// commit of the longest keys.
const removals = 1000

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
		if err := r.delete(ctx, part.ID); err != nil {
			failures = append(failures, err)
		}
	}
	if seen.Request != nil {
		err := r.delete(ctx, index.RequestID, firestore.LastUpdateTime(seen.Request.UpdateTime))
		if err != nil && !changedMeanwhile(err) {
			failures = append(failures, err)
		}
	}
	if err := errors.Join(failures...); err != nil {
		r.result.Uncleaned = err.Error()
		r.Logger.WarnContext(ctx, "repair left something to clean up for the next", "collection", r.memories, "reason", err.Error())
	}
}

// cleanShard deletes a shard that is still as it was seen. From one that has
// changed it removes the keys that were seen and are folded.
func (r *run) cleanShard(ctx context.Context, shard index.Doc, folded func(memory.Micros) bool) error {
	err := r.delete(ctx, shard.ID, firestore.LastUpdateTime(shard.UpdateTime))
	if !changedMeanwhile(err) {
		return err
	}
	entries, _ := shard.Fields[index.EntriesField].(map[string]any)
	var updates []firestore.Update
	for k := range entries {
		// A key that does not parse is damage, and was never a version.
		if version, _, err := index.ParseKey(k); err == nil && !folded(version) {
			continue
		}
		updates = append(updates, firestore.Update{FieldPath: firestore.FieldPath{index.EntriesField, k}, Value: firestore.Delete})
	}
	for len(updates) > 0 {
		n := min(len(updates), removals)
		err := retryAborted(ctx, func() error {
			_, err := r.index.Doc(shard.ID).Update(ctx, updates[:n])
			return err
		})
		if status.Code(err) == codes.NotFound {
			return nil // another run has deleted it
		}
		if err != nil {
			return fmt.Errorf("clean %s: %w", shard.ID, err)
		}
		r.result.Writes++
		updates = updates[n:]
	}
	return nil
}

// deleteParts removes the further parts of a run that lost.
func (r *run) deleteParts(ctx context.Context, generation int64, parts int) {
	for i := 1; i < parts; i++ {
		if err := r.delete(ctx, index.PartID(generation, r.id, i)); err != nil {
			r.Logger.WarnContext(ctx, "a lost repair left a part for the next to clean up", "collection", r.memories, "reason", err.Error())
		}
	}
}

func (r *run) delete(ctx context.Context, id string, preconditions ...firestore.Precondition) error {
	err := retryAborted(ctx, func() error {
		_, err := r.index.Doc(id).Delete(ctx, preconditions...)
		return err
	})
	if err != nil {
		return fmt.Errorf("delete %s: %w", id, err)
	}
	r.result.Writes++
	return nil
}

// changedMeanwhile reports whether a write failed because its document is no
// longer as it was seen.
func changedMeanwhile(err error) bool {
	code := status.Code(err)
	return code == codes.FailedPrecondition || code == codes.NotFound
}
