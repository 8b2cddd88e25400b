package index_test

import (
	"cmp"
	"encoding/base64"
	"fmt"
	"math"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	pb "cloud.google.com/go/firestore/apiv1/firestorepb"
	"github.com/cespare/xxhash/v2"
	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/proto"

	"hippocampus/index"
	"hippocampus/memory"
)

var sizes = []int{100, 1_000, 5_000, 20_000, 100_000}

func BenchmarkEncode(b *testing.B) {
	for _, n := range sizes {
		entries := samples(n, 1)
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			b.ReportAllocs()
			var parts [][]byte
			for b.Loop() {
				parts = index.EncodeParts(entries)
			}
			b.ReportMetric(float64(totalBytes(parts))/float64(n), "bytes/entry")
			b.ReportMetric(float64(len(parts)), "parts")
			reportPerEntry(b, n)
		})
	}
}

func BenchmarkDecode(b *testing.B) {
	for _, n := range sizes {
		parts := index.EncodeParts(samples(n, 1))
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				var entries []index.Entry
				for _, part := range parts {
					var err error
					entries, err = index.DecodeBlock(entries, part)
					require.NoError(b, err)
				}
				require.Len(b, entries, n)
			}
			b.ReportMetric(float64(totalBytes(parts))/float64(n), "bytes/entry")
			reportPerEntry(b, n)
		})
	}
}

// BenchmarkMerge merges a shard of changes, a tenth of the list and at most 50,
// into the decoded base.
func BenchmarkMerge(b *testing.B) {
	for _, n := range sizes {
		docs := decodeDocs(b, ourForm(b, samples(n, 1), min(n/10, 50)))
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			view := index.Read(docs, memory.Schema{})
			b.ReportAllocs()
			for b.Loop() {
				list, err := view.List()
				require.NoError(b, err)
				require.Len(b, list, n)
			}
			reportPerEntry(b, n)
		})
	}
}

// BenchmarkList is what a turn pays from the documents, as the client has them, to the sorted list:
// the paper's form, a map of fields {id: date} a shard, and ours, with one shard of changes on top
// of the base. Both run by turns; x-faster is their ratio. The /wire runs include what the client
// does to get from the response to the documents.
func BenchmarkList(b *testing.B) {
	for _, n := range sizes {
		entries := samples(n, 1)
		theirs, ours := mapForm(entries), ourForm(b, entries, min(n/10, 50))
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			theirDocs, ourDocs := decodeDocs(b, theirs), decodeDocs(b, ours)
			sideBySide(b, n,
				func() int { return len(listMapForm(b, theirDocs)) },
				func() int { return len(listOurForm(b, ourDocs)) })
			b.ReportMetric(float64(totalBytes(theirs))/float64(n), "map-bytes/entry")
			b.ReportMetric(float64(totalBytes(ours))/float64(n), "bytes/entry")
		})
		b.Run(fmt.Sprintf("%d/wire", n), func(b *testing.B) {
			sideBySide(b, n,
				func() int { return len(listMapForm(b, decodeDocs(b, theirs))) },
				func() int { return len(listOurForm(b, decodeDocs(b, ours))) })
		})
	}
}

// sideBySide reports the best time of each, which other work on the machine
// disturbs the least.
func sideBySide(b *testing.B, n int, theirs, ours func() int) {
	best := [2]time.Duration{math.MaxInt64, math.MaxInt64}
	var allocs [2]uint64
	var before, after runtime.MemStats
	for b.Loop() {
		for i, list := range []func() int{theirs, ours} {
			runtime.ReadMemStats(&before)
			start := time.Now()
			require.Equal(b, n, list())
			best[i] = min(best[i], time.Since(start))
			runtime.ReadMemStats(&after)
			allocs[i] = after.Mallocs - before.Mallocs
		}
	}
	b.ReportMetric(0, "ns/op") // of both, which says nothing
	b.ReportMetric(float64(best[0].Nanoseconds())/float64(n), "map-ns/entry")
	b.ReportMetric(float64(best[1].Nanoseconds())/float64(n), "ns/entry")
	b.ReportMetric(float64(best[0])/float64(best[1]), "x-faster")
	b.ReportMetric(float64(allocs[0]), "map-allocs")
	b.ReportMetric(float64(allocs[1]), "allocs")
}

func reportPerEntry(b *testing.B, n int) {
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/entry")
}

func totalBytes(parts [][]byte) int {
	n := 0
	for _, part := range parts {
		n += len(part)
	}
	return n
}

// mapForm returns the documents of the paper's index as they come over the
// wire: eight shards, or as many more as keep each below half of the limit of
// a document.
func mapForm(entries []index.Entry) [][]byte {
	total := 0
	for _, e := range entries {
		total += len(e.ID()) + 1 + 8
	}
	shards := make([]map[string]any, max(8, total/(1<<19)))
	for i := range shards {
		shards[i] = map[string]any{}
	}
	for _, e := range entries {
		shards[xxhash.Sum64String(e.ID())%uint64(len(shards))][e.ID()] = e.Date.Time()
	}
	var docs [][]byte
	for i, shard := range shards {
		docs = append(docs, wire(fmt.Sprintf("tenants/acme/index/memory_shards/%d", i), map[string]any{"entries": shard}))
	}
	return docs
}

func listMapForm(b *testing.B, docs []index.Doc) []index.Entry {
	var entries []index.Entry
	for _, doc := range docs {
		for id, date := range doc.Fields["entries"].(map[string]any) {
			name, err := base64.RawURLEncoding.DecodeString(id)
			require.NoError(b, err)
			entries = append(entries, index.Entry{Name: string(name), Date: memory.MicrosOf(date.(time.Time))})
		}
	}
	slices.SortFunc(entries, func(a, b index.Entry) int {
		return cmp.Or(cmp.Compare(b.Date, a.Date), strings.Compare(a.Name, b.Name))
	})
	return entries
}

// ourForm returns the documents of our index: the base, and one shard in which
// the given number of memories have changed since the fold.
func ourForm(b *testing.B, entries []index.Entry, changed int) [][]byte {
	parts := index.EncodeParts(entries)
	meta := index.Meta{Generation: 1, Run: "r", Count: len(entries), Parts: len(parts), Sum: index.Checksum(parts), ScanStarted: now, AsOf: now}
	docs := [][]byte{wire("memory_shards/meta", meta.Fields(parts[0]))}
	for i, part := range parts[1:] {
		docs = append(docs, wire("memory_shards/"+index.PartID(1, "r", i+1), map[string]any{index.BlockField: part}))
	}
	shard := map[string]any{}
	for i := range changed {
		e := entries[i*len(entries)/changed]
		shard[index.Key(now+hour+memory.Micros(i), e.ID())] = (now + hour + memory.Micros(i)).Time()
	}
	return append(docs, wire("memory_shards/shard-0", map[string]any{index.EntriesField: shard}))
}

func listOurForm(b *testing.B, docs []index.Doc) []index.Entry {
	list, err := index.Read(docs, memory.Schema{}).List()
	require.NoError(b, err)
	return list
}

// decodeDocs does what the Firestore client does with the documents of a response.
func decodeDocs(b *testing.B, wire [][]byte) []index.Doc {
	docs := make([]index.Doc, len(wire))
	for i, data := range wire {
		var doc pb.Document
		require.NoError(b, proto.Unmarshal(data, &doc))
		docs[i] = fromDocument(&doc)
	}
	return docs
}

// wire returns a document as it is in a response.
func wire(path string, fields map[string]any) []byte {
	data, err := proto.Marshal(toDocument(path, fields))
	if err != nil {
		panic(err)
	}
	return data
}
