package index_test

import (
	"maps"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"hippocampus/index"
	"hippocampus/memory"
)

// started is the scan_started of the index that build makes.
const started = now

// build returns the documents of an index with entries as its base, in parts of
// at most so many bytes.
func build(entries []index.Entry, most int) []index.Doc {
	index.Sort(entries)
	parts := index.EncodePartsUpTo(entries, most)
	m := index.Meta{ScanStarted: started, AsOf: started, Generation: 3, Run: "run", Parts: len(parts), Sum: index.Checksum(parts), Due: started}
	for _, e := range entries {
		if !e.Deleted {
			m.Count++
		}
	}
	docs := []index.Doc{{ID: index.MetaID, UpdateTime: (started + 5).Time(), Fields: m.Fields(parts[0])}}
	for i, part := range parts[1:] {
		docs = append(docs, index.Doc{ID: index.PartID(3, "run", i+1), Fields: map[string]any{index.BlockField: part}})
	}
	return docs
}

// shard returns a shard with such entries: a date, or nil for a tombstone.
func shard(i int, entries map[string]any) index.Doc {
	return index.Doc{ID: index.ShardID(i), Fields: map[string]any{index.EntriesField: entries}}
}

func list(t *testing.T, docs []index.Doc) []index.Entry {
	t.Helper()
	v := index.Read(docs, memory.Schema{})
	require.NoError(t, v.Err)
	entries, err := v.List()
	require.NoError(t, err)
	return entries
}

func listed(t *testing.T, docs []index.Doc) []string {
	t.Helper()
	var names []string
	for _, e := range list(t, docs) {
		names = append(names, e.Name)
	}
	return names
}

func id(t *testing.T, name string) string {
	t.Helper()
	id, err := memory.ID(name)
	require.NoError(t, err)
	return id
}

func TestTheRules(t *testing.T) {
	a := id(t, "a")
	base := func() []index.Entry { return []index.Entry{{Name: "a", Date: 5, Version: started - 10}} }
	at := func(d memory.Micros) any { return d.Time() }
	for name, c := range map[string]struct {
		base  []index.Entry
		shard map[string]any
		want  []index.Entry
	}{
		"no shard entry":                        {base(), nil, base()},
		"changed after the fold":                {base(), map[string]any{index.Key(started+1, a): at(1)}, []index.Entry{{Name: "a", Date: 1, Version: started + 1}}},
		"created after the fold":                {nil, map[string]any{index.Key(started+1, a): at(9)}, []index.Entry{{Name: "a", Date: 9, Version: started + 1}}},
		"rule 1: the base knows the same":       {base(), map[string]any{index.Key(started-10, a): at(7)}, base()},
		"rule 1: the base knows older":          {base(), map[string]any{index.Key(started-20, a): at(7)}, base()},
		"rule 1: deleted before the fold":       {nil, map[string]any{index.Key(started, a): at(7)}, nil},
		"rule 2: deleted after the fold":        {base(), map[string]any{index.Key(started+1, a): nil}, nil},
		"rule 2: a late deletion of the base's": {base(), map[string]any{index.Key(started-9, a): nil}, nil},
		"rule 2: of the base's own version":     {base(), map[string]any{index.Key(started-10, a): nil}, base()},
		"rule 2: a late deletion of an older":   {base(), map[string]any{index.Key(started-11, a): nil}, base()},
		"rule 3: deleted, then written late":    {nil, map[string]any{index.Key(started+2, a): nil, index.Key(started+1, a): at(7)}, nil},
		"rule 3: deleted, then created again":   {base(), map[string]any{index.Key(started+2, a): nil, index.Key(started+3, a): at(7)}, []index.Entry{{Name: "a", Date: 7, Version: started + 3}}},
		"several changes, the last wins":        {base(), map[string]any{index.Key(started+2, a): at(2), index.Key(started+3, a): at(1), index.Key(started+1, a): at(3)}, []index.Entry{{Name: "a", Date: 1, Version: started + 3}}},
		"a tombstone in the base":               {[]index.Entry{{Name: "a", Date: started + 5, Version: started + 5, Deleted: true}}, map[string]any{index.Key(started+4, a): at(7)}, nil},
		"a tombstone in the base, and later":    {[]index.Entry{{Name: "a", Date: started + 5, Version: started + 5, Deleted: true}}, map[string]any{index.Key(started+6, a): at(7)}, []index.Entry{{Name: "a", Date: 7, Version: started + 6}}},
		"an id that is no base64url":            {base(), map[string]any{index.Key(started+1, "a b"): at(4)}, []index.Entry{base()[0], {Name: "a b", Date: 4, Version: started + 1, RawID: true}}},
		"an id that reads like the name":        {base(), map[string]any{index.Key(started+1, "a"): nil}, base()},
	} {
		t.Run(name, func(t *testing.T) {
			docs := build(c.base, index.MaxPartBytes)
			if c.shard != nil {
				// Whichever shards they are in, in whichever order.
				docs = append([]index.Doc{}, docs...)
				i := 0
				for k, date := range c.shard {
					docs = append(docs, shard(i%index.Shards, map[string]any{k: date}))
					i++
				}
			}
			got := list(t, docs)
			require.True(t, slices.Equal(c.want, got), "%v", got)
			slices.Reverse(docs)
			require.True(t, slices.Equal(c.want, list(t, docs)))
		})
	}
}

func TestAReadTakesEveryShardAndPart(t *testing.T) {
	entries := samples(500, 5)
	docs := build(slices.Clone(entries), 1000)
	require.Greater(t, len(docs), 4)
	for i := range index.Shards {
		e := &entries[i*50]
		e.Version, e.Date = started+hour+memory.Micros(i), started+hour-memory.Micros(i)
		docs = append(docs, shard(i, map[string]any{index.Key(e.Version, e.ID()): e.Date.Time()}))
	}
	docs = append(docs, index.Doc{ID: "something else", Fields: map[string]any{"x": 1}})
	index.Sort(entries)
	require.Equal(t, entries, list(t, docs))

	v := index.Read(docs, memory.Schema{})
	require.Len(t, v.Shards, index.Shards)
	require.Nil(t, v.Request)
	require.Equal(t, (started + 5).Time(), v.MetaUpdateTime)
	require.Equal(t, 500, v.Meta.Count)
	require.Greater(t, v.BaseBytes(), 500*10)
	total := 0
	for _, d := range docs {
		block, _ := d.Fields[index.BlockField].([]byte)
		total += len(block)
	}
	require.Equal(t, total, v.BaseBytes())
}

func TestPartsOfOtherRunsAreNoMatter(t *testing.T) {
	docs := build(samples(200, 5), 1000)
	want := listed(t, docs)
	stale := index.EncodeBlock(samples(10, 6))
	for _, partID := range []string{index.PartID(2, "run", 1), index.PartID(3, "other", 1), index.PartID(4, "run", 1), "base-", "base-x", index.PartID(3, "run", 99)} {
		docs = append(docs, index.Doc{ID: partID, Fields: map[string]any{index.BlockField: stale}})
	}
	docs = append(docs, index.Doc{ID: "base-empty"})
	require.Equal(t, want, listed(t, docs))
	require.Equal(t, len(want), index.Read(docs, memory.Schema{}).Meta.Count)
}

func TestAnIndexThatCannotBeRead(t *testing.T) {
	entries := samples(200, 5)
	change := func(docID, field string, value any) func([]index.Doc) []index.Doc {
		return func(docs []index.Doc) []index.Doc {
			for i, d := range docs {
				if d.ID == docID {
					docs[i].Fields = maps.Clone(d.Fields)
					docs[i].Fields[field] = value
				}
			}
			return docs
		}
	}
	without := func(docID string) func([]index.Doc) []index.Doc {
		return func(docs []index.Doc) []index.Doc {
			return slices.DeleteFunc(docs, func(d index.Doc) bool { return d.ID == docID })
		}
	}
	add := func(d index.Doc) func([]index.Doc) []index.Doc {
		return func(docs []index.Doc) []index.Doc { return append(docs, d) }
	}
	part1 := index.PartID(3, "run", 1)
	for name, c := range map[string]struct {
		damage  func([]index.Doc) []index.Doc
		err     error
		message string
	}{
		"no documents":              {func([]index.Doc) []index.Doc { return nil }, index.ErrMissing, "index missing"},
		"no meta":                   {without(index.MetaID), index.ErrMissing, "index missing"},
		"another format":            {change(index.MetaID, "format", int64(2)), index.ErrFormat, "version 2"},
		"other ids":                 {change(index.MetaID, "ids", "plain"), index.ErrSettings, "ids plain and date field updated_at, this code is set to ids base64url"},
		"another date field":        {change(index.MetaID, "date_field", "modified"), index.ErrSettings, "date field modified"},
		"a wrong field":             {change(index.MetaID, "count", "x"), index.ErrDamaged, "field count"},
		"no base":                   {change(index.MetaID, index.BlockField, nil), index.ErrDamaged, "meta has no base"},
		"a base that is no bytes":   {change(index.MetaID, index.BlockField, "x"), index.ErrDamaged, "meta has no base"},
		"another base":              {change(index.MetaID, index.BlockField, index.EncodeBlock(entries[:1])), index.ErrDamaged, "checksum of the base"},
		"a wrong checksum":          {change(index.MetaID, "sum", "0000000000000000"), index.ErrDamaged, "checksum of the base"},
		"a wrong count":             {change(index.MetaID, "count", int64(199)), index.ErrDamaged, "the base lists 200 memories and meta says 199"},
		"a part missing":            {without(part1), index.ErrDamaged, "part 2 of"},
		"a part that is no bytes":   {change(part1, index.BlockField, nil), index.ErrDamaged, "part 2 of"},
		"another run's part":        {change(index.MetaID, "run", "other"), index.ErrDamaged, "part 2 of"},
		"more parts than there are": {change(index.MetaID, "parts", int64(1<<62)), index.ErrDamaged, "is missing"},
		"fewer parts":               {change(index.MetaID, "parts", int64(1)), index.ErrDamaged, "checksum of the base"},
		"a shard that is no map":    {add(index.Doc{ID: "shard-0", Fields: map[string]any{index.EntriesField: "x"}}), index.ErrDamaged, "shard-0 is no map of entries"},
		"a shard that is null":      {add(index.Doc{ID: "shard-0", Fields: map[string]any{index.EntriesField: nil}}), index.ErrDamaged, "shard-0 is no map of entries"},
		"a key that is none":        {add(shard(3, map[string]any{"garbage": nil})), index.ErrDamaged, `shard key "garbage"`},
		"an entry that is no date":  {add(shard(3, map[string]any{index.Key(started+1, "YQ"): "2026"})), index.ErrDamaged, "shard-3 has an entry that is no date"},
	} {
		t.Run(name, func(t *testing.T) {
			docs := append(build(slices.Clone(entries), 1000), shard(1, map[string]any{index.Key(started+1, "YQ"): nil}))
			v := index.Read(c.damage(docs), memory.Schema{})
			require.ErrorIs(t, v.Err, c.err)
			require.ErrorContains(t, v.Err, c.message)
			got, err := v.List()
			require.Equal(t, v.Err, err)
			require.Nil(t, got, "nothing is invented")
			got, err = v.Compacted()
			require.Equal(t, v.Err, err)
			require.Nil(t, got)
			require.Zero(t, v.BaseBytes())
			if name != "no documents" {
				require.NotEmpty(t, v.Shards, "the repair needs them all the same")
			}
		})
	}
}

// A base whose checksum is right and whose block is not, as faulty code might
// write it.
func TestAnUnsoundBaseUnderARightChecksum(t *testing.T) {
	docs := build(nil, 1000)
	for _, block := range [][]byte{nil, []byte("x"), index.EncodeBlock([]index.Entry{{Name: "a", Date: 1}, {Name: "b", Date: 2}})} {
		docs[0].Fields[index.BlockField] = block
		docs[0].Fields["sum"] = index.Checksum([][]byte{block})
		docs[0].Fields["count"] = int64(2)
		v := index.Read(docs, memory.Schema{})
		require.ErrorIs(t, v.Err, index.ErrDamaged)
	}
}

func TestAnEmptyIndexIsNotAMissingOne(t *testing.T) {
	docs := append(build(nil, index.MaxPartBytes), index.Doc{ID: index.ShardID(0)}, shard(1, nil))
	got := list(t, docs)
	require.Empty(t, got)
	docs[len(docs)-1].Fields[index.EntriesField] = map[string]any{}
	require.Empty(t, list(t, docs))
}

func TestPlainIDsAndAnotherDateField(t *testing.T) {
	schema := memory.Schema{IDs: memory.Plain, DateField: "modified"}
	docs := build([]index.Entry{{Name: "a", Date: 1, RawID: true}}, index.MaxPartBytes)
	docs[0].Fields["ids"], docs[0].Fields["date_field"] = "plain", "modified"
	docs = append(docs, shard(0, map[string]any{index.Key(started+1, "YQ"): (started + 1).Time()}))
	v := index.Read(docs, schema)
	got, err := v.List()
	require.NoError(t, err)
	require.Equal(t, []index.Entry{{Name: "YQ", Date: started + 1, Version: started + 1, RawID: true}, {Name: "a", Date: 1, RawID: true}}, got)
}

func TestCompactedKeepsTombstonesThatMayStillBeNeeded(t *testing.T) {
	docs := build([]index.Entry{
		{Name: "old", Date: 1, Version: 1},
		{Name: "dead", Date: started + 1, Version: started + 1, Deleted: true},
		{Name: "folded", Date: started, Version: started, Deleted: true},
		{Name: "back", Date: started + 1, Version: started + 1, Deleted: true},
	}, index.MaxPartBytes)
	docs = append(docs, shard(2, map[string]any{
		index.Key(started+9, id(t, "new")):     (started + 9).Time(),
		index.Key(started+9, id(t, "gone")):    nil,
		index.Key(started-9, id(t, "late")):    nil,
		index.Key(started+9, id(t, "back")):    (started + 3).Time(),
		index.Key(started-9, id(t, "ignored")): (started + 3).Time(),
	}))
	v := index.Read(docs, memory.Schema{})
	require.Equal(t, []string{"new", "back", "old"}, listed(t, docs))
	compacted, err := v.Compacted()
	require.NoError(t, err)
	require.Equal(t, []index.Entry{
		{Name: "gone", Date: started + 9, Version: started + 9, Deleted: true},
		{Name: "new", Date: started + 9, Version: started + 9},
		{Name: "back", Date: started + 3, Version: started + 9},
		{Name: "dead", Date: started + 1, Version: started + 1, Deleted: true},
		{Name: "old", Date: 1, Version: 1},
	}, compacted)

	// The list is the same over the compacted base, with the shards gone or not.
	require.Equal(t, listed(t, docs), listed(t, build(slices.Clone(compacted), index.MaxPartBytes)))
	require.Equal(t, listed(t, docs), listed(t, append(build(compacted, index.MaxPartBytes), docs[1])))
}

func TestListsDoNotDisturbEachOther(t *testing.T) {
	docs := append(build(samples(50, 5), index.MaxPartBytes), shard(0, map[string]any{index.Key(started+1, "YQ"): nil, index.Key(started+2, "Yg"): (started + 2).Time()}))
	v := index.Read(docs, memory.Schema{})
	first, err := v.List()
	require.NoError(t, err)
	_, err = v.Compacted()
	require.NoError(t, err)
	second, err := v.List()
	require.NoError(t, err)
	require.Equal(t, first, second)
}

// Meta cannot have been written before what it tells. A scan_started that lies
// ahead would hide changes by rule 1.
func TestTimesAfterMetaWasWrittenAreDamage(t *testing.T) {
	for field, sound := range map[string]bool{"scan_started": false, "as_of": false, "due": true} {
		docs := build(nil, index.MaxPartBytes)
		docs[0].UpdateTime = memory.Micros(started + 1000).Time()
		require.NoError(t, index.Read(docs, memory.Schema{}).Err)
		docs[0].Fields[field] = memory.Micros(started + 2000).Time()
		if err := index.Read(docs, memory.Schema{}).Err; sound {
			require.NoError(t, err)
		} else {
			require.ErrorIs(t, err, index.ErrDamaged, field)
		}
	}
}

// Two shards may hold one key, with the same date. If ever with another, the
// list still depends on nothing but the documents.
func TestOneKeyInTwoShards(t *testing.T) {
	k := index.Key(started+1, id(t, "a"))
	docs := append(build(nil, index.MaxPartBytes), shard(0, map[string]any{k: time.UnixMicro(1)}), shard(1, map[string]any{k: time.UnixMicro(2)}))
	for range 20 {
		require.Equal(t, memory.Micros(1), list(t, docs)[0].Date)
	}
}

func TestCrowdedShards(t *testing.T) {
	docs := build(nil, index.MaxPartBytes)
	crowded := func(docs []index.Doc) bool { return index.Read(docs, memory.Schema{}).Crowded() }
	require.False(t, crowded(docs))
	one := map[string]any{index.Key(started+1, "a"): nil}
	docs = append(docs, shard(0, one), shard(5, one))
	require.False(t, crowded(docs))
	require.False(t, crowded(append(docs, shard(6, nil))), "an emptied shard does not count")
	require.True(t, crowded(append(docs, shard(6, one))))

	entries := map[string]any{}
	for i := range 300 {
		entries[index.Key(started+memory.Micros(i), string(make([]byte, 900)))] = nil
	}
	docs = append(docs[:1], shard(0, entries))
	v := index.Read(docs, memory.Schema{})
	require.Equal(t, 300*(16+1+900+1+8), v.ShardBytes())
	require.True(t, v.Crowded())
	delete(docs[1].Fields, index.EntriesField)
	require.False(t, crowded(docs))
}

func TestRequestOfAView(t *testing.T) {
	docs := append(build(nil, 1000), index.Doc{ID: index.RequestID, Fields: index.Request{Kind: index.Compaction}.Fields(nil)})
	v := index.Read(docs, memory.Schema{})
	require.NoError(t, v.Err)
	require.Equal(t, index.Compaction, index.ParseRequest(v.Request.Fields).Kind)
}

// A list from the index is the list in list order, for any base and shards.
func TestListsAreInListOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		base := anyEntries(t, 0)
		for i := range base { // what a fold may find, and a compaction leave
			base[i].Version = base[i].Version%1000 + started - 500
			base[i].Date %= 1000
		}
		docs := build(base, rapid.SampledFrom([]int{1, 200, index.MaxPartBytes}).Draw(t, "part"))
		entries := map[string]any{}
		for _, e := range base {
			if rapid.Bool().Draw(t, "changed") {
				version := started + memory.Micros(rapid.IntRange(-600, 600).Draw(t, "version"))
				var date any = (e.Date + 1).Time()
				if rapid.Bool().Draw(t, "gone") {
					date = nil
				}
				entries[index.Key(version, e.ID())] = date
			}
		}
		v := index.Read(append(docs, shard(0, entries)), memory.Schema{})
		require.NoError(t, v.Err)
		got, err := v.List()
		require.NoError(t, err)
		require.True(t, slices.IsSortedFunc(got, index.Compare))
		require.False(t, slices.ContainsFunc(got, func(e index.Entry) bool { return e.Deleted }))
		seen := map[string]bool{}
		for _, e := range got {
			require.False(t, seen[e.ID()], "listed twice")
			seen[e.ID()] = true
		}
		compacted, err := v.Compacted()
		require.NoError(t, err)
		live := slices.DeleteFunc(compacted, func(e index.Entry) bool { return e.Deleted })
		require.True(t, slices.Equal(got, live))
	})
}
