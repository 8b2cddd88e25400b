package index_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"hippocampus/index"
)

func TestPathsMirrorTheCollection(t *testing.T) {
	for memories, path := range map[string]string{
		"memories":                "hippocampus/v1/memories/index/memory_shards",
		"tenants/acme/memories":   "hippocampus/v1/tenants/acme/memories/index/memory_shards",
		"users/u/agents/a/notes":  "hippocampus/v1/users/u/agents/a/notes/index/memory_shards",
		"tenants/a.b c/memories":  "hippocampus/v1/tenants/a.b c/memories/index/memory_shards",
		"tenants/日本/memories":     "hippocampus/v1/tenants/日本/memories/index/memory_shards",
		"a/index/b":               "hippocampus/v1/a/index/b/index/memory_shards",
		"index":                   "hippocampus/v1/index/index/memory_shards",
		"v1/hippocampus/memories": "hippocampus/v1/v1/hippocampus/memories/index/memory_shards",
	} {
		got, err := index.Path(memories)
		require.NoError(t, err)
		require.Equal(t, path, got)
		back, err := index.MemoriesPath(path)
		require.NoError(t, err)
		require.Equal(t, memories, back)
	}
	other, err := index.PathOf("v2", "memories")
	require.NoError(t, err)
	require.Equal(t, "hippocampus/v2/memories/index/memory_shards", other)
}

func TestPathRefuses(t *testing.T) {
	for memories, message := range map[string]string{
		"":                  "no collection path",
		"tenants/acme":      "no collection path",
		"tenants//memories": "no collection path",
		"tenants/a\xff/m":   "no collection path",
		"hippocampus":       "belongs to the index",
		"hippocampus/v1/tenants/acme/memories/index/memory_shards": "belongs to the index",
		"tenants/acme/memory_shards":                               "belongs to the index",
	} {
		_, err := index.Path(memories)
		require.ErrorContains(t, err, message, memories)
	}
}

func TestMemoriesPathRefuses(t *testing.T) {
	good, err := index.Path("tenants/acme/memories")
	require.NoError(t, err)
	for name, path := range map[string]string{
		"nothing":              "",
		"the memories":         "tenants/acme/memories",
		"another root":         strings.Replace(good, "hippocampus", "hippo", 1),
		"another version":      strings.Replace(good, "/v1/", "/v2/", 1),
		"another collection":   strings.Replace(good, "memory_shards", "shards", 1),
		"another document":     strings.Replace(good, "/index/", "/indexes/", 1),
		"a document":           good + "/meta",
		"no memories":          "hippocampus/v1/index/memory_shards",
		"a document's index":   "hippocampus/v1/tenants/acme/index/memory_shards",
		"empty segments":       "hippocampus/v1///index/memory_shards",
		"an index of an index": "hippocampus/v1/" + good + "/index/memory_shards",
		"a leading slash":      "/" + good,
	} {
		_, err := index.MemoriesPath(path)
		require.ErrorContains(t, err, "is not the path of", name)
	}
}

func TestPartIDsOfRunsDiffer(t *testing.T) {
	require.Equal(t, "base-12-xyz-3", index.PartID(12, "xyz", 3))
}

func FuzzMemoriesPath(f *testing.F) {
	for _, seed := range []string{"", "memories", "hippocampus/v1/a/index/memory_shards", "hippocampus/v1/a/b/c/index/memory_shards", "hippocampus/v1/index/memory_shards", "hippocampus/v1/a/index/index/memory_shards"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, path string) {
		if memories, err := index.MemoriesPath(path); err == nil {
			back, err := index.Path(memories)
			require.NoError(t, err)
			require.Equal(t, path, back)
		}
		if of, err := index.Path(path); err == nil {
			memories, err := index.MemoriesPath(of)
			require.NoError(t, err)
			require.Equal(t, path, memories)
		}
	})
}

func FuzzParseKey(f *testing.F) {
	for _, seed := range []string{"", "0-a", "10-20-a", "05-a", "+1-a", "1788170400000000-YQ", "9223372036854775808-a"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, key string) {
		version, id, err := index.ParseKey(key)
		if err != nil {
			require.ErrorIs(t, err, index.ErrDamaged)
			return
		}
		require.Equal(t, key, index.Key(version, id))
	})
}
