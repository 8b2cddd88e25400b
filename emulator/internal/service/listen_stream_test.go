package service_test

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"runtime"
	"sync"
	"testing"

	"cloud.google.com/go/firestore"
	pb "cloud.google.com/go/firestore/apiv1/firestorepb"
	"github.com/stretchr/testify/require"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/types/known/wrapperspb"

	"hippocampus/emulator"
	"hippocampus/emulator/internal/client"
	"hippocampus/emulator/internal/literal"
)

// stream opens a Listen stream.
func stream(t *testing.T, em *emulator.Emulator) pb.Firestore_ListenClient {
	t.Helper()
	conn, err := client.Dial(em.Host(), client.Owner)
	require.NoError(t, err)
	t.Cleanup(func() { _ = conn.Close() })
	s, err := pb.NewFirestoreClient(conn).Listen(t.Context())
	require.NoError(t, err)
	return s
}

func databaseOf(em *emulator.Emulator) string {
	return "projects/" + em.Project() + "/databases/(default)"
}

// add is the request for a target: the documents of c, the first ones of them if there is a limit,
// or by name.
func add(em *emulator.Emulator, id, limit int32, names ...string) *pb.ListenRequest {
	target := &pb.Target{TargetId: id}
	if len(names) > 0 {
		d := &pb.Target_DocumentsTarget{}
		for _, n := range names {
			d.Documents = append(d.Documents, databaseOf(em)+"/documents/"+n)
		}
		target.TargetType = &pb.Target_Documents{Documents: d}
	} else {
		q := &pb.StructuredQuery{From: literal.From("c", false)}
		if limit > 0 {
			q.Limit = wrapperspb.Int32(limit)
		}
		target.TargetType = &pb.Target_Query{Query: &pb.Target_QueryTarget{
			Parent: databaseOf(em) + "/documents", QueryType: &pb.Target_QueryTarget_StructuredQuery{StructuredQuery: q},
		}}
	}
	return &pb.ListenRequest{Database: databaseOf(em), TargetChange: &pb.ListenRequest_AddTarget{AddTarget: target}}
}

func TestStreamsEnd(t *testing.T) {
	em, _ := start(t, nil)
	for name, test := range map[string]struct {
		requests []*pb.ListenRequest
		code     codes.Code
		message  string
	}{
		"without a database": {
			[]*pb.ListenRequest{{TargetChange: &pb.ListenRequest_RemoveTarget{RemoveTarget: 1}}}, codes.InvalidArgument, "projects/P/databases/D",
		},
		"with nothing asked": {
			[]*pb.ListenRequest{{Database: databaseOf(em)}}, codes.InvalidArgument, "set add_target or remove_target",
		},
		"with another database": {
			[]*pb.ListenRequest{add(em, 1, 0), {Database: "projects/p/databases/d", TargetChange: &pb.ListenRequest_RemoveTarget{RemoveTarget: 1}}},
			codes.InvalidArgument, "open another one",
		},
		"with a negative id": {[]*pb.ListenRequest{add(em, -1, 0)}, codes.InvalidArgument, "give a positive one"},
	} {
		t.Run(name, func(t *testing.T) {
			s := stream(t, em)
			for _, r := range test.requests {
				require.NoError(t, s.Send(r))
			}
			var err error
			for err == nil {
				_, err = s.Recv()
			}
			require.Equal(t, test.code, status.Code(err))
			require.ErrorContains(t, err, test.message)
		})
	}
	t.Run("when the client is done, without a request or with one", func(t *testing.T) {
		for _, requests := range [][]*pb.ListenRequest{nil, {add(em, 1, 0)}} {
			s := stream(t, em)
			for _, r := range requests {
				require.NoError(t, s.Send(r))
			}
			require.NoError(t, s.CloseSend())
			var err error
			for err == nil {
				_, err = s.Recv()
			}
			require.ErrorIs(t, err, io.EOF)
		}
	})
	t.Run("with requests behind it", func(t *testing.T) {
		for range 50 {
			s := stream(t, em)
			for _, r := range []*pb.ListenRequest{add(em, 1, 0), add(em, 2, 0), add(em, -1, 0), add(em, 3, 0), add(em, 4, 0)} {
				if s.Send(r) != nil {
					break // it has ended
				}
			}
			var err error
			for err == nil {
				_, err = s.Recv()
			}
			require.Equal(t, codes.InvalidArgument, status.Code(err))
		}
	})
	t.Run("when the emulator is closed", func(t *testing.T) {
		closing, err := emulator.Start(t.Context(), nil)
		require.NoError(t, err)
		s := stream(t, closing)
		require.NoError(t, s.Send(add(closing, 1, 0)))
		_, err = s.Recv()
		require.NoError(t, err)
		require.NoError(t, closing.Close())
		for err == nil {
			_, err = s.Recv()
		}
		require.Equal(t, codes.Unavailable, status.Code(err))
	})
}

// move moves one from a document to another, in one commit.
func move(ctx context.Context, c *firestore.Client, from, to *firestore.DocumentRef) error {
	return c.RunTransaction(ctx, func(_ context.Context, x *firestore.Transaction) error {
		for doc, n := range map[*firestore.DocumentRef]int{from: -1, to: 1} {
			if err := x.Set(doc, map[string]any{"v": firestore.Increment(n)}, firestore.MergeAll); err != nil {
				return err
			}
		}
		return nil
	})
}

// Clients move amounts between documents. Every snapshot of every stream has the same sum, in all
// targets that were current, though targets come and go all the time.
func TestSnapshotsAreConsistentWhileOthersWrite(t *testing.T) {
	em, c := start(t, nil)
	const documents, amount, transfers = 10, 100, 300
	var names []string
	for i := range documents {
		names = append(names, fmt.Sprintf("c/%d", i))
		put(t, c, names[i], amount)
	}
	var writers sync.WaitGroup
	done := make(chan struct{})
	for seed := range uint64(4) {
		writers.Go(func() {
			r := rand.New(rand.NewPCG(seed, 1))
			for range transfers {
				i := r.IntN(documents)
				j := (i + 1 + r.IntN(documents-1)) % documents
				if err := move(t.Context(), c, c.Doc(names[i]), c.Doc(names[j])); err != nil {
					t.Error(err)
				}
			}
		})
	}
	go func() {
		writers.Wait()
		close(done)
		// One more snapshot, so that the end is seen.
		if err := move(t.Context(), c, c.Doc(names[0]), c.Doc(names[1])); err != nil && t.Context().Err() == nil {
			t.Error(err)
		}
	}()
	s := stream(t, em)
	require.NoError(t, s.Send(add(em, 1, 0)))
	has, current := map[int32]map[string]int64{}, map[int32]bool{}
	snapshots, checked, added := 0, 0, int32(1)
	writing := true
	for writing || added < 20 {
		res, err := s.Recv()
		require.NoError(t, err)
		if d := res.GetDocumentChange(); d != nil {
			for _, id := range d.GetTargetIds() {
				has[id][d.GetDocument().GetName()] = d.GetDocument().GetFields()["v"].GetIntegerValue()
			}
			continue
		}
		require.NotNil(t, res.GetTargetChange(), "no document leaves a target")
		for _, id := range res.GetTargetChange().GetTargetIds() {
			switch res.GetTargetChange().GetTargetChangeType() {
			case pb.TargetChange_ADD:
				has[id] = map[string]int64{}
			case pb.TargetChange_CURRENT:
				current[id] = true
			case pb.TargetChange_REMOVE:
				delete(current, id)
			case pb.TargetChange_RESET:
				clear(has[id])
				current[id] = false
			}
		}
		if len(res.GetTargetChange().GetTargetIds()) > 0 {
			continue
		}
		snapshots++
		for id := range current {
			sum := int64(0)
			for _, v := range has[id] {
				sum += v
			}
			require.EqualValues(t, documents*amount, sum, "target %d at snapshot %d", id, snapshots)
			checked++
		}
		select {
		case <-done:
			writing = false
		default:
		}
		if snapshots%5 == 0 || !writing {
			added++
			kind := []*pb.ListenRequest{add(em, added, 0), add(em, added, documents), add(em, added, 0, names...)}[added%3]
			require.NoError(t, s.Send(kind))
			if added > 6 {
				require.NoError(t, s.Send(&pb.ListenRequest{TargetChange: &pb.ListenRequest_RemoveTarget{RemoveTarget: added - 5}}))
			}
		}
	}
	require.Greater(t, checked, 60)
}

// until reads until a change of a target.
func until(t *testing.T, s pb.Firestore_ListenClient, kind pb.TargetChange_TargetChangeType) {
	t.Helper()
	for {
		res, err := s.Recv()
		require.NoError(t, err)
		if res.GetTargetChange().GetTargetChangeType() == kind {
			return
		}
	}
}

// used is how much memory is in use.
func used() int {
	runtime.GC()
	runtime.GC() // what pools hold is free the second time
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int(m.HeapAlloc)
}

func TestNothingWaitsForStreamsThatHaveEnded(t *testing.T) {
	em, c := start(t, &emulator.Options{HistoryBytes: 1})
	for range 20 {
		s := stream(t, em)
		require.NoError(t, s.Send(add(em, 1, 0)))
		until(t, s, pb.TargetChange_CURRENT)
		require.NoError(t, s.CloseSend())
		var err error
		for err == nil {
			_, err = s.Recv()
		}
		require.ErrorIs(t, err, io.EOF)
	}
	before := used()
	const commits, size = 30, 500_000
	for i := range commits {
		_, err := c.Doc("c/a").Set(t.Context(), map[string]any{"v": i, "b": make([]byte, size)})
		require.NoError(t, err)
	}
	require.Less(t, used()-before, commits*size/3)
}

func TestASlowClientTakesNoMemory(t *testing.T) {
	em, c := start(t, &emulator.Options{HistoryBytes: 1 << 20})
	s := stream(t, em)
	require.NoError(t, s.Send(add(em, 1, 0)))
	until(t, s, pb.TargetChange_CURRENT)
	before := used()
	const commits, size = 300, 500_000
	write := func(i int) {
		_, err := c.Doc("c/a").Set(t.Context(), map[string]any{"v": i, "b": make([]byte, size)})
		require.NoError(t, err)
	}
	for i := range commits {
		write(i)
	}
	require.Less(t, used()-before, commits*size/3, "what waits for the client is not bounded")

	// It still learns what there is in the end.
	heard := 0
	for last := int64(-1); last != commits-1; {
		res, err := s.Recv()
		require.NoError(t, err)
		if d := res.GetDocumentChange(); d != nil {
			last = d.GetDocument().GetFields()["v"].GetIntegerValue()
			heard++
		}
	}
	require.Less(t, heard, commits)
}

func TestAContextEndsAStream(t *testing.T) {
	_, c := start(t, nil)
	ctx, cancel := context.WithCancel(t.Context())
	it := c.Collection("c").Snapshots(ctx)
	_, err := it.Next()
	require.NoError(t, err)
	cancel()
	_, err = it.Next()
	require.Equal(t, codes.Canceled, status.Code(err))
	it.Stop()
}
