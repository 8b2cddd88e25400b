package index_test

import (
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	pb "cloud.google.com/go/firestore/apiv1/firestorepb"
	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/encoding/protojson"

	"hippocampus/index"
	"hippocampus/memory"
)

// formatPage is docs/format.md, which these tests hold to the code.
type formatPage struct{ text string }

func readFormatPage(t *testing.T) formatPage {
	t.Helper()
	text, err := os.ReadFile("../docs/format.md")
	require.NoError(t, err)
	return formatPage{string(text)}
}

// table returns the rows of the first table whose head begins with such cells.
func (p formatPage) table(t *testing.T, head ...string) [][]string {
	t.Helper()
	return p.tables(t, head...)[0]
}

func (p formatPage) tables(t *testing.T, head ...string) [][][]string {
	t.Helper()
	var found [][][]string
	inside := false
	for line := range strings.Lines(p.text) {
		line = strings.TrimSpace(line)
		if !strings.HasPrefix(line, "|") {
			inside = false
			continue
		}
		cells := strings.Split(strings.Trim(line, "|"), "|")
		for i := range cells {
			cells[i] = strings.Trim(strings.TrimSpace(cells[i]), "`")
		}
		switch {
		case inside && !strings.HasPrefix(line, "|--"):
			found[len(found)-1] = append(found[len(found)-1], cells)
		case len(cells) >= len(head) && slices.Equal(cells[:len(head)], head):
			inside = true
			found = append(found, nil)
		}
	}
	require.NotEmpty(t, found, "no table %v", head)
	for _, rows := range found {
		require.NotEmpty(t, rows, "an empty table %v", head)
	}
	return found
}

// blocks returns the fenced blocks of a language.
func (p formatPage) blocks(t *testing.T, language string) []string {
	t.Helper()
	var blocks []string
	for _, m := range regexp.MustCompile("(?s)```"+language+"\n(.*?)```").FindAllStringSubmatch(p.text, -1) {
		blocks = append(blocks, m[1])
	}
	require.NotEmpty(t, blocks, "no block of %s", language)
	return blocks
}

// documents returns the page's example documents: a shard and meta.
func (p formatPage) documents(t *testing.T) (shard, meta *pb.Document) {
	t.Helper()
	examples := p.blocks(t, "json")
	require.Len(t, examples, 2)
	shard, meta = &pb.Document{}, &pb.Document{}
	require.NoError(t, protojson.Unmarshal([]byte(examples[0]), shard))
	require.NoError(t, protojson.Unmarshal([]byte(examples[1]), meta))
	path, err := index.Path("tenants/acme/memories")
	require.NoError(t, err)
	for id, doc := range map[string]*pb.Document{index.MetaID: meta, index.ShardID(0): shard} {
		require.Equal(t, "projects/p/databases/(default)/documents/"+path+"/"+id, doc.Name)
	}
	return shard, meta
}

// block returns the bytes of the page's example block, and those that it says
// are its numbers and names.
func (p formatPage) block(t *testing.T) (all, columns []byte) {
	t.Helper()
	examples := p.blocks(t, "hex")
	require.Len(t, examples, 1)
	for i, line := range strings.Split(strings.TrimSpace(examples[0]), "\n") {
		digits, note, ok := strings.Cut(line, "  ")
		require.True(t, ok, line)
		data, err := hex.DecodeString(strings.ReplaceAll(digits, " ", ""))
		require.NoError(t, err, line)
		all = append(all, data...)
		if i >= 4 && !strings.HasPrefix(strings.TrimSpace(note), "zstd") {
			columns = append(columns, data...)
		}
	}
	return all, columns
}

// entries returns what the page says the example block holds.
func (p formatPage) entries(t *testing.T) []index.Entry {
	t.Helper()
	var entries []index.Entry
	for _, row := range p.table(t, "name", "date", "version − date", "flags") {
		date, err := time.Parse(time.RFC3339Nano, row[1])
		require.NoError(t, err)
		later, err := strconv.Atoi(row[2])
		require.NoError(t, err)
		flags, err := strconv.Atoi(row[3])
		require.NoError(t, err)
		e := index.Entry{Name: row[0], Date: memory.MicrosOf(date), Deleted: flags&1 != 0, RawID: flags&2 != 0}
		e.Version = e.Date + memory.Micros(later)
		entries = append(entries, e)
	}
	return entries
}

func TestFormatPageHasThisVersion(t *testing.T) {
	p := readFormatPage(t)
	rows := p.table(t, "version", "path", "block version")
	require.Len(t, rows, index.Version, "a row a version")
	for i, row := range rows {
		require.Equal(t, strconv.Itoa(i+1), row[0])
		require.Equal(t, fmt.Sprintf("%s/%s/…", index.Root, index.VersionID(i+1)), row[1])
	}
	require.Equal(t, strconv.Itoa(index.BlockVersion), rows[len(rows)-1][2])

	path, err := index.Path("tenants/acme/memories")
	require.NoError(t, err)
	require.Contains(t, p.text, "\n    "+path+"\n")
	for _, figure := range []int{index.MaxPartBytes, index.MaxPartEntries} {
		require.Contains(t, p.text, grouped(figure))
	}
	require.Contains(t, p.text, fmt.Sprintf("%d MiB", index.MaxColumnBytes>>20))
	require.Contains(t, p.text, fmt.Sprintf("`shard-0` … `%s`", index.ShardID(index.Shards-1)))
}

// grouped writes a number as the page does: 900,000.
func grouped(n int) string {
	if n < 1000 {
		return strconv.Itoa(n)
	}
	return fmt.Sprintf("%s,%03d", grouped(n/1000), n%1000)
}

func TestFormatPageNamesEveryField(t *testing.T) {
	p := readFormatPage(t)
	fields := p.tables(t, "field", "type", "what")
	require.Len(t, fields, 2, "of meta and of request")
	types := map[string]string{"string": "string", "int64": "integer", "time.Time": "timestamp", "[]uint8": "bytes", "map[string]interface {}": "map"}
	for i, stored := range []map[string]any{
		(&index.Meta{}).Fields([]byte{}),
		index.Request{}.Fields(time.Time{}),
	} {
		documented := map[string]string{}
		for _, row := range fields[i] {
			documented[row[0]] = row[1]
		}
		actual := map[string]string{}
		for field, value := range stored {
			actual[field] = types[fmt.Sprintf("%T", value)]
		}
		require.Equal(t, actual, documented)
	}

	last := (&index.Meta{}).Fields(nil)["last"].(map[string]any)
	rows := fields[0]
	description := rows[slices.IndexFunc(rows, func(row []string) bool { return row[0] == "last" })][2]
	var documented []string
	for _, m := range regexp.MustCompile("`([a-z_]+)(`|$)").FindAllStringSubmatch(description, -1) {
		if m[1] != string(index.Build) && m[1] != string(index.Compaction) {
			documented = append(documented, m[1])
		}
	}
	require.ElementsMatch(t, slices.Collect(maps.Keys(last)), documented)
}

func TestFormatPageShowsTheBlock(t *testing.T) {
	p := readFormatPage(t)
	block, columns := p.block(t)
	want := p.entries(t)
	require.Len(t, want, 3)
	entries, err := index.DecodeBlock(nil, block)
	require.NoError(t, err)
	require.Equal(t, want, entries)
	require.Equal(t, block[:8], index.EncodeBlock(want)[:8])

	// The frames are shown as they are: raw blocks, so that the columns are there to read.
	raw, err := craftDecoder.DecodeAll(block[16:], nil)
	require.NoError(t, err)
	require.Equal(t, raw, columns)
}

func TestFormatPageShowsTheDocuments(t *testing.T) {
	p := readFormatPage(t)
	shard, meta := p.documents(t)
	block, _ := p.block(t)
	require.Equal(t, block, meta.Fields[index.BlockField].GetBytesValue())
	require.Equal(t, slices.Sorted(maps.Keys((&index.Meta{}).Fields(nil))), slices.Sorted(maps.Keys(meta.Fields)))

	// What the code makes of the example's meta is the example's meta.
	parsed, err := index.ParseMeta(fromDocument(meta).Fields)
	require.NoError(t, err)
	require.JSONEq(t, jsonOf(t, meta.Fields), jsonOf(t, toValue(parsed.Fields(block)).GetMapValue().Fields))

	v := view([]*pb.Document{shard, meta})
	require.NoError(t, v.Err)
	list, err := v.List()
	require.NoError(t, err)
	require.Len(t, list, 1)
	require.Contains(t, p.text, fmt.Sprintf("The example lists `%s`, dated %s.", list[0].Name, list[0].Date.Time().Format(time.RFC3339)))
	require.Len(t, p.entries(t), v.Meta.Count+1, "and a tombstone")
}

func jsonOf(t *testing.T, fields map[string]*pb.Value) string {
	t.Helper()
	all := map[string]json.RawMessage{}
	for field, value := range fields {
		data, err := protojson.Marshal(value)
		require.NoError(t, err)
		all[field] = data
	}
	data, err := json.Marshal(all)
	require.NoError(t, err)
	return string(data)
}

func TestFormatPageNamesEveryDocument(t *testing.T) {
	p := readFormatPage(t)
	rows := p.table(t, "document", "what", "written by")
	var named []string
	for _, row := range rows {
		named = append(named, strings.Fields(strings.ReplaceAll(row[0], "`", ""))[0])
	}
	part := regexp.MustCompile(`-\d+-run-1$`).ReplaceAllString(index.PartID(7, "run", 1), "-{generation}-{run}-1")
	require.Equal(t, []string{index.MetaID, part, index.ShardID(0), index.ShardPrefix + "{random}", index.RequestID}, named)
}
