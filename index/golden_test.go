package index_test

import (
	"encoding/json"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	pb "cloud.google.com/go/firestore/apiv1/firestorepb"
	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/types/known/timestamppb"

	"hippocampus/index"
	"hippocampus/memory"
)

var update = flag.Bool("index.update", false, "write the golden files that are missing; those that exist are never rewritten")

// golden holds what every file of testdata/v1 was made from. What is on disk was
// written once, when version 1 was made, and must be read for ever.
var golden = func() map[string][]byte {
	entries := assorted()
	files := map[string][]byte{
		"assorted.block": index.EncodeBlock(entries),
		"assorted.json":  listing(entries),
	}
	docs := goldenIndex()
	for _, d := range docs {
		document, err := protojson.MarshalOptions{Multiline: true, Indent: "\t"}.Marshal(d)
		if err != nil {
			panic(err)
		}
		files["index/"+fromDocument(d).ID+".json"] = append(document, '\n')
	}
	v := view(docs)
	list, err := v.List()
	if err != nil {
		panic(err)
	}
	files["list.json"] = listing(list)
	compacted, _ := v.Compacted()
	files["compacted.json"] = listing(compacted)
	return files
}()

// assorted entries: tombstones, raw ids, non-ASCII, control characters, extreme
// dates, one name twice, equal dates.
func assorted() []index.Entry {
	lowest, highest := memory.MicrosOf(time.Date(1, 1, 1, 0, 0, 0, 0, time.UTC)), memory.MicrosOf(time.Date(9999, 12, 31, 23, 59, 59, 999999999, time.UTC))
	entries := []index.Entry{
		{Name: "pages/Second Location", Date: now, Version: now},
		{Name: "pages/Opening Hours", Date: now - 3*hour, Version: now - 3*hour + 412},
		{Name: "the last moment", Date: highest, Version: now},
		{Name: "the first moment", Date: lowest, Version: now - 1},
		{Name: "1969", Date: -1, Version: now - 2},
		{Name: "1970", Date: 0, Version: now - 3},
		{Name: "日本語/メモ", Date: now - hour, Version: now - hour},
		{Name: "👩\u200d👩\u200d👧/x", Date: now - hour, Version: now - hour},
		{Name: "\u00e9", Date: now - hour, Version: now - hour},
		{Name: "e\u0301", Date: now - hour, Version: now - hour},
		{Name: "a\nb\x00\x7f", Date: now - hour, Version: now - hour},
		{Name: " a b ", Date: now - hour, Version: now - hour},
		{Name: "..", Date: now - hour, Version: now - hour},
		{Name: "__x__", Date: now - hour, Version: now - hour},
		{Name: "second-location", Date: 5, Version: now - 4, RawID: true},
		{Name: "one name", Date: 6, Version: now - 5},
		{Name: "one name", Date: 6, Version: now - 6, RawID: true},
		{Name: "gone", Date: now + 7, Version: now + 7, Deleted: true},
		{Name: "gone too", Date: now + 7, Version: now + 7, Deleted: true, RawID: true},
		{Name: string(slices.Repeat([]byte("é"), memory.MaxNameBytes/2)), Date: now - year, Version: now - year},
	}
	index.Sort(entries)
	return entries
}

// goldenIndex is a whole index: a base of three parts, which a compaction made,
// two shards, a part of a run that lost, and a request.
func goldenIndex() []*pb.Document {
	base := append(samples(60, 9), index.Entry{Name: "dead", Date: now + 3, Version: now + 3, Deleted: true})
	index.Sort(base)
	parts := index.EncodePartsUpTo(base, 800)
	m := &index.Meta{
		ScanStarted: now, AsOf: now + 5*second, Generation: 12, Run: "9f86d081884c7d65", Count: 60, Parts: len(parts), Sum: index.Checksum(parts), Due: now + 24*hour,
		Last: index.LastRun{Kind: index.Compaction, Memories: 60, Reads: 4, Writes: 5, Missing: 1, Ghosts: 2, Stale: 3, InFlight: 4, Took: 1500 * time.Millisecond},
	}
	var docs []*pb.Document
	add := func(id string, fields map[string]any) {
		doc := toDocument("hippocampus/v1/tenants/acme/memories/index/memory_shards/"+id, fields)
		doc.CreateTime, doc.UpdateTime = timestamppb.New(now.Time()), timestamppb.New((now + 6*second).Time())
		docs = append(docs, doc)
	}
	add(index.MetaID, m.Fields(parts[0]))
	for i, part := range parts[1:] {
		add(index.PartID(m.Generation, m.Run, i+1), map[string]any{index.BlockField: part})
	}
	add(index.PartID(m.Generation, "lost", 1), map[string]any{index.BlockField: index.EncodeBlock(base[:1])})
	add(index.RequestID, index.Request{Kind: index.Compaction, Reason: "crowded"}.Fields((now + 7*second).Time()))

	shard := func(id string, updates ...index.Change) {
		var u index.Update
		for _, c := range updates {
			u.Add(c)
		}
		entries := map[string]any{}
		for k, date := range u.Set {
			if entries[k] = nil; date != nil {
				entries[k] = date.Time()
			}
		}
		add(id, map[string]any{index.EntriesField: entries})
	}
	of := func(e index.Entry) *index.State { return &index.State{Version: e.Version, Date: e.Date} }
	at := func(version, date memory.Micros) *index.State { return &index.State{Version: version, Date: date} }
	encoded := func(name string) string { return index.Entry{Name: name}.ID() }
	shard(index.ShardID(0),
		index.Change{ID: base[10].ID(), Old: of(base[10]), New: at(now+10*second, now+10*second)}, // changed
		index.Change{ID: base[20].ID(), Old: of(base[20])},                                        // deleted, as a late event says
		index.Change{ID: base[30].ID(), Old: at(now+20*second, now+20*second)},                    // deleted
		index.Change{ID: encoded("created"), New: at(now+11*second, -5)},                          // dated before 1970
		index.Change{ID: encoded("日本語"), New: at(now+12*second, now+12*second)},
		index.Change{ID: "plain id", New: at(now+13*second, now)},
		index.Change{ID: encoded("dead"), New: at(now+2, now+2)},           // late: its deletion was compacted
		index.Change{ID: encoded("old news"), New: at(now-hour, now-hour)}, // rule 1
	)
	shard(index.ShardID(5),
		index.Change{ID: encoded("created"), Old: at(now+11*second, -5), New: at(now+14*second, now+14*second)},
		index.Change{ID: encoded("日本語"), Old: at(now+12*second, now+12*second)},
	)
	return docs
}

func view(docs []*pb.Document) *index.View {
	var read []index.Doc
	for _, d := range docs {
		read = append(read, fromDocument(d))
	}
	return index.Read(read, memory.Schema{})
}

// listing is a list as JSON.
func listing(entries []index.Entry) []byte {
	var lines []goldenEntry
	for _, e := range entries {
		lines = append(lines, goldenEntry{e.Name, e.Date, e.Version, e.RawID, e.Deleted})
	}
	data, err := json.MarshalIndent(lines, "", "\t")
	if err != nil {
		panic(err)
	}
	return append(data, '\n')
}

type goldenEntry struct {
	Name    string        `json:"name"`
	Date    memory.Micros `json:"date"`
	Version memory.Micros `json:"version"`
	RawID   bool          `json:"raw_id,omitempty"`
	Deleted bool          `json:"deleted,omitempty"`
}

func goldenFile(t *testing.T, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", "v1", name))
	require.NoError(t, err, "golden files are released and never removed")
	require.NotEmpty(t, data)
	return data
}

func TestGoldenFolderIsComplete(t *testing.T) {
	for version := 1; version <= index.Version; version++ {
		info, err := os.Stat(filepath.Join("testdata", fmt.Sprintf("v%d", version)))
		require.NoError(t, err, "version %d has no golden files", version)
		require.True(t, info.IsDir())
	}
	if *update {
		writeMissing(t, filepath.Join("testdata", "v1"))
	}
	var want, have []string
	for name := range golden {
		want = append(want, name)
	}
	root := filepath.Join("testdata", "v1")
	require.NoError(t, filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			name, _ := filepath.Rel(root, path)
			have = append(have, filepath.ToSlash(name))
		}
		return err
	}))
	require.ElementsMatch(t, want, have)
	require.Len(t, have, 11)
}

// writeMissing writes the golden files that are not there, and refuses if all are.
func writeMissing(t *testing.T, root string) {
	written := 0
	for name, data := range golden {
		path := filepath.Join(root, filepath.FromSlash(name))
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
		f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
		if os.IsExist(err) {
			continue
		}
		require.NoError(t, err)
		_, err = f.Write(data)
		require.NoError(t, err)
		require.NoError(t, f.Close())
		written++
	}
	require.NotZero(t, written, "every golden file exists already, and none is ever rewritten: a new form is a new version with a folder of its own")
}

func TestUpdateRewritesNothing(t *testing.T) {
	root := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(root, "assorted.block"), []byte("released"), 0o644))
	writeMissing(t, root)
	data, err := os.ReadFile(filepath.Join(root, "assorted.block"))
	require.NoError(t, err)
	require.Equal(t, "released", string(data))
	data, err = os.ReadFile(filepath.Join(root, "list.json"))
	require.NoError(t, err)
	require.Equal(t, golden["list.json"], data)
}

func TestGoldenBlock(t *testing.T) {
	entries, err := index.DecodeBlock(nil, goldenFile(t, "assorted.block"))
	require.NoError(t, err)
	require.Len(t, entries, 20)
	require.Equal(t, string(goldenFile(t, "assorted.json")), string(listing(entries)))
	require.Equal(t, assorted(), entries)
}

func TestGoldenIndex(t *testing.T) {
	paths, err := filepath.Glob(filepath.Join("testdata", "v1", "index", "*.json"))
	require.NoError(t, err)
	require.Len(t, paths, 7, "documents of the index")
	var docs []*pb.Document
	for _, path := range paths {
		data, err := os.ReadFile(path)
		require.NoError(t, err)
		doc := &pb.Document{}
		require.NoError(t, protojson.Unmarshal(data, doc), path)
		docs = append(docs, doc)
	}
	v := view(docs)
	require.NoError(t, v.Err)
	require.Equal(t, 3, v.Meta.Parts)
	require.Len(t, v.Parts, 3)
	require.Len(t, v.Shards, 2)
	require.Equal(t, index.Request{Kind: index.Compaction, Reason: "crowded"}, index.ParseRequest(v.Request.Fields))
	require.Equal(t, index.Meta{
		ScanStarted: now, AsOf: now + 5*second, Generation: 12, Run: "9f86d081884c7d65", Count: 60, Parts: 3, Sum: v.Meta.Sum, Due: now + 24*hour,
		Schema: memory.Schema{DateField: "updated_at"},
		Last:   index.LastRun{Kind: index.Compaction, Memories: 60, Reads: 4, Writes: 5, Missing: 1, Ghosts: 2, Stale: 3, InFlight: 4, Took: 1500 * time.Millisecond},
	}, *v.Meta)
	require.Equal(t, (now + 6*second).Time(), v.MetaUpdateTime)

	list, err := v.List()
	require.NoError(t, err)
	require.Equal(t, string(goldenFile(t, "list.json")), string(listing(list)))
	compacted, err := v.Compacted()
	require.NoError(t, err)
	require.Equal(t, string(goldenFile(t, "compacted.json")), string(listing(compacted)))

	// What the documents were made to show, so that the golden list is right.
	names := map[string]memory.Micros{}
	for _, e := range list {
		names[e.Name] = e.Date
	}
	require.Len(t, names, 60)
	require.Equal(t, now+14*second, names["created"])
	require.Equal(t, now, names["plain id"])
	require.NotContains(t, names, "dead")
	require.NotContains(t, names, "日本語")
	require.NotContains(t, names, "old news")
	base := samples(60, 9)
	require.Contains(t, names, base[9].Name)
}
