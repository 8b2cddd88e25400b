package reader_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"hippocampus/emulator/emulatortest"
	"hippocampus/index"
	"hippocampus/memory"
	"hippocampus/reader"
)

func TestOneQueryReadsTheList(t *testing.T) {
	tn := newTenant(t)
	tn.put("pages/Opening hours", "notebook/ideas", "sources/mail")
	meta := tn.build()
	var s spy
	list, err := reader.New(s.client(t, tn), quiet).List(t.Context(), memories)
	require.NoError(t, err)

	require.Equal(t, []string{"pages/Opening hours", "notebook/ideas", "sources/mail"}, names(list))
	require.Equal(t, []call{{"RunQuery", s.calls[0].about}}, s.calls, "one call and no other")
	require.Contains(t, s.calls[0].about, "/hippocampus/v1/tenants/acme/memories/index/memory_shards")
	fields := meta.Fields(index.EncodeParts(tn.Scan())[0])
	require.Equal(t, reader.Receipt{
		Source:        reader.FromIndex,
		Complete:      true,
		Count:         3,
		AsOf:          list.Receipt.AsOf,
		ScanStarted:   meta.ScanStarted.Time(),
		DocumentsRead: 1,
		Bytes:         memory.DocumentSize("hippocampus/v1/tenants/acme/memories/index/memory_shards/meta", fields),
		Hash:          list.Receipt.Hash,
		Request:       reader.NotNeeded,
	}, list.Receipt)
	require.GreaterOrEqual(t, memory.MicrosOf(list.Receipt.AsOf), meta.AsOf, "the server's time")
	require.LessOrEqual(t, memory.MicrosOf(list.Receipt.AsOf), tn.Now())
	require.Equal(t, 1, s.read())
}

func TestShardsAreReadWithTheBase(t *testing.T) {
	tn := newTenant(t)
	tn.put("pages/a", "pages/b", "pages/c")
	base := tn.Scan()
	tn.build()
	now := tn.Now()
	tn.Deliver(0,
		index.Change{ID: base[0].ID(), Old: &index.State{Version: now, Date: base[0].Date}}, // a deleted
		index.Change{ID: base[2].ID(), New: &index.State{Version: now, Date: now}},          // c changed
	)
	tn.Deliver(1, index.Change{ID: must(memory.ID("pages/d")), New: &index.State{Version: now, Date: base[1].Date - 1}})

	list := tn.list()
	require.Equal(t, []string{"pages/c", "pages/b", "pages/d"}, names(list))
	require.Equal(t, reader.FromIndex, list.Receipt.Source)
	require.Equal(t, 3, list.Receipt.DocumentsRead)
	require.Equal(t, reader.NotNeeded, list.Receipt.Request)
}

func TestBaseOfSeveralParts(t *testing.T) {
	tn := newTenant(t)
	// Long names that do not compress fill a part with some hundreds.
	random := rand.New(rand.NewPCG(1, 2))
	entries := make([]index.Entry, 2500)
	for i := range entries {
		name := make([]byte, 700)
		for j := range name {
			name[j] = byte('!' + random.IntN(90))
		}
		date := memory.Micros(1_700_000_000_000_000 - i)
		entries[i] = index.Entry{Name: string(name), Date: date, Version: date}
	}
	meta := tn.buildOf(entries)
	require.Greater(t, meta.Parts, 1)

	list := tn.list()
	require.Equal(t, entries, list.Entries)
	require.True(t, list.Receipt.Complete)
	require.Equal(t, meta.Parts, list.Receipt.DocumentsRead)
	require.Greater(t, list.Receipt.Bytes, index.MaxPartBytes)
}

func TestCase25_EmptyTenantIsReadFromTheIndexAndNeverBuiltAgain(t *testing.T) {
	tn := newTenant(t)
	tn.build()
	var s spy
	r := reader.New(s.client(t, tn), quiet)
	for range 3 {
		list, err := r.List(t.Context(), memories)
		require.NoError(t, err)
		require.Empty(t, list.Entries)
		require.Equal(t, reader.FromIndex, list.Receipt.Source)
		require.True(t, list.Receipt.Complete)
		require.Equal(t, 1, list.Receipt.DocumentsRead)
	}
	require.Equal(t, 3, len(s.calls))
	require.Nil(t, tn.request())
}

func TestCase28_ListedMemoryIsGone(t *testing.T) {
	tn := newTenant(t)
	tn.put("pages/a", "pages/b")
	tn.build()
	store, err := memory.NewStore(tn.Client, memories, memory.Schema{})
	require.NoError(t, err)
	require.NoError(t, store.Delete(t.Context(), "pages/a"))

	list := tn.list()
	require.True(t, list.Has("pages/a"))
	_, err = store.Open(t.Context(), "pages/a")
	require.ErrorIs(t, err, memory.ErrNotFound)
	_, err = store.Open(t.Context(), "pages/never was")
	require.ErrorIs(t, err, memory.ErrNotFound)
}

// bothWays returns the list by a scan and then, the index being built of the
// same store, by the index.
func bothWays(tn *tenant) (scanned, indexed *reader.List) {
	tn.t.Helper()
	scanned = tn.list()
	require.Equal(tn.t, reader.FromScan, scanned.Receipt.Source)
	tn.build()
	indexed = tn.list()
	require.Equal(tn.t, reader.FromIndex, indexed.Receipt.Source)
	require.Equal(tn.t, scanned.Entries, indexed.Entries)
	require.Equal(tn.t, scanned.Receipt.Hash, indexed.Receipt.Hash)
	return scanned, indexed
}

func TestCase12_13_15_NamesAreListedAsThemselves(t *testing.T) {
	tn := newTenant(t)
	longest := string(slices.Repeat([]byte("x"), memory.MaxNameBytes))
	written := []string{
		"a b", "a b ", "#1", "100%", "..", ".", "__x__", "日本語/メモ", "👩‍👩‍👧/x", longest,
		"é", "e\u0301", "pages/line\nbreak", "a\x00b",
	}
	tn.put(written...)
	tn.putID("not base64url!", time.Date(1980, 1, 1, 0, 0, 0, 0, time.UTC))
	tn.putID("YR", time.Date(1979, 1, 1, 0, 0, 0, 0, time.UTC)) // the id of no name: stray bits

	_, list := bothWays(tn)
	require.Equal(t, append(slices.Clone(written), "not base64url!", "YR"), names(list))
	for _, name := range written {
		require.True(t, list.Has(name), name)
	}
	require.False(t, list.Has("a"))
	last := list.Entries[len(list.Entries)-2:]
	require.True(t, last[0].RawID && last[1].RawID)
	require.Equal(t, "not base64url!", last[0].ID())
}

func TestCase14_NoEntryCrossesTenants(t *testing.T) {
	em := emulatortest.Start(t)
	client := emulatortest.Client(t, em)
	paths := []string{"tenants/acme/memories", "tenants/acme.co/memories", "tenants/a b/memories", "tenants/日本/memories", "users/u/agents/a/notes"}
	for i, path := range paths {
		tn := newTenantIn(t, em, client, path)
		tn.put("pages/same", fmt.Sprintf("pages/%d", i))
		tn.build()
	}
	r := reader.New(client, quiet)
	for i, path := range paths {
		list, err := r.List(t.Context(), path)
		require.NoError(t, err)
		require.Equal(t, reader.FromIndex, list.Receipt.Source)
		require.Equal(t, []string{"pages/same", fmt.Sprintf("pages/%d", i)}, names(list))
	}
}

func TestCase17_EqualDatesAreOrderedByName(t *testing.T) {
	tn := newTenant(t)
	at := time.Date(2026, 1, 2, 3, 4, 5, 6000, time.UTC)
	for _, name := range []string{"b", "a", "Z", "ä", "aa", "a/b", "a b", "日", "_", "0"} {
		tn.putAt(name, at)
	}
	_, list := bothWays(tn)
	require.Equal(t, []string{"0", "Z", "_", "a", "a b", "a/b", "aa", "b", "ä", "日"}, names(list))
}

func TestCase18_MemoriesWithoutADateAreListed(t *testing.T) {
	tn := newTenant(t)
	tn.putAt("old", time.Date(2001, 1, 1, 0, 0, 0, 0, time.UTC))
	tn.putAt("missing", nil)
	tn.putAt("string", "2026-01-01")
	tn.putAt("number", 7)
	_, list := bothWays(tn)
	require.Equal(t, []string{"number", "string", "missing", "old"}, names(list), "dated by their last change")
}

func TestCase19_DatesOfAllTimes(t *testing.T) {
	tn := newTenant(t)
	tn.putAt("moon", time.Date(1969, 7, 20, 20, 17, 40, 0, time.UTC))
	tn.putAt("end", time.Date(9999, 12, 31, 23, 59, 59, 999_999_999, time.UTC))
	tn.putAt("begin", time.Date(1, 1, 1, 0, 0, 0, 0, time.UTC))
	tn.putAt("nanoseconds b", time.Date(2026, 1, 1, 0, 0, 0, 1_999, time.UTC))
	tn.putAt("nanoseconds a", time.Date(2026, 1, 1, 0, 0, 0, 1_000, time.UTC))
	_, list := bothWays(tn)
	require.Equal(t, []string{"end", "nanoseconds a", "nanoseconds b", "moon", "begin"}, names(list))
	require.Equal(t, time.Date(9999, 12, 31, 23, 59, 59, 999_999_000, time.UTC), list.Entries[0].Date.Time())
	require.Equal(t, "## Memories\n- 9999-12-31 end\n- 2026-01-01 nanoseconds a\n- 2026-01-01 nanoseconds b\n- 1969-07-20 moon\n- 0001-01-01 begin\n",
		list.Text([]reader.Section{{Dates: true}}))
}

func TestPlainIDsAndAnotherDateField(t *testing.T) {
	tn := newTenantOf(t, memory.Schema{IDs: memory.Plain, DateField: "changed.at"})
	tn.put("opening hours", "cGFnZXM", "日本")
	_, list := bothWays(tn)
	require.Equal(t, []string{"opening hours", "cGFnZXM", "日本"}, names(list))
}

// TestIndexAndScanAreEqual draws stores with many equal dates and names that
// collide in every way that names can.
func TestIndexAndScanAreEqual(t *testing.T) {
	em := emulatortest.Start(t)
	client := emulatortest.Client(t, em)
	name := rapid.OneOf(
		rapid.SampledFrom([]string{"a", "a ", "A", "aa", "a/b", "é", "e\u0301", "\n", "日本"}),
		rapid.StringN(1, 12, 60),
	)
	dates := rapid.SampledFrom([]any{
		time.UnixMicro(0), time.UnixMicro(1), time.UnixMicro(-1), time.UnixMicro(1_700_000_000_000_000), nil, "no date",
	})
	run := 0
	rapid.Check(t, func(rt *rapid.T) {
		run++
		tn := newTenantIn(rt, em, client, fmt.Sprintf("tenants/t%d/memories", run))
		for _, n := range rapid.SliceOfNDistinct(name, 0, 8, rapid.ID).Draw(rt, "names") {
			tn.putAt(n, dates.Draw(rt, "date"))
		}
		if rapid.Bool().Draw(rt, "raw") {
			tn.putID("a ", dates.Draw(rt, "date")) // listed under the same name as one of the others
		}
		scanned, indexed := bothWays(tn)
		sections := []reader.Section{{Prefix: "a", Cap: 2}, {Dates: true}}
		require.Equal(rt, scanned.Text(sections), indexed.Text(sections))
		require.True(rt, slices.IsSortedFunc(indexed.Entries, index.Compare))
	})
}

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}
