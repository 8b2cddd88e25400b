package repair

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"cloud.google.com/go/firestore"

	"hippocampus/index"
	"hippocampus/internal/indexdb"
)

// Drop deletes the index of a collection, meta first, so that readers fall back to the scan and
// ask for a new one. It returns how many documents it deleted. A document that has changed
// since Drop read it is kept and reported; the index is then as an interrupted build leaves it.
// A first build at the same time may miss what changes during it, until the next one.
func Drop(ctx context.Context, client *firestore.Client, memories string) (deleted int, err error) {
	x, err := indexdb.Of(client, memories)
	if err != nil {
		return 0, fmt.Errorf("drop: %w", err)
	}
	docs, err := x.Collection().Select().Documents(ctx).GetAll()
	if err != nil {
		return 0, fmt.Errorf("drop the index of %s: %w", memories, err)
	}
	slices.SortStableFunc(docs, func(a, b *firestore.DocumentSnapshot) int {
		return cmp.Compare(metaFirst(a.Ref.ID), metaFirst(b.Ref.ID))
	})
	for _, doc := range docs {
		err := x.Delete(ctx, doc.Ref.ID, doc.UpdateTime)
		if indexdb.WrittenSince(err) {
			return deleted, fmt.Errorf("drop the index of %s: %s was written meanwhile: run it again, when no repair runs: %w", memories, doc.Ref.ID, err)
		}
		if err != nil {
			return deleted, fmt.Errorf("drop the index of %s: %w", memories, err)
		}
		deleted++
	}
	return deleted, nil
}

// metaFirst puts meta first.
func metaFirst(id string) int {
	if id == index.MetaID {
		return 0
	}
	return 1
}
