// Package client connects to emulators.
package client

import (
	"context"
	"fmt"
	"math"

	"cloud.google.com/go/firestore"
	"google.golang.org/api/option"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
)

// Owner is the token that passes all security rules of an emulator, as a server does.
const Owner = "owner"

// Embedded is how the emulator of package emulator calls itself, in the header Server of its
// answers over HTTP.
const Embedded = "hippocampus-emulator"

// New returns a client of a project's default database in the emulator at host, which sends a
// bearer token if it is not empty. It neither reads nor changes the environment, so one process can
// use several emulators. opts come last, for interceptors, which the client's own constructor
// leaves out when it finds an emulator. The caller closes it.
func New(ctx context.Context, host, project, token string,
	opts ...option.ClientOption) (*firestore.Client, error) {
	return NewWithDatabase(ctx, host, project, firestore.DefaultDatabaseID, token, opts...)
}

// NewWithDatabase is New for any database.
func NewWithDatabase(ctx context.Context, host, project, database, token string,
	opts ...option.ClientOption) (*firestore.Client, error) {
	all := []option.ClientOption{
		// Undoes the connection that the Firestore client makes of FIRESTORE_EMULATOR_HOST, if that
		// is set.
		option.WithGRPCConn(nil),
		option.WithEndpoint(scheme + host),
		option.WithoutAuthentication(),
		option.WithTelemetryDisabled(),
	}
	for _, o := range dialOptions(token) {
		all = append(all, option.WithGRPCDialOption(o))
	}
	c, err := firestore.NewClientWithDatabase(ctx, project, database, append(all, opts...)...)
	if err != nil {
		return nil, fmt.Errorf("client of %s at %s: %w", project, host, err)
	}
	return c, nil
}

// Dial returns a connection to the emulator at host for calls without a client library, which sends
// a bearer token if it is not empty. It is made by the first call. The caller closes it.
func Dial(host, token string) (*grpc.ClientConn, error) {
	conn, err := grpc.NewClient(scheme+host, dialOptions(token)...)
	if err != nil {
		return nil, fmt.Errorf("connection to %s: %w", host, err)
	}
	return conn, nil
}

// scheme has the host taken as it is, without a lookup.
const scheme = "passthrough:///"

func dialOptions(token string) []grpc.DialOption {
	opts := []grpc.DialOption{
		grpc.WithTransportCredentials(insecure.NewCredentials()),
		grpc.WithDefaultCallOptions(grpc.MaxCallRecvMsgSize(math.MaxInt32),
			grpc.MaxCallSendMsgSize(math.MaxInt32)),
	}
	if token != "" {
		opts = append(opts, grpc.WithPerRPCCredentials(bearer(token)))
	}
	return opts
}

// bearer sends a token with every call, over a connection without TLS.
type bearer string

func (b bearer) GetRequestMetadata(context.Context, ...string) (map[string]string, error) {
	return map[string]string{"authorization": "Bearer " + string(b)}, nil
}

func (bearer) RequireTransportSecurity() bool { return false }
