package eventarc_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"time"

	"cloud.google.com/go/firestore"
	"github.com/googleapis/google-cloudevents-go/cloud/firestoredata"
	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/proto"

	"hippocampus/emulator"
	"hippocampus/emulator/eventarc"
	"hippocampus/emulator/official/officialtest"
)

func TestMain(m *testing.M) { officialtest.Main(m) }

// onBoth runs a test on a new project of either emulator.
func onBoth(t *testing.T, test func(*testing.T, eventarc.Firestore)) {
	onProjectsOfBoth(t, func(t *testing.T, next func() eventarc.Firestore) { test(t, next()) })
}

// onProjectsOfBoth runs a test on either emulator; next gives it a new project.
func onProjectsOfBoth(t *testing.T, test func(t *testing.T, next func() eventarc.Firestore)) {
	t.Run("embedded", func(t *testing.T) {
		em, err := emulator.Start(t.Context(), nil)
		require.NoError(t, err)
		t.Cleanup(func() { require.NoError(t, em.Close()) })
		projects := 0
		test(t, func() eventarc.Firestore {
			projects++
			return em.In(fmt.Sprint("demo-", projects))
		})
	})
	t.Run("official", func(t *testing.T) {
		test(t, func() eventarc.Firestore { return officialtest.Start(t) })
	})
}

func newClient(t *testing.T, em eventarc.Firestore) *firestore.Client {
	t.Helper()
	c, err := em.Client(t.Context())
	require.NoError(t, err)
	t.Cleanup(func() { _ = c.Close() })
	return c
}

// request is what a function was sent.
type request struct {
	path   string
	header http.Header
	body   []byte
	data   *firestoredata.DocumentEventData
}

func (r request) document() string { return r.header.Get("ce-document") }

// function is an HTTP server in the place of a deployed function. It records what it is sent and
// answers as told.
type function struct {
	url string

	mu       sync.Mutex
	requests []request
	answer   func(n int, r request) int // n counts from 1; the status to answer
}

func newFunction(t *testing.T) *function {
	f := &function{}
	server := httptest.NewServer(f)
	t.Cleanup(server.Close)
	f.url = server.URL
	return f
}

func (f *function) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	body, err := io.ReadAll(req.Body)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	r := request{path: req.URL.Path, header: req.Header.Clone(), body: body, data: &firestoredata.DocumentEventData{}}
	if err := proto.Unmarshal(body, r.data); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	f.mu.Lock()
	f.requests = append(f.requests, r)
	n, answer := len(f.requests), f.answer
	f.mu.Unlock()
	if answer != nil {
		w.WriteHeader(answer(n, r))
	}
}

func (f *function) got() []request {
	f.mu.Lock()
	defer f.mu.Unlock()
	return append([]request(nil), f.requests...)
}

func (f *function) documents() []string {
	var documents []string
	for _, r := range f.got() {
		documents = append(documents, r.document())
	}
	return documents
}

func (f *function) respond(answer func(n int, r request) int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.answer = answer
}

// start starts a broker that retries fast; o may be nil.
func start(t *testing.T, o *eventarc.Options) *eventarc.Broker {
	var opts eventarc.Options
	if o != nil {
		opts = *o
	}
	if opts.MinBackoff == 0 {
		opts.MinBackoff, opts.MaxBackoff = time.Millisecond, 4*time.Millisecond
	}
	if opts.Logger == nil {
		opts.Logger = slog.New(slog.DiscardHandler)
	}
	b, err := eventarc.Start(&opts)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, b.Close()) })
	return b
}

func add(t *testing.T, b *eventarc.Broker, trigger eventarc.Trigger) {
	t.Helper()
	require.NoError(t, b.Add(t.Context(), trigger))
}

func drain(t *testing.T, b *eventarc.Broker) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	if err := b.Drain(ctx); err != nil {
		stats, _ := json.Marshal(b.Stats())
		require.NoError(t, err, "%s", stats)
	}
}
