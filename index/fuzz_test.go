package index_test

import (
	"encoding/json"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"hippocampus/index"
	"hippocampus/memory"
)

// fuzzed makes of JSON what the client may return: whole numbers as int64,
// strings that are times as times, lists as bytes.
func fuzzed(value any) any {
	switch v := value.(type) {
	case float64:
		if v == float64(int64(v)) {
			return int64(v)
		}
	case string:
		if t, err := time.Parse(time.RFC3339Nano, v); err == nil {
			return t
		}
	case []any:
		bytes := []byte{}
		for _, element := range v {
			n, _ := element.(float64)
			bytes = append(bytes, byte(n))
		}
		return bytes
	case map[string]any:
		m := map[string]any{}
		for k, element := range v {
			m[k] = fuzzed(element)
		}
		return m
	}
	return value
}

func FuzzParseMeta(f *testing.F) {
	f.Add(`{"format": 1, "ids": "plain", "date_field": "x", "scan_started": "2026-01-01T00:00:00Z", "as_of": "2026-01-01T00:00:00Z", "generation": 1,
		"run": "r", "count": 0, "parts": 1, "sum": "s", "due": "2026-01-01T00:00:00Z", "last": {"kind": "build", "reads": 3}}`)
	f.Add(`{"format": 2}`)
	f.Add(`{"format": 1, "parts": -1, "last": 3}`)
	f.Add(`{}`)
	f.Fuzz(func(t *testing.T, document string) {
		var fields map[string]any
		if json.Unmarshal([]byte(document), &fields) != nil {
			return
		}
		fields, _ = fuzzed(fields).(map[string]any)
		m, err := index.ParseMeta(fields)
		require.NotNil(t, m)
		if err != nil {
			require.Contains(t, []string{"format", "damaged"}, index.Reason(err))
			return
		}
		again, err := index.ParseMeta(m.Fields(nil))
		require.NoError(t, err)
		again.Last.Took, m.Last.Took = 0, 0 // of which fractions are lost, and which may overflow
		require.Equal(t, m, again)
	})
}

// FuzzRead reads any documents: it returns a view, and a list only of what they say.
func FuzzRead(f *testing.F) {
	parts := [][]byte{index.EncodeBlock([]index.Entry{{Name: "a", Date: 5, Version: 6}})}
	meta := `{"format": 1, "ids": "base64url", "date_field": "updated_at", "scan_started": "1970-01-01T00:00:01Z", "as_of": "1970-01-01T00:00:01Z",
		"generation": 1, "run": "r", "count": 1, "parts": 1, "sum": "` + index.Checksum(parts) + `", "due": "2026-01-01T00:00:00Z"}`
	f.Add(meta, parts[0], "shard-0", `{"e": {"1000001-Yg": "2026-01-01T00:00:00Z", "1000002-YQ": null, "3-x": "1970-01-01T00:00:00Z"}}`)
	f.Add(meta, parts[0], "shard-1", `{"e": {"x": null}}`)
	f.Add(meta, parts[0], "shard-x", `{"e": [1, 2]}`)
	f.Add(meta, []byte("hpb\x01"), "base-1-r-1", `{"b": [1, 2]}`)
	f.Add(`{}`, []byte(nil), "request", `{"kind": 3}`)
	f.Fuzz(func(t *testing.T, meta string, block []byte, id, document string) {
		var metaFields, fields map[string]any
		if json.Unmarshal([]byte(meta), &metaFields) != nil || json.Unmarshal([]byte(document), &fields) != nil {
			return
		}
		metaFields, _ = fuzzed(metaFields).(map[string]any)
		fields, _ = fuzzed(fields).(map[string]any)
		if metaFields == nil {
			metaFields = map[string]any{}
		}
		metaFields[index.BlockField] = block
		docs := []index.Doc{{ID: index.MetaID, Fields: metaFields}, {ID: id, Fields: fields}}
		v := index.Read(docs, memory.Schema{})
		require.GreaterOrEqual(t, v.ShardBytes(), 0)
		list, err := v.List()
		require.Equal(t, v.Err, err)
		if err != nil {
			require.Contains(t, []string{"missing", "format", "settings", "damaged"}, index.Reason(err))
			require.Nil(t, list)
			return
		}
		require.True(t, slices.IsSortedFunc(list, index.Compare))
		compacted, err := v.Compacted()
		require.NoError(t, err)
		require.GreaterOrEqual(t, len(compacted), len(list))
		for _, e := range list {
			require.False(t, e.Deleted)
			require.NotEmpty(t, e.Name)
		}
	})
}
