package index_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"hippocampus/index"
	"hippocampus/memory"
)

func state(version, date memory.Micros) *index.State {
	return &index.State{Version: version, Date: date}
}

func micros(m memory.Micros) *memory.Micros { return &m }

func TestAChangeBecomesAnUpdate(t *testing.T) {
	type set = map[string]*memory.Micros
	type remove = map[string]struct{}
	for name, c := range map[string]struct {
		change index.Change
		set    set
		remove remove
	}{
		"created":                 {index.Change{ID: "a", New: state(10, 7)}, set{"10-a": micros(7)}, nil},
		"changed":                 {index.Change{ID: "a", Old: state(10, 7), New: state(20, 8)}, set{"20-a": micros(8)}, remove{"10-a": {}}},
		"dated backwards":         {index.Change{ID: "a", Old: state(10, 7), New: state(20, 1)}, set{"20-a": micros(1)}, remove{"10-a": {}}},
		"dated before 1970":       {index.Change{ID: "a", New: state(20, -5)}, set{"20-a": micros(-5)}, nil},
		"changed, its date not":   {index.Change{ID: "a", Old: state(10, 7), New: state(20, 7)}, nil, nil},
		"written as it was":       {index.Change{ID: "a", Old: state(10, 10), New: state(10, 10)}, nil, nil},
		"changed, without a date": {index.Change{ID: "a", Old: state(10, 10), New: state(20, 20)}, set{"20-a": micros(20)}, remove{"10-a": {}}},
		"deleted":                 {index.Change{ID: "a", Old: state(10, 7)}, set{"11-a": nil}, remove{"10-a": {}}},
		"neither":                 {index.Change{ID: "a"}, nil, nil},
	} {
		t.Run(name, func(t *testing.T) {
			var u index.Update
			require.Equal(t, c.set != nil, u.Add(c.change))
			require.Equal(t, index.Update{Set: c.set, Remove: c.remove}, u)
			require.Equal(t, c.set != nil, u.Bytes() > 0)
		})
	}
}

func TestAbsenceBecomesATombstone(t *testing.T) {
	var u index.Update
	u.AddAbsence("a", 30)
	require.Equal(t, index.Update{Set: map[string]*memory.Micros{"30-a": nil}}, u)
}

// The tombstone kills what was deleted, and nothing that was written after it.
func TestATombstoneLiesBetweenTheVersions(t *testing.T) {
	const deleted, recreated = 10, 12 // the deletion's own commit is at 11
	var u index.Update
	u.Add(index.Change{ID: "a", Old: state(deleted, 1)})
	u.Add(index.Change{ID: "a", New: state(recreated, 2)})
	for k, date := range u.Set {
		version, _, err := index.ParseKey(k)
		require.NoError(t, err)
		if date == nil {
			require.Greater(t, version, memory.Micros(deleted))
			require.Less(t, version, memory.Micros(recreated))
		}
	}
	require.Len(t, u.Set, 2)
}

func TestUpdateBytes(t *testing.T) {
	var u index.Update
	u.Add(index.Change{ID: "abc", Old: state(10, 7), New: state(20, 8)})
	require.Equal(t, len("20-abc")+1+8+len("10-abc")+1, u.Bytes())
}

// Changes of a few memories merge to the same update in any order and grouping,
// also if some come twice.
func TestUpdatesMergeInAnyOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		changes := history(t)
		var inOrder index.Update
		for _, c := range changes {
			inOrder.Add(c)
		}
		again := rapid.SliceOfN(rapid.SampledFrom(changes), 0, 5).Draw(t, "redelivered")
		shuffled := rapid.Permutation(append(again, changes...)).Draw(t, "arrival")
		groups := make([]index.Update, 3)
		for _, c := range shuffled {
			groups[rapid.IntRange(0, 2).Draw(t, "batch")].Add(c)
		}
		var merged index.Update
		for _, i := range rapid.Permutation([]int{0, 1, 2}).Draw(t, "batches") {
			merged.Merge(groups[i])
		}
		require.Equal(t, inOrder, merged)
		for k := range merged.Remove {
			require.NotContains(t, merged.Set, k, "set and removed in one write, which Firestore refuses")
		}
	})
}

// history is a run of changes, in order, as their events tell them.
func history(t *rapid.T) []index.Change {
	now := map[string]*index.State{}
	version := memory.Micros(100)
	var changes []index.Change
	for range rapid.IntRange(1, 12).Draw(t, "changes") {
		id := rapid.SampledFrom([]string{"a", "b", "c-d"}).Draw(t, "id")
		version += memory.Micros(rapid.IntRange(1, 3).Draw(t, "later"))
		c := index.Change{ID: id, Old: now[id]}
		if c.Old == nil || rapid.Bool().Draw(t, "written") {
			c.New = state(version, memory.Micros(rapid.IntRange(-1, 1).Draw(t, "date")))
		}
		now[id] = c.New
		changes = append(changes, c)
	}
	return changes
}

func TestMergeLeavesTheOtherAlone(t *testing.T) {
	var a, b index.Update
	a.Add(index.Change{ID: "a", New: state(1, 1)})
	b.Add(index.Change{ID: "a", Old: state(1, 1), New: state(2, 2)})
	a.Merge(b)
	a.Add(index.Change{ID: "a", Old: state(2, 2)})
	require.Equal(t, index.Update{Set: map[string]*memory.Micros{"2-a": micros(2)}, Remove: map[string]struct{}{"1-a": {}}}, b)
}

func TestKeys(t *testing.T) {
	for key, c := range map[string]struct {
		version memory.Micros
		id      string
	}{
		"0-a":                      {0, "a"},
		"1788170400000000-YQ":      {now, "YQ"},
		"1788170400000000--":       {now, "-"},
		"10-20-a":                  {10, "20-a"},
		"9223372036854775807-é`. ": {1<<63 - 1, "é`. "},
	} {
		require.Equal(t, key, index.Key(c.version, c.id))
		version, id, err := index.ParseKey(key)
		require.NoError(t, err, key)
		require.Equal(t, c.version, version)
		require.Equal(t, c.id, id)
	}
}

func TestParseKeyRefuses(t *testing.T) {
	for _, key := range []string{"", "-", "a", "10", "10-", "-a", "-5-a", "+5-a", "05-a", "00-a", "0x5-a", "1_0-a", " 1-a", "1 -a", "1.0-a", "9223372036854775808-a", "١-a", strings.Repeat("9", 5000) + "-a"} {
		_, _, err := index.ParseKey(key)
		require.ErrorIs(t, err, index.ErrDamaged, key)
		require.Less(t, len(err.Error()), 500)
	}
}

// A key of the longest id fits what Firestore takes as one field path.
func TestTheLongestKey(t *testing.T) {
	id, err := memory.ID(strings.Repeat("x", memory.MaxNameBytes))
	require.NoError(t, err)
	require.Len(t, id, memory.MaxIDBytes)
	require.LessOrEqual(t, len(index.EntriesField+"."+index.Key(now, id)), 1500)
}

func TestShard(t *testing.T) {
	seen := map[int]int{}
	for _, e := range samples(1000, 1) {
		require.Zero(t, index.ShardNumber(e.ID(), 1))
		require.Zero(t, index.ShardNumber(e.ID(), 0), "no spread is a spread of one")
		seen[index.ShardNumber(e.ID(), index.Shards)]++
	}
	require.Len(t, seen, index.Shards)
	for i, n := range seen {
		require.InDelta(t, 1000/index.Shards, n, 60, "shard %d", i)
		require.Less(t, i, index.Shards)
	}
	require.Equal(t, "shard-7", index.ShardID(7))
}
