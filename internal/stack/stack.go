// Package stack runs the whole product on this machine: Firestore's emulator, the
// functions, and the triggers between them, as scripts/deploy sets them up in a
// project.
//
//	writers ──▶ emulator ──events──▶ broker ──CloudEvents, HTTP──▶ functions
//	               ▲                                                  │
//	               └──────────────────── index ◀──────────────────────┘
package stack

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"time"

	"cloud.google.com/go/firestore"
	"google.golang.org/api/option"

	"hippocampus/emulator/eventarc"
	"hippocampus/functions"
	"hippocampus/index"
	"hippocampus/repair"
)

// Stack is a running product.
type Stack struct {
	Emulator Emulator
	Client   *firestore.Client // of the emulator's project
	Service  *functions.Service
	Broker   *eventarc.Broker
	URL      string // of the functions: each has the path of its name

	server *http.Server
}

// Options say what to run.
type Options struct {
	Kind    Kind
	Project string
	Port    int    // of the emulator; 0 picks a free one
	Indexes []byte // a firestore.indexes.json, for the limits of the embedded emulator, or nil
	Config  functions.Config
	Logger  *slog.Logger
	Client  []option.ClientOption // of the functions' client, such as interceptors
}

const (
	// requestsTimeout bounds how long a closing stack waits for requests under way. A connection
	// without one, as browsers open them ahead, counts as one for its first five seconds.
	requestsTimeout = time.Second
	// changesTimeout bounds how long a closing stack waits for changes to be committed.
	changesTimeout = 5 * time.Second
)

// Start starts everything. The error wraps the emulator's ErrPortInUse if the port is taken. The
// caller closes the stack.
func Start(ctx context.Context, o *Options) (s *Stack, err error) {
	s = &Stack{}
	defer func() {
		if err != nil {
			err = errors.Join(err, s.Close())
		}
	}()
	if s.Emulator, err = o.Kind.start(ctx, o.Project, o.Port, o.Indexes); err != nil {
		return s, err
	}
	if s.Client, err = s.Emulator.Client(context.WithoutCancel(ctx), o.Client...); err != nil {
		return s, err
	}
	if err = s.serve(o); err != nil {
		return s, err
	}
	return s, s.trigger(ctx, o)
}

// serve serves the functions over HTTP, on a free port.
func (s *Stack) serve(o *Options) (err error) {
	s.Service, err = functions.New(s.Client, o.Config, &functions.Options{
		Repair: repair.Options{SnapshotLag: o.Kind.Lag()},
		Logger: o.Logger,
	})
	if err != nil {
		return err
	}
	listener, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		return fmt.Errorf("serve the functions: %w", err)
	}
	s.URL = "http://" + listener.Addr().String()
	s.server = &http.Server{Handler: s.Service.Handler(), ReadHeaderTimeout: 30 * time.Second}
	go func() {
		if err := s.server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
			o.Logger.Error("the functions' server ended", "error", err.Error())
		}
	}()
	return nil
}

// How many events an instance of each function is given at once, as scripts/deploy sets it.
const (
	HookConcurrency    = 500
	RequestConcurrency = 4
)

// trigger has the events delivered to the functions, as scripts/deploy has it
// done in production.
func (s *Stack) trigger(ctx context.Context, o *Options) (err error) {
	memories := o.Config.Memories
	indexPath, err := index.Path(memories)
	if err != nil {
		return err
	}
	s.Broker, err = eventarc.Start(&eventarc.Options{
		Provider: s.Emulator, MinBackoff: 100 * time.Millisecond, MaxBackoff: 10 * time.Second,
		Logger: o.Logger,
		// A build of many memories takes its time, and an emulator is slow.
		Timeout: 10 * time.Minute,
	})
	if err != nil {
		return err
	}
	for _, t := range []eventarc.Trigger{
		{Name: functions.NameOnMemoryWritten, Pattern: memories + "/{memory}",
			Concurrency: HookConcurrency},
		{Name: functions.NameOnRequest, EventType: eventarc.Created,
			Pattern: indexPath + "/" + index.RequestID, Concurrency: RequestConcurrency},
	} {
		t.URL = s.URL + "/" + t.Name
		if err := s.Broker.Add(ctx, t); err != nil {
			return err
		}
	}
	return nil
}

// Close stops everything, in the order in which it depends on another, and
// returns when nothing is left running.
func (s *Stack) Close() error {
	var errs []error
	if s.Broker != nil {
		errs = append(errs, s.Broker.Close())
	}
	if s.server != nil {
		ctx, cancel := context.WithTimeout(context.Background(), requestsTimeout)
		defer cancel()
		if s.server.Shutdown(ctx) != nil {
			errs = append(errs, s.server.Close())
		}
	}
	if s.Service != nil {
		ctx, cancel := context.WithTimeout(context.Background(), changesTimeout)
		defer cancel()
		errs = append(errs, s.Service.Close(ctx))
	}
	if s.Client != nil {
		errs = append(errs, s.Client.Close())
	}
	if s.Emulator != nil {
		errs = append(errs, s.Emulator.Close())
	}
	return errors.Join(errs...)
}
