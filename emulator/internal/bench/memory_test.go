package bench_test

import (
	"context"
	"fmt"
	"runtime"
	"strings"
	"testing"

	"cloud.google.com/go/firestore/apiv1/firestorepb"
	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/proto"

	"hippocampus/emulator"
	"hippocampus/emulator/internal/client"
	"hippocampus/emulator/internal/literal"
	"hippocampus/internal/deep"
)

const (
	stored      = 100_000
	storedBytes = 2_000 // each, encoded
	mostMemory  = 600_000_000
)

// shapes are documents of the same size.
var shapes = map[string]func(n int) map[string]*firestorepb.Value{
	"two texts": func(n int) map[string]*firestorepb.Value {
		return map[string]*firestorepb.Value{"title": text(n, 100), "text": text(n, 1_720)}
	},
	"twenty fields": func(n int) map[string]*firestorepb.Value {
		fields := map[string]*firestorepb.Value{}
		for i := range 20 {
			fields[fmt.Sprintf("field%02d", i)] = text(n, 80)
		}
		return fields
	},
}

func text(n, length int) *firestorepb.Value {
	return literal.Str(fmt.Sprintf("%08d", n) + strings.Repeat("x", length-8))
}

func TestMemory(t *testing.T) {
	deep.Only(t)
	for name, fields := range shapes {
		t.Run(name, func(t *testing.T) {
			used := memoryOf(t, fields)
			require.Less(t, used, mostMemory, "%d documents of %d bytes take %d bytes", stored, storedBytes, used)
			t.Logf("%d documents of %d bytes take %d MB", stored, storedBytes, used/1_000_000)
		})
	}
}

// memoryOf is how many bytes of the heap documents with such fields take.
func memoryOf(t *testing.T, fields func(n int) map[string]*firestorepb.Value) int {
	em, err := emulator.Start(t.Context(), nil)
	require.NoError(t, err)
	defer func() { require.NoError(t, em.Close()) }()
	conn, err := client.Dial(em.Host(), client.Owner)
	require.NoError(t, err)
	defer conn.Close()
	rpc := firestorepb.NewFirestoreClient(conn)
	database := "projects/" + em.Project() + "/databases/(default)"
	before := heap()
	const batch = 500
	for n := 0; n < stored; n += batch {
		req := &firestorepb.CommitRequest{Database: database}
		for i := n; i < n+batch; i++ {
			doc := &firestorepb.Document{Name: fmt.Sprintf("%s/documents/memories/%08d", database, i), Fields: fields(i)}
			require.InDelta(t, storedBytes, proto.Size(doc), 100)
			req.Writes = append(req.Writes, &firestorepb.Write{Operation: &firestorepb.Write_Update{Update: doc}})
		}
		_, err := rpc.Commit(context.WithoutCancel(t.Context()), req)
		require.NoError(t, err)
	}
	return heap() - before
}

// heap is how many bytes are in use.
func heap() int {
	var m runtime.MemStats
	runtime.GC()
	runtime.GC()
	runtime.ReadMemStats(&m)
	return int(m.HeapAlloc)
}
