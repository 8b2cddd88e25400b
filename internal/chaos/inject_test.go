package chaos

import (
	"context"
	"path"
	"slices"
	"sync"
	"testing"

	"cloud.google.com/go/firestore"
	"github.com/stretchr/testify/require"
	"google.golang.org/api/option"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"hippocampus/emulator/eventarc"
	"hippocampus/index"
)

// fault is how a call fails.
type fault struct {
	name string
	code codes.Code
	cut  bool // the call is served, and its answer lost: of a stream's, all but the first message
}

var faults = []fault{
	{"unavailable", codes.Unavailable, false},
	{"aborted", codes.Aborted, false},
	{"deadline exceeded", codes.DeadlineExceeded, false},
	{"cut after it was served", codes.Unavailable, true},
}

// patience is how many calls fail before the process that makes them is taken to
// be stopped: the Firestore client itself would try for ever.
const patience = 3

// An injector makes the n-th call of a client fail, n from 0, or that and all later ones.
type injector struct {
	mu       sync.Mutex
	fault    fault
	n        int // -1: none
	lasting  bool
	calls    int
	failed   int
	beforeIt func() // called once, before the flip is sent
}

// injectedClient returns a client of em whose calls an injector can make fail.
func injectedClient(t testing.TB, em eventarc.Firestore) (*firestore.Client, *injector) {
	in := &injector{n: -1}
	client, err := em.Client(t.Context(),
		option.WithGRPCDialOption(grpc.WithChainUnaryInterceptor(in.unary)),
		option.WithGRPCDialOption(grpc.WithChainStreamInterceptor(in.stream)))
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, client.Close()) })
	return client, in
}

// arm has the n-th call from now on fail.
func (in *injector) arm(n int, f fault, lasting bool) {
	in.mu.Lock()
	defer in.mu.Unlock()
	in.n, in.fault, in.lasting, in.calls, in.failed = n, f, lasting, 0, 0
}

// disarm ends that and reports whether any call has failed.
func (in *injector) disarm() bool {
	in.mu.Lock()
	defer in.mu.Unlock()
	in.n, in.beforeIt = -1, nil
	return in.failed > 0
}

// next decides the fate of a call: nil, or the error it ends with.
func (in *injector) next(c *call) (err error, cut bool) {
	in.mu.Lock()
	before := in.beforeIt
	if before != nil && slices.ContainsFunc(c.docs, func(doc string) bool { return path.Base(doc) == index.MetaID }) {
		in.beforeIt = nil
		in.mu.Unlock()
		before()
		in.mu.Lock()
	}
	defer in.mu.Unlock()
	i := in.calls
	in.calls++
	if in.n < 0 || i < in.n || !in.lasting && i > in.n {
		return nil, false
	}
	in.failed++
	if in.failed > patience {
		return status.Error(codes.Canceled, "stopped, after calls that failed on purpose"), false
	}
	return status.Error(in.fault.code, "failed on purpose"), in.fault.cut
}

func (in *injector) unary(ctx context.Context, method string, req, reply any, cc *grpc.ClientConn, invoke grpc.UnaryInvoker, opts ...grpc.CallOption) error {
	failure, cut := in.next(newCall(method, req))
	if failure != nil && !cut {
		return failure
	}
	if err := invoke(ctx, method, req, reply, cc, opts...); err != nil {
		return err
	}
	return failure
}

func (in *injector) stream(ctx context.Context, desc *grpc.StreamDesc, cc *grpc.ClientConn, method string, open grpc.Streamer, opts ...grpc.CallOption) (grpc.ClientStream, error) {
	failure, cut := in.next(newCall(method, nil))
	if failure != nil && !cut {
		return nil, failure
	}
	stream, err := open(ctx, desc, cc, method, opts...)
	if err != nil || failure == nil {
		return stream, err
	}
	return &cutStream{ClientStream: stream, failure: failure}, nil
}

// cutStream is cut after its first message.
type cutStream struct {
	grpc.ClientStream
	failure  error
	received bool
}

func (s *cutStream) RecvMsg(m any) error {
	if s.received {
		return s.failure
	}
	s.received = true
	return s.ClientStream.RecvMsg(m)
}
