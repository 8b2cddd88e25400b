package service_test

import (
	"context"
	"fmt"
	"net"
	"sync"
	"testing"
	"time"

	"cloud.google.com/go/firestore"
	pb "cloud.google.com/go/firestore/apiv1/firestorepb"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"
	"google.golang.org/api/iterator"
	"google.golang.org/api/option"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"hippocampus/emulator"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// start returns a new emulator and a client of it.
func start(t *testing.T, o *emulator.Options, opts ...option.ClientOption) (*emulator.Emulator, *firestore.Client) {
	t.Helper()
	em, err := emulator.Start(t.Context(), o)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, em.Close()) })
	c, err := em.Client(t.Context(), opts...)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, c.Close()) })
	return em, c
}

func put(t *testing.T, c *firestore.Client, path string, v int) {
	t.Helper()
	_, err := c.Doc(path).Set(t.Context(), map[string]any{"v": v})
	require.NoError(t, err)
}

func remove(t *testing.T, c *firestore.Client, path string) {
	t.Helper()
	_, err := c.Doc(path).Delete(t.Context())
	require.NoError(t, err)
}

func TestSnapshotsOfADocument(t *testing.T) {
	_, c := start(t, nil)
	it := c.Doc("c/a").Snapshots(t.Context())
	next := func() any {
		s, err := it.Next()
		if status.Code(err) == codes.NotFound {
			require.False(t, s.Exists())
			return nil
		}
		require.NoError(t, err)
		return s.Data()["v"]
	}
	require.Nil(t, next())
	put(t, c, "c/a", 1)
	require.EqualValues(t, 1, next())
	put(t, c, "c/b", 5)
	put(t, c, "c/a", 2)
	require.EqualValues(t, 2, next())
	remove(t, c, "c/a")
	require.Nil(t, next())
	it.Stop()
	_, err := it.Next()
	require.ErrorIs(t, err, iterator.Done)
}

// results reads the next snapshot of a query: its documents in order, and its changes.
func results(t *testing.T, it *firestore.QuerySnapshotIterator) (docs, changes []string) {
	t.Helper()
	s, err := it.Next()
	require.NoError(t, err)
	all, err := s.Documents.GetAll()
	require.NoError(t, err)
	require.Len(t, all, s.Size)
	docs, changes = []string{}, []string{}
	for _, d := range all {
		docs = append(docs, fmt.Sprintf("%s=%d", d.Ref.ID, d.Data()["v"]))
	}
	for _, c := range s.Changes {
		changes = append(changes, fmt.Sprintf("%s %v %d→%d", c.Doc.Ref.ID, c.Kind, c.OldIndex, c.NewIndex))
	}
	return docs, changes
}

// turn changes something and says what the next snapshot is.
type turn struct {
	change  func()
	docs    []string
	changes []string
}

func TestSnapshotsOfQueries(t *testing.T) {
	_, c := start(t, nil)
	for name, test := range map[string]struct {
		query func(*firestore.CollectionRef) firestore.Query
		first []string
		turns func(put func(string, int), remove func(string)) []turn
	}{
		"a filter and an order": {
			query: func(q *firestore.CollectionRef) firestore.Query {
				return q.Where("v", ">", 1).OrderBy("v", firestore.Desc)
			},
			first: []string{"d=4", "c=3", "b=2"},
			turns: func(put func(string, int), remove func(string)) []turn {
				return []turn{
					{func() { put("a", 5) }, []string{"a=5", "d=4", "c=3", "b=2"}, []string{"a DocumentAdded -1→0"}},
					{func() { put("c", 6) }, []string{"c=6", "a=5", "d=4", "b=2"}, []string{"c DocumentModified 2→0"}},
					{func() { put("d", 0) }, []string{"c=6", "a=5", "b=2"}, []string{"d DocumentRemoved 2→-1"}},
					{func() { remove("b") }, []string{"c=6", "a=5"}, []string{"b DocumentRemoved 2→-1"}},
				}
			},
		},
		"a limit": {
			query: func(q *firestore.CollectionRef) firestore.Query { return q.OrderBy("v", firestore.Asc).Limit(2) },
			first: []string{"a=1", "b=2"},
			turns: func(put func(string, int), remove func(string)) []turn {
				return []turn{
					{func() { put("z", 0) }, []string{"z=0", "a=1"}, []string{"b DocumentRemoved 1→-1", "z DocumentAdded -1→0"}},
					{func() { remove("z") }, []string{"a=1", "b=2"}, []string{"z DocumentRemoved 0→-1", "b DocumentAdded -1→1"}},
					{func() { put("a", 9) }, []string{"b=2", "c=3"}, []string{"a DocumentRemoved 0→-1", "c DocumentAdded -1→1"}},
				}
			},
		},
		// As clients of other languages listen to a limit to last. Go's leaves the order as it is
		// and shows the first ones.
		"the last ones": {
			query: func(q *firestore.CollectionRef) firestore.Query { return q.OrderBy("v", firestore.Desc).Limit(2) },
			first: []string{"d=4", "c=3"},
			turns: func(put func(string, int), remove func(string)) []turn {
				return []turn{
					{func() { put("z", 10) }, []string{"z=10", "d=4"}, []string{"c DocumentRemoved 1→-1", "z DocumentAdded -1→0"}},
				}
			},
		},
		"an offset": {
			query: func(q *firestore.CollectionRef) firestore.Query { return q.OrderBy("v", firestore.Asc).Offset(3) },
			first: []string{"d=4"},
			turns: func(put func(string, int), remove func(string)) []turn {
				return []turn{
					{func() { put("z", 0) }, []string{"c=3", "d=4"}, []string{"c DocumentAdded -1→0"}},
				}
			},
		},
	} {
		t.Run(name, func(t *testing.T) {
			parent := fmt.Sprintf("queries/%d", len(name))
			collection := c.Doc(parent).Collection("c")
			set := func(id string, v int) { put(t, c, parent+"/c/"+id, v) }
			unset := func(id string) { remove(t, c, parent+"/c/"+id) }
			for i, id := range []string{"a", "b", "c", "d"} {
				set(id, i+1)
			}
			it := test.query(collection).Snapshots(t.Context())
			defer it.Stop()
			docs, _ := results(t, it)
			require.Equal(t, test.first, docs)
			for _, turn := range test.turns(set, unset) {
				turn.change()
				docs, changes := results(t, it)
				require.Equal(t, turn.docs, docs)
				require.Equal(t, turn.changes, changes)
			}
		})
	}
}

func TestSnapshotsOfAWrongQueryFail(t *testing.T) {
	_, c := start(t, nil)
	it := c.Collection("c").Where("v", "in", []int{}).Snapshots(t.Context())
	defer it.Stop()
	_, err := it.Next()
	require.Equal(t, codes.InvalidArgument, status.Code(err))
}

// cuts holds the connections of a client, to cut them.
type cuts struct {
	mu    sync.Mutex
	conns []net.Conn
}

func (c *cuts) dial(ctx context.Context, address string) (net.Conn, error) {
	conn, err := new(net.Dialer).DialContext(ctx, "tcp", address)
	if err == nil {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.conns = append(c.conns, conn)
	}
	return conn, err
}

func (c *cuts) cut() {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, conn := range c.conns {
		_ = conn.Close()
	}
	c.conns = nil
}

// heard counts what a client's streams receive.
type heard struct {
	grpc.ClientStream
	mu     *sync.Mutex
	counts map[string]int
}

func (h heard) RecvMsg(m any) error {
	err := h.ClientStream.RecvMsg(m)
	h.mu.Lock()
	defer h.mu.Unlock()
	if r, ok := m.(*pb.ListenResponse); ok && err == nil {
		if c := r.GetTargetChange(); c != nil {
			h.counts[c.GetTargetChangeType().String()]++
		} else {
			h.counts["documents"]++
		}
	}
	return err
}

func TestSnapshotsGoOnAfterTheConnectionWasCut(t *testing.T) {
	var connections cuts
	mu, counts := &sync.Mutex{}, map[string]int{}
	em, writer := start(t, nil)
	c, err := em.Client(t.Context(), option.WithGRPCDialOption(grpc.WithContextDialer(connections.dial)),
		option.WithGRPCDialOption(grpc.WithChainStreamInterceptor(func(ctx context.Context, desc *grpc.StreamDesc, cc *grpc.ClientConn, method string, streamer grpc.Streamer, opts ...grpc.CallOption) (grpc.ClientStream, error) {
			s, err := streamer(ctx, desc, cc, method, opts...)
			return heard{s, mu, counts}, err
		})))
	require.NoError(t, err)
	defer c.Close()
	const documents = 20
	for i := range documents {
		put(t, writer, fmt.Sprintf("c/%02d", i), i)
	}
	it := c.Collection("c").OrderBy("v", firestore.Asc).Snapshots(t.Context())
	defer it.Stop()
	docs, _ := results(t, it)
	require.Len(t, docs, documents)

	connections.cut()
	put(t, writer, "c/05", 100)
	remove(t, writer, "c/06")
	docs, changes := results(t, it)
	require.Len(t, docs, documents-1)
	require.Equal(t, []string{"06 DocumentRemoved 6→-1", "05 DocumentModified 5→18"}, changes)
	mu.Lock()
	defer mu.Unlock()
	require.Equal(t, map[string]int{"ADD": 2, "CURRENT": 2, "NO_CHANGE": 2, "documents": documents + 2}, counts,
		"the second stream tells what has changed only")
}

func TestNoGoroutineIsLeftOfStreams(t *testing.T) {
	_, c := start(t, nil)
	put(t, c, "c/a", 1)
	before := goleak.IgnoreCurrent()
	for i := range 20 {
		ctx, cancel := context.WithCancel(t.Context())
		it := c.Doc("c/a").Snapshots(ctx)
		_, err := it.Next()
		require.NoError(t, err)
		if i%2 == 0 {
			it.Stop()
			require.Eventually(t, func() bool { _, err := it.Next(); return err != nil }, 20*time.Second, time.Millisecond)
		}
		wrong := c.Collection("c").Offset(-1).Snapshots(ctx)
		_, err = wrong.Next()
		require.Error(t, err)
		wrong.Stop()
		cancel()
	}
	require.NoError(t, goleak.Find(before))
}
