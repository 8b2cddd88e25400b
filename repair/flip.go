package repair

import (
	"context"
	"errors"
	"fmt"
	"time"

	"cloud.google.com/go/firestore"
	"google.golang.org/api/iterator"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"hippocampus/index"
	"hippocampus/memory"
)

// lostError is ErrLost with the time of the scan that the winner's base rests on,
// 0 if meta is gone.
type lostError struct{ scanStarted memory.Micros }

func (e *lostError) Error() string { return ErrLost.Error() }
func (e *lostError) Unwrap() error { return ErrLost }

// replaceBase writes entries, which are in list order, as the base of the next
// generation and flips meta to it. meta comes with what the entries mean; the
// rest is filled in here.
func (r *run) replaceBase(ctx context.Context, meta *index.Meta, entries []index.Entry, before metaState) error {
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
		ref := r.index.Doc(index.PartID(meta.Generation, r.id, i+1))
		err := retryAborted(ctx, func() error {
			_, err := ref.Set(ctx, map[string]any{index.BlockField: part})
			return err
		})
		if err != nil {
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
	if errors.Is(err, ErrLost) {
		r.deleteParts(ctx, meta.Generation, len(parts))
	}
	return err
}

// flip writes meta on the condition that it is as it was when the run began. An
// error says nothing of whether the commit was applied, since its reply may
// have been lost and the commit tried again; meta does.
func (r *run) flip(ctx context.Context, fields map[string]any, before metaState) error {
	flipErr := retryAborted(ctx, func() error { return r.writeMeta(ctx, fields, before) })
	if flipErr == nil {
		r.result.Writes++
		return nil
	}
	snapshot, err := r.index.Doc(index.MetaID).Get(ctx)
	if snapshot == nil {
		return fmt.Errorf("flip meta: %w", errors.Join(flipErr, err))
	}
	r.result.Reads++
	lost := &lostError{}
	if snapshot.Exists() {
		now, _ := index.ParseMeta(snapshot.Data())
		if now.Run == r.id {
			r.result.Writes++
			return nil
		}
		lost.scanStarted = now.ScanStarted
	}
	switch status.Code(flipErr) {
	case codes.FailedPrecondition, codes.AlreadyExists, codes.NotFound:
		return lost
	}
	return fmt.Errorf("flip meta: %w", flipErr)
}

func (r *run) writeMeta(ctx context.Context, fields map[string]any, before metaState) error {
	ref := r.index.Doc(index.MetaID)
	if before.exists {
		updates := make([]firestore.Update, 0, len(fields))
		for field, value := range fields {
			updates = append(updates, firestore.Update{FieldPath: firestore.FieldPath{field}, Value: value})
		}
		_, err := ref.Update(ctx, updates, firestore.LastUpdateTime(before.updateTime))
		return err
	}
	// The first fold of a collection invalidates its index of every other
	// version, in the same commit: code of that version falls back to the scan
	// instead of trusting what nobody maintains any more.
	others, err := r.otherMetas(ctx)
	if err != nil {
		return err
	}
	if len(others) == 0 {
		_, err := ref.Create(ctx, fields)
		return err
	}
	return r.client.RunTransaction(ctx, func(_ context.Context, tx *firestore.Transaction) error {
		for _, other := range others {
			if err := tx.Delete(other); err != nil {
				return err
			}
		}
		return tx.Create(ref, fields)
	})
}

// otherMetas returns where the meta of this collection is in every other
// version of the stored form that the database holds.
func (r *run) otherMetas(ctx context.Context) ([]*firestore.DocumentRef, error) {
	versions := r.client.Collection(index.Root).DocumentRefs(ctx)
	var metas []*firestore.DocumentRef
	for {
		version, err := versions.Next()
		if errors.Is(err, iterator.Done) {
			return metas, nil
		}
		if err != nil {
			return nil, fmt.Errorf("list the versions of the index: %w", err)
		}
		if version.ID == index.VersionID(index.Version) {
			continue
		}
		other, err := index.PathOf(version.ID, r.memories)
		if err != nil {
			return nil, err
		}
		metas = append(metas, r.client.Collection(other).Doc(index.MetaID))
	}
}

// retryAborted calls commit again while Firestore gives up on it for
// contention, a few times. Such a commit was not applied.
func retryAborted(ctx context.Context, commit func() error) error {
	const tries = 5
	pause := 50 * time.Millisecond
	for try := 1; ; try++ {
		err := commit()
		if status.Code(err) != codes.Aborted || try == tries {
			return err
		}
		if err := sleep(ctx, pause); err != nil {
			return err
		}
		pause *= 2
	}
}
