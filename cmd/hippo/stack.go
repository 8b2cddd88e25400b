package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"time"

	"cloud.google.com/go/firestore"

	"hippocampus/emulator/eventarc"
	"hippocampus/functions"
	"hippocampus/index"
	"hippocampus/repair"
)

// stack is the whole product on this machine: Firestore's emulator, the
// functions, and the triggers between them.
//
//	writers ──▶ emulator ──events──▶ broker ──CloudEvents, HTTP──▶ functions
//	               ▲                                                  │
//	               └──────────────────── index ◀──────────────────────┘
type stack struct {
	emulator firestoreEmulator
	client   *firestore.Client
	service  *functions.Service
	server   *http.Server
	url      string // of the functions
	broker   *eventarc.Broker
}

type stackOptions struct {
	emulator emulatorKind
	project  string
	port     int    // of the emulator; 0 picks a free one
	indexes  []byte // a firestore.indexes.json, or nil
	config   functions.Config
	log      *slog.Logger
}

const (
	// requestsTimeout bounds how long a closing stack waits for requests under way. A connection without one, as browsers
	// open them ahead, counts as one for its first five seconds.
	requestsTimeout = time.Second
	// changesTimeout bounds how long a closing stack waits for changes to be committed.
	changesTimeout = 5 * time.Second
)

// startStack starts everything. The caller closes it.
func startStack(ctx context.Context, o stackOptions) (s *stack, err error) {
	s = &stack{}
	defer func() {
		if err != nil {
			err = errors.Join(err, s.close())
		}
	}()
	if s.emulator, err = o.emulator.start(ctx, o.project, o.port, o.indexes); err != nil {
		return s, err
	}
	if s.client, err = s.emulator.Client(context.WithoutCancel(ctx)); err != nil {
		return s, err
	}
	if err = s.serve(o); err != nil {
		return s, err
	}
	return s, s.trigger(ctx, o)
}

// serve serves the functions over HTTP, on a free port.
func (s *stack) serve(o stackOptions) (err error) {
	s.service, err = functions.New(s.client, o.config, &functions.Options{
		Repair: repair.Options{SnapshotLag: o.emulator.lag()},
		Log:    o.log,
	})
	if err != nil {
		return err
	}
	listener, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		return fmt.Errorf("serve the functions: %w", err)
	}
	s.url = "http://" + listener.Addr().String()
	s.server = &http.Server{Handler: s.service.Handler(), ReadHeaderTimeout: 30 * time.Second}
	go func() {
		if err := s.server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
			o.log.Error("the functions' server ended", "error", err.Error())
		}
	}()
	return nil
}

// trigger has the events delivered to the functions, as scripts/deploy has it
// done in production.
func (s *stack) trigger(ctx context.Context, o stackOptions) (err error) {
	memories := o.config.Memories
	indexPath, err := index.Path(memories)
	if err != nil {
		return err
	}
	s.broker, err = eventarc.Start(&eventarc.Options{
		Source: s.emulator, MinBackoff: 100 * time.Millisecond, MaxBackoff: 10 * time.Second, Log: o.log,
		// A build of many memories takes its time, and an emulator is slow.
		Timeout: 10 * time.Minute,
	})
	if err != nil {
		return err
	}
	for _, t := range []eventarc.Trigger{
		{Name: functions.NameOnMemoryWritten, Pattern: memories + "/{memory}"},
		{Name: functions.NameOnRequest, EventType: eventarc.Created, Pattern: indexPath + "/" + index.RequestID},
	} {
		t.URL = s.url + "/" + t.Name
		if err := s.broker.Add(ctx, t); err != nil {
			return err
		}
	}
	return nil
}

// close stops everything, in the order in which it depends on another, and
// returns when nothing is left running.
func (s *stack) close() error {
	var errs []error
	if s.broker != nil {
		errs = append(errs, s.broker.Close())
	}
	if s.server != nil {
		ctx, cancel := context.WithTimeout(context.Background(), requestsTimeout)
		defer cancel()
		if s.server.Shutdown(ctx) != nil {
			errs = append(errs, s.server.Close())
		}
	}
	if s.service != nil {
		ctx, cancel := context.WithTimeout(context.Background(), changesTimeout)
		defer cancel()
		errs = append(errs, s.service.Close(ctx))
	}
	if s.client != nil {
		errs = append(errs, s.client.Close())
	}
	if s.emulator != nil {
		errs = append(errs, s.emulator.Close())
	}
	return errors.Join(errs...)
}
