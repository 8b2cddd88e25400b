package repair_test

import (
	"context"

	"google.golang.org/api/option"
	"google.golang.org/grpc"
)

// interceptCalls calls before ahead of every Firestore call of a client; an
// error that it returns fails the call.
func interceptCalls(before func(ctx context.Context, method string) error) []option.ClientOption {
	unary := func(ctx context.Context, method string, req, reply any, cc *grpc.ClientConn, invoke grpc.UnaryInvoker, opts ...grpc.CallOption) error {
		if err := before(ctx, method); err != nil {
			return err
		}
		return invoke(ctx, method, req, reply, cc, opts...)
	}
	stream := func(ctx context.Context, desc *grpc.StreamDesc, cc *grpc.ClientConn, method string, open grpc.Streamer, opts ...grpc.CallOption) (grpc.ClientStream, error) {
		if err := before(ctx, method); err != nil {
			return nil, err
		}
		return open(ctx, desc, cc, method, opts...)
	}
	return []option.ClientOption{
		option.WithGRPCDialOption(grpc.WithChainUnaryInterceptor(unary)),
		option.WithGRPCDialOption(grpc.WithChainStreamInterceptor(stream)),
	}
}

// interceptUnary lets around make, or not make, every unary call of a client:
// its commits.
func interceptUnary(around func(call func() error) error) []option.ClientOption {
	return []option.ClientOption{option.WithGRPCDialOption(grpc.WithChainUnaryInterceptor(
		func(ctx context.Context, method string, req, reply any, cc *grpc.ClientConn, invoke grpc.UnaryInvoker, opts ...grpc.CallOption) error {
			return around(func() error { return invoke(ctx, method, req, reply, cc, opts...) })
		}))}
}
