package listen_test

import (
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	pb "cloud.google.com/go/firestore/apiv1/firestorepb"
	"github.com/stretchr/testify/require"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"hippocampus/emulator/internal/listen"
	"hippocampus/emulator/internal/literal"
	"hippocampus/emulator/internal/resource"
	"hippocampus/emulator/internal/store"
)

// Every commit gives all documents the same value, while a client that is slow now and then
// listens, and little is kept for reads in the past: in every snapshot all documents of all targets
// have one value.
func TestABusyStoreWithoutHistory(t *testing.T) {
	s := store.New(&store.Options{HistoryBytes: 2_500})
	source := listen.Database{Name: database, Store: s, Born: s.Time()}
	paths := []string{"c/a", "c/b", "c/d"}
	write := func(v int64) {
		_, err := s.Commit(func(tx *store.Tx) error {
			for _, p := range paths {
				tx.Put(resource.Path(p), &pb.Document{Name: database.Name(resource.Path(p)), Fields: map[string]*pb.Value{"v": literal.Int(v)}})
			}
			return nil
		})
		require.NoError(t, err)
	}
	write(0)
	var written atomic.Int64
	done := make(chan struct{})
	var writer sync.WaitGroup
	defer writer.Wait()
	defer close(done)
	writer.Go(func() {
		for v := int64(1); ; v++ {
			select {
			case <-done:
				return
			default:
				write(v)
				written.Add(1)
			}
		}
	})

	snapshots, reset, unavailable := 0, 0, 0
	for deadline := time.Now().Add(waiting); snapshots < 200 || reset < 5; {
		require.True(t, time.Now().Before(deadline), "%d snapshots, %d resets", snapshots, reset)
		c := newClient()
		c.each = func() {
			snapshots++
			values := map[int64]bool{}
			for id, ready := range c.ready {
				if ready {
					require.Len(t, c.has[id], len(paths), "target %d", id)
					for _, doc := range c.has[id] {
						values[doc.GetFields()["v"].GetIntegerValue()] = true
					}
				}
			}
			require.Len(t, values, 1, "at snapshot %d", snapshots)
			if snapshots%3 == 0 { // more than may wait
				for until := written.Load() + listen.MaxChanges/3 + 10; written.Load() < until; {
					runtime.Gosched()
				}
			}
		}
		stream := listen.New(source, c.receive)
		err := listenTo(stream, documents(1, "c/a", "c/b", "c/d"), querying(2, from("c", limit(3))), querying(3, from("c")))
		for range 40 {
			if err == nil {
				err = stream.Flush()
			}
		}
		stream.Close()
		if err != nil {
			require.Equal(t, codes.Unavailable, status.Code(err), "%v", err)
			unavailable++
		}
		for _, line := range c.told() {
			if line == "RESET 3" {
				reset++
			}
		}
	}
	t.Logf("%d commits, %d snapshots, %d resets, %d times not to be read at one time", written.Load(), snapshots, reset, unavailable)
}

func listenTo(s *listen.Stream, targets ...*pb.Target) error {
	for _, target := range targets {
		if err := s.Add(target); err != nil {
			return err
		}
	}
	return nil
}
