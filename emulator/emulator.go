package emulator

import (
	"context"
	"errors"
	"fmt"
	"math"
	"net"
	"net/http"
	"strconv"
	"sync"
	"syscall"
	"time"

	"cloud.google.com/go/firestore"
	"cloud.google.com/go/firestore/apiv1/firestorepb"
	"github.com/soheilhy/cmux"
	"google.golang.org/api/option"
	"google.golang.org/grpc"
	"google.golang.org/grpc/keepalive"

	"hippocampus/emulator/clock"
	"hippocampus/emulator/fault"
	"hippocampus/emulator/internal/client"
	"hippocampus/emulator/internal/database"
	"hippocampus/emulator/internal/limit"
	"hippocampus/emulator/internal/resource"
	"hippocampus/emulator/internal/service"
	"hippocampus/emulator/internal/trigger"
	"hippocampus/emulator/meter"
)

// DefaultProject is the project of an emulator whose Options name none. The Firebase tools promise
// that projects whose names begin with "demo-" never exist, so a mistake cannot reach a real one.
const DefaultProject = "demo-hippocampus"

// ErrPortInUse says that another process listens on the port that Options asked for.
var ErrPortInUse = errors.New("port in use")

// Options of an emulator. Nil and the zero value are valid.
type Options struct {
	// Project is the project of the Emulator that Start returns. Default DefaultProject.
	Project string
	// Port to listen on, on 127.0.0.1. 0 picks a free one.
	Port int
	// Clock tells the times of commits and ends transactions that are idle. Default the system's.
	Clock clock.Clock
	// Seed of the ids of transactions and events.
	Seed uint64
	// Functions is the host:port that the events of triggers are posted to, as those of the
	// official emulator are to the functions emulator. By default they go to what Receive was
	// given.
	Functions string
	// Unlimited leaves out Firestore's limits on sizes, depths, index entries and commits.
	Unlimited bool
	// Indexes is the content of a firestore.indexes.json. Its exemptions count for the limit on
	// index entries.
	Indexes []byte
	// HistoryBytes bounds the encoded size of the versions of documents that are kept only for
	// reads in the past, in each database. They take two to four times as much memory. Default 256
	// MiB. Reads may go back for an hour, or for as long as that lasts.
	HistoryBytes int
}

// Emulator is a running emulator, seen as one project. It is safe for concurrent use.
type Emulator struct {
	*server
	project string
	view    bool // made by In: does not own the server
}

// server is what the views of all projects share.
type server struct {
	host     string
	service  *service.Service
	triggers triggers
	meter    meter.Meter
	faults   *fault.Injector
	grpc     *grpc.Server
	http     *http.Server
	serving  sync.WaitGroup
	close    func() error
}

// Start starts an emulator in this process and returns when it serves. ctx bounds the start, not
// the emulator's life. The error wraps ErrPortInUse if Options.Port is taken. The caller closes it.
func Start(ctx context.Context, o *Options) (*Emulator, error) {
	var opts Options
	if o != nil {
		opts = *o
	}
	if opts.Project == "" {
		opts.Project = DefaultProject
	}
	if opts.Clock == nil {
		opts.Clock = clock.System
	}
	if opts.HistoryBytes < 0 {
		return nil, fmt.Errorf("emulator: start: HistoryBytes is %d; give a positive number or 0 for the default", opts.HistoryBytes)
	}
	if opts.Functions != "" {
		if host, port, err := net.SplitHostPort(opts.Functions); err != nil || host == "" ||
			port == "" {
			return nil, fmt.Errorf("emulator: start: Functions is %q; give host:port, such as 127.0.0.1:5001", opts.Functions)
		}
	}
	var indexes *limit.Indexes
	if opts.Indexes != nil {
		var err error
		if indexes, err = limit.ParseIndexes(opts.Indexes); err != nil {
			return nil, fmt.Errorf("emulator: start: Indexes: %w", err)
		}
	}
	listener, err := listen(ctx, opts.Port)
	if err != nil {
		return nil, fmt.Errorf("emulator: start: %w", err)
	}
	s := &server{
		host: listener.Addr().String(),
		triggers: triggers{seed: opts.Seed, functions: opts.Functions,
			queues: map[string]*trigger.Queue{}},
		faults: fault.New(opts.Clock),
	}
	s.service = service.New(func(name resource.Database) *database.Database {
		d := database.New(name, database.Options{
			Clock: opts.Clock, Seed: opts.Seed, HistoryBytes: opts.HistoryBytes,
			Unlimited: opts.Unlimited, Indexes: indexes,
		})
		s.triggers.watch(d)
		return d
	})
	s.serve(listener)
	return &Emulator{server: s, project: opts.Project}, nil
}

// listen takes a port of 127.0.0.1.
func listen(ctx context.Context, port int) (net.Listener, error) {
	if port < 0 || port > math.MaxUint16 {
		return nil, fmt.Errorf("port %d: give a port from 0 to 65535", port)
	}
	address := net.JoinHostPort("127.0.0.1", strconv.Itoa(port))
	l, err := new(net.ListenConfig).Listen(ctx, "tcp4", address)
	if errors.Is(err, syscall.EADDRINUSE) {
		return nil, fmt.Errorf("%w: %s: another emulator or program listens there; stop it or choose another port", ErrPortInUse, address)
	}
	return l, err
}

// serve serves gRPC and HTTP on one port, as the official emulator does.
func (s *server) serve(l net.Listener) {
	s.grpc = grpc.NewServer(
		grpc.MaxRecvMsgSize(math.MaxInt32), // the limits on requests are Firestore's own
		grpc.MaxSendMsgSize(math.MaxInt32),
		grpc.WaitForHandlers(true), // by Stop, so that nothing runs after Close
		grpc.KeepaliveEnforcementPolicy(keepalive.EnforcementPolicy{MinTime: time.Second,
			PermitWithoutStream: true}),
		grpc.Creds(fault.Credentials()),
		// Faults come before the meter, which counts what is made even if its connection is cut
		// then.
		grpc.ChainUnaryInterceptor(authorizeUnary, s.faults.Unary, s.meter.Unary),
		grpc.ChainStreamInterceptor(authorizeStream, s.faults.Stream, s.meter.Stream),
	)
	firestorepb.RegisterFirestoreServer(s.grpc, s.service)
	s.http = &http.Server{Handler: s.rest(), ReadHeaderTimeout: 30 * time.Second}

	root := &connections{Listener: l, open: map[*connection]struct{}{}}
	mux := cmux.New(root)
	mux.SetReadTimeout(30 * time.Second) // until a connection has shown what it is
	overHTTP, overGRPC := mux.Match(cmux.HTTP1Fast()), mux.Match(cmux.Any())
	s.serving.Go(func() { _ = s.http.Serve(overHTTP) }) // each ends with close
	s.serving.Go(func() { _ = s.grpc.Serve(overGRPC) })
	s.serving.Go(func() { _ = mux.Serve() })
	s.close = sync.OnceValue(func() error {
		err := root.Close()
		s.grpc.Stop()
		err = errors.Join(err, s.http.Close())
		mux.Close()
		s.serving.Wait()
		s.triggers.close()
		return err
	})
}

// Host returns the emulator's host:port, the value for FIRESTORE_EMULATOR_HOST.
func (e *Emulator) Host() string { return e.host }

// Port returns the port of Host.
func (e *Emulator) Port() int {
	_, port, _ := net.SplitHostPort(e.host)
	n, _ := strconv.Atoi(port)
	return n
}

// Project returns the project that this Emulator's methods act on.
func (e *Emulator) Project() string { return e.project }

// In returns the same emulator as another project, with its own documents and triggers. Closing it
// does nothing: only the Emulator that Start returned stops the server.
func (e *Emulator) In(project string) *Emulator {
	return &Emulator{server: e.server, project: project, view: true}
}

// Client returns a Firestore client of this project. It neither reads nor changes the environment,
// so one process can use several emulators. opts come last, for interceptors. The caller closes it.
func (e *Emulator) Client(ctx context.Context,
	opts ...option.ClientOption) (*firestore.Client, error) {
	c, err := client.New(ctx, e.host, e.project, client.Owner, opts...)
	if err != nil {
		return nil, fmt.Errorf("emulator: %w", err)
	}
	return c, nil
}

// Clear deletes all documents of this project's default database, all at once. Triggers get an
// event for each; triggers stay.
func (e *Emulator) Clear(ctx context.Context) error {
	err := ctx.Err()
	if err == nil {
		err = e.service.Database(resource.Database{Project: e.project, ID: defaultDatabase}).Clear()
	}
	if err != nil {
		return fmt.Errorf("emulator: clear %s: %w", e.project, err)
	}
	return nil
}

// Close stops the emulator, with all its data, and returns when its port is free and nothing of it
// runs any more. It does nothing the second time.
func (e *Emulator) Close() error {
	if e.view {
		return nil
	}
	if err := e.close(); err != nil {
		return fmt.Errorf("emulator: close: %w", err)
	}
	return nil
}

// Done returns a channel that is closed when the emulator ends by itself: nil, as this one ends
// only with its process or by Close. An official one may.
func (e *Emulator) Done() <-chan struct{} { return nil }

// Err says why the emulator has ended by itself: nil, see Done.
func (e *Emulator) Err() error { return nil }
