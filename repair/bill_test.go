package repair_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync/atomic"
	"testing"

	pb "cloud.google.com/go/firestore/apiv1/firestorepb"
	"github.com/stretchr/testify/require"
	"google.golang.org/api/option"
	"google.golang.org/grpc"

	"hippocampus/emulator/emulatortest"
	"hippocampus/index"
	"hippocampus/repair"
)

// bill counts what Firestore bills a client for, from the messages on the wire: a
// document that is missing counts as read, and so does a query without a result.
type bill struct{ reads, writes, deletes atomic.Int64 }

func (b *bill) options() []option.ClientOption {
	unary := func(ctx context.Context, method string, req, reply any, cc *grpc.ClientConn, invoke grpc.UnaryInvoker, opts ...grpc.CallOption) error {
		err := invoke(ctx, method, req, reply, cc, opts...)
		commit, ok := req.(*pb.CommitRequest)
		if err != nil || !ok {
			return err
		}
		for _, w := range commit.GetWrites() {
			if w.GetDelete() != "" {
				b.deletes.Add(1)
			} else {
				b.writes.Add(1)
			}
		}
		return nil
	}
	stream := func(ctx context.Context, desc *grpc.StreamDesc, cc *grpc.ClientConn, method string, open grpc.Streamer, opts ...grpc.CallOption) (grpc.ClientStream, error) {
		s, err := open(ctx, desc, cc, method, opts...)
		return &billedStream{ClientStream: s, bill: b}, err
	}
	return []option.ClientOption{
		option.WithGRPCDialOption(grpc.WithChainUnaryInterceptor(unary)),
		option.WithGRPCDialOption(grpc.WithChainStreamInterceptor(stream)),
	}
}

// take returns the counts since the last call.
func (b *bill) take() (reads, writes, deletes int) {
	return int(b.reads.Swap(0)), int(b.writes.Swap(0)), int(b.deletes.Swap(0))
}

type billedStream struct {
	grpc.ClientStream
	bill        *bill
	query, some bool // a query; documents have come
}

func (s *billedStream) RecvMsg(m any) error {
	err := s.ClientStream.RecvMsg(m)
	if errors.Is(err, io.EOF) && s.query && !s.some {
		s.bill.reads.Add(1)
	}
	if err != nil {
		return err
	}
	switch r := m.(type) {
	case *pb.BatchGetDocumentsResponse:
		if r.GetFound() != nil || r.GetMissing() != "" {
			s.bill.reads.Add(1)
		}
	case *pb.RunQueryResponse:
		s.query = true
		if r.GetDocument() != nil {
			s.some = true
			s.bill.reads.Add(1)
		}
	}
	return nil
}

// A night of a quiet tenant of n memories, whose changes are in one shard.
func TestBillOfANight(t *testing.T) {
	for n, page := range map[int]int{1: 0, 7: 5, 10: 5, 40: 0} { // 10: the last page is full, and one more is asked for
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			f := newFixture(t)
			var b bill
			client := emulatortest.Client(t, f.em, b.options()...)
			for i := range n {
				f.put(fmt.Sprint("m", i), day(1))
			}
			f.full()
			f.deliver(0, f.put("m0", day(2)))
			o := f.options()
			o.Page = page
			result, err := repair.Full(t.Context(), client, memories, o)
			require.NoError(t, err)
			reads, writes, deletes := b.take()
			want := n + 4 // meta twice, the request's absence, a shard, the memories
			if page > 0 && n%page == 0 {
				want++
			}
			require.Equal(t, want, reads)
			require.Equal(t, 1, writes)
			require.Equal(t, 1, deletes)
			require.Equal(t, reads, result.Reads)
			require.Equal(t, writes+deletes, result.Writes)
			f.requireEqual()
		})
	}
}

// A compaction of k shards that was asked for.
func TestBillOfACompaction(t *testing.T) {
	for k := 1; k <= index.Shards; k++ {
		t.Run(fmt.Sprint(k), func(t *testing.T) {
			f := newFixture(t)
			var b bill
			client := emulatortest.Client(t, f.em, b.options()...)
			f.put("m", day(1))
			f.full()
			for shard := range k {
				f.deliver(shard, f.put("m", day(2+shard)))
			}
			f.request(index.Compaction)
			result, err := repair.Compact(t.Context(), client, memories, f.options())
			require.NoError(t, err)
			reads, writes, deletes := b.take()
			require.Equal(t, k+2, reads, "meta, the request and the shards")
			require.Equal(t, 1, writes)
			require.Equal(t, k+1, deletes, "the shards and the request")
			require.Equal(t, reads, result.Reads)
			require.Equal(t, writes+deletes, result.Writes)
			f.requireEqual()
		})
	}
}

// What finding the work costs: RepairDue asks once for all tenants, OnRequest looks
// at its request.
func TestBillOfFindingWork(t *testing.T) {
	f := newFixture(t)
	var b bill
	client := emulatortest.Client(t, f.em, b.options()...)
	for due := range 3 {
		targets, err := repair.Due(t.Context(), client)
		require.NoError(t, err)
		require.Len(t, targets, due)
		reads, _, _ := b.take()
		require.Equal(t, 1+max(1, due), reads)
		path, err := index.Path(fmt.Sprintf("tenants/%d/memories", due))
		require.NoError(t, err)
		_, err = f.client.Doc(path+"/"+index.MetaID).Set(t.Context(), map[string]any{index.DueField: day(1)})
		require.NoError(t, err)
	}

	f.full()
	f.deliver(0, f.put("m", day(2)))
	f.request(index.Compaction)
	_, err := repair.Serve(t.Context(), client, memories, f.options())
	require.NoError(t, err)
	reads, _, _ := b.take()
	require.Equal(t, 1+3, reads)
}
