package fault_test

import (
	"context"
	"net"
	"sync/atomic"
	"testing"
	"time"

	pb "cloud.google.com/go/firestore/apiv1/firestorepb"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"hippocampus/emulator/clock"
	"hippocampus/emulator/fault"
	"hippocampus/emulator/internal/client"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// service counts the calls that are made.
type service struct {
	pb.UnimplementedFirestoreServer
	commits, queries, listens atomic.Int64
}

func (s *service) Commit(context.Context, *pb.CommitRequest) (*pb.CommitResponse, error) {
	s.commits.Add(1)
	return &pb.CommitResponse{}, nil
}

func (s *service) RunQuery(_ *pb.RunQueryRequest, stream pb.Firestore_RunQueryServer) error {
	s.queries.Add(1)
	for range 2 {
		if err := stream.Send(&pb.RunQueryResponse{}); err != nil {
			return err
		}
	}
	return nil
}

func (s *service) Listen(stream pb.Firestore_ListenServer) error {
	s.listens.Add(1)
	for {
		if _, err := stream.Recv(); err != nil {
			return err
		}
		if err := stream.Send(&pb.ListenResponse{}); err != nil {
			return err
		}
	}
}

// world is a server with an injector, and a client of it.
type world struct {
	pb.FirestoreClient
	*fault.Injector
	service *service
	clock   *clock.Manual
}

func newWorld(t *testing.T) *world {
	t.Helper()
	w := &world{service: &service{}, clock: clock.NewManual(time.Unix(0, 0))}
	w.Injector = fault.New(w.clock)
	server := grpc.NewServer(grpc.Creds(fault.Credentials()), grpc.UnaryInterceptor(w.Unary), grpc.StreamInterceptor(w.Stream))
	pb.RegisterFirestoreServer(server, w.service)
	l, err := net.Listen("tcp4", "127.0.0.1:0")
	require.NoError(t, err)
	done := make(chan struct{})
	go func() { defer close(done); _ = server.Serve(l) }()
	t.Cleanup(func() { server.Stop(); <-done })
	conn, err := client.Dial(l.Addr().String(), "")
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, conn.Close()) })
	w.FirestoreClient = pb.NewFirestoreClient(conn)
	return w
}

func (w *world) inject(t *testing.T, r fault.Rule) *fault.Injected {
	t.Helper()
	i, err := w.Inject("p", r)
	require.NoError(t, err)
	return i
}

func (w *world) commit(t *testing.T) codes.Code {
	_, err := w.Commit(t.Context(), &pb.CommitRequest{Database: "projects/p/databases/d"})
	return status.Code(err)
}

// query returns how many responses came, and the end.
func (w *world) query(t *testing.T) (int, codes.Code) {
	stream, err := w.RunQuery(t.Context(), &pb.RunQueryRequest{Parent: "projects/p/databases/d/documents"})
	require.NoError(t, err)
	for n := 0; ; n++ {
		if _, err := stream.Recv(); err != nil {
			if err.Error() == "EOF" {
				return n, codes.OK
			}
			return n, status.Code(err)
		}
	}
}

// listen returns the end of a listener that has sent one request and has it answered, if it does.
func (w *world) listen(t *testing.T) codes.Code {
	stream, err := w.Listen(t.Context())
	require.NoError(t, err)
	_ = stream.Send(&pb.ListenRequest{Database: "projects/p/databases/d"}) // Recv says why, if it fails
	_, err = stream.Recv()
	if err == nil {
		require.NoError(t, stream.CloseSend())
	}
	return status.Code(err)
}

func TestFail(t *testing.T) {
	w := newWorld(t)
	i := w.inject(t, fault.Rule{RPC: "Commit", Nth: 2, Times: 2, Code: codes.Aborted, Message: "too bad"})
	require.Equal(t, codes.OK, w.commit(t))
	require.Zero(t, i.Count())
	_, err := w.Commit(t.Context(), &pb.CommitRequest{Database: "projects/p/databases/d"})
	require.Equal(t, codes.Aborted, status.Code(err))
	require.ErrorContains(t, err, "too bad")
	<-i.Fired()
	n, code := w.query(t)
	require.Equal(t, 2, n)
	require.Equal(t, codes.OK, code, "another RPC")
	_, err = w.Commit(t.Context(), &pb.CommitRequest{Database: "projects/other/databases/d"})
	require.NoError(t, err, "another project")
	require.Equal(t, codes.Aborted, w.commit(t))
	require.Equal(t, codes.OK, w.commit(t), "the rule is used up")
	require.Equal(t, 2, i.Count())
	require.EqualValues(t, 3, w.service.commits.Load())
	i.Remove()
	i.Remove()
}

func TestStreamsFail(t *testing.T) {
	w := newWorld(t)
	all := w.inject(t, fault.Rule{Times: -1, Code: codes.ResourceExhausted})
	n, code := w.query(t)
	require.Zero(t, n)
	require.Equal(t, codes.ResourceExhausted, code)
	require.Equal(t, codes.ResourceExhausted, w.listen(t))
	require.Equal(t, codes.ResourceExhausted, w.commit(t))
	require.Zero(t, w.service.queries.Load())
	require.Equal(t, 3, all.Count())
	all.Remove()
	require.Equal(t, codes.OK, w.listen(t))
	require.Equal(t, codes.OK, w.commit(t))
	require.Equal(t, 3, all.Count())
}

// A call that is cut has been made, its client cannot know, and the next one goes over a new
// connection.
func TestCut(t *testing.T) {
	for name, c := range map[string]struct {
		call func(*testing.T, *world) codes.Code
		made func(*service) *atomic.Int64
	}{
		"Commit": {func(t *testing.T, w *world) codes.Code { return w.commit(t) }, func(s *service) *atomic.Int64 { return &s.commits }},
		"RunQuery": {func(t *testing.T, w *world) codes.Code {
			n, code := w.query(t)
			require.Equal(t, map[codes.Code]int{codes.OK: 2}[code], n)
			return code
		}, func(s *service) *atomic.Int64 { return &s.queries }},
		"Listen": {func(t *testing.T, w *world) codes.Code { return w.listen(t) }, func(s *service) *atomic.Int64 { return &s.listens }},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			i := w.inject(t, fault.Rule{RPC: name, Cut: true})
			stream, err := w.Listen(t.Context()) // shares the connection
			require.NoError(t, err)
			require.NoError(t, stream.Send(&pb.ListenRequest{}))
			_, err = stream.Recv()
			require.NoError(t, err)
			before := c.made(w.service).Load()

			require.Equal(t, codes.Unavailable, c.call(t, w))
			require.Equal(t, 1, i.Count())
			require.Equal(t, before+1, c.made(w.service).Load())
			_, err = stream.Recv()
			require.Equal(t, codes.Unavailable, status.Code(err), "what shared the connection is lost")
			require.NotContains(t, err.Error(), "on purpose", "nobody could say so")
			require.Equal(t, codes.OK, c.call(t, w))
		})
	}
}

// Delays go by the clock, and come before what else happens, whichever rule was first.
func TestRulesCompose(t *testing.T) {
	w := newWorld(t)
	until := make(chan struct{})
	failing := w.inject(t, fault.Rule{RPC: "Commit", Code: codes.Unavailable})
	waiting := w.inject(t, fault.Rule{RPC: "Commit", Until: until})
	slow := w.inject(t, fault.Rule{Delay: time.Hour})
	code := make(chan codes.Code, 1)
	go func() { code <- w.commit(t) }()
	<-failing.Fired()
	<-waiting.Fired()
	<-slow.Fired()
	begun := w.clock.Now()
	close(until)
	// The timer is set some time after that.
	require.Eventually(t, func() bool { w.clock.Advance(time.Minute); return len(code) > 0 }, 30*time.Second, time.Millisecond)
	require.GreaterOrEqual(t, w.clock.Now().Sub(begun), time.Hour)
	require.Equal(t, codes.Unavailable, <-code)
	require.Zero(t, w.service.commits.Load())
	require.Equal(t, codes.OK, w.commit(t))
}

func TestAWaitEndsWithItsCall(t *testing.T) {
	for name, r := range map[string]fault.Rule{
		"delay": {Delay: time.Hour},
		"until": {Until: make(chan struct{})},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			i := w.inject(t, r)
			ctx, cancel := context.WithCancel(t.Context())
			code := make(chan codes.Code, 1)
			go func() {
				_, err := w.Commit(ctx, &pb.CommitRequest{Database: "projects/p/databases/d"})
				code <- status.Code(err)
			}()
			<-i.Fired()
			cancel()
			require.Equal(t, codes.Canceled, <-code)
			require.Equal(t, codes.OK, w.commit(t))
			require.EqualValues(t, 1, w.service.commits.Load())
		})
	}
}

func TestWrongRules(t *testing.T) {
	in := fault.New(clock.System)
	for name, c := range map[string]struct {
		rule fault.Rule
		want string
	}{
		"no such method":    {fault.Rule{RPC: "commit", Cut: true}, "is no method"},
		"nothing":           {fault.Rule{RPC: "Commit"}, "nothing would go wrong"},
		"no such call":      {fault.Rule{Nth: -1, Cut: true}, "the next call is 1"},
		"backwards":         {fault.Rule{Delay: -1}, "negative"},
		"no such code":      {fault.Rule{Code: 17}, "no code of gRPC"},
		"fail and then cut": {fault.Rule{Code: codes.Aborted, Cut: true}, "one of Code and Cut"},
	} {
		_, err := in.Inject("p", c.rule)
		require.ErrorContains(t, err, c.want, name)
	}
	_, err := in.Inject("p", fault.Rule{RPC: "Listen", Cut: true})
	require.NoError(t, err)
}
