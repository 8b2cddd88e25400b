package functions_test

import (
	"bytes"
	"context"
	"log/slog"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	cloudevents "github.com/cloudevents/sdk-go/v2"
	"github.com/stretchr/testify/require"
	"google.golang.org/api/option"

	"hippocampus/emulator/emulatortest"
	"hippocampus/emulator/eventarc"
	"hippocampus/functions"
	"hippocampus/internal/tenanttest"
	"hippocampus/repair"
)

func TestMain(m *testing.M) { emulatortest.Main(m) }

const acme = tenanttest.Memories

// t0 is a date for memories, far from any real one.
var t0 = time.Date(2001, 2, 3, 4, 5, 6, 0, time.UTC)

// setting is what a test wants of its world.
type setting struct {
	config   functions.Config
	interval time.Duration // of commits; default 5 ms
	client   []option.ClientOption
	deadline time.Duration // of an event; default 20 s
	parallel int           // collections that RepairDue repairs at once
	request  time.Duration // deadline of a request; default 8 min
	serve    bool          // requests for builds and compactions are served
	lag      time.Duration // of snapshots, for folds while others write
	trigger  eventarc.Trigger
}

// world is an emulator with triggers, an instance of the functions and a tenant's
// memories.
type world struct {
	*tenanttest.Tenant // its client is not the service's
	t                  testing.TB
	service            *functions.Service
	broker             *eventarc.Broker
	url                string // of the functions
	log                *logged
	setting            setting
}

func newWorld(t testing.TB, s setting) *world {
	w := &world{Tenant: tenanttest.New(t, s.config.Schema), t: t, log: &logged{}, setting: s}
	if s.interval == 0 {
		s.interval = 5 * time.Millisecond
	}
	w.service = w.newService(s)
	server := httptest.NewServer(w.service.Handler())
	t.Cleanup(server.Close)
	w.url = server.URL
	broker, err := eventarc.Start(&eventarc.Options{
		Provider: w.Emulator, MinBackoff: time.Millisecond, MaxBackoff: 50 * time.Millisecond, Logger: slog.New(slog.DiscardHandler),
	})
	require.NoError(t, err)
	w.broker = broker
	t.Cleanup(func() { require.NoError(t, w.broker.Close()) })
	trigger := s.trigger
	trigger.Name, trigger.URL = "written", w.url+"/OnMemoryWritten"
	if trigger.Pattern == "" {
		trigger.Pattern = "tenants/{tenant}/memories/{memory}"
	}
	require.NoError(t, w.broker.Add(t.Context(), trigger))
	if s.serve {
		require.NoError(t, w.broker.Add(t.Context(), eventarc.Trigger{
			Name: "request", EventType: eventarc.Created, URL: w.url + "/OnRequest",
			Pattern: "hippocampus/v1/tenants/{tenant}/memories/index/memory_shards/request",
		}))
	}
	return w
}

// newService returns another instance of the functions.
func (w *world) newService(s setting) *functions.Service {
	if s.deadline == 0 {
		s.deadline = 20 * time.Second
	}
	client := emulatortest.Client(w.t, w.Emulator, s.client...)
	service, err := functions.New(client, s.config, &functions.Options{
		CommitInterval:  s.interval,
		Deadline:        s.deadline,
		RequestDeadline: s.request,
		Parallel:        s.parallel,
		Repair:          w.repairOptions(),
		Logger:          functions.NewLogger(w.log),
	})
	require.NoError(w.t, err)
	w.t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
		defer cancel()
		_ = service.Close(ctx) // tests that care have closed it
	})
	return service
}

func (w *world) repairOptions() repair.Options {
	return repair.Options{Schema: w.setting.config.Schema, SnapshotLag: w.setting.lag, Horizon: -1}
}

// drain waits until all events are handled, or with Hold have piled up.
func (w *world) drain() {
	w.t.Helper()
	ctx, cancel := context.WithTimeout(w.t.Context(), 5*time.Minute)
	defer cancel()
	require.NoError(w.t, w.broker.Drain(ctx), "%+v", w.broker.Stats())
}

// held returns the events held since the last call, which must be n.
func (w *world) held(n int) []eventarc.Message {
	w.t.Helper()
	w.drain()
	messages := w.broker.Take()
	require.Equal(w.t, n, len(messages))
	return messages
}

// deliver delivers events one after the other; each must be acknowledged.
func (w *world) deliver(messages ...eventarc.Message) {
	w.t.Helper()
	for _, m := range messages {
		status, err := w.broker.Deliver(w.t.Context(), m)
		require.NoError(w.t, err)
		require.Equal(w.t, 200, status)
	}
}

// build makes a full fold.
func (w *world) build() *repair.Result {
	w.t.Helper()
	return w.buildOf(acme)
}

func (w *world) buildOf(memories string) *repair.Result {
	w.t.Helper()
	o := w.repairOptions()
	result, err := repair.Build(w.t.Context(), w.Client, memories, &o)
	require.NoError(w.t, err)
	return result
}

// of returns the tenant of another collection.
func (w *world) of(memories string) *tenanttest.Tenant { return w.Of(w.t, memories) }

// list returns the list that the index gives, scan that of the store.
func (w *world) list() []tenanttest.Line {
	w.t.Helper()
	return tenanttest.Lines(w.List())
}

func (w *world) scan() []tenanttest.Line {
	w.t.Helper()
	return tenanttest.Lines(w.Scan())
}

// requireListed requires that the index gives the store's list, of n memories.
func (w *world) requireListed(n int) {
	w.t.Helper()
	require.Len(w.t, w.RequireEqual(), n)
}

// event makes of a message the event that a function gets.
func event(m eventarc.Message) cloudevents.Event {
	e := cloudevents.NewEvent()
	e.SetID(m.Event.ID)
	e.SetType(eventarc.Written)
	e.SetSource(m.Header.Get("Ce-Source"))
	e.SetSubject(m.Header.Get("Ce-Subject"))
	for _, name := range []string{"document", "project", "database"} {
		e.SetExtension(name, m.Header.Get("Ce-"+name))
	}
	_ = e.SetData("application/protobuf", m.Body)
	return e
}

// logged collects a log.
type logged struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

func (l *logged) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.buf.Write(p)
}

// lines returns the lines that contain all of the words.
func (l *logged) lines(words ...string) []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	var found []string
	for line := range strings.Lines(l.buf.String()) {
		all := true
		for _, word := range words {
			all = all && strings.Contains(line, word)
		}
		if all {
			found = append(found, line)
		}
	}
	return found
}
