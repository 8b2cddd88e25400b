package reader_test

import (
	"context"
	"flag"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"cloud.google.com/go/firestore"
	"github.com/stretchr/testify/require"

	"hippocampus/emulator/emulatortest"
	"hippocampus/index"
	"hippocampus/internal/eval/bill"
	"hippocampus/internal/eval/corpus"
	"hippocampus/internal/ways"
	"hippocampus/memory"
	"hippocampus/reader"
	"hippocampus/repair"
)

// maps is where the list is kept as maps of fields.
const maps = "maps/acme/shards"

var turnSizes = flag.String("turn.memories", "100,1000,5000,20000,100000", "sizes of the stores of BenchmarkTurn")

// BenchmarkTurn is what one turn pays for the list of what its agent knows, at
// several sizes of the store, memories of 2 KB each:
//
//	full-scan    every memory read whole, as most backends do
//	names-scan   every memory read, its date only, in one query
//	map-shards   the list kept as maps {id: date} in shard documents
//	index        ours, on a quiet tenant
//	index+50     ours, after 50 changes since the last fold
//
// docs is documents read as billed, wire-B bytes on the wire.
func BenchmarkTurn(b *testing.B) {
	for size := range strings.SplitSeq(*turnSizes, ",") {
		n, err := strconv.Atoi(size)
		require.NoError(b, err)
		b.Run(fmt.Sprintf("memories=%d", n), func(b *testing.B) { benchmarkTurns(b, n) })
	}
}

func benchmarkTurns(b *testing.B, n int) {
	em := emulatortest.Start(b)
	var wire bill.Meter
	client := emulatortest.Client(b, em, wire.Options()...)
	b.Cleanup(func() { require.NoError(b, em.Clear(context.Background())) })
	stored := corpus.Generate(1, n)
	require.NoError(b, corpus.Write(b.Context(), client, memories, nil, stored))
	entries, _, err := ways.NamesScan(b.Context(), client, memories, ways.Options{})
	require.NoError(b, err)
	require.NoError(b, ways.WriteMaps(b.Context(), client, maps, entries))
	_, err = repair.Build(b.Context(), client, memories, nil)
	require.NoError(b, err)
	r := reader.New(client, quiet)

	turn := func(name string, list func() (entries, documents int)) {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			wire.Take()
			documents := 0
			for b.Loop() {
				entries, read := list()
				require.Equal(b, n, entries)
				documents = read
			}
			used := wire.Take()
			require.Equal(b, documents*b.N, used.Reads)
			b.ReportMetric(float64(documents), "docs")
			b.ReportMetric(float64(used.Received)/float64(b.N), "wire-B")
		})
	}
	for _, way := range []struct {
		name, at string
		list     func(context.Context, *firestore.Client, string, ways.Options) ([]ways.Entry, int, error)
	}{{"full-scan", memories, ways.FullScan}, {"names-scan", memories, ways.NamesScan}, {"map-shards", maps, ways.Maps}} {
		turn(way.name, func() (int, int) {
			entries, documents, err := way.list(b.Context(), client, way.at, ways.Options{})
			require.NoError(b, err)
			return len(entries), documents
		})
	}
	ours := func() (int, int) {
		list, err := r.List(b.Context(), memories)
		require.NoError(b, err)
		require.Equal(b, reader.FromIndex, list.Receipt.Source, list.Receipt.Detail)
		return len(list.Entries), list.Receipt.DocumentsRead
	}
	turn("index", ours)
	changeSome(b, client, stored[:min(50, n)])
	turn("index+50", ours)
}

// changeSome changes memories and writes what the hook would.
func changeSome(b *testing.B, client *firestore.Client, changed []corpus.Memory) {
	b.Helper()
	path, err := index.Path(memories)
	require.NoError(b, err)
	entries := map[string]any{}
	for _, m := range changed {
		id, err := memory.ID(m.Name)
		require.NoError(b, err)
		result, err := client.Collection(memories).Doc(id).Set(b.Context(), map[string]any{"updated_at": firestore.ServerTimestamp}, firestore.MergeAll)
		require.NoError(b, err)
		entries[index.Key(memory.MicrosOf(result.UpdateTime), id)] = result.UpdateTime
	}
	_, err = client.Collection(path).Doc(index.ShardID(0)).Set(b.Context(), map[string]any{index.EntriesField: entries})
	require.NoError(b, err)
}
