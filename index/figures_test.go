package index_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"hippocampus/index"
	"hippocampus/memory"
)

// What is promised of sizes and allocations. Times are not promised: see the
// benchmarks.
func TestFigures(t *testing.T) {
	for _, n := range []int{5_000, 20_000, 100_000} {
		bytes := 0
		for _, part := range index.EncodeParts(samples(n, 1)) {
			bytes += len(part)
		}
		require.LessOrEqual(t, float64(bytes)/float64(n), 18.0, "bytes an entry of %d", n)
	}
	require.Len(t, index.EncodeParts(samples(45_000, 1)), 1, "the parts of 45,000 memories")

	docs := build(samples(100_000, 1), index.MaxPartBytes)
	changed := map[string]any{}
	for i := range 50 {
		changed[index.Key(started+memory.Micros(i+1), id(t, "changed"))] = memory.Micros(started).Time()
	}
	docs = append(docs, shard(0, changed))
	allocations := testing.AllocsPerRun(3, func() {
		entries, err := index.Read(docs, memory.Schema{}).List()
		if err != nil || len(entries) != 100_001 {
			panic("not the list")
		}
	})
	require.Less(t, allocations, 1000.0, "to decode and merge 100,000 entries")
}
