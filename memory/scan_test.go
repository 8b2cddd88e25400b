package memory_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"cloud.google.com/go/firestore"
	pb "cloud.google.com/go/firestore/apiv1/firestorepb"
	"github.com/stretchr/testify/require"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"hippocampus/emulator/emulatortest"
	"hippocampus/memory"
)

// scan returns what a scan yields.
func scan(t *testing.T, store *memory.Store, o *memory.ScanOptions) []memory.Record {
	t.Helper()
	var records []memory.Record
	require.NoError(t, store.Scan(t.Context(), o, func(r memory.Record) error {
		records = append(records, r)
		return nil
	}))
	return records
}

func ids(records []memory.Record) []string {
	var all []string
	for _, r := range records {
		all = append(all, r.ID)
	}
	return all
}

func TestScanAtPageBoundaries(t *testing.T) {
	store, _ := newStore(t, memory.Schema{IDs: memory.Plain})
	require.Empty(t, scan(t, store, nil), "an empty collection")
	var want []string
	for i := range 7 {
		want = append(want, fmt.Sprintf("m%d", i))
		require.NoError(t, store.Put(t.Context(), want[i], map[string]any{"text": strings.Repeat("x", 1000)}, nil))
	}
	for _, page := range []int{0, 1, 2, 3, 6, 7, 8} {
		var progress []int
		records := scan(t, store, &memory.ScanOptions{Page: page, Progress: func(n int) { progress = append(progress, n) }})
		require.Equal(t, want, ids(records), "pages of %d", page)
		require.Equal(t, 7, progress[len(progress)-1])
		require.IsNonDecreasing(t, progress)
		if page > 0 {
			require.Len(t, progress, 7/page+1)
		}
	}
}

func TestScanFetchesOnlyTheDate(t *testing.T) {
	em := emulatortest.Start(t)
	fields := 0
	calls := &calls{received: func(message any) {
		if m, ok := message.(interface{ GetDocument() *pb.Document }); ok {
			fields += len(m.GetDocument().GetFields())
		}
	}}
	store, err := memory.NewStore(emulatortest.Client(t, em, calls.options()...), collection, memory.Schema{})
	require.NoError(t, err)
	for i := range 3 {
		require.NoError(t, store.Put(t.Context(), fmt.Sprint(i), map[string]any{"text": "x", "more": "y"}, nil))
	}
	calls.seen()
	require.Len(t, scan(t, store, nil), 3)
	require.Equal(t, 3, fields)
	require.Equal(t, []string{service + "RunQuery"}, calls.seen())
}

func TestScanAtAReadTime(t *testing.T) {
	store, client := newStore(t, memory.Schema{IDs: memory.Plain})
	for _, name := range []string{"a", "b", "c", "d"} {
		require.NoError(t, store.Put(t.Context(), name, nil, nil))
	}
	then := scan(t, store, nil)
	snapshot, err := client.Collection(collection).Doc("d").Get(t.Context())
	require.NoError(t, err)
	at := snapshot.ReadTime.Truncate(time.Microsecond)

	require.NoError(t, store.Put(t.Context(), "a", map[string]any{"text": "changed"}, nil))
	require.NoError(t, store.Delete(t.Context(), "b"))
	require.NoError(t, store.Put(t.Context(), "bb", nil, nil))
	for _, page := range []int{0, 1, 2} {
		require.Equal(t, then, scan(t, store, &memory.ScanOptions{ReadTime: at, Page: page}), "pages of %d", page)
	}
	// A scan at a time leaves nothing behind for those after it.
	now := scan(t, store, nil)
	require.Equal(t, []string{"a", "bb", "c", "d"}, ids(now))
	require.Greater(t, now[0].Version, then[0].Version)
	require.GreaterOrEqual(t, now[0].Date, then[0].Date, "the server's dates are of milliseconds")
	require.Equal(t, then[2], now[2])
}

// Whatever is in the date field, the memory is there.
func TestScanHidesNothing(t *testing.T) {
	store, client := newStore(t, memory.Schema{IDs: memory.Plain, DateField: "meta.date"})
	date := time.Date(1901, 2, 3, 4, 5, 6, 7000, time.UTC)
	dates := map[string]memory.Micros{}
	for id, fields := range map[string]map[string]any{
		"dated":         {"meta.date": date},
		"no fields":     {},
		"no date":       {"text": "a", "updated_at": date},
		"text":          {"meta.date": "1901-02-03"},
		"number":        {"meta.date": 5},
		"null":          {"meta.date": nil},
		"a nested date": {"meta": map[string]any{"date": date}},
	} {
		written, err := client.Collection(collection).Doc(id).Set(t.Context(), fields)
		require.NoError(t, err)
		dates[id] = memory.MicrosOf(written.UpdateTime)
		if id == "dated" {
			dates[id] = memory.MicrosOf(date)
		}
	}
	records := scan(t, store, &memory.ScanOptions{Page: 2})
	require.Len(t, records, len(dates))
	for _, r := range records {
		require.Equal(t, dates[r.ID], r.Date, r.ID)
		require.NotZero(t, r.Version)
	}
}

func TestScanWithOddNames(t *testing.T) {
	names := []string{"a b", "a b ", " ", "#1", "100%", "%2F", "...", "__", "__x", "日本語", "👩‍👩‍👧", "\u00e9", "e\u0301", "a\nb", "\x00", "'\"`\\", "?*[]~", strings.Repeat("x", memory.MaxIDBytes)}
	for _, kind := range []memory.IDKind{memory.Plain, memory.Base64URL} {
		t.Run(kind.String(), func(t *testing.T) {
			store, _ := newStore(t, memory.Schema{IDs: kind})
			all := names
			if kind == memory.Base64URL {
				all = append(slices.Clone(names), ".", "..", "__x__", "a/b", "/", "//a", strings.Repeat("/", memory.MaxNameBytes))
				all = slices.DeleteFunc(all, func(name string) bool { return len(name) > memory.MaxNameBytes })
			}
			for _, name := range all {
				require.NoError(t, store.Put(t.Context(), name, nil, nil), "%q", name)
			}
			var found []string
			for _, page := range []int{1, 4, 0} {
				found = nil
				for _, id := range ids(scan(t, store, &memory.ScanOptions{Page: page})) {
					name, err := kind.Name(id)
					require.NoError(t, err)
					found = append(found, name)
				}
				require.ElementsMatch(t, all, found, "pages of %d", page)
			}
			opened, err := store.Open(t.Context(), found...)
			require.NoError(t, err)
			require.Len(t, opened, len(all))
		})
	}
}

// A subcollection of a memory is no part of the collection, and neither is a
// memory of another tenant.
func TestScanStaysInItsCollection(t *testing.T) {
	store, client := newStore(t, memory.Schema{})
	require.NoError(t, store.Put(t.Context(), "a", nil, nil))
	for _, doc := range []*firestore.DocumentRef{
		document(t, client, "a").Collection("memories").Doc("x"),
		document(t, client, "gone").Collection("memories").Doc("x"), // below a document that is not there
		client.Doc("tenants/acme2/memories/x"),
	} {
		_, err := doc.Set(t.Context(), map[string]any{})
		require.NoError(t, err)
	}
	require.Len(t, scan(t, store, nil), 1)
}

func TestScanEndsWithTheErrorOfYield(t *testing.T) {
	store, _ := newStore(t, memory.Schema{})
	for i := range 5 {
		require.NoError(t, store.Put(t.Context(), fmt.Sprint(i), nil, nil))
	}
	enough := errors.New("enough")
	seen := 0
	err := store.Scan(t.Context(), &memory.ScanOptions{Page: 2}, func(memory.Record) error {
		if seen++; seen == 3 {
			return enough
		}
		return nil
	})
	require.Equal(t, enough, err)
	require.Equal(t, 3, seen)
}

func TestScanReportsFailures(t *testing.T) {
	em := emulatortest.Start(t)
	n := 0
	calls := &calls{before: func(method string) error {
		if method == service+"RunQuery" {
			if n++; n == 2 {
				return status.Error(codes.PermissionDenied, "no")
			}
		}
		return nil
	}}
	store, err := memory.NewStore(emulatortest.Client(t, em, calls.options()...), collection, memory.Schema{})
	require.NoError(t, err)
	for i := range 3 {
		require.NoError(t, store.Put(t.Context(), fmt.Sprint(i), nil, nil))
	}
	err = store.Scan(t.Context(), &memory.ScanOptions{Page: 2}, func(memory.Record) error { return nil })
	require.ErrorContains(t, err, "scan "+collection)
	require.Equal(t, codes.PermissionDenied, status.Code(err))

	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	err = store.Scan(ctx, nil, func(memory.Record) error { return nil })
	require.Equal(t, codes.Canceled, status.Code(err))
}

func TestFailuresNameTheOperation(t *testing.T) {
	em := emulatortest.Start(t)
	calls := &calls{before: func(string) error { return status.Error(codes.PermissionDenied, "no") }}
	store, err := memory.NewStore(emulatortest.Client(t, em, calls.options()...), collection, memory.Schema{})
	require.NoError(t, err)
	for message, call := range map[string]func() error{
		`put "a": `:           func() error { return store.Put(t.Context(), "a", nil, nil) },
		`open 2 memories: `:   func() error { _, err := store.Open(t.Context(), "a", "b"); return err },
		`delete "a": `:        func() error { return store.Delete(t.Context(), "a") },
		`rename "a" to "b": `: func() error { _, err := store.Rename(t.Context(), "a", "b"); return err },
	} {
		err := call()
		require.ErrorContains(t, err, message)
		require.Equal(t, codes.PermissionDenied, status.Code(err), message)
		require.NotErrorIs(t, err, memory.ErrNotFound)
	}
}
