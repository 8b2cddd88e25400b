package memory_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"cloud.google.com/go/firestore"
	"github.com/stretchr/testify/require"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"hippocampus/memory"
)

func TestPutMergesAndStamps(t *testing.T) {
	store, client := newStore(t, memory.Schema{})
	require.Equal(t, collection, store.Path())
	require.Equal(t, memory.Schema{}, store.Schema())
	require.NoError(t, store.Put(t.Context(), "pages/a b", map[string]any{
		"text": "one", "tags": []string{"x", "y"}, "nested": map[string]any{"a": 1, "b": 2}, "a.b/c`d": "odd", "empty": map[string]any{},
	}, nil))

	snapshot, err := document(t, client, "pages/a b").Get(t.Context())
	require.NoError(t, err)
	first := snapshot.Data()
	require.IsType(t, time.Time{}, first["updated_at"])
	require.WithinDuration(t, snapshot.UpdateTime, first["updated_at"].(time.Time), 5*time.Second)
	delete(first, "updated_at")
	require.Equal(t, map[string]any{
		"text": "one", "tags": []any{"x", "y"}, "nested": map[string]any{"a": int64(1), "b": int64(2)}, "a.b/c`d": "odd", "empty": map[string]any{},
	}, first)

	require.NoError(t, store.Put(t.Context(), "pages/a b", map[string]any{
		"text": firestore.Delete, "nested": map[string]any{}, "a.b/c`d": "odder", "new": nil, "gone.already": firestore.Delete,
	}, nil))
	second := read(t, client, "pages/a b")
	require.True(t, second["updated_at"].(time.Time).After(snapshot.UpdateTime.Add(-time.Second)))
	delete(second, "updated_at")
	require.Equal(t, map[string]any{
		"tags": []any{"x", "y"}, "nested": map[string]any{}, "a.b/c`d": "odder", "empty": map[string]any{}, "new": nil,
	}, second)
}

func TestPutStampsWithTheGivenDate(t *testing.T) {
	store, client := newStore(t, memory.Schema{DateField: "meta.date"})
	for name, date := range map[string]time.Time{
		"an import":   time.Date(2019, 3, 4, 5, 6, 7, 8999, time.UTC),
		"before 1970": time.Date(1815, 12, 10, 0, 0, 0, 0, time.UTC),
		"the last":    time.Date(9999, 12, 31, 23, 59, 59, 999999000, time.UTC),
	} {
		require.NoError(t, store.Put(t.Context(), name, nil, &memory.PutOptions{Date: date}))
		require.Equal(t, map[string]any{"meta.date": date.Truncate(time.Microsecond)}, read(t, client, name), name)
		opened, err := store.Open(t.Context(), name)
		require.NoError(t, err)
		require.Equal(t, memory.MicrosOf(date), opened[0].Date, name)
	}
	require.NoError(t, store.Put(t.Context(), "an import", nil, &memory.PutOptions{}))
	require.WithinDuration(t, time.Now(), read(t, client, "an import")["meta.date"].(time.Time), time.Hour)

	err := store.Put(t.Context(), "too late", nil, &memory.PutOptions{Date: time.Date(10000, 1, 1, 0, 0, 0, 0, time.UTC)})
	require.ErrorContains(t, err, `put "too late"`)
}

// Without fields a Put touches the memory, and creates an empty one.
func TestPutWithoutFields(t *testing.T) {
	store, client := newStore(t, memory.Schema{})
	for range 2 {
		require.NoError(t, store.Put(t.Context(), "empty", nil, nil))
		require.Len(t, read(t, client, "empty"), 1)
	}
	require.NoError(t, store.Put(t.Context(), "empty", map[string]any{}, nil))
	require.Len(t, read(t, client, "empty"), 1)
}

func TestPutLeavesTheCallersFieldsAlone(t *testing.T) {
	store, _ := newStore(t, memory.Schema{})
	fields := map[string]any{"text": "a"}
	require.NoError(t, store.Put(t.Context(), "a", fields, nil))
	require.Equal(t, map[string]any{"text": "a"}, fields)
}

func TestPutRefuses(t *testing.T) {
	store, client := newStore(t, memory.Schema{})
	for name, c := range map[string]struct {
		name    string
		fields  map[string]any
		message string
	}{
		"no name":             {"", nil, "it is empty"},
		"a name too long":     {strings.Repeat("x", 1111), nil, "1111 bytes and the limit is 1110"},
		"the date as a field": {"a", map[string]any{"updated_at": time.Now()}, "updated_at is the memory's date"},
		"a text too large":    {"a", map[string]any{"text": strings.Repeat("x", 1<<20)}, "1048487 bytes"},
		"a great many bytes":  {"a", map[string]any{"data": make([]byte, 12<<20)}, "limit is 1048576 a document: keep large content in a bucket"},
		"a list too large":    {"a", map[string]any{"list": []string{strings.Repeat("x", 700_000), strings.Repeat("y", 700_000)}}, "1048576 bytes"},
		"a value of no type":  {"a", map[string]any{"f": make(chan int)}, "cannot convert type chan int"},
		"a reserved field":    {"a", map[string]any{"__f__": 1}, "__f__"},
		"an empty field":      {"a", map[string]any{"": 1}, "empty"},
		"delete inside a map": {"a", map[string]any{"m": map[string]any{"f": firestore.Delete}}, "cannot use Delete in value"},
	} {
		t.Run(name, func(t *testing.T) {
			ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
			defer cancel()
			err := store.Put(ctx, c.name, c.fields, nil)
			require.ErrorContains(t, err, c.message)
			require.ErrorContains(t, err, "put")
			require.NoError(t, ctx.Err(), "refused at once, not at the deadline")
			require.Less(t, len(err.Error()), 600)
		})
	}
	snapshots, err := client.Collection(collection).Documents(t.Context()).GetAll()
	require.NoError(t, err)
	require.Empty(t, snapshots, "what was refused has left something")
}

// A document that grows over the limit by merging is refused by the server.
func TestPutRefusesAMemoryThatGrowsTooLarge(t *testing.T) {
	store, client := newStore(t, memory.Schema{})
	text := strings.Repeat("x", 600_000)
	require.NoError(t, store.Put(t.Context(), "a", map[string]any{"one": text}, nil))
	err := store.Put(t.Context(), "a", map[string]any{"two": text}, nil)
	require.ErrorContains(t, err, `put "a"`)
	require.ErrorContains(t, err, "1048576")
	require.Len(t, read(t, client, "a"), 2)
}

func TestPutTakesTheLargestMemory(t *testing.T) {
	store, client := newStore(t, memory.Schema{})
	name := "largest"
	id, err := memory.ID(name)
	require.NoError(t, err)
	overhead := memory.DocumentSize(collection+"/"+id, map[string]any{"text": "", "updated_at": time.Time{}})
	require.NoError(t, store.Put(t.Context(), name, map[string]any{"text": strings.Repeat("x", 1<<20-overhead)}, nil))
	require.Equal(t, 1<<20, memory.DocumentSize(collection+"/"+id, read(t, client, name)))
	err = store.Put(t.Context(), name, map[string]any{"text": strings.Repeat("x", 1<<20-overhead+1)}, nil)
	require.ErrorContains(t, err, "1048576 bytes")
}

func TestPutHonoursItsContext(t *testing.T) {
	store, _ := newStore(t, memory.Schema{})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	require.Equal(t, codes.Canceled, status.Code(store.Put(ctx, "a", nil, nil)))
}
