package memory_test

import (
	"math"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"hippocampus/memory"
)

func TestMicrosRoundDown(t *testing.T) {
	for s, micros := range map[string]memory.Micros{
		"1970-01-01T00:00:00Z":           0,
		"1970-01-01T00:00:00.000001999Z": 1,
		"1969-12-31T23:59:59.999999Z":    -1,
		"1969-12-31T23:59:59.9999981Z":   -2,
		"0001-01-01T00:00:00Z":           -62135596800000000,
		"9999-12-31T23:59:59.999999999Z": 253402300799999999,
		"2026-08-31T12:00:00.5+02:00":    1788170400500000,
	} {
		at, err := time.Parse(time.RFC3339Nano, s)
		require.NoError(t, err)
		require.Equal(t, micros, memory.MicrosOf(at), s)
		require.Equal(t, micros, memory.MicrosOf(micros.Time()), s)
		require.Equal(t, time.UTC, micros.Time().Location())
	}
}

func TestDate(t *testing.T) {
	at := time.Date(2020, 2, 3, 4, 5, 6, 7999, time.UTC)
	const version = memory.Micros(42)
	require.Equal(t, memory.Micros(1580702706000007), memory.Date(at, version))
	for name, field := range map[string]any{
		"missing": nil, "string": "2020-02-03", "integer": int64(1580702706), "double": math.NaN(), "map": map[string]any{}, "pointer": &at,
	} {
		require.Equal(t, version, memory.Date(field, version), name)
	}
}

func TestSchemaField(t *testing.T) {
	require.Equal(t, "updated_at", memory.Schema{}.Field())
	require.Equal(t, "modified", memory.Schema{DateField: "modified"}.Field())
}

func TestCollectionPath(t *testing.T) {
	for _, path := range []string{"memories", "tenants/acme/memories", "users/u/agents/a/notes", "tenants/a.b c/memories", "tenants/日本/memories", "tenants/.../memories"} {
		require.NoError(t, memory.CollectionPath(path), path)
	}
	for name, c := range map[string]struct{ path, message string }{
		"empty":          {"", "cannot be a segment"},
		"document":       {"tenants/acme", "2 segments name a document"},
		"leading slash":  {"/tenants/acme/memories", "cannot be a segment"},
		"trailing slash": {"tenants/acme/memories/", "cannot be a segment"},
		"empty segment":  {"tenants//memories", "cannot be a segment"},
		"dot":            {"tenants/./memories", "cannot be a segment"},
		"dots":           {"tenants/../memories", "cannot be a segment"},
		"reserved":       {"tenants/__acme__/memories", "cannot be a segment"},
		"invalid UTF-8":  {"tenants/a\xff/memories", "not valid UTF-8"},
		"too long":       {"tenants/" + strings.Repeat("x", 1501) + "/memories", "1,500 bytes"},
	} {
		t.Run(name, func(t *testing.T) {
			err := memory.CollectionPath(c.path)
			require.ErrorContains(t, err, c.message)
			require.Less(t, len(err.Error()), 400)
			_, err = memory.NewStore(nil, c.path, memory.Schema{})
			require.ErrorContains(t, err, c.message)
		})
	}
}
