package memory_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	pb "cloud.google.com/go/firestore/apiv1/firestorepb"
	"github.com/stretchr/testify/require"

	"hippocampus/emulator/emulatortest"
	"hippocampus/memory"
)

func TestOpenManyInOneRoundTrip(t *testing.T) {
	em := emulatortest.Start(t)
	calls := &calls{}
	client := emulatortest.Client(t, em, calls.options()...)
	store, err := memory.NewStore(client, collection, memory.Schema{})
	require.NoError(t, err)
	var names []string
	for i := range 30 {
		name := fmt.Sprintf("notes/%d", i)
		names = append([]string{name}, names...)
		require.NoError(t, store.Put(t.Context(), name, map[string]any{"n": i}, nil))
	}
	calls.seen()
	names = append(names, "notes/3") // a name may be asked for twice
	found, err := store.Open(t.Context(), names...)
	require.NoError(t, err)
	require.Equal(t, []string{service + "BatchGetDocuments"}, calls.seen())
	require.Len(t, found, len(names))
	for i, m := range found {
		require.Equal(t, names[i], m.Name)
		require.Equal(t, m.Name, fmt.Sprintf("notes/%d", m.Fields["n"]))
		require.NotZero(t, m.Version)
		require.Equal(t, memory.MicrosOf(m.Fields["updated_at"].(time.Time)), m.Date)
	}
}

func TestOpenNamesTheMissing(t *testing.T) {
	store, _ := newStore(t, memory.Schema{})
	require.NoError(t, store.Put(t.Context(), "a", nil, nil))
	require.NoError(t, store.Put(t.Context(), "c", nil, nil))

	found, err := store.Open(t.Context(), "c", "pages/gone", "a", "b")
	require.ErrorIs(t, err, memory.ErrNotFound)
	require.ErrorContains(t, err, `open "pages/gone": memory not found`)
	require.ErrorContains(t, err, `open "b": memory not found`)
	require.Len(t, found, 2)
	require.Equal(t, []string{"c", "a"}, []string{found[0].Name, found[1].Name})

	found, err = store.Open(t.Context(), "b")
	require.ErrorIs(t, err, memory.ErrNotFound)
	require.Empty(t, found)

	found, err = store.Open(t.Context())
	require.NoError(t, err)
	require.Empty(t, found)

	_, err = store.Open(t.Context(), "a", strings.Repeat("x", 2000))
	require.ErrorIs(t, err, memory.ErrName)
}

// What is listed can be opened by what it is listed as.
func TestOpenADocumentWhoseIDIsNoName(t *testing.T) {
	store, client := newStore(t, memory.Schema{})
	require.NoError(t, store.Put(t.Context(), "plain name", map[string]any{"n": 1}, nil))
	_, err := client.Collection(collection).Doc("not base64url!").Set(t.Context(), map[string]any{"n": 2})
	require.NoError(t, err)
	id, err := memory.ID("hidden")
	require.NoError(t, err)
	require.NoError(t, store.Put(t.Context(), "hidden", nil, nil))

	found, err := store.Open(t.Context(), "not base64url!", "plain name")
	require.NoError(t, err)
	require.Equal(t, []any{int64(2), int64(1)}, []any{found[0].Fields["n"], found[1].Fields["n"]})
	_, err = store.Open(t.Context(), id)
	require.ErrorIs(t, err, memory.ErrNotFound, "the id of a name is not another name of it")
	require.ErrorIs(t, store.Delete(t.Context(), id), memory.ErrNotFound)

	_, err = store.Rename(t.Context(), "not base64url!", "pages/found")
	require.NoError(t, err)
	_, err = store.Rename(t.Context(), "not base64url!", "pages/again")
	require.ErrorIs(t, err, memory.ErrNotFound)
	long := strings.Repeat("x y", 400) // longer than a name, and an id all the same
	_, err = client.Collection(collection).Doc(long).Set(t.Context(), map[string]any{"n": 3})
	require.NoError(t, err)
	found, err = store.Open(t.Context(), "pages/found", long)
	require.NoError(t, err)
	require.Equal(t, []any{int64(2), int64(3)}, []any{found[0].Fields["n"], found[1].Fields["n"]})
	require.NoError(t, store.Delete(t.Context(), long))
	require.ErrorIs(t, store.Delete(t.Context(), long), memory.ErrNotFound)
}

// A memory without a usable date is dated by its version.
func TestOpenDatesByTheVersion(t *testing.T) {
	store, client := newStore(t, memory.Schema{})
	for name, fields := range map[string]map[string]any{
		"no date": {"text": "a"}, "text": {"updated_at": "2020-01-01"}, "number": {"updated_at": 5}, "null": {"updated_at": nil}, "no fields": {},
	} {
		written, err := document(t, client, name).Set(t.Context(), fields)
		require.NoError(t, err)
		found, err := store.Open(t.Context(), name)
		require.NoError(t, err)
		require.Equal(t, memory.MicrosOf(written.UpdateTime), found[0].Version, name)
		require.Equal(t, found[0].Version, found[0].Date, name)
	}
}

func TestOpenWithPlainIDs(t *testing.T) {
	store, client := newStore(t, memory.Schema{IDs: memory.Plain})
	require.NoError(t, store.Put(t.Context(), "a b", nil, nil))
	found, err := store.Open(t.Context(), "a b")
	require.NoError(t, err)
	require.Equal(t, "a b", found[0].Name)
	_, err = client.Collection(collection).Doc("a b").Get(t.Context())
	require.NoError(t, err)
	_, err = store.Open(t.Context(), "a/b")
	require.ErrorContains(t, err, "use base64url ids")
}

// The client panics over a value of a kind it does not know, where its caller
// is careless. Such a memory is an error, and a rename leaves it where it is.
func TestAValueThatTheClientDoesNotKnow(t *testing.T) {
	em := emulatortest.Start(t)
	unknown := func(message any) {
		if response, ok := message.(*pb.BatchGetDocumentsResponse); ok && response.GetFound() != nil {
			response.GetFound().Fields["x"] = &pb.Value{}
		}
	}
	client := emulatortest.Client(t, em, (&calls{received: unknown}).options()...)
	store, err := memory.NewStore(client, collection, memory.Schema{})
	require.NoError(t, err)
	require.NoError(t, store.Put(t.Context(), "a", nil, nil))

	_, err = store.Open(t.Context(), "a")
	require.ErrorContains(t, err, `open "a": a field cannot be read: firestore: unknown value type`)
	_, err = store.Rename(t.Context(), "a", "b")
	require.ErrorContains(t, err, `rename "a" to "b": a field cannot be read`)

	healthy, err := memory.NewStore(emulatortest.Client(t, em), collection, memory.Schema{})
	require.NoError(t, err)
	_, err = healthy.Open(t.Context(), "a")
	require.NoError(t, err)
	_, err = healthy.Open(t.Context(), "b")
	require.ErrorIs(t, err, memory.ErrNotFound)
}

func TestDelete(t *testing.T) {
	store, client := newStore(t, memory.Schema{})
	require.NoError(t, store.Put(t.Context(), "a", nil, nil))
	_, err := document(t, client, "a").Collection("history").Doc("1").Set(t.Context(), map[string]any{})
	require.NoError(t, err)

	require.NoError(t, store.Delete(t.Context(), "a"))
	_, err = store.Open(t.Context(), "a")
	require.ErrorIs(t, err, memory.ErrNotFound)
	_, err = document(t, client, "a").Collection("history").Doc("1").Get(t.Context())
	require.NoError(t, err, "subcollections stay")

	for _, name := range []string{"a", "never"} {
		err := store.Delete(t.Context(), name)
		require.ErrorIs(t, err, memory.ErrNotFound)
		require.ErrorContains(t, err, fmt.Sprintf("delete %q", name))
	}
	require.ErrorIs(t, store.Delete(t.Context(), ""), memory.ErrName)
}
