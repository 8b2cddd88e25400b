// Package indexdb reads and writes the documents of an index in Firestore. What they mean is
// package index's affair, and whose turn it is to write them that of its callers.
package indexdb

import (
	"context"
	"errors"
	"fmt"
	"time"

	"cloud.google.com/go/firestore"
	"google.golang.org/api/iterator"

	"hippocampus/index"
	"hippocampus/internal/outcome"
	"hippocampus/memory"
)

// Index is where the index of one memory collection is. It holds no state.
type Index struct {
	client   *firestore.Client
	memories string
	path     string
}

// Of returns the index of the memory collection at a path relative to the database. The error is
// that of [index.Path].
func Of(client *firestore.Client, memories string) (*Index, error) {
	path, err := index.Path(memories)
	if err != nil {
		return nil, err
	}
	return &Index{client: client, memories: memories, path: path}, nil
}

// Path returns the path of the index collection, relative to the database.
func (x *Index) Path() string { return x.path }

// Collection returns a new reference of the index collection: the client keeps a query's read time
// in the reference that the query comes from, for every later query of that reference.
func (x *Index) Collection() *firestore.CollectionRef { return x.client.Collection(x.path) }

func (x *Index) doc(id string) *firestore.DocumentRef { return x.Collection().Doc(id) }

// Snapshot is what a read of an index returned.
type Snapshot struct {
	Docs []index.Doc
	// Time is the server's time as of which they are, 0 if there are none.
	Time memory.Micros
	// Reads is how many documents are billed.
	Reads int
}

// Read reads all documents of the index in one query, which is one consistent state of it: now, or
// as of a past time of the server if at is not 0. With an error it returns what came before it,
// which is billed too.
func (x *Index) Read(ctx context.Context, at memory.Micros) (Snapshot, error) {
	query := x.Collection().Query
	if at != 0 {
		query = *query.WithReadOptions(firestore.ReadTime(at.Time()))
	}
	var s Snapshot
	documents := query.Documents(ctx)
	defer documents.Stop()
	for {
		doc, err := documents.Next()
		if errors.Is(err, iterator.Done) {
			s.Reads = max(1, s.Reads) // an empty result is billed as one
			return s, nil
		}
		if err != nil {
			return s, fmt.Errorf("read the index: %w", err)
		}
		s.Docs = append(s.Docs, *docOf(doc))
		s.Reads++
		// It may grow within one stream: the last one holds for all.
		s.Time = max(s.Time, memory.MicrosOf(doc.ReadTime))
	}
}

// Get reads documents of the index in one round trip, nil for each that does not exist, and the
// server's time.
func (x *Index) Get(ctx context.Context,
	ids ...string) (docs []*index.Doc, at memory.Micros, err error) {
	refs := make([]*firestore.DocumentRef, len(ids))
	for i, id := range ids {
		refs[i] = x.doc(id)
	}
	snapshots, err := x.client.GetAll(ctx, refs)
	if err != nil {
		return nil, 0, err
	}
	docs = make([]*index.Doc, len(ids))
	for i, s := range snapshots {
		at = max(at, memory.MicrosOf(s.ReadTime))
		if s.Exists() {
			docs[i] = docOf(s)
		}
	}
	return docs, at, nil
}

func docOf(s *firestore.DocumentSnapshot) *index.Doc {
	return &index.Doc{ID: s.Ref.ID, UpdateTime: s.UpdateTime, Fields: s.Data()}
}

// ServerTime returns the server's time, for one read. Any document tells it, also one that does not
// exist; what the caller gives is one that its credentials may read.
func ServerTime(ctx context.Context, ref *firestore.DocumentRef) (memory.Micros, error) {
	snapshot, err := ref.Get(ctx)
	if snapshot == nil || snapshot.ReadTime.IsZero() { // a missing document has a snapshot, a missing database none
		return 0, errors.Join(errors.New("the server's answer tells no time"), err)
	}
	return memory.MicrosOf(snapshot.ReadTime), nil
}

// Request creates the request document, which triggers the work, and reports whether it did: there
// is one however many ask. A reason that passes is tried again.
func (x *Index) Request(ctx context.Context, r index.Request) (created bool, err error) {
	err = outcome.RetryTransient(ctx, func() error {
		_, err := x.doc(index.RequestID).Create(ctx, r.Fields(firestore.ServerTimestamp))
		return err
	})
	switch outcome.Of(err) {
	case outcome.OK:
		return true, nil
	case outcome.Exists:
		return false, nil
	}
	return false, fmt.Errorf("ask for a %s of %s: %w", r.Kind, x.memories, err)
}

// Merge merges an update into a shard with one blind write. It is made once: what to do about
// contention, or about a shard that is full, is for the caller to decide.
func (x *Index) Merge(ctx context.Context, shard string, u *index.Update) error {
	entries := make(map[string]any, len(u.Set)+len(u.Remove))
	paths := make([]firestore.FieldPath, 0, len(u.Set)+len(u.Remove))
	for key, date := range u.Set {
		entries[key] = nil
		if date != nil {
			entries[key] = date.Time()
		}
		paths = append(paths, firestore.FieldPath{index.EntriesField, key})
	}
	for key := range u.Remove {
		entries[key] = firestore.Delete
		paths = append(paths, firestore.FieldPath{index.EntriesField, key})
	}
	_, err := x.doc(shard).Set(ctx, map[string]any{index.EntriesField: entries},
		firestore.Merge(paths...))
	return err
}

// PutPart writes a further part of a base.
func (x *Index) PutPart(ctx context.Context, id string, block []byte) error {
	return outcome.RetryContended(ctx, func() error {
		_, err := x.doc(id).Set(ctx, map[string]any{index.BlockField: block})
		return err
	})
}

// PutMeta writes meta on the condition that it was last written at a time or, if that is zero, that
// there is none. An error does not say whether the write was applied: its reply may have been lost
// and the client have tried again.
func (x *Index) PutMeta(ctx context.Context, fields map[string]any, written time.Time) error {
	return outcome.RetryContended(ctx, func() error {
		if written.IsZero() {
			return x.createMeta(ctx, fields)
		}
		updates := make([]firestore.Update, 0, len(fields))
		for field, value := range fields {
			updates = append(updates, firestore.Update{FieldPath: firestore.FieldPath{field},
				Value: value})
		}
		_, err := x.doc(index.MetaID).Update(ctx, updates, firestore.LastUpdateTime(written))
		return err
	})
}

// createMeta creates meta and, in the same commit, invalidates the collection's index of every
// other version of the stored form: code of that version falls back to the scan instead of trusting
// what nobody keeps any more.
func (x *Index) createMeta(ctx context.Context, fields map[string]any) error {
	others, err := x.otherMetas(ctx)
	if err != nil {
		return err
	}
	meta := x.doc(index.MetaID)
	if len(others) == 0 {
		_, err := meta.Create(ctx, fields)
		return err
	}
	return x.client.RunTransaction(ctx, func(_ context.Context, tx *firestore.Transaction) error {
		for _, other := range others {
			if err := tx.Delete(other); err != nil {
				return err
			}
		}
		return tx.Create(meta, fields)
	})
}

// otherMetas returns where the meta of this collection is in every other version of the stored form
// that the database holds.
func (x *Index) otherMetas(ctx context.Context) ([]*firestore.DocumentRef, error) {
	versions := x.client.Collection(index.Root).DocumentRefs(ctx)
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
		other, err := index.PathOf(version.ID, x.memories)
		if err != nil {
			return nil, err
		}
		metas = append(metas, x.client.Collection(other).Doc(index.MetaID))
	}
}

// Delete deletes a document of the index, on the condition that it was last written at a time if
// that is not zero; if it was not, see [WrittenSince].
func (x *Index) Delete(ctx context.Context, id string, written time.Time) error {
	var preconditions []firestore.Precondition
	if !written.IsZero() {
		preconditions = append(preconditions, firestore.LastUpdateTime(written))
	}
	err := outcome.RetryContended(ctx, func() error {
		_, err := x.doc(id).Delete(ctx, preconditions...)
		return err
	})
	if err != nil {
		return fmt.Errorf("delete %s: %w", id, err)
	}
	return nil
}

// maxRemovals is how many keys of a shard one write removes: few enough for a commit of the longest
// keys.
const maxRemovals = 1000

// RemoveKeys removes keys from a shard and returns how many writes that took. A shard that is gone
// has none.
func (x *Index) RemoveKeys(ctx context.Context, shard string,
	keys []string) (writes int, err error) {
	for len(keys) > 0 {
		n := min(len(keys), maxRemovals)
		updates := make([]firestore.Update, n)
		for i, key := range keys[:n] {
			updates[i] = firestore.Update{FieldPath: firestore.FieldPath{index.EntriesField, key},
				Value: firestore.Delete}
		}
		err := outcome.RetryContended(ctx, func() error {
			_, err := x.doc(shard).Update(ctx, updates)
			return err
		})
		if outcome.Of(err) == outcome.NotFound {
			return writes, nil // another run has deleted it
		}
		if err != nil {
			return writes, fmt.Errorf("clean %s: %w", shard, err)
		}
		writes++
		keys = keys[n:]
	}
	return writes, nil
}

// WrittenSince reports whether a conditional write failed because its document is no longer as it
// was seen.
func WrittenSince(err error) bool {
	o := outcome.Of(err)
	return o == outcome.Changed || o == outcome.NotFound
}
