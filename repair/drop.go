package repair

import (
	"context"
	"fmt"

	"cloud.google.com/go/firestore"

	"hippocampus/index"
)

// Drop deletes the index of a collection, meta first, so that readers fall back
// to the scan and ask for a new one. It returns how many documents it deleted.
// A first build that runs at the same time may miss what changes during it,
// until the next full fold: drop when no repair runs.
func Drop(ctx context.Context, client *firestore.Client, memories string) (deleted int, err error) {
	path, err := index.Path(memories)
	if err != nil {
		return 0, fmt.Errorf("drop: %w", err)
	}
	c := client.Collection(path)
	docs, err := c.Select().Documents(ctx).GetAll()
	if err != nil {
		return 0, fmt.Errorf("drop the index of %s: %w", memories, err)
	}
	if len(docs) == 0 {
		return 0, nil
	}
	if _, err := c.Doc(index.MetaID).Delete(ctx); err != nil {
		return 0, fmt.Errorf("drop the index of %s: %w", memories, err)
	}
	for _, doc := range docs {
		if _, err := doc.Ref.Delete(ctx); err != nil {
			return deleted, fmt.Errorf("drop the index of %s: %s: %w", memories, doc.Ref.ID, err)
		}
		deleted++
	}
	return deleted, nil
}
