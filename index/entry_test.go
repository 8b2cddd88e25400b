package index_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"hippocampus/index"
	"hippocampus/memory"
)

func TestEntryOf(t *testing.T) {
	record := memory.Record{ID: "YSBi", Version: 2, Date: 1}
	require.Equal(t, index.Entry{Name: "a b", Version: 2, Date: 1}, index.EntryOf(memory.Base64URL, record))
	require.Equal(t, index.Entry{Name: "YSBi", Version: 2, Date: 1, RawID: true}, index.EntryOf(memory.Plain, record))
	for _, id := range []string{"second-location", "YR", "YSBi\n", "YQ==", "_w"} {
		record.ID = id
		require.Equal(t, index.Entry{Name: id, Version: 2, Date: 1, RawID: true}, index.EntryOf(memory.Base64URL, record), id)
	}
}

// An entry gives back the id of its document, whatever it is, and no two
// documents have one entry.
func TestAnEntryGivesItsIDBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		kind := rapid.SampledFrom([]memory.IDKind{memory.Base64URL, memory.Plain}).Draw(t, "ids")
		id := rapid.OneOf(rapid.StringMatching(`[A-Za-z0-9_-]{1,8}`), rapid.StringN(1, 8, -1)).Draw(t, "id")
		require.Equal(t, id, index.EntryOf(kind, memory.Record{ID: id}).ID())
	})
}

func TestListOrder(t *testing.T) {
	want := []index.Entry{
		{Name: "z", Date: 9},
		{Name: "A", Date: 5},
		{Name: "Z", Date: 5},
		{Name: "a", Date: 5},
		{Name: "a", Date: 5, RawID: true},
		{Name: "a b", Date: 5},
		{Name: "a/b", Date: 5},
		{Name: "e\u0301", Date: 5},
		{Name: "\u00e9", Date: 5},
		{Name: "日本", Date: 5},
		{Name: "a", Date: 0},
		{Name: "a", Date: -1},
	}
	rapid.Check(t, func(t *rapid.T) {
		entries := rapid.Permutation(want).Draw(t, "entries")
		index.Sort(entries)
		require.Equal(t, want, entries)
	})
	require.True(t, slices.IsSortedFunc(want, index.Compare))
	for i, a := range want {
		for j, b := range want {
			require.Equal(t, index.Compare(a, b), -index.Compare(b, a))
			require.Equal(t, i == j, index.Compare(a, b) == 0)
		}
	}
}
