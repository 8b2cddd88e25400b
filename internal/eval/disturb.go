package eval

import (
	"context"
	"fmt"
	"math/rand/v2"
	"time"

	"cloud.google.com/go/firestore"

	"hippocampus/internal/eval/corpus"
)

// disturb makes every kind of change there is to a twentieth of the memories each.
func (s *store) disturb(ctx context.Context, memories []corpus.Memory, rand *rand.Rand) error {
	field := s.schema().Field()
	changes := []func(ref *firestore.DocumentRef, m corpus.Memory) error{
		func(ref *firestore.DocumentRef, m corpus.Memory) error { // a new date
			_, err := ref.Set(ctx, map[string]any{field: firestore.ServerTimestamp},
				firestore.MergeAll)
			return err
		},
		func(ref *firestore.DocumentRef, m corpus.Memory) error { // an older date, and one that others have, too
			_, err := ref.Set(ctx, map[string]any{field: time.UnixMicro(1_700_000_000_000_000).Add(time.Duration(rand.IntN(5)) * time.Hour)}, firestore.MergeAll)
			return err
		},
		func(ref *firestore.DocumentRef, m corpus.Memory) error { // no date
			_, err := ref.Set(ctx, map[string]any{field: firestore.Delete}, firestore.MergeAll)
			return err
		},
		func(ref *firestore.DocumentRef, m corpus.Memory) error { // a date that is no timestamp
			_, err := ref.Set(ctx, map[string]any{field: "yesterday"}, firestore.MergeAll)
			return err
		},
		func(ref *firestore.DocumentRef, m corpus.Memory) error { // all but the date
			_, err := ref.Set(ctx, map[string]any{"seen": rand.IntN(1000)}, firestore.MergeAll)
			return err
		},
		func(ref *firestore.DocumentRef, m corpus.Memory) error { // deleted
			_, err := ref.Delete(ctx)
			return err
		},
		func(ref *firestore.DocumentRef, m corpus.Memory) error { // deleted and written again
			if _, err := ref.Delete(ctx); err != nil {
				return err
			}
			_, err := ref.Set(ctx, map[string]any{field: m.Date})
			return err
		},
		func(ref *firestore.DocumentRef, m corpus.Memory) error { // under an id that is no name's base64url
			_, err := ref.Parent.Doc("id of "+fmt.Sprint(rand.Uint32())).Set(ctx,
				map[string]any{field: m.Date})
			return err
		},
	}
	each := max(1, len(memories)/20)
	order := rand.Perm(len(memories))
	for i, change := range changes {
		for k := range each {
			if i*each+k >= len(order) {
				return nil
			}
			m := memories[order[i*each+k]]
			ref, err := s.ref(m.Name)
			if err != nil {
				return err
			}
			if err := change(ref, m); err != nil {
				return err
			}
		}
	}
	return nil
}
