package trigger_test

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"hippocampus/emulator/internal/cloudevent"
	"hippocampus/emulator/internal/resource"
	"hippocampus/emulator/internal/store"
	"hippocampus/emulator/internal/trigger"
)

// The events of a store's commits come in their order, however many commit at once, and Settle
// waits for all.
func TestOrderOfCommits(t *testing.T) {
	q, r := received(t, all("a"), all("b"))
	s := store.New(nil)
	stop := s.Watch(func(at time.Time, changes []store.Change) { q.Committed("(default)", at, changes) })
	defer stop()
	const writers, writes = 4, 25
	var committed sync.Map // path to time
	var wg sync.WaitGroup
	for w := range writers {
		wg.Go(func() {
			for n := range writes {
				path := fmt.Sprintf("x/%d-%d", w, n)
				at, err := s.Commit(func(tx *store.Tx) error {
					tx.Put(resource.Path(path), document(path, 1, nil))
					return nil
				})
				if err != nil {
					t.Error(err)
				}
				committed.Store(path, at)
			}
		})
	}
	wg.Wait()
	require.NoError(t, q.Settle(t.Context()))
	posts := r.taken()
	require.Len(t, posts, 2*writers*writes)
	var last time.Time
	for i := 0; i < len(posts); i += 2 {
		require.True(t, strings.HasSuffix(posts[i].path, "/a"))
		require.True(t, strings.HasSuffix(posts[i+1].path, "/b"))
		require.Equal(t, posts[i].header.Get("ce-document"), posts[i+1].header.Get("ce-document"))
		at, ok := committed.Load(posts[i].header.Get("ce-document"))
		require.True(t, ok)
		require.True(t, at.(time.Time).After(last))
		last = at.(time.Time)
	}
}

func TestPatternsAndDatabases(t *testing.T) {
	q, r := received(t,
		trigger.Trigger{Name: "x", EventType: cloudevent.Written, Database: "(default)", Pattern: "x/{id}"},
		trigger.Trigger{Name: "other", EventType: cloudevent.Written, Database: "other", Pattern: "x/{id}"},
	)
	q.Committed("(default)", day, []store.Change{created("x/1"), created("y/1"), created("x/1/y/1")})
	q.Committed("other", day, []store.Change{created("x/2")})
	q.Committed("third", day, []store.Change{created("x/3")})
	require.NoError(t, q.Settle(t.Context()))
	require.Equal(t, []string{"/functions/projects/p/triggers/x x/1", "/functions/projects/p/triggers/other x/2"}, r.seen())
}

func TestATriggerOfTheSameNameIsReplaced(t *testing.T) {
	q, r := received(t, trigger.Trigger{Name: "t", EventType: cloudevent.Written, Database: "(default)", Pattern: "x/{id}"})
	require.NoError(t, q.Add(trigger.Trigger{Name: "t", EventType: cloudevent.Written, Database: "(default)", Pattern: "y/{id}"}))
	q.Committed("(default)", day, []store.Change{created("x/1"), created("y/1")})
	require.NoError(t, q.Settle(t.Context()))
	require.Equal(t, []string{"/functions/projects/p/triggers/t y/1"}, r.seen())
}

// What waits was meant for the trigger as it was.
func TestReplacedWhileEventsWait(t *testing.T) {
	q, r := received(t, all("t"))
	leave := make(chan struct{})
	r.answer = func(post) { <-leave }
	q.Committed("(default)", day, []store.Change{created("x/1"), created("x/2")})
	other := all("t")
	other.EventType, other.Database = cloudevent.Created, "other"
	require.NoError(t, q.Add(other))
	close(leave)
	require.NoError(t, q.Settle(t.Context()))
	posts := r.taken()
	require.Len(t, posts, 2)
	require.Equal(t, cloudevent.Written, posts[1].header.Get("ce-type"))
	require.Equal(t, "(default)", posts[1].header.Get("ce-database"))
}

func TestWrongTriggers(t *testing.T) {
	q, _ := received(t)
	for name, c := range map[string]struct {
		trigger trigger.Trigger
		want    string
	}{
		"no name": {trigger.Trigger{EventType: cloudevent.Written, Pattern: "x/{id}"}, "needs a name"},
		"type":    {trigger.Trigger{Name: "t", EventType: "written", Pattern: "x/{id}"}, "is not one of"},
		"pattern": {trigger.Trigger{Name: "t", EventType: cloudevent.Written, Pattern: "x"}, "names a collection"},
	} {
		require.ErrorContains(t, q.Add(c.trigger), c.want, name)
	}
}

// Without a handler events are dropped, also those that wait.
func TestNobodyReceives(t *testing.T) {
	q, r := received(t, all("t"))
	require.NoError(t, q.Receive(nil))
	q.Committed("(default)", day, []store.Change{created("x/1")})
	require.NoError(t, q.Settle(t.Context()))
	require.NoError(t, q.Receive(r))
	q.Committed("(default)", day, []store.Change{created("x/2")})
	require.NoError(t, q.Settle(t.Context()))
	require.Equal(t, []string{"/functions/projects/p/triggers/t x/2"}, r.seen())
}

// A handler that panics or ends its goroutine, as a failing test does, holds nothing up.
func TestHandlersThatFail(t *testing.T) {
	var log bytes.Buffer
	q, r := newQueue(t, trigger.Options{Logger: slog.New(slog.NewTextHandler(&log, nil))}), &recorder{}
	require.NoError(t, q.Receive(r))
	require.NoError(t, q.Add(all("t")))
	r.answer = func(p post) {
		switch p.header.Get("ce-document") {
		case "x/1":
			panic("no more")
		case "x/2":
			panic(http.ErrAbortHandler)
		case "x/3":
			runtime.Goexit()
		}
	}
	q.Committed("(default)", day, []store.Change{created("x/1"), created("x/2"), created("x/3"), created("x/4")})
	require.NoError(t, q.Settle(t.Context()))
	require.Equal(t, []string{"/functions/projects/p/triggers/t x/4"}, r.seen())
	require.Equal(t, 1, strings.Count(log.String(), "level=WARN"))
	require.Contains(t, log.String(), "no more")
}

// Settle waits for what was committed before, and not for what comes later.
func TestSettleWaitsForNoMore(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q, r := received(t, all("t"))
		leave := make(chan struct{})
		r.answer = func(post) { <-leave }
		q.Committed("(default)", day, []store.Change{created("x/1"), created("x/2")})
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		err := q.Settle(ctx)
		require.ErrorIs(t, err, context.Canceled)
		require.ErrorContains(t, err, "2 events have not been answered")

		settled := make(chan error, 1)
		go func() { settled <- q.Settle(t.Context()) }()
		synctest.Wait()
		q.Committed("(default)", day, []store.Change{created("x/3")})
		leave <- struct{}{}
		synctest.Wait()
		require.Empty(t, settled)
		leave <- struct{}{}
		require.NoError(t, <-settled)
		require.Len(t, r.taken(), 2)
		leave <- struct{}{}
	})
}

// Close ends the context of the post in flight, waits for it, drops the rest and ends those who
// wait.
func TestClose(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q, r := newQueue(t, trigger.Options{}), &recorder{}
		require.NoError(t, q.Add(all("t")))
		leave := make(chan struct{})
		require.NoError(t, q.Receive(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
			<-req.Context().Done()
			<-leave
			r.ServeHTTP(w, req)
		})))
		q.Committed("(default)", day, []store.Change{created("x/1"), created("x/2")})
		settled := make(chan error, 1)
		go func() { settled <- q.Settle(t.Context()) }()
		synctest.Wait()
		closed := make(chan struct{})
		go func() {
			q.Close()
			close(closed)
		}()
		synctest.Wait()
		select {
		case <-closed:
			require.Fail(t, "the handler runs on")
		default:
		}
		close(leave)
		<-closed
		require.Len(t, r.taken(), 1)
		require.ErrorContains(t, <-settled, "was closed")
		q.Committed("(default)", day, []store.Change{created("x/3")})
		require.ErrorContains(t, q.Settle(t.Context()), "was closed")
		require.Empty(t, r.taken())
	})
}

// With Functions the events go over HTTP, once each, whatever is answered.
func TestOverHTTP(t *testing.T) {
	var log bytes.Buffer
	r := &recorder{}
	functions := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		if strings.HasSuffix(req.Header.Get("ce-document"), "%0A") {
			http.Error(w, "not today", http.StatusServiceUnavailable)
		}
		r.ServeHTTP(w, req)
	}))
	defer functions.Close()
	q := newQueue(t, trigger.Options{Functions: strings.TrimPrefix(functions.URL, "http://"), Logger: slog.New(slog.NewTextHandler(&log, nil))})
	require.NoError(t, q.Add(all("a b")))
	require.ErrorContains(t, q.Receive(r), "leave it empty")
	q.Committed("(default)", day, []store.Change{created("x/1\n"), created("x/2")})
	require.NoError(t, q.Settle(t.Context()))
	posts := r.taken()
	require.Len(t, posts, 2)
	require.Equal(t, "/functions/projects/p/triggers/a%20b", posts[0].path)
	require.Equal(t, "x/1%0A", posts[0].header.Get("ce-document"))
	require.True(t, strings.HasSuffix(posts[0].data.GetValue().GetName(), "/x/1\n"))
	require.Equal(t, 1, strings.Count(log.String(), "level=WARN"))
	require.Contains(t, log.String(), "HTTP 503: not today")

	functions.Close()
	log.Reset()
	q.Committed("(default)", day, []store.Change{created("x/3")})
	require.NoError(t, q.Settle(t.Context()), "a post that fails is answered")
	require.Contains(t, log.String(), "connection refused")
}
