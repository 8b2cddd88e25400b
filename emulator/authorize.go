package emulator

import (
	"context"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"

	"hippocampus/emulator/internal/client"
)

// errNotOwner refuses what is not the owner's.
var errNotOwner = status.Error(codes.PermissionDenied,
	"this emulator evaluates no security rules, so it serves the owner only (authorization: Bearer owner); try rules and users' calls on the official emulator")

// authorize refuses a call that does not carry the owner's token: what an application's user may do
// is up to the rules.
func authorize(ctx context.Context) error {
	for _, token := range metadata.ValueFromIncomingContext(ctx, "authorization") {
		if token == "Bearer "+client.Owner {
			return nil
		}
	}
	return errNotOwner
}

func authorizeUnary(ctx context.Context, req any, _ *grpc.UnaryServerInfo,
	handle grpc.UnaryHandler) (any, error) {
	if err := authorize(ctx); err != nil {
		return nil, err
	}
	return handle(ctx, req)
}

func authorizeStream(srv any, stream grpc.ServerStream, _ *grpc.StreamServerInfo,
	handle grpc.StreamHandler) error {
	if err := authorize(stream.Context()); err != nil {
		return err
	}
	return handle(srv, stream)
}
