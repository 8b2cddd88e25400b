package tenanttest

import (
	"context"
	"errors"
	"path"

	"cloud.google.com/go/firestore/apiv1/firestorepb"
	"google.golang.org/api/option"
	"google.golang.org/grpc"
)

// Wire is in the way of the calls of a client, on either emulator.
type Wire struct {
	// Call makes a call with send, or does not; what it returns is the call's answer. It may block,
	// and be called by several goroutines. Nil makes all calls.
	Call func(ctx context.Context, c Call, send func() error) error
	// Cut returns the error that a query ends with in place of what would come after so many
	// documents; nil: none.
	Cut func(c Call, documents int) error
}

// Call is a call to Firestore. A stream is one, made when its request is sent; an error comes where
// a server's refusal does, in the place of the first response. Listeners, with several requests,
// are not for a Wire.
type Call struct {
	Method  string // "Commit", "RunQuery"
	Request any    // *firestorepb.CommitRequest, *firestorepb.RunQueryRequest
	Stream  bool
}

// Options are those of a client with the wire in its way. Of several interceptors the first is the
// nearest to the client: one that is to see only what is sent comes after these.
func (w *Wire) Options() []option.ClientOption {
	return []option.ClientOption{
		option.WithGRPCDialOption(grpc.WithChainUnaryInterceptor(w.unary)),
		option.WithGRPCDialOption(grpc.WithChainStreamInterceptor(w.stream)),
	}
}

// Commits has f make the commits of a client, as Wire.Call does. All other calls are made.
func Commits(
	f func(ctx context.Context, r *firestorepb.CommitRequest, send func() error) error) []option.ClientOption {
	w := &Wire{Call: func(ctx context.Context, c Call, send func() error) error {
		if r, ok := c.Request.(*firestorepb.CommitRequest); ok {
			return f(ctx, r, send)
		}
		return send()
	}}
	return w.Options()
}

func (w *Wire) call(ctx context.Context, c Call, send func() error) error {
	if w.Call == nil {
		return send()
	}
	return w.Call(ctx, c, send)
}

func (w *Wire) unary(ctx context.Context, method string, req, reply any, cc *grpc.ClientConn,
	invoke grpc.UnaryInvoker, opts ...grpc.CallOption) error {
	return w.call(ctx, Call{Method: path.Base(method), Request: req}, func() error { return invoke(ctx, method, req, reply, cc, opts...) })
}

func (w *Wire) stream(ctx context.Context, desc *grpc.StreamDesc, cc *grpc.ClientConn,
	method string, open grpc.Streamer, opts ...grpc.CallOption) (grpc.ClientStream, error) {
	ctx, end := context.WithCancel(ctx)
	s, err := open(ctx, desc, cc, method, opts...)
	if err != nil {
		end()
		return nil, err
	}
	return &wireStream{ClientStream: s, wire: w, end: end,
		call: Call{Method: path.Base(method), Stream: true}}, nil
}

type wireStream struct {
	grpc.ClientStream
	wire      *Wire
	end       context.CancelFunc // of a stream whose request may never have been sent
	call      Call
	refusal   error
	documents int
}

func (s *wireStream) SendMsg(m any) error {
	s.call.Request = m
	var sent error
	err := s.wire.call(s.Context(), s.call, func() error {
		sent = s.ClientStream.SendMsg(m)
		return sent
	})
	if err != nil && errors.Is(err, sent) {
		return err // gRPC's own: as a refusal RecvMsg would show it as a clean end, a result cut short
	}
	s.refusal = err
	return nil
}

func (s *wireStream) RecvMsg(m any) error {
	err := s.refusal
	if err == nil && s.wire.Cut != nil {
		err = s.wire.Cut(s.call, s.documents) // before it is received: what does not come is not billed
	}
	if err == nil {
		err = s.ClientStream.RecvMsg(m)
	}
	if err != nil {
		s.end()
		return err
	}
	if r, ok := m.(*firestorepb.RunQueryResponse); ok && r.GetDocument() != nil {
		s.documents++
	}
	return nil
}
