package chaos

import (
	"context"
	"sync/atomic"

	"google.golang.org/api/option"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
)

// A circuitBreaker ends the calls of a world's clients when their Firestore is gone: the clients
// themselves would try again for minutes.
type circuitBreaker struct {
	unanswered atomic.Int64 // calls since the last that was answered
}

// maxUnanswered calls, one after the other, mean that there is no Firestore. It takes a client some
// seconds to make so many, and a Firestore on this machine answers all.
const maxUnanswered = 10

func (l *circuitBreaker) options() []option.ClientOption {
	return []option.ClientOption{
		option.WithGRPCDialOption(grpc.WithChainUnaryInterceptor(l.unary)),
		option.WithGRPCDialOption(grpc.WithChainStreamInterceptor(l.stream)),
	}
}

func (l *circuitBreaker) unary(ctx context.Context, method string, req, reply any,
	cc *grpc.ClientConn, invoke grpc.UnaryInvoker, opts ...grpc.CallOption) error {
	return l.check(invoke(ctx, method, req, reply, cc, opts...))
}

func (l *circuitBreaker) stream(ctx context.Context, desc *grpc.StreamDesc, cc *grpc.ClientConn,
	method string, open grpc.Streamer, opts ...grpc.CallOption) (grpc.ClientStream, error) {
	stream, err := open(ctx, desc, cc, method, opts...)
	return stream, l.check(err)
}

// check returns the error of a call, or one in its place that clients do not try again.
func (l *circuitBreaker) check(err error) error {
	if status.Code(err) != codes.Unavailable {
		l.unanswered.Store(0)
		return err
	}
	if l.unanswered.Add(1) < maxUnanswered {
		return err
	}
	return status.Errorf(codes.Canceled, "Firestore cannot be reached: %v", err)
}
