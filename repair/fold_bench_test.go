package repair_test

import (
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"
	"time"

	"cloud.google.com/go/firestore"
	"github.com/stretchr/testify/require"

	"hippocampus/emulator/emulatortest"
	"hippocampus/index"
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
			var wire bill
			client := emulatortest.Client(b, em, wire.options()...)
			b.Cleanup(func() { require.NoError(b, em.Clear(context.Background())) })
			writeMemories(b, client, n)
			report := func(b *testing.B, r *repair.Result) {
				reads, writes, deletes := wire.take()
				require.Equal(b, n, r.Memories)
				require.Equal(b, reads, r.Reads)
				require.Equal(b, writes+deletes, r.Writes)
				b.ReportMetric(float64(reads), "reads")
				b.ReportMetric(float64(writes), "writes")
				b.ReportMetric(float64(deletes), "deletes")
				b.ReportMetric(float64(r.BaseBytes)/float64(r.Memories), "base-B/entry")
			}
			_, err := repair.Full(b.Context(), client, memories, nil) // the first is not as the others
			require.NoError(b, err)
			b.Run("full", func(b *testing.B) {
				b.ReportAllocs()
				var result *repair.Result
				for b.Loop() {
					wire.take()
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
					wire.take()
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
	body := strings.Repeat("What is known of this. ", 85)
	writer := client.BulkWriter(b.Context())
	jobs := make([]*firestore.BulkWriterJob, n)
	for i := range n {
		id, err := memory.ID(realisticName(i))
		require.NoError(b, err)
		jobs[i], err = writer.Set(client.Collection(memories).Doc(id), map[string]any{"updated_at": firestore.ServerTimestamp, "body": body})
		require.NoError(b, err)
	}
	writer.End()
	for _, job := range jobs {
		_, err := job.Results()
		require.NoError(b, err)
	}
}

// realisticName is the name of memory i, the same every time: topics, dated
// entries, notes and imported sources.
func realisticName(i int) string {
	words := strings.Fields("opening hours supplier invoice second location lease kitchen oven menu spring allergy customer feedback staff rota delivery van permit tax bakery coffee rye flour price list meeting garden website photos holiday booking")
	r := rand.New(rand.NewPCG(7, uint64(i)))
	word := func() string { return words[r.IntN(len(words))] }
	switch i % 4 {
	case 0:
		return fmt.Sprintf("pages/%s/%s %d", word(), word(), i)
	case 1:
		return fmt.Sprintf("journal/%s/%d", time.Unix(int64(1_600_000_000+i*7919), 0).UTC().Format(time.DateOnly), i)
	case 2:
		return fmt.Sprintf("notebook/%s %s %s %d", word(), word(), word(), i)
	}
	return fmt.Sprintf("sources/%s/%08x", word(), r.Uint32())
}

// writeShard writes 200 entries of memories to a shard, as the hook would have.
func writeShard(b *testing.B, client *firestore.Client, path string, round int) {
	b.Helper()
	entries := map[string]any{}
	base := time.Now()
	for i := range 200 {
		id, err := memory.ID(realisticName(i))
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
