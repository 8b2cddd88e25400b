package memory_test

import (
	"errors"
	"fmt"
	"math"
	"sync"
	"testing"
	"time"

	"cloud.google.com/go/firestore"
	"github.com/stretchr/testify/require"
	"google.golang.org/genproto/googleapis/type/latlng"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"hippocampus/emulator/emulatortest"
	"hippocampus/memory"
)

// everyType holds a value of each type that Firestore has, nested too.
func everyType(client *firestore.Client) map[string]any {
	flat := map[string]any{
		"null": nil, "true": true, "false": false,
		"integer": int64(math.MaxInt64), "least": int64(math.MinInt64), "whole double": float64(3), "double": 0.1,
		"infinity": math.Inf(-1), "no number": math.Float64frombits(0x7ff8000000000000), "minus zero": math.Copysign(0, -1),
		"text": "日本語\x00\n", "empty text": "", "bytes": []byte{0, 255}, "empty bytes": []byte{},
		"time": time.Date(1815, 12, 10, 1, 2, 3, 456789000, time.UTC), "last": time.Date(9999, 12, 31, 23, 59, 59, 999999000, time.UTC),
		"place": &latlng.LatLng{Latitude: -89.5, Longitude: 179.25}, "reference": client.Doc("tenants/acme/memories/a b"),
		"vector": firestore.Vector64{1, -2.5, 1e300}, "empty list": []any{}, "empty map": map[string]any{},
	}
	all := map[string]any{"updated_at": time.Date(2019, 1, 2, 3, 4, 5, 6000, time.UTC)}
	var list []any
	for name, value := range flat {
		all[name] = value
		switch value.(type) {
		case []any, firestore.Vector64: // Firestore has none of these in a list
		default:
			list = append(list, value)
		}
	}
	all["a.b/c`d"] = map[string]any{"x.y": flat}
	all["list"] = append(list, flat)
	return all
}

func TestRenameCopiesEveryField(t *testing.T) {
	store, client := newStore(t, memory.Schema{})
	fields := everyType(client)
	_, err := document(t, client, "old").Create(t.Context(), fields)
	require.NoError(t, err)
	before := read(t, client, "old")
	require.Equal(t, plain(fields), plain(before), "the store itself keeps every type")

	kept, err := store.Rename(t.Context(), "old", "new/name")
	require.NoError(t, err)
	require.Zero(t, kept)
	require.Equal(t, plain(before), plain(read(t, client, "new/name")))
	_, err = store.Open(t.Context(), "old")
	require.ErrorIs(t, err, memory.ErrNotFound)
}

// plain replaces what does not compare by what does, keeping types apart.
func plain(value any) any {
	switch v := value.(type) {
	case map[string]any:
		m := map[string]any{}
		for k, element := range v {
			m[k] = plain(element)
		}
		return m
	case []any:
		list := []any{}
		for _, element := range v {
			list = append(list, plain(element))
		}
		return list
	case *latlng.LatLng:
		return fmt.Sprint("place ", v.Latitude, v.Longitude)
	case *firestore.DocumentRef:
		return "reference " + v.Path
	case float64:
		return math.Float64bits(v)
	}
	return value
}

func TestRenameKeepsReferencesToOtherDatabases(t *testing.T) {
	store, client := newStore(t, memory.Schema{})
	em := emulatortest.Start(t)
	other := emulatortest.Client(t, em).Doc("c/d")
	_, err := document(t, client, "old").Create(t.Context(), map[string]any{"r": other})
	require.NoError(t, err)
	_, err = store.Rename(t.Context(), "old", "new")
	require.NoError(t, err)
	require.Equal(t, other.Path, read(t, client, "new")["r"].(*firestore.DocumentRef).Path)
	require.Contains(t, other.Path, em.Project())
}

func TestRenameOfAMemoryWithoutFields(t *testing.T) {
	store, client := newStore(t, memory.Schema{})
	_, err := document(t, client, "old").Create(t.Context(), map[string]any{})
	require.NoError(t, err)
	_, err = store.Rename(t.Context(), "old", "new")
	require.NoError(t, err)
	require.Empty(t, read(t, client, "new"))
}

func TestRenameRefuses(t *testing.T) {
	store, client := newStore(t, memory.Schema{})
	require.NoError(t, store.Put(t.Context(), "a", map[string]any{"text": "a"}, nil))
	require.NoError(t, store.Put(t.Context(), "b", map[string]any{"text": "b"}, nil))
	a, b := read(t, client, "a"), read(t, client, "b")
	for name, c := range map[string]struct {
		from, to string
		err      error
		message  string
	}{
		"an existing target": {"a", "b", memory.ErrExists, `rename "a" to "b"`},
		"itself":             {"a", "a", memory.ErrExists, `rename "a" to itself`},
		"a missing memory":   {"c", "d", memory.ErrNotFound, `rename "c" to "d": memory not found`},
		"a bad name":         {"", "d", memory.ErrName, "rename: "},
		"a bad new name":     {"a", "d\xff", memory.ErrName, "rename: "},
	} {
		t.Run(name, func(t *testing.T) {
			kept, err := store.Rename(t.Context(), c.from, c.to)
			require.ErrorIs(t, err, c.err)
			require.ErrorContains(t, err, c.message)
			require.Zero(t, kept)
		})
	}
	require.Equal(t, a, read(t, client, "a"))
	require.Equal(t, b, read(t, client, "b"))
}

// Of many renames at once of one memory, and onto one name, exactly one wins,
// and nothing is lost or doubled.
func TestRenameIsAtomic(t *testing.T) {
	store, client := newStore(t, memory.Schema{})
	const rivals = 3
	require.NoError(t, store.Put(t.Context(), "from", map[string]any{"text": "from"}, nil))
	for i := range rivals {
		require.NoError(t, store.Put(t.Context(), fmt.Sprint("rival", i), map[string]any{"text": fmt.Sprint(i)}, nil))
	}
	race := func(from, to func(i int) string) (won []int) {
		var mu sync.Mutex
		var all sync.WaitGroup
		for i := range rivals {
			all.Go(func() {
				_, err := store.Rename(t.Context(), from(i), to(i))
				for tries := 0; status.Code(err) == codes.Aborted && tries < 10; tries++ {
					_, err = store.Rename(t.Context(), from(i), to(i))
				}
				mu.Lock()
				defer mu.Unlock()
				if err == nil {
					won = append(won, i)
				} else if !errors.Is(err, memory.ErrNotFound) && !errors.Is(err, memory.ErrExists) {
					t.Errorf("rename: %v", err)
				}
			})
		}
		all.Wait()
		return won
	}
	won := race(func(int) string { return "from" }, func(i int) string { return fmt.Sprint("to", i) })
	require.Len(t, won, 1)
	require.Equal(t, "from", read(t, client, fmt.Sprint("to", won[0]))["text"])

	won = race(func(i int) string { return fmt.Sprint("rival", i) }, func(int) string { return "one" })
	require.Len(t, won, 1)
	require.Equal(t, fmt.Sprint(won[0]), read(t, client, "one")["text"])
	snapshots, err := client.Collection(collection).Documents(t.Context()).GetAll()
	require.NoError(t, err)
	require.Len(t, snapshots, 1+rivals)
}

// Both sides of a rename are one commit.
func TestRenameIsOneCommit(t *testing.T) {
	em := emulatortest.Start(t)
	calls := &calls{}
	client := emulatortest.Client(t, em, calls.options()...)
	store, err := memory.NewStore(client, collection, memory.Schema{})
	require.NoError(t, err)
	require.NoError(t, store.Put(t.Context(), "a", nil, nil))
	calls.seen()
	_, err = store.Rename(t.Context(), "a", "b")
	require.NoError(t, err)
	require.Equal(t, []string{service + "BeginTransaction", service + "BatchGetDocuments", service + "Commit", service + "ListCollectionIds"}, calls.seen())
}

func TestRenameLeavesSubcollections(t *testing.T) {
	store, client := newStore(t, memory.Schema{})
	require.NoError(t, store.Put(t.Context(), "old", nil, nil))
	for _, sub := range []string{"history", "notes"} {
		_, err := document(t, client, "old").Collection(sub).Doc("1").Set(t.Context(), map[string]any{"x": 1})
		require.NoError(t, err)
	}
	kept, err := store.Rename(t.Context(), "old", "new")
	require.NoError(t, err)
	require.Equal(t, 2, kept)
	_, err = document(t, client, "old").Collection("history").Doc("1").Get(t.Context())
	require.NoError(t, err)
	subcollections, err := document(t, client, "new").Collections(t.Context()).GetAll()
	require.NoError(t, err)
	require.Empty(t, subcollections)
}

func TestRenameSaysThatItIsDone(t *testing.T) {
	em := emulatortest.Start(t)
	calls := &calls{before: func(method string) error {
		if method == service+"ListCollectionIds" {
			return status.Error(codes.PermissionDenied, "no")
		}
		return nil
	}}
	store, err := memory.NewStore(emulatortest.Client(t, em, calls.options()...), collection, memory.Schema{})
	require.NoError(t, err)
	require.NoError(t, store.Put(t.Context(), "a", nil, nil))
	_, err = store.Rename(t.Context(), "a", "b")
	require.ErrorContains(t, err, `rename "a" to "b": done, but its subcollections could not be listed`)
	_, err = store.Open(t.Context(), "b")
	require.NoError(t, err)
}
