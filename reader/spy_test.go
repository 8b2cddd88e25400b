package reader_test

import (
	"context"
	"errors"
	"io"
	"strings"
	"sync"
	"testing"

	"cloud.google.com/go/firestore"
	"cloud.google.com/go/firestore/apiv1/firestorepb"
	"google.golang.org/api/option"
	"google.golang.org/grpc"

	"hippocampus/emulator/emulatortest"
)

// spy sits on a client's connection: it counts what the server sent, and fails
// calls as a test asks.
type spy struct {
	// fail returns the error of the n-th call, from 0; nil lets it pass. It may
	// block until the call's context ends.
	fail func(ctx context.Context, n int, call call) error
	// cut returns the error in place of what a stream would deliver after its
	// received-th document.
	cut func(call call, received int) error

	mu    sync.Mutex
	calls []call
	read  int // documents as Firestore bills them
}

// call is the last part of a method, such as RunQuery, and what it is about.
type call struct{ method, about string }

func (s *spy) client(t testing.TB, tn *tenant) *firestore.Client {
	t.Helper()
	return emulatortest.Client(t, tn.em,
		option.WithGRPCDialOption(grpc.WithChainUnaryInterceptor(s.unary)),
		option.WithGRPCDialOption(grpc.WithChainStreamInterceptor(s.stream)))
}

func (s *spy) count(method string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := 0
	for _, c := range s.calls {
		if c.method == method {
			n++
		}
	}
	return n
}

func (s *spy) begin(ctx context.Context, c call) error {
	s.mu.Lock()
	n := len(s.calls)
	s.calls = append(s.calls, c)
	s.mu.Unlock()
	if s.fail == nil {
		return nil
	}
	return s.fail(ctx, n, c)
}

func (s *spy) bill(documents int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.read += documents
}

func method(full string) string { return full[strings.LastIndexByte(full, '/')+1:] }

func (s *spy) unary(ctx context.Context, full string, req, reply any, cc *grpc.ClientConn, invoke grpc.UnaryInvoker, opts ...grpc.CallOption) error {
	c := call{method: method(full)}
	if commit, ok := req.(*firestorepb.CommitRequest); ok {
		c.about = commit.Writes[0].GetUpdate().GetName()
	}
	if err := s.begin(ctx, c); err != nil {
		return err
	}
	return invoke(ctx, full, req, reply, cc, opts...)
}

func (s *spy) stream(ctx context.Context, desc *grpc.StreamDesc, cc *grpc.ClientConn, full string, streamer grpc.Streamer, opts ...grpc.CallOption) (grpc.ClientStream, error) {
	stream, err := streamer(ctx, desc, cc, full, opts...)
	if err != nil {
		return nil, err
	}
	return &spiedStream{ClientStream: stream, spy: s, call: call{method: method(full)}}, nil
}

// spiedStream fails at RecvMsg, where a server's refusal arrives too.
type spiedStream struct {
	grpc.ClientStream
	spy      *spy
	call     call
	refusal  error
	received int
	query    bool
}

func (s *spiedStream) SendMsg(m any) error {
	switch m := m.(type) {
	case *firestorepb.RunQueryRequest:
		s.query = true
		s.call.about = m.Parent + "/" + m.GetStructuredQuery().From[0].CollectionId
	case *firestorepb.BatchGetDocumentsRequest:
		s.call.about = m.Documents[0]
	}
	if s.refusal = s.spy.begin(s.Context(), s.call); s.refusal != nil {
		return nil
	}
	return s.ClientStream.SendMsg(m)
}

func (s *spiedStream) RecvMsg(m any) error {
	if s.refusal != nil {
		return s.refusal
	}
	if s.spy.cut != nil {
		if err := s.spy.cut(s.call, s.received); err != nil {
			return err
		}
	}
	err := s.ClientStream.RecvMsg(m)
	if errors.Is(err, io.EOF) && s.query && s.received == 0 {
		s.spy.bill(1)
	}
	if err != nil {
		return err
	}
	switch m := m.(type) {
	case *firestorepb.RunQueryResponse:
		if m.Document != nil {
			s.received++
			s.spy.bill(1)
		}
	case *firestorepb.BatchGetDocumentsResponse:
		if m.Result != nil {
			s.spy.bill(1)
		}
	}
	return nil
}
