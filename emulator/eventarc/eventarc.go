// Package eventarc plays Eventarc for a Firestore on this machine: it delivers the events of
// document changes to functions over HTTP, as Eventarc delivers them to functions on Cloud Run.
//
// A [Broker] takes the events from a [Provider], an emulator, or from [Broker.Publish]; matches
// them with its triggers; and posts each to its trigger's URL as a binary-mode CloudEvent with a
// protobuf body. As with Eventarc,
//
//   - an event is delivered at least once, in no promised order,
//   - a delivery that fails or times out is repeated, after a back-off that doubles each time, until it succeeds or
//     the event is older than the retention,
//   - its id is the same in every delivery,
//   - a write that changes nothing makes no event, nor does the deletion of what does not exist (the official
//     emulator posts both; they are filtered).
//
// Unlike Eventarc it keeps its queue in memory: what Close finds undelivered is gone.
//
// For tests it can misbehave, from a seed ([Broker.Misbehave]); hand the events to the test, which
// delivers them itself ([Broker.Hold]); and wait until everything is done ([Broker.Drain]).
package eventarc

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"sync"
	"time"

	"cloud.google.com/go/firestore"
	"google.golang.org/api/option"
)

// Provider is a Firestore that posts the events of its changes: an *emulator.Emulator or an
// *official.Emulator.
type Provider interface {
	// Project returns the project whose events these are.
	Project() string
	// AddTrigger has events of a type posted for the documents of the default database that match a
	// pattern.
	AddTrigger(ctx context.Context, name, eventType, pattern string) error
	// Receive has h handle the posts; nil ends that.
	Receive(h http.Handler) error
	// Settle returns when h has answered the posts of every commit that had returned before.
	Settle(ctx context.Context) error
}

// Firestore is one project of an emulator, an *emulator.Emulator or an *official.Emulator. Whoever
// has one may not end the emulator: others may have projects in it.
type Firestore interface {
	Provider
	// Host returns the emulator's host:port.
	Host() string
	// Client returns a client of the project that passes all rules. The caller closes it.
	Client(ctx context.Context, opts ...option.ClientOption) (*firestore.Client, error)
	// Clear deletes all documents of the project.
	Clear(ctx context.Context) error
}

// Options of a Broker. Nil and the zero value are valid. The defaults are Eventarc's; for
// development and tests, take a shorter back-off.
type Options struct {
	// Provider posts the events. Without one they come from Publish only.
	Provider Provider
	// Project that the events are of. Default that of Provider, else "demo-eventarc".
	Project string
	// MinBackoff is the time before the second attempt to deliver an event. It doubles with each
	// further one. Default 10 s.
	MinBackoff time.Duration
	// MaxBackoff bounds the back-off. Default 600 s.
	MaxBackoff time.Duration
	// Retention is how long after its arrival an event is still tried. Default 24 h.
	Retention time.Duration
	// Timeout bounds one attempt; one that takes longer has failed. Default 60 s.
	Timeout time.Duration
	// Logger receives failed deliveries as warnings, unusable posts as errors, the rest as debug.
	// Default slog.Default().
	Logger *slog.Logger
}

// Broker delivers events. It is safe for concurrent use.
type Broker struct {
	opts   Options
	log    *slog.Logger
	mux    *http.ServeMux
	client *http.Client

	ctx    context.Context // ends with Close
	cancel context.CancelFunc
	wg     sync.WaitGroup // queues and deliveries
	close  func() error   // shut, once

	mu       sync.Mutex
	closed   bool
	queues   []*queue
	holding  bool
	held     []*message
	chaos    chaos
	stats    Stats
	admitted int           // messages taken in so far, held ones too, and these once more when Release lets them go
	changed  chan struct{} // closed and replaced when something that Drain waits for may have changed
}

// Start starts a broker. It has no triggers yet. The caller closes it.
func Start(o *Options) (*Broker, error) {
	b := &Broker{changed: make(chan struct{})}
	if o != nil {
		b.opts = *o
	}
	if err := b.opts.complete(); err != nil {
		return nil, fmt.Errorf("eventarc: start: %w", err)
	}
	b.log = b.opts.Logger.With("component", "eventarc")
	b.client = &http.Client{
		// A connection for each of a trigger's concurrent deliveries, not the default of two.
		Transport: &http.Transport{MaxIdleConnsPerHost: maxConcurrency, Proxy: nil},
		CheckRedirect: func(*http.Request, []*http.Request) error {
			return http.ErrUseLastResponse // Eventarc follows none: it is a failure
		},
	}
	b.ctx, b.cancel = context.WithCancel(context.Background())
	b.close = sync.OnceValue(b.shut)
	b.mux = http.NewServeMux()
	b.mux.HandleFunc("POST /functions/projects/{project}/triggers/{trigger}", b.takePost)
	if b.opts.Provider != nil {
		if err := b.opts.Provider.Receive(b); err != nil {
			b.cancel()
			return nil, fmt.Errorf("eventarc: start: %w", err)
		}
	}
	return b, nil
}

func (o *Options) complete() error {
	if o.Project == "" {
		o.Project = "demo-eventarc"
		if o.Provider != nil {
			o.Project = o.Provider.Project()
		}
	}
	if o.Provider != nil && o.Provider.Project() != o.Project {
		return fmt.Errorf("project %s is not that of the provider, %s; leave it out", o.Project,
			o.Provider.Project())
	}
	for _, d := range []struct {
		name         string
		value        *time.Duration
		defaultValue time.Duration
	}{
		{"MinBackoff", &o.MinBackoff, 10 * time.Second},
		{"MaxBackoff", &o.MaxBackoff, 600 * time.Second},
		{"Retention", &o.Retention, 24 * time.Hour},
		{"Timeout", &o.Timeout, 60 * time.Second},
	} {
		if *d.value == 0 {
			*d.value = d.defaultValue
		}
		if *d.value < 0 {
			return fmt.Errorf("%s is %s; give a positive duration", d.name, *d.value)
		}
	}
	if o.MaxBackoff < o.MinBackoff {
		return fmt.Errorf("MaxBackoff %s is less than MinBackoff %s", o.MaxBackoff, o.MinBackoff)
	}
	if o.Logger == nil {
		o.Logger = slog.Default()
	}
	return nil
}

// Close stops deliveries, waits until none is in flight and leaves the Provider. Undelivered events
// are gone. It may be called more than once; each call returns when all is done, with the same
// error.
func (b *Broker) Close() error { return b.close() }

func (b *Broker) shut() error {
	b.mu.Lock()
	b.closed = true
	b.mu.Unlock()
	b.cancel()
	b.wg.Wait()
	b.client.CloseIdleConnections()
	if b.opts.Provider != nil {
		if err := b.opts.Provider.Receive(nil); err != nil {
			return fmt.Errorf("eventarc: close: %w", err)
		}
	}
	return nil
}

// broadcast wakes those who wait for a change. b.mu is held.
func (b *Broker) broadcast() {
	close(b.changed)
	b.changed = make(chan struct{})
}
