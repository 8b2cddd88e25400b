package chaos

import (
	"context"
	"errors"
	"fmt"
	"time"

	"cloud.google.com/go/firestore"

	"hippocampus/emulator"
	"hippocampus/emulator/clock"
	"hippocampus/emulator/eventarc"
	"hippocampus/functions"
	"hippocampus/index"
)

const (
	instances = 3 // of the functions
	runners   = 4 // repairs at once
)

// world is a project in which schedules run, one after the other, each with
// tenants of its own.
type world struct {
	sys       system
	em        eventarc.Firestore
	breaker   circuitBreaker
	clock     *clock.Manual     // its, nil if that is the machine's
	client    *firestore.Client // of the application, and of the reader; behind no gate
	broker    *eventarc.Broker
	instances []*instance
	runners   []*runner
	cover     *coverage
	ruined    bool // by a schedule that did not come to its end

	ends []func(context.Context) error // of what the world is made of, in the order in which it was started
}

// instance is one instance of the functions, and the delivery or the run that has
// it for itself at the moment, if any.
type instance struct {
	gate     *gate
	url      string
	waiting  func() int // changes that wait for a commit; nil if none does
	delivery *delivery
	run      *run
}

// runner is a client for one repair at a time.
type runner struct {
	gate   *gate
	client *firestore.Client
	run    *run // nil if idle
}

// newWorld starts a world in the Firestore that source returns, or in one of its own if source is
// nil. The caller closes it.
func newWorld(ctx context.Context, sys system, cover *coverage,
	source func(context.Context) (eventarc.Firestore, error)) (*world, error) {
	w := &world{sys: sys, cover: cover}
	if err := w.start(ctx, source); err != nil {
		return nil, errors.Join(fmt.Errorf("start a world: %w", err), w.close())
	}
	return w, nil
}

func (w *world) start(ctx context.Context,
	source func(context.Context) (eventarc.Firestore, error)) (err error) {
	if source == nil {
		source = w.startFirestore
	}
	if w.em, err = source(ctx); err != nil {
		return err
	}
	if w.client, err = w.em.Client(ctx, w.breaker.options()...); err != nil {
		return err
	}
	w.atEnd(w.client.Close)
	w.broker, err = eventarc.Start(&eventarc.Options{Provider: w.em, Logger: quiet,
		Timeout: hangTimeout})
	if err != nil {
		return err
	}
	w.atEnd(w.broker.Close)
	w.broker.Hold()
	for range instances {
		client, g, err := w.gatedClient(ctx)
		if err != nil {
			return err
		}
		i, err := w.startInstance(ctx, client)
		if err != nil {
			return err
		}
		i.gate = g
		w.instances = append(w.instances, i)
	}
	for range runners {
		client, g, err := w.gatedClient(ctx)
		if err != nil {
			return err
		}
		w.runners = append(w.runners, &runner{gate: g, client: client})
	}
	return w.addTriggers(ctx)
}

// startFirestore starts an empty Firestore in this process. It has a clock that stands still but
// for the microsecond of each commit and the millisecond before each change of a memory, so that
// times follow from what happens.
func (w *world) startFirestore(ctx context.Context) (eventarc.Firestore, error) {
	w.clock = clock.NewManual(time.Date(2026, 8, 1, 12, 0, 0, 0, time.UTC))
	em, err := emulator.Start(ctx, &emulator.Options{Clock: w.clock})
	if err != nil {
		return nil, err
	}
	w.atEnd(em.Close)
	return em, nil
}

// gatedClient returns a client behind a gate of its own.
func (w *world) gatedClient(ctx context.Context) (*firestore.Client, *gate, error) {
	g := &gate{}
	client, err := w.em.Client(ctx, append(g.options(), w.breaker.options()...)...)
	if err != nil {
		return nil, nil, err
	}
	w.atEnd(client.Close)
	return client, g, nil
}

// startInstance serves the functions over a client.
func (w *world) startInstance(ctx context.Context, client *firestore.Client) (*instance, error) {
	h, err := w.sys.hook(client)
	if err != nil {
		return nil, err
	}
	if h.close != nil {
		w.ends = append(w.ends, h.close)
	}
	url, end, err := listen(ctx, h)
	if err != nil {
		return nil, err
	}
	w.atEnd(end)
	return &instance{url: url, waiting: h.waiting}, nil
}

func (w *world) addTriggers(ctx context.Context) error {
	requests, err := index.Path("tenants/{tenant}/memories")
	if err != nil {
		return err
	}
	for _, trigger := range []eventarc.Trigger{
		{Name: functions.NameOnMemoryWritten, Pattern: "tenants/{tenant}/memories/{memory}"},
		{Name: functions.NameOnRequest, Pattern: requests + "/" + index.RequestID,
			EventType: eventarc.Created},
	} {
		trigger.URL = w.instances[0].url + "/" + trigger.Name
		if err := w.broker.Add(ctx, trigger); err != nil {
			return err
		}
	}
	return nil
}

func (w *world) atEnd(end func() error) {
	w.ends = append(w.ends, func(context.Context) error { return end() })
}

// close ends the world. In a ruined one calls may hang for ever, so what fails to close is left
// behind, and no error.
func (w *world) close() error {
	ctx, cancel := context.WithTimeout(context.Background(), farewell)
	defer cancel()
	var errs []error
	for i := len(w.ends) - 1; i >= 0; i-- {
		errs = append(errs, w.ends[i](ctx))
	}
	if w.ruined {
		return nil
	}
	return errors.Join(errs...)
}

// tick lets a millisecond pass, which is what dates by the server tell apart.
func (w *world) tick() {
	if w.clock != nil {
		w.clock.Advance(time.Millisecond)
	}
}
