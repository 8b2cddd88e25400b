package memory_test

import (
	"context"
	"slices"
	"sync"

	"google.golang.org/api/option"
	"google.golang.org/grpc"
)

// calls sees the calls of a client. Fields may be set while none is under way.
type calls struct {
	mu    sync.Mutex
	names []string
	// before, if set, runs before each call; its error is the call's.
	before func(method string) error
	// received, if set, may change each message of a stream.
	received func(message any)
}

// seen returns the methods called since the last time, in order.
func (c *calls) seen() []string {
	c.mu.Lock()
	defer c.mu.Unlock()
	names := c.names
	c.names = nil
	return slices.Clone(names)
}

func (c *calls) call(method string) error {
	c.mu.Lock()
	c.names = append(c.names, method)
	c.mu.Unlock()
	if c.before != nil {
		return c.before(method)
	}
	return nil
}

// options are those of the client that is to be seen.
func (c *calls) options() []option.ClientOption {
	unary := func(ctx context.Context, method string, req, reply any, cc *grpc.ClientConn, invoke grpc.UnaryInvoker, opts ...grpc.CallOption) error {
		if err := c.call(method); err != nil {
			return err
		}
		return invoke(ctx, method, req, reply, cc, opts...)
	}
	stream := func(ctx context.Context, desc *grpc.StreamDesc, cc *grpc.ClientConn, method string, open grpc.Streamer, opts ...grpc.CallOption) (grpc.ClientStream, error) {
		if err := c.call(method); err != nil {
			return nil, err
		}
		s, err := open(ctx, desc, cc, method, opts...)
		return &seenStream{s, c}, err
	}
	return []option.ClientOption{
		option.WithGRPCDialOption(grpc.WithChainUnaryInterceptor(unary)),
		option.WithGRPCDialOption(grpc.WithChainStreamInterceptor(stream)),
	}
}

type seenStream struct {
	grpc.ClientStream
	calls *calls
}

func (s *seenStream) RecvMsg(message any) error {
	err := s.ClientStream.RecvMsg(message)
	if err == nil && s.calls.received != nil {
		s.calls.received(message)
	}
	return err
}

const service = "/google.firestore.v1.Firestore/"
