package repair_test

import (
	"context"
	"flag"
	"fmt"
	"strconv"
	"strings"
	"testing"
	"time"

	"cloud.google.com/go/firestore"
	"github.com/stretchr/testify/require"

	"hippocampus/emulator/emulatortest"
	"hippocampus/index"
	"hippocampus/internal/eval/bill"
	"hippocampus/internal/eval/corpus"
	"hippocampus/internal/tenanttest"
	"hippocampus/memory"
	"hippocampus/repair"
)

var foldSizes = flag.String("fold.memories", "1000,5000", "sizes of the stores of BenchmarkFold")

// BenchmarkFold is what a night costs: a full fold of a store of memories of 2 KB,
// and next to it a compaction of the same index after 200 changes. reads, writes
// and deletes are documents as billed, counted on the wire.
func BenchmarkFold(b *testing.B) {
	for size := range strings.SplitSeq(*foldSizes, ",") {
		n, err := strconv.Atoi(size)
		require.NoError(b, err)
		b.Run(fmt.Sprintf("memories=%d", n), func(b *testing.B) {
			em := emulatortest.Start(b)
			var wire bill.Meter
			client := emulatortest.Client(b, em, wire.Options()...)
			b.Cleanup(func() { require.NoError(b, em.Clear(context.Background())) })
			stored := corpus.Generate(1, n)
			require.NoError(b, corpus.Write(b.Context(), client, memories, nil, stored))
			report := func(b *testing.B, r *repair.Result) {
				used := wire.Take()
				require.Equal(b, n, r.Memories)
				require.Equal(b, used.Reads, r.Reads)
				require.Equal(b, used.Writes+used.Deletes, r.Writes)
				b.ReportMetric(float64(used.Reads), "reads")
				b.ReportMetric(float64(used.Writes), "writes")
				b.ReportMetric(float64(used.Deletes), "deletes")
				b.ReportMetric(float64(r.BaseBytes)/float64(r.Memories), "base-B/entry")
			}
			_, err := repair.Build(b.Context(), client, memories, nil) // the first is not as the others
			require.NoError(b, err)
			b.Run("full", func(b *testing.B) {
				b.ReportAllocs()
				var result *repair.Result
				for b.Loop() {
					wire.Take()
					var err error
					result, err = repair.Build(b.Context(), client, memories, nil)
					require.NoError(b, err)
				}
				report(b, result)
			})
			b.Run("compaction", func(b *testing.B) {
				b.ReportAllocs()
				indexed := tenanttest.In(b, em, client, memories, memory.Schema{}).Index
				var result *repair.Result
				for i := 0; b.Loop(); i++ {
					b.StopTimer()
					writeShard(b, indexed, i, stored[:min(200, n)])
					wire.Take()
					b.StartTimer()
					var err error
					result, err = repair.Compact(b.Context(), client, memories, nil)
					require.NoError(b, err)
				}
				report(b, result)
			})
		})
	}
}

// writeShard writes entries of changed memories to a shard, as the hook would have.
func writeShard(b *testing.B, indexed *firestore.CollectionRef, round int, changed []corpus.Memory) {
	b.Helper()
	entries := map[string]any{}
	base := time.Now()
	for i, m := range changed {
		id, err := memory.ID(m.Name)
		require.NoError(b, err)
		version := memory.MicrosOf(base) + memory.Micros(i)
		entries[index.Key(version, id)] = version.Time()
	}
	_, err := indexed.Doc(index.ShardID(round%2)).Set(b.Context(), map[string]any{index.EntriesField: entries})
	require.NoError(b, err)
}
