package repair_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"cloud.google.com/go/firestore"
	"github.com/stretchr/testify/require"

	"hippocampus/emulator/official/officialtest"
	"hippocampus/index"
	"hippocampus/memory"
	"hippocampus/repair"
)

// BenchmarkFold is what a night costs: a full fold of a store, and next to it a
// compaction of the same index after 200 changes. reads and writes are
// documents as billed.
func BenchmarkFold(b *testing.B) {
	for _, n := range []int{1000, 20000} {
		b.Run(fmt.Sprintf("memories=%d", n), func(b *testing.B) {
			em := officialtest.Start(b)
			client := officialtest.Client(b, em)
			b.Cleanup(func() { require.NoError(b, em.Clear(context.Background())) })
			writeMemories(b, client, n)
			report := func(b *testing.B, r *repair.Result) {
				b.ReportMetric(float64(r.Reads), "reads")
				b.ReportMetric(float64(r.Writes), "writes")
				b.ReportMetric(float64(r.BaseBytes)/float64(r.Memories), "base-B/entry")
			}
			b.Run("full", func(b *testing.B) {
				b.ReportAllocs()
				var result *repair.Result
				for b.Loop() {
					var err error
					result, err = repair.Full(b.Context(), client, memories, nil)
					require.NoError(b, err)
				}
				report(b, result)
			})
			b.Run("compaction", func(b *testing.B) {
				b.ReportAllocs()
				path := indexPath(b)
				var result *repair.Result
				for i := 0; b.Loop(); i++ {
					b.StopTimer()
					writeShard(b, client, path, i)
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

func writeMemories(b *testing.B, client *firestore.Client, n int) {
	b.Helper()
	writer := client.BulkWriter(b.Context())
	jobs := make([]*firestore.BulkWriterJob, n)
	for i := range n {
		id, err := memory.ID(fmt.Sprintf("pages/topic %d/%d", i%97, i))
		require.NoError(b, err)
		jobs[i], err = writer.Set(client.Collection(memories).Doc(id), map[string]any{"updated_at": firestore.ServerTimestamp})
		require.NoError(b, err)
	}
	writer.End()
	for _, job := range jobs {
		_, err := job.Results()
		require.NoError(b, err)
	}
}

// writeShard writes 200 entries of memories to a shard, as the hook would have.
func writeShard(b *testing.B, client *firestore.Client, path string, round int) {
	b.Helper()
	entries := map[string]any{}
	base := time.Now()
	for i := range 200 {
		id, err := memory.ID(fmt.Sprintf("pages/topic %d/%d", i%97, i))
		require.NoError(b, err)
		version := memory.MicrosOf(base) + memory.Micros(i)
		entries[index.Key(version, id)] = version.Time()
	}
	_, err := client.Collection(path).Doc(index.ShardID(round%2)).Set(b.Context(), map[string]any{index.EntriesField: entries})
	require.NoError(b, err)
}

func indexPath(b *testing.B) string {
	b.Helper()
	path, err := index.Path(memories)
	require.NoError(b, err)
	return path
}
