package corpus_test

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode"

	"github.com/stretchr/testify/require"

	"hippocampus/internal/eval/corpus"
	"hippocampus/memory"
)

func TestAStoreIsTheBeginningOfALargerOne(t *testing.T) {
	all := corpus.Generate(7, 1000)
	for _, n := range []int{0, 1, 2, 99, 1000} {
		require.Equal(t, all[:n], corpus.Generate(7, n))
	}
	require.NotEqual(t, all, corpus.Generate(8, 1000))
	require.Empty(t, corpus.Generate(7, -1))
}

func TestSizesAre2KBOnAverage(t *testing.T) {
	for seed := range uint64(20) {
		sum, large := 0, 0
		const n = 5000
		for _, m := range corpus.Generate(seed, n) {
			size := documentSize(t, m)
			sum += size
			if size > 4096 {
				large++
			}
		}
		require.InEpsilon(t, 2048, sum/n, 0.03, "seed %d", seed)
		require.Greater(t, large, n/50)
	}
}

func documentSize(t *testing.T, m corpus.Memory) int {
	t.Helper()
	id, err := memory.ID(m.Name)
	require.NoError(t, err)
	fields := map[string]any{"updated_at": m.Date}
	for name, value := range m.Fields {
		fields[name] = value
	}
	return memory.DocumentSize("tenants/acme/memories/"+id, fields)
}

func TestNames(t *testing.T) {
	const n = 5000
	seen, depths, folders := map[string]bool{}, map[int]int{}, map[string]int{}
	usual, long := 0, 0
	for _, m := range corpus.Generate(1, n) {
		require.False(t, seen[m.Name], "%q twice", m.Name)
		seen[m.Name] = true
		_, err := memory.ID(m.Name)
		require.NoError(t, err)
		if length := len(m.Name); length >= 15 && length <= 60 {
			usual++
		} else if length > 200 {
			long++
		}
		parts := strings.Split(m.Name, "/")
		require.NotContains(t, parts, "")
		depths[len(parts)]++
		for i := 2; i < len(parts); i++ {
			folders[strings.Join(parts[:i], "/")]++
		}
	}
	require.Greater(t, usual, n*3/4)
	require.Greater(t, long, n/200)
	for depth := 1; depth <= 5; depth++ {
		require.Greater(t, depths[depth], n/50, "names of %d segments", depth)
	}
	require.Len(t, depths, 5)
	// By Zipf's law a few folders have many and many have few.
	counts := slices.Sorted(maps.Values(folders))
	require.Greater(t, counts[len(counts)-1], n/20)
	require.Less(t, counts[len(counts)/2], 10)
	require.Greater(t, len(counts), 300)
}

func TestNamesAreOfManyScripts(t *testing.T) {
	tables := []*unicode.RangeTable{unicode.Latin, unicode.Cyrillic, unicode.Greek, unicode.Arabic, unicode.Hebrew,
		unicode.Devanagari, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul,
		unicode.So, unicode.Zs, unicode.Nd, unicode.Po}
	found := make([]int, len(tables))
	accented := 0
	const n = 5000
	for _, m := range corpus.Generate(1, n) {
		for i, table := range tables {
			if strings.ContainsFunc(m.Name, func(r rune) bool { return unicode.Is(table, r) }) {
				found[i]++
			}
		}
		if strings.ContainsAny(m.Name, "éüßłệ") {
			accented++
		}
	}
	for i, k := range append(found, accented) {
		require.Greater(t, k, n/500, "%d", i)
	}
}

func TestDates(t *testing.T) {
	memories := corpus.Generate(1, 5000)
	dates := map[time.Time]int{}
	oldest, newest := memories[0].Date, memories[0].Date
	for _, m := range memories {
		require.Equal(t, m.Date.Truncate(time.Microsecond), m.Date)
		dates[m.Date]++
		if m.Date.Before(oldest) {
			oldest = m.Date
		}
		if m.Date.After(newest) {
			newest = m.Date
		}
	}
	require.InDelta(t, 2*365, newest.Sub(oldest).Hours()/24, 30)
	shared, recent := 0, 0
	for date, k := range dates {
		if k > 1 {
			shared += k
		}
		if newest.Sub(date) < 183*24*time.Hour {
			recent += k
		}
	}
	require.Greater(t, shared, len(memories)/50, "ties in the order occur")
	require.InEpsilon(t, len(memories)/2, recent, 0.1, "half of all are of the last quarter of the time")
}

func TestAJournalIsNamedByItsDate(t *testing.T) {
	found := 0
	for _, m := range corpus.Generate(1, 5000) {
		if strings.HasPrefix(m.Name, "journal/") {
			found++
			require.True(t, strings.HasPrefix(m.Name, "journal/"+m.Date.Format(time.DateOnly)), m.Name)
		}
	}
	require.Greater(t, found, 250)
}

// A seed makes the same store everywhere and always: what was measured can be measured again.
func TestAStoreStaysAsItIs(t *testing.T) {
	sum := sha256.New()
	for _, m := range corpus.Generate(1, 2000) {
		fields, err := json.Marshal(m.Fields)
		require.NoError(t, err)
		fmt.Fprintf(sum, "%s\x00%d\x00%s\n", m.Name, m.Date.UnixMicro(), fields)
	}
	require.Equal(t, "f366e3b530ef57e156728631823a80e8db634bffec5e07cd9800ec74068da51e", hex.EncodeToString(sum.Sum(nil)))
}
