package meter_test

import (
	"context"
	"errors"
	"sync"
	"testing"

	pb "cloud.google.com/go/firestore/apiv1/firestorepb"
	"github.com/stretchr/testify/require"
	rpcstatus "google.golang.org/genproto/googleapis/rpc/status"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/timestamppb"

	"hippocampus/emulator/meter"
)

const (
	database = "projects/p/databases/(default)"
	root     = database + "/documents"
)

func as(ctx context.Context, caller string) context.Context {
	return metadata.NewIncomingContext(ctx, metadata.Pairs(meter.Header, caller))
}

// unary has m count a call without a caller's name.
func unary(t *testing.T, m *meter.Meter, req proto.Message, res proto.Message, failure error) {
	t.Helper()
	_, err := m.Unary(t.Context(), req, nil, func(context.Context, any) (any, error) {
		if failure != nil {
			return nil, failure
		}
		return res, nil
	})
	require.Equal(t, failure, err)
}

func TestWhatACallCosts(t *testing.T) {
	doc := &pb.Document{Name: root + "/c/d"}
	set := &pb.Write{Operation: &pb.Write_Update{Update: doc}}
	remove := &pb.Write{Operation: &pb.Write_Delete{Delete: doc.GetName()}}
	for name, c := range map[string]struct {
		req, res proto.Message
		err      error
		want     meter.Usage
	}{
		"a document":                {&pb.GetDocumentRequest{Name: doc.GetName()}, doc, nil, meter.Usage{Reads: 1}},
		"no such document":          {&pb.GetDocumentRequest{Name: doc.GetName()}, nil, status.Error(codes.NotFound, ""), meter.Usage{Reads: 1}},
		"a wrong request":           {&pb.GetDocumentRequest{Name: doc.GetName()}, nil, status.Error(codes.InvalidArgument, ""), meter.Usage{}},
		"a page of a listing":       {&pb.ListDocumentsRequest{Parent: root}, &pb.ListDocumentsResponse{Documents: []*pb.Document{doc, doc}}, nil, meter.Usage{Reads: 2}},
		"an empty page":             {&pb.ListDocumentsRequest{Parent: root}, &pb.ListDocumentsResponse{}, nil, meter.Usage{Reads: 1}},
		"collection ids":            {&pb.ListCollectionIdsRequest{Parent: root}, &pb.ListCollectionIdsResponse{CollectionIds: []string{"a", "b"}}, nil, meter.Usage{Reads: 1}},
		"a transaction's begin":     {&pb.BeginTransactionRequest{Database: database}, &pb.BeginTransactionResponse{}, nil, meter.Usage{}},
		"a commit":                  {&pb.CommitRequest{Database: database, Writes: []*pb.Write{set, set, remove}}, &pb.CommitResponse{}, nil, meter.Usage{Writes: 2, Deletes: 1}},
		"a failed commit":           {&pb.CommitRequest{Database: database, Writes: []*pb.Write{set}}, nil, status.Error(codes.Aborted, ""), meter.Usage{}},
		"an error that has no code": {&pb.CommitRequest{Database: database, Writes: []*pb.Write{set}}, nil, errors.New("broken"), meter.Usage{}},
		"a batch with a failure": {
			&pb.BatchWriteRequest{Database: database, Writes: []*pb.Write{set, set, remove}},
			&pb.BatchWriteResponse{Status: []*rpcstatus.Status{{}, {Code: int32(codes.NotFound)}, {}}},
			nil, meter.Usage{Writes: 1, Deletes: 1},
		},
	} {
		t.Run(name, func(t *testing.T) {
			var m meter.Meter
			unary(t, &m, c.req, c.res, c.err)
			c.want.RequestBytes = int64(proto.Size(c.req))
			if c.err == nil {
				c.want.ResponseBytes = int64(proto.Size(c.res))
			}
			require.Equal(t, map[string]meter.Usage{"": c.want}, m.Usage("p"))
		})
	}
}

// stream is a server's side of a call that has requests and sends nothing anywhere.
type stream struct {
	grpc.ServerStream
	ctx      context.Context
	requests []proto.Message
	sending  func() // may be nil
}

func (s *stream) Context() context.Context { return s.ctx }
func (s *stream) SendMsg(any) error {
	if s.sending != nil {
		s.sending()
	}
	return nil
}
func (s *stream) RecvMsg(m any) error {
	proto.Merge(m.(proto.Message), s.requests[0])
	s.requests = s.requests[1:]
	return nil
}

// streamed has m count a call with one request and some responses, and returns what it cost.
func streamed(t *testing.T, req proto.Message, responses ...proto.Message) meter.Usage {
	t.Helper()
	var m meter.Meter
	want := meter.Usage{RequestBytes: int64(proto.Size(req))}
	s := &stream{ctx: t.Context(), requests: []proto.Message{req}}
	require.NoError(t, m.Stream(nil, s, nil, func(_ any, s grpc.ServerStream) error {
		if err := s.RecvMsg(req.ProtoReflect().New().Interface()); err != nil {
			return err
		}
		for _, res := range responses {
			want.ResponseBytes += int64(proto.Size(res))
			if err := s.SendMsg(res); err != nil {
				return err
			}
		}
		return nil
	}))
	got := m.Usage("p")[""]
	require.Equal(t, want.RequestBytes, got.RequestBytes)
	require.Equal(t, want.ResponseBytes, got.ResponseBytes)
	require.Zero(t, got.Writes+got.Deletes)
	return got
}

func TestWhatAStreamCosts(t *testing.T) {
	doc := &pb.Document{Name: root + "/c/d"}
	now := timestamppb.Now()
	get := &pb.BatchGetDocumentsRequest{Database: database}
	query := &pb.RunQueryRequest{Parent: root}
	for name, c := range map[string]struct {
		req       proto.Message
		responses []proto.Message
		want      int64
	}{
		"found and missing documents": {get, []proto.Message{
			&pb.BatchGetDocumentsResponse{Transaction: []byte("t")},
			&pb.BatchGetDocumentsResponse{Result: &pb.BatchGetDocumentsResponse_Found{Found: doc}},
			&pb.BatchGetDocumentsResponse{Result: &pb.BatchGetDocumentsResponse_Missing{Missing: "m"}},
		}, 2},
		"results":           {query, []proto.Message{&pb.RunQueryResponse{Document: doc, ReadTime: now}, &pb.RunQueryResponse{Document: doc, ReadTime: now}}, 2},
		"no results":        {query, []proto.Message{&pb.RunQueryResponse{ReadTime: now}}, 1},
		"skipped ones":      {query, []proto.Message{&pb.RunQueryResponse{Document: doc, ReadTime: now, SkippedResults: 5}}, 6},
		"skipped ones only": {query, []proto.Message{&pb.RunQueryResponse{ReadTime: now, SkippedResults: 5}}, 5},
		"no results in a new transaction": {query, []proto.Message{
			&pb.RunQueryResponse{Transaction: []byte("t")}, &pb.RunQueryResponse{ReadTime: now},
		}, 1},
		"results and an end": {query, []proto.Message{&pb.RunQueryResponse{Document: doc, ReadTime: now}, &pb.RunQueryResponse{ReadTime: now}}, 1},
		"a failure":          {query, nil, 0},
	} {
		t.Run(name, func(t *testing.T) { require.Equal(t, c.want, streamed(t, c.req, c.responses...).Reads) })
	}
}

// What a query looked at comes on top of what its responses show.
func TestScan(t *testing.T) {
	for name, c := range map[string]struct {
		n, perRead int
		want       int64
	}{
		"no entries":    {0, meter.OfAggregation, 1},
		"1,000 entries": {1_000, meter.OfAggregation, 1},
		"1,001 entries": {1_001, meter.OfAggregation, 2},
		"a search":      {250, meter.OfSearch, 3},
	} {
		t.Run(name, func(t *testing.T) {
			var m meter.Meter
			req := &pb.RunAggregationQueryRequest{Parent: root}
			s := &stream{ctx: t.Context(), requests: []proto.Message{req}}
			require.NoError(t, m.Stream(nil, s, nil, func(_ any, s grpc.ServerStream) error {
				if err := s.RecvMsg(&pb.RunAggregationQueryRequest{}); err != nil {
					return err
				}
				meter.CountEntries(s.Context(), c.n, c.perRead)
				if err := s.SendMsg(&pb.RunQueryResponse{ReadTime: timestamppb.Now()}); err != nil { // no results: paid already
					return err
				}
				return s.SendMsg(&pb.RunAggregationQueryResponse{Result: &pb.AggregationResult{}})
			}))
			require.Equal(t, c.want, m.Usage("p")[""].Reads)
		})
	}
	meter.CountEntries(t.Context(), 1, 1) // without a meter
}

func TestWhatAListenerCosts(t *testing.T) {
	const id = 7
	doc := &pb.Document{Name: root + "/c/d"}
	target := func(kind pb.TargetChange_TargetChangeType, ids ...int32) *pb.ListenResponse {
		return &pb.ListenResponse{ResponseType: &pb.ListenResponse_TargetChange{TargetChange: &pb.TargetChange{TargetChangeType: kind, TargetIds: ids}}}
	}
	change := func(in, out []int32) *pb.ListenResponse {
		return &pb.ListenResponse{ResponseType: &pb.ListenResponse_DocumentChange{DocumentChange: &pb.DocumentChange{Document: doc, TargetIds: in, RemovedTargetIds: out}}}
	}
	removed := &pb.ListenResponse{ResponseType: &pb.ListenResponse_DocumentRemove{DocumentRemove: &pb.DocumentRemove{Document: doc.GetName(), RemovedTargetIds: []int32{id}}}}
	deleted := &pb.ListenResponse{ResponseType: &pb.ListenResponse_DocumentDelete{DocumentDelete: &pb.DocumentDelete{Document: doc.GetName(), RemovedTargetIds: []int32{id}}}}
	add, current, none := target(pb.TargetChange_ADD, id), target(pb.TargetChange_CURRENT, id), target(pb.TargetChange_NO_CHANGE)
	in := change([]int32{id}, nil)
	fresh := &pb.Target{TargetId: id}
	resumed := &pb.Target{TargetId: id, ResumeType: &pb.Target_ResumeToken{ResumeToken: []byte("r")}}
	for name, c := range map[string]struct {
		target    *pb.Target
		responses []proto.Message
		want      int64
	}{
		"first results":            {fresh, []proto.Message{add, in, in, current, none}, 2},
		"none at first":            {fresh, []proto.Message{add, current, none}, 1},
		"none, current without id": {fresh, []proto.Message{add, target(pb.TargetChange_CURRENT)}, 1},
		"none, resumed":            {resumed, []proto.Message{add, current, none}, 0},
		"changes, resumed":         {resumed, []proto.Message{add, in, deleted, current, none}, 1},
		"a missing document":       {fresh, []proto.Message{add, deleted, current}, 1},
		"a later result":           {fresh, []proto.Message{add, current, in}, 2},
		"a later change":           {fresh, []proto.Message{add, in, current, in, none}, 2},
		"a later deletion":         {fresh, []proto.Message{add, in, current, deleted}, 1},
		"one that leaves":          {fresh, []proto.Message{add, in, current, removed}, 2},
		"one that moves":           {fresh, []proto.Message{add, in, current, change([]int32{8}, []int32{id})}, 3},
		"removed before it began":  {fresh, []proto.Message{add, target(pb.TargetChange_REMOVE, id), target(pb.TargetChange_CURRENT)}, 0},
	} {
		t.Run(name, func(t *testing.T) {
			req := &pb.ListenRequest{Database: database, TargetChange: &pb.ListenRequest_AddTarget{AddTarget: c.target}}
			require.Equal(t, c.want, streamed(t, req, c.responses...).Reads)
		})
	}
}

func TestCallersAndProjectsAreApart(t *testing.T) {
	var m meter.Meter
	ids := &pb.ListCollectionIdsRequest{Parent: root}
	call := func(ctx context.Context, req proto.Message) {
		_, err := m.Unary(ctx, req, nil, func(context.Context, any) (any, error) { return &pb.ListCollectionIdsResponse{}, nil })
		require.NoError(t, err)
	}
	const callers, calls = 4, 100
	var wg sync.WaitGroup
	for range callers {
		wg.Go(func() {
			for range calls {
				call(as(t.Context(), "reader"), ids)
			}
		})
	}
	wg.Wait()
	call(t.Context(), ids)
	call(as(t.Context(), "reader"), &pb.ListCollectionIdsRequest{Parent: "projects/other/databases/(default)/documents"})

	one := meter.Usage{Reads: 1, RequestBytes: int64(proto.Size(ids))}
	usage := m.Usage("p")
	require.Equal(t, meter.Usage{Reads: callers * calls, RequestBytes: callers * calls * one.RequestBytes}, usage["reader"])
	require.Equal(t, one, usage[""])
	require.Len(t, usage, 2)
	require.Len(t, m.Usage("other"), 1)
	require.Empty(t, m.Usage("third"))

	m.Reset("p")
	require.Empty(t, m.Usage("p"))
	require.Len(t, m.Usage("other"), 1)
	call(t.Context(), ids)
	require.Equal(t, map[string]meter.Usage{"": one}, m.Usage("p"))
}

// What is answered is counted: a client that reads the meter next misses nothing.
func TestCountedBeforeTheAnswer(t *testing.T) {
	var m meter.Meter
	s := &stream{ctx: t.Context(), requests: []proto.Message{&pb.BatchGetDocumentsRequest{Database: database}}}
	sent := false
	s.sending = func() {
		sent = true
		require.EqualValues(t, 1, m.Usage("p")[""].Reads)
	}
	require.NoError(t, m.Stream(nil, s, nil, func(_ any, s grpc.ServerStream) error {
		if err := s.RecvMsg(&pb.BatchGetDocumentsRequest{}); err != nil {
			return err
		}
		return s.SendMsg(&pb.BatchGetDocumentsResponse{Result: &pb.BatchGetDocumentsResponse_Missing{Missing: "m"}})
	}))
	require.True(t, sent)
}

func TestCaller(t *testing.T) {
	c, err := meter.Caller("worker 1")
	require.NoError(t, err)
	require.False(t, c.RequireTransportSecurity())
	header, err := c.GetRequestMetadata(t.Context())
	require.NoError(t, err)
	require.Equal(t, map[string]string{meter.Header: "worker 1"}, header)
	for _, name := range []string{"日", "a\n"} {
		_, err = meter.Caller(name)
		require.ErrorContains(t, err, "printable ASCII")
	}
}
