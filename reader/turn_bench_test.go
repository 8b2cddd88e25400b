package reader_test

import (
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"cloud.google.com/go/firestore"
	"github.com/stretchr/testify/require"
	"google.golang.org/api/option"
	"google.golang.org/grpc"
	"google.golang.org/grpc/stats"

	"hippocampus/emulator/emulatortest"
	"hippocampus/index"
	"hippocampus/memory"
	"hippocampus/reader"
	"hippocampus/repair"
)

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
	var wire meter
	client := emulatortest.Client(b, em, option.WithGRPCDialOption(grpc.WithStatsHandler(&wire)))
	b.Cleanup(func() { require.NoError(b, em.Clear(context.Background())) })
	ids := fillStore(b, client, n)
	shards := fillMapShards(b, client, ids)
	_, err := repair.Full(b.Context(), client, memories, nil)
	require.NoError(b, err)
	r := reader.New(client, quiet)

	turn := func(name string, list func() (entries, documents int)) {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			before := wire.received.Load()
			documents := 0
			for b.Loop() {
				entries, read := list()
				require.Equal(b, n, entries)
				documents = read
			}
			b.ReportMetric(float64(documents), "docs")
			b.ReportMetric(float64(wire.received.Load()-before)/float64(b.N), "wire-B")
		})
	}
	turn("full-scan", func() (int, int) {
		snapshots, err := client.Collection(memories).Documents(b.Context()).GetAll()
		require.NoError(b, err)
		entries := make([]index.Entry, 0, len(snapshots))
		for _, s := range snapshots {
			version := memory.MicrosOf(s.UpdateTime)
			entries = append(entries, index.EntryOf(memory.Base64URL, memory.Record{
				ID: s.Ref.ID, Version: version, Date: memory.Date(s.Data()["updated_at"], version)}))
		}
		index.Sort(entries)
		return len(entries), len(snapshots)
	})
	turn("names-scan", func() (int, int) {
		store, err := memory.NewStore(client, memories, memory.Schema{})
		require.NoError(b, err)
		var entries []index.Entry
		require.NoError(b, store.Scan(b.Context(), &memory.ScanOptions{Page: n + 1}, func(m memory.Record) error {
			entries = append(entries, index.EntryOf(memory.Base64URL, m))
			return nil
		}))
		index.Sort(entries)
		return len(entries), len(entries)
	})
	turn("map-shards", func() (int, int) {
		snapshots, err := shards.Documents(b.Context()).GetAll()
		require.NoError(b, err)
		var entries []index.Entry
		for _, s := range snapshots {
			for id, date := range s.Data()["entries"].(map[string]any) {
				entries = append(entries, index.EntryOf(memory.Base64URL, memory.Record{ID: id, Date: memory.MicrosOf(date.(time.Time))}))
			}
		}
		index.Sort(entries)
		return len(entries), len(snapshots)
	})
	ours := func() (int, int) {
		list, err := r.List(b.Context(), memories)
		require.NoError(b, err)
		require.Equal(b, reader.FromIndex, list.Receipt.Source, list.Receipt.Detail)
		return len(list.Entries), list.Receipt.DocumentsRead
	}
	turn("index", ours)
	changeSome(b, client, ids[:min(50, n)])
	turn("index+50", ours)
}

// meter counts the bytes that a client receives.
type meter struct{ received atomic.Int64 }

func (m *meter) TagRPC(ctx context.Context, _ *stats.RPCTagInfo) context.Context   { return ctx }
func (m *meter) TagConn(ctx context.Context, _ *stats.ConnTagInfo) context.Context { return ctx }
func (m *meter) HandleConn(context.Context, stats.ConnStats)                       {}
func (m *meter) HandleRPC(_ context.Context, s stats.RPCStats) {
	if in, ok := s.(*stats.InPayload); ok {
		m.received.Add(int64(in.WireLength))
	}
}

// fillStore writes n memories of 2 KB with names as agents give them, dated by
// the server, and returns their ids.
func fillStore(b *testing.B, client *firestore.Client, n int) []string {
	b.Helper()
	body := strings.Repeat("What is known of this. ", 85)
	writer := client.BulkWriter(b.Context())
	ids := make([]string, n)
	jobs := make([]*firestore.BulkWriterJob, n)
	for i := range n {
		id, err := memory.ID(realisticName(i))
		require.NoError(b, err)
		ids[i] = id
		jobs[i], err = writer.Set(client.Collection(memories).Doc(id), map[string]any{"updated_at": firestore.ServerTimestamp, "body": body})
		require.NoError(b, err)
	}
	writer.End()
	for _, job := range jobs {
		_, err := job.Results()
		require.NoError(b, err)
	}
	return ids
}

// fillMapShards writes the same list as maps of fields, over 8 documents or as
// many as its size needs.
func fillMapShards(b *testing.B, client *firestore.Client, ids []string) *firestore.CollectionRef {
	b.Helper()
	count := max(8, len(ids)/8000+1)
	shards := make([]map[string]any, count)
	for i := range shards {
		shards[i] = map[string]any{}
	}
	for i, id := range ids {
		shards[index.Shard(id, count)][id] = time.UnixMicro(1_780_000_000_000_000 + int64(i)*1_234_567)
	}
	collection := client.Collection("maps/acme/shards")
	for i, entries := range shards {
		_, err := collection.Doc(strconv.Itoa(i)).Set(b.Context(), map[string]any{"entries": entries})
		require.NoError(b, err)
	}
	return collection
}

// changeSome changes memories and writes what the hook would.
func changeSome(b *testing.B, client *firestore.Client, ids []string) {
	b.Helper()
	path, err := index.Path(memories)
	require.NoError(b, err)
	entries := map[string]any{}
	for _, id := range ids {
		result, err := client.Collection(memories).Doc(id).Set(b.Context(), map[string]any{"updated_at": firestore.ServerTimestamp}, firestore.MergeAll)
		require.NoError(b, err)
		entries[index.Key(memory.MicrosOf(result.UpdateTime), id)] = result.UpdateTime
	}
	_, err = client.Collection(path).Doc(index.ShardID(0)).Set(b.Context(), map[string]any{index.EntriesField: entries})
	require.NoError(b, err)
}

// realisticName is the name of memory i, the same every time: topics, dated
// entries, notes and imported sources.
func realisticName(i int) string {
	words := strings.Fields("opening hours supplier invoice second location lease kitchen oven menu spring allergy customer feedback staff rota delivery van permit tax bakery coffee rye flour price list meeting garden website photos holiday booking")
	r := rand.New(rand.NewPCG(7, uint64(i)))
	word := func() string { return words[r.IntN(len(words))] }
	switch i % 5 {
	case 0:
		return fmt.Sprintf("pages/%s %s %d", word(), word(), i)
	case 1:
		return fmt.Sprintf("journal/%s/%d", time.Unix(int64(1_600_000_000+i*7919), 0).UTC().Format("2006-01-02"), i)
	case 2:
		return fmt.Sprintf("notebook/%s %s %s %d", word(), word(), word(), i)
	case 3:
		return fmt.Sprintf("sources/%s/%08x", word(), r.Uint32())
	}
	return fmt.Sprintf("pages/%s/%s %d", word(), word(), i)
}
