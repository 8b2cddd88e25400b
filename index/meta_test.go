package index_test

import (
	"maps"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"hippocampus/index"
	"hippocampus/memory"
)

func sampleMeta() *index.Meta {
	return &index.Meta{
		Schema:      memory.Schema{IDs: memory.Plain, DateField: "modified"},
		ScanStarted: now - hour,
		AsOf:        now - hour + 1,
		Generation:  7,
		Run:         "4f2a",
		Count:       3,
		Parts:       2,
		Sum:         "00c0ffee00c0ffee",
		Due:         now + 24*hour,
		Last: index.LastRun{
			Kind: index.Compaction, Memories: 3, Reads: 5, Writes: 2,
			Missing: 1, Ghosts: 2, Stale: 3, InFlight: 4, Took: 1234 * time.Millisecond,
		},
	}
}

func TestMetaGivesBackWhatItHolds(t *testing.T) {
	fields := sampleMeta().Fields([]byte("block"))
	require.Equal(t, []byte("block"), fields[index.BlockField])
	parsed, err := index.ParseMeta(fields)
	require.NoError(t, err)
	require.Equal(t, sampleMeta(), parsed)
}

func TestMetaOfTheDefaultSchemaNamesIt(t *testing.T) {
	m := sampleMeta()
	m.Schema = memory.Schema{}
	fields := m.Fields(nil)
	require.Equal(t, "base64url", fields["ids"])
	require.Equal(t, "updated_at", fields["date_field"])
}

func TestMetaWithoutAFieldOrWithAWrongOne(t *testing.T) {
	good := sampleMeta().Fields([]byte("block"))
	wrong := map[string][]any{
		"format":       {nil, "1", 1.0, true},
		"ids":          {nil, int64(1), "base65", ""},
		"date_field":   {nil, int64(1), ""},
		"scan_started": {nil, int64(1), "2026-08-31"},
		"as_of":        {nil, int64(1)},
		"generation":   {nil, "7", int64(0), int64(-1)},
		"run":          {nil, int64(1), ""},
		"count":        {nil, 3.0, int64(-1)},
		"parts":        {nil, "2", int64(0), int64(-2)},
		"sum":          {nil, int64(1)},
		"due":          {nil, int64(1)},
	}
	for field := range good {
		if field != index.BlockField && field != "last" { // one is the view's, nothing depends on the other
			require.Contains(t, wrong, field, "a field that no case breaks")
		}
	}
	for field, values := range wrong {
		for i, value := range values {
			fields := maps.Clone(good)
			fields[field] = value
			if i == 0 {
				delete(fields, field)
			}
			parsed, err := index.ParseMeta(fields)
			require.ErrorIs(t, err, index.ErrDamaged, "%s = %v", field, value)
			require.ErrorContains(t, err, "field "+field+" of meta is")
			require.Equal(t, "damaged", index.Reason(err))
			// The rest is there, for whoever must go on: the repair.
			if field != "run" {
				require.Equal(t, "4f2a", parsed.Run, field)
			}
			if field != "as_of" {
				require.Equal(t, now-hour+1, parsed.AsOf, field)
			}
			if field != "generation" {
				require.Equal(t, int64(7), parsed.Generation, field)
			}
		}
	}
}

func TestMetaOfAnotherFormat(t *testing.T) {
	for _, version := range []int64{0, 2, 99} {
		fields := sampleMeta().Fields(nil)
		fields["format"] = version
		_, err := index.ParseMeta(fields)
		require.ErrorIs(t, err, index.ErrFormat)
		require.ErrorContains(t, err, "this code reads 1")
		require.Equal(t, "format", index.Reason(err))
	}
	_, err := index.ParseMeta(nil)
	require.ErrorIs(t, err, index.ErrDamaged)
}

func TestNothingDependsOnTheRecordOfTheLastRun(t *testing.T) {
	for _, last := range []any{nil, "x", map[string]any{}, map[string]any{"kind": 1, "memories": "x"}} {
		fields := sampleMeta().Fields(nil)
		fields["last"] = last
		parsed, err := index.ParseMeta(fields)
		require.NoError(t, err)
		require.Equal(t, index.LastRun{}, parsed.Last)
	}
}

func TestRequests(t *testing.T) {
	due := (now + hour).Time()
	for _, r := range []index.Request{{Kind: index.Build, Reason: "missing"}, {Kind: index.Compaction}} {
		fields := r.Fields(due)
		require.Equal(t, due, fields[index.DueField])
		require.Equal(t, r, index.ParseRequest(fields))
	}
	for _, fields := range []map[string]any{nil, {}, {"kind": "other"}, {"kind": int64(1), "reason": int64(2)}} {
		require.Equal(t, index.Request{Kind: index.Build}, index.ParseRequest(fields))
	}
}

func TestChecksum(t *testing.T) {
	a, b := []byte("a"), []byte("b")
	require.Equal(t, "d24ec4f1a98c6e5b", index.Checksum([][]byte{a}))
	require.Equal(t, index.Checksum([][]byte{a, b}), index.Checksum([][]byte{[]byte("ab")}))
	require.NotEqual(t, index.Checksum([][]byte{a, b}), index.Checksum([][]byte{b, a}))
	for _, s := range []string{"", "a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l", "m", "n", "o", "p", "q"} {
		require.Regexp(t, "^[0-9a-f]{16}$", index.Checksum([][]byte{[]byte(s)}))
	}
}

func TestReasons(t *testing.T) {
	require.Equal(t, "missing", index.Reason(index.ErrMissing))
	require.Equal(t, "settings", index.Reason(index.ErrSettings))
	require.Empty(t, index.Reason(nil))
}
