package eventarc_test

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"hippocampus/emulator/eventarc"
)

func TestRetriesUntilAcknowledged(t *testing.T) {
	f := newFunction(t)
	f.respond(func(n int, _ request) int {
		return []int{http.StatusInternalServerError, http.StatusTooManyRequests, http.StatusFound, http.StatusNoContent}[n-1]
	})
	b := start(t, nil)
	add(t, b, eventarc.Trigger{Name: "t", Pattern: "x/{id}", URL: f.url})
	require.NoError(t, b.Publish(eventarc.Event{Data: document("x/1", 1, 0)}))
	drain(t, b)

	requests := f.got()
	require.Len(t, requests, 4)
	for _, r := range requests {
		require.NotEmpty(t, r.header.Get("ce-id"))
		require.Equal(t, requests[0].header, r.header)
		require.Equal(t, requests[0].body, r.body)
	}
	stats := b.Stats()
	require.Equal(t, eventarc.Stats{Published: 1, Matched: 1, Attempts: 4, Delivered: 1, Retried: 3}, stats)
}

// The pause doubles from the least to the greatest.
func TestBackoff(t *testing.T) {
	const least, greatest = 20 * time.Millisecond, 50 * time.Millisecond
	var mu sync.Mutex
	var times []time.Time
	f := newFunction(t)
	f.respond(func(n int, _ request) int {
		mu.Lock()
		defer mu.Unlock()
		times = append(times, time.Now())
		if n < 5 {
			return http.StatusServiceUnavailable
		}
		return http.StatusOK
	})
	b := start(t, &eventarc.Options{MinBackoff: least, MaxBackoff: greatest})
	add(t, b, eventarc.Trigger{Name: "t", Pattern: "x/{id}", URL: f.url})
	require.NoError(t, b.Publish(eventarc.Event{Data: document("x/1", 1, 0)}))
	drain(t, b)
	require.Len(t, times, 5)
	for i, want := range []time.Duration{least, 2 * least, greatest, greatest} {
		require.GreaterOrEqual(t, times[i+1].Sub(times[i]), want, "pause %d", i+1)
	}
}

func TestGivesUpAfterRetention(t *testing.T) {
	f := newFunction(t)
	f.respond(func(int, request) int { return http.StatusInternalServerError })
	b := start(t, &eventarc.Options{Retention: time.Second})
	add(t, b, eventarc.Trigger{Name: "t", Pattern: "x/{id}", URL: f.url})
	require.NoError(t, b.Publish(eventarc.Event{Data: document("x/1", 1, 0)}))
	drain(t, b)
	require.Greater(t, len(f.got()), 1)
	require.Equal(t, 1, b.Stats().Expired)
	require.Zero(t, b.Stats().Delivered)
}

func TestNoRetry(t *testing.T) {
	f := newFunction(t)
	f.respond(func(int, request) int { return http.StatusInternalServerError })
	b := start(t, nil)
	add(t, b, eventarc.Trigger{Name: "t", Pattern: "x/{id}", URL: f.url, NoRetry: true})
	require.NoError(t, b.Publish(eventarc.Event{Data: document("x/1", 1, 0)}))
	drain(t, b)
	require.Len(t, f.got(), 1)
	require.Equal(t, 1, b.Stats().Expired)
}

// A function that is not there is tried until the event is too old.
func TestNobodyThere(t *testing.T) {
	b := start(t, &eventarc.Options{Retention: 500 * time.Millisecond})
	add(t, b, eventarc.Trigger{Name: "gone", Pattern: "y/{id}", URL: "http://127.0.0.1:1/"})
	require.NoError(t, b.Publish(eventarc.Event{Data: document("y/1", 1, 0)}))
	drain(t, b)
	require.Greater(t, b.Stats().Attempts, 1)
	require.Equal(t, 1, b.Stats().Expired)
}

// A function that does not answer in time is tried again.
func TestTimeout(t *testing.T) {
	var calls atomic.Int64
	release := make(chan struct{})
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body) // only then does the server notice that the client is gone
		if calls.Add(1) == 1 {
			select {
			case <-r.Context().Done():
			case <-release:
			}
		}
	}))
	t.Cleanup(server.Close)
	t.Cleanup(func() { close(release) })
	b := start(t, &eventarc.Options{Timeout: 100 * time.Millisecond})
	add(t, b, eventarc.Trigger{Name: "slow", Pattern: "x/{id}", URL: server.URL})
	require.NoError(t, b.Publish(eventarc.Event{Data: document("x/1", 1, 0)}))
	drain(t, b)
	require.Greater(t, calls.Load(), int64(1))
	require.Equal(t, 1, b.Stats().Delivered)
	require.NotZero(t, b.Stats().Retried)
}

func TestConcurrencyLimitAndOrder(t *testing.T) {
	var now, most atomic.Int64
	f := newFunction(t)
	barrier := make(chan struct{})
	f.respond(func(int, request) int {
		most.Store(max(most.Load(), now.Add(1)))
		<-barrier
		now.Add(-1)
		return http.StatusOK
	})
	b := start(t, nil)
	add(t, b, eventarc.Trigger{Name: "t", Pattern: "x/{id}", URL: f.url, Concurrency: 3})
	for n := range 20 {
		require.NoError(t, b.Publish(eventarc.Event{Data: document(fmt.Sprint("x/", n), 1, 0)}))
	}
	require.Eventually(t, func() bool { return now.Load() == 3 }, 5*time.Second, time.Millisecond)
	close(barrier)
	drain(t, b)
	require.EqualValues(t, 3, most.Load())

	// One at a time keeps the order of publication.
	one := newFunction(t)
	add(t, b, eventarc.Trigger{Name: "one", Pattern: "y/{id}", URL: one.url, Concurrency: 1})
	var want []string
	for n := range 50 {
		want = append(want, fmt.Sprint("y/", n))
		require.NoError(t, b.Publish(eventarc.Event{Data: document(want[n], 1, 0)}))
	}
	drain(t, b)
	require.Equal(t, want, one.documents())
}

// Close waits for what is in flight and loses the rest; afterwards the broker refuses.
func TestClose(t *testing.T) {
	entered, cancelled := make(chan struct{}), make(chan struct{})
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body) // only then does the server notice that the client is gone
		close(entered)
		<-r.Context().Done()
		close(cancelled)
	}))
	t.Cleanup(server.Close)
	b := start(t, nil)
	add(t, b, eventarc.Trigger{Name: "t", Pattern: "x/{id}", URL: server.URL, Concurrency: 1})
	require.NoError(t, b.Publish(eventarc.Event{Data: document("x/1", 1, 0)}))
	require.NoError(t, b.Publish(eventarc.Event{Data: document("x/2", 1, 0)}))
	<-entered
	require.NoError(t, b.Close())
	<-cancelled
	require.NoError(t, b.Close())
	require.ErrorContains(t, b.Publish(eventarc.Event{Data: document("x/3", 1, 0)}), "closed")
	require.ErrorContains(t, b.Add(t.Context(), eventarc.Trigger{Name: "u", Pattern: "x/{id}", URL: server.URL}), "closed")
	require.ErrorContains(t, b.Drain(t.Context()), "closed")
}

func TestBadOptions(t *testing.T) {
	for name, c := range map[string]struct {
		o    eventarc.Options
		want string
	}{
		"negative":  {eventarc.Options{MinBackoff: -1}, "give a positive duration"},
		"crossed":   {eventarc.Options{MinBackoff: time.Hour}, "less than MinBackoff"},
		"retention": {eventarc.Options{Retention: -time.Hour}, "Retention"},
	} {
		_, err := eventarc.Start(&c.o)
		require.ErrorContains(t, err, c.want, name)
	}
}
