package serial_test

import (
	"context"
	"fmt"
	"net"
	"runtime"
	"testing"
	"time"

	"cloud.google.com/go/firestore"
	"cloud.google.com/go/firestore/apiv1/firestorepb"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"hippocampus/emulator/clock"
	"hippocampus/emulator/internal/client"
	"hippocampus/emulator/internal/database"
	"hippocampus/emulator/internal/lock"
	"hippocampus/emulator/internal/resource"
	"hippocampus/emulator/internal/service"
)

// bare serves one database, which the test can look into, without the rest of the emulator.
func bare(t *testing.T, c clock.Clock) (*server, *database.Database) {
	t.Helper()
	name := resource.Database{Project: "demo-bare", ID: "(default)"}
	d := database.New(name, database.Options{Clock: c, HistoryBytes: 1})
	server := grpc.NewServer()
	firestorepb.RegisterFirestoreServer(server, service.New(func(resource.Database) *database.Database { return d }))
	listener, err := net.Listen("tcp4", "127.0.0.1:0")
	require.NoError(t, err)
	served := make(chan error, 1)
	go func() { served <- server.Serve(listener) }()
	t.Cleanup(func() {
		server.Stop()
		require.NoError(t, <-served)
	})
	firestore, err := client.New(t.Context(), listener.Addr().String(), name.Project, client.Owner)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, firestore.Close()) })
	return newTarget(t, firestore, listener.Addr().String(), name.Project), d
}

// When all transactions and listeners have ended, nothing of them is left. A transaction that lost
// is remembered, with its age, for as long as it could have been idle.
func TestNothingIsLeft(t *testing.T) {
	manual := clock.NewManual(time.Now())
	x, d := bare(t, manual)
	use := func() {
		require.NoError(t, together(8, func(i int) error {
			for n := range 50 {
				var failed []byte
				for {
					transaction, err := x.increment(failed)
					if err == nil {
						break
					}
					if status.Code(err) != codes.Aborted {
						return err
					}
					failed = transaction
				}
				transaction, err := x.begin(nil)
				if err != nil {
					return err
				}
				if _, _, err := x.find(view{transaction: transaction}, query{atLeast: 1}); err != nil && status.Code(err) != codes.Aborted {
					return err
				}
				if err := x.rollback(transaction); err != nil {
					return err
				}
				if err := x.listen(i*50 + n); err != nil {
					return err
				}
			}
			return nil
		}))
	}
	use() // whatever is made once is made now
	manual.Advance(lock.Idle)
	settled := goleak.IgnoreCurrent()
	before := heap()
	for range 3 {
		use()
	}
	require.NoError(t, goleak.Find(settled))
	manual.Advance(lock.Idle)
	require.Zero(t, d.Transactions(), "transactions are left")
	left := int(heap()) - int(before)
	require.LessOrEqual(t, left, 1<<20, "bytes are left by 1,200 transactions that committed, as many that were rolled back, and 2,400 listeners")
	t.Logf("%d bytes are left", left)
}

// listen listens to a document and to a query until each has answered.
func (x *server) listen(n int) error {
	ctx, cancel := context.WithCancel(x.ctx)
	defer cancel()
	document := x.client.Doc(fmt.Sprintf("%s/%d", collection, n%documents)).Snapshots(ctx)
	defer document.Stop()
	if _, err := document.Next(); err != nil {
		return err
	}
	documents := x.client.Collection(collection).OrderBy("n", firestore.Asc).Snapshots(ctx)
	defer documents.Stop()
	_, err := documents.Next()
	return err
}

// heap is how many bytes are in use.
func heap() uint64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.GC()
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}
