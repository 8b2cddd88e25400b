package chaos_test

import (
	"net/http/httptest"
	"testing"
	"time"

	"cloud.google.com/go/firestore"
	"github.com/stretchr/testify/require"

	"hippocampus/emulator"
	"hippocampus/emulator/clock"
	"hippocampus/emulator/emulatortest"
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
	t         testing.TB
	sys       system
	em        emulatortest.Emulator
	clock     *clock.Manual     // its, nil if that is the machine's
	client    *firestore.Client // of the application, and of the reader; behind no gate
	broker    *eventarc.Broker
	instances []*instance
	runners   []*runner
	cover     *coverage
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

func newWorld(t testing.TB, sys system, cover *coverage) *world {
	w := &world{t: t, sys: sys, cover: cover}
	w.startFirestore()
	w.client = emulatortest.Client(t, w.em)
	var err error
	w.broker, err = eventarc.Start(&eventarc.Options{Source: w.em, Log: quiet, Timeout: stuck})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, w.broker.Close()) })
	w.broker.Hold()
	for range instances {
		client, g := gatedClient(t, w.em)
		handler, waiting := sys.hook(t, client)
		server := httptest.NewServer(handler)
		t.Cleanup(server.Close)
		w.instances = append(w.instances, &instance{gate: g, url: server.URL, waiting: waiting})
	}
	for range runners {
		client, g := gatedClient(t, w.em)
		w.runners = append(w.runners, &runner{gate: g, client: client})
	}
	requests, err := index.Path("tenants/{tenant}/memories")
	require.NoError(t, err)
	for _, trigger := range []eventarc.Trigger{
		{Name: functions.NameOnMemoryWritten, Pattern: "tenants/{tenant}/memories/{memory}"},
		{Name: functions.NameOnRequest, Pattern: requests + "/" + index.RequestID, EventType: eventarc.Created},
	} {
		trigger.URL = w.instances[0].url + "/" + trigger.Name
		require.NoError(t, w.broker.Add(t.Context(), trigger))
	}
	return w
}

// startFirestore starts an empty Firestore. That of this process has a clock that stands still but for the microsecond
// of each commit and the millisecond before each change of a memory, so that times follow from what happens.
func (w *world) startFirestore() {
	if emulatortest.Official() {
		w.em = emulatortest.Start(w.t)
		return
	}
	w.clock = clock.NewManual(time.Date(2026, 8, 1, 12, 0, 0, 0, time.UTC))
	em, err := emulator.Start(w.t.Context(), &emulator.Options{Clock: w.clock})
	require.NoError(w.t, err)
	w.t.Cleanup(func() { require.NoError(w.t, em.Close()) })
	w.em = em
}

// tick lets a millisecond pass, which is what dates by the server tell apart.
func (w *world) tick() {
	if w.clock != nil {
		w.clock.Advance(time.Millisecond)
	}
}

// collect returns the events of all commits so far that it has not returned yet.
func (w *world) collect() []eventarc.Message {
	require.NoError(w.t, w.broker.Drain(w.t.Context()))
	return w.broker.Take()
}
