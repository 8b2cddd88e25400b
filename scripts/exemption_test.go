package scripts_test

import (
	"fmt"
	"os"
	"testing"

	"github.com/stretchr/testify/require"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"hippocampus/emulator"
	"hippocampus/index"
	"hippocampus/memory"
)

// TestExemptionIsNeeded: a shard holds more entries than Firestore would index, which is refused
// without the exemption and taken with it.
func TestExemptionIsNeeded(t *testing.T) {
	indexes, err := os.ReadFile("../firestore.indexes.json")
	require.NoError(t, err)
	path, err := index.Path("tenants/acme/memories")
	require.NoError(t, err)
	entries := map[string]any{}
	for n := range 21_000 { // each of them makes two index entries, of at most 40,000
		entries[index.Key(memory.Micros(n+1), fmt.Sprint(n))] = nil
	}
	fields := map[string]any{index.EntriesField: entries}
	require.Less(t, memory.DocumentSize(path+"/"+index.ShardID(0), fields), 1<<20)
	for name, tt := range map[string]struct {
		indexes []byte
		want    codes.Code
	}{
		"without it": {nil, codes.InvalidArgument},
		"with it":    {indexes, codes.OK},
	} {
		t.Run(name, func(t *testing.T) {
			em, err := emulator.Start(t.Context(), &emulator.Options{Indexes: tt.indexes})
			require.NoError(t, err)
			t.Cleanup(func() { require.NoError(t, em.Close()) })
			client, err := em.Client(t.Context())
			require.NoError(t, err)
			t.Cleanup(func() { require.NoError(t, client.Close()) })
			_, err = client.Collection(path).Doc(index.ShardID(0)).Set(t.Context(), fields)
			require.Equal(t, tt.want, status.Code(err), "%v", err)
		})
	}
}
