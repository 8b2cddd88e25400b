// Package trigger posts the events of document changes, as the official emulator does for the
// functions emulator: for each change and each trigger that watches the document one
//
//	POST /functions/projects/{project}/triggers/{name}
//
// with the event's attributes in ce-* headers and its DocumentEventData, as base64 text, in the
// body. An event is posted once, whatever the answer is; trying again is Eventarc's work, not
// Firestore's.
//
// As documented and unlike the official emulator, a write that changes nothing makes no event, nor
// does the deletion of what does not exist, and the update mask lists the fields that were changed.
// Headers are percent-encoded where the HTTP binding of CloudEvents asks for it, so that events of
// all documents arrive, and the time of an event is its commit's.
package trigger

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"slices"
	"sync"
	"time"

	"hippocampus/emulator/internal/cloudevent"
	"hippocampus/emulator/internal/pattern"
	"hippocampus/emulator/internal/store"
)

// Options of a Queue. Project is needed.
type Options struct {
	// Project whose events these are.
	Project string
	// Seed of the ids of events.
	Seed uint64
	// Functions is the host:port that events are posted to. If it is empty they go to the handler
	// of Receive.
	Functions string
	// Logger receives posts that failed, as warnings. Default slog.Default().
	Logger *slog.Logger
}

// Trigger says which events are posted.
type Trigger struct {
	// Name is part of the path of its posts.
	Name string
	// EventType is one of those of package cloudevent.
	EventType string
	// Database is the id of the one that is watched.
	Database string
	// Pattern of the documents' paths, as in package pattern.
	Pattern string
}

// Queue holds the triggers of one project and their events until they are posted: one after the
// other, in the order of the commits, of the changes in a commit, and of the triggers. It is in
// memory only, and safe for concurrent use.
type Queue struct {
	opts   Options
	client *http.Client // posts over HTTP; nil if a handler takes the events

	ctx     context.Context // ends with Close
	cancel  context.CancelFunc
	posting sync.WaitGroup

	mu       sync.Mutex
	closed   bool
	watching []watch
	handler  http.Handler
	waiting  []event // the first is being posted
	queued   int     // events so far
	waiters  []*waiter
}

// watch is a trigger with its pattern parsed.
type watch struct {
	Trigger
	pattern pattern.Pattern
}

// event is a change on its way to one trigger.
type event struct {
	watch  *watch
	at     time.Time
	change store.Change
}

// waiter is a call of Settle. Its channel is closed when no event before until is left.
type waiter struct {
	until int
	done  chan struct{}
}

// New returns a queue without triggers. The caller closes it.
func New(o Options) *Queue {
	if o.Logger == nil {
		o.Logger = slog.Default()
	}
	q := &Queue{opts: o}
	if o.Functions != "" {
		q.client = newClient()
	}
	q.ctx, q.cancel = context.WithCancel(context.Background())
	return q
}

// Add adds a trigger, in the place of the one of the same name if there is one. It sees the changes
// of commits that are made after Add has returned.
func (q *Queue) Add(t Trigger) error {
	if t.Name == "" {
		return fmt.Errorf("a trigger needs a name")
	}
	if err := cloudevent.CheckType(t.EventType); err != nil {
		return err
	}
	p, err := pattern.Parse(t.Pattern)
	if err != nil {
		return err
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	added := watch{t, p}
	watching := slices.Clone(q.watching) // waiting events point to the old ones
	if i := slices.IndexFunc(watching, func(w watch) bool { return w.Name == t.Name }); i >= 0 {
		watching[i] = added
	} else {
		watching = append(watching, added)
	}
	q.watching = watching
	return nil
}

// Receive has h handle the posts from now on; nil drops them. It is an error if they go to
// Options.Functions.
func (q *Queue) Receive(h http.Handler) error {
	if q.client != nil {
		return fmt.Errorf("events are posted to %s, as Options.Functions says; leave it empty",
			q.opts.Functions)
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	q.handler = h
	return nil
}

// Committed queues the events of one commit to a database of the project, at a time. It is made to
// be called by the commit itself: it does not wait for posts, and the order of the calls is that of
// the events.
func (q *Queue) Committed(database string, at time.Time, changes []store.Change) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.closed {
		return
	}
	idle := len(q.waiting) == 0
	for _, c := range changes {
		for i := range q.watching {
			if w := &q.watching[i]; w.wants(database, c) {
				q.waiting = append(q.waiting, event{w, at, c})
				q.queued++
			}
		}
	}
	if idle && len(q.waiting) > 0 {
		q.posting.Add(1)
		go q.postFirst()
	}
}

func (w *watch) wants(database string, c store.Change) bool {
	return w.Database == database && (w.EventType == cloudevent.Written ||
		w.EventType == kind(c)) &&
		w.pattern.Match(string(c.Path))
}

// kind is the type of a change's event, never Written.
func kind(c store.Change) string {
	switch {
	case c.Before == nil:
		return cloudevent.Created
	case c.After == nil:
		return cloudevent.Deleted
	}
	return cloudevent.Updated
}

// postFirst posts the first event that waits. Each has a goroutine of its own, the next one's
// started by the last's end, so that a handler that ends its goroutine (a test that fails does)
// does not end the queue.
func (q *Queue) postFirst() {
	defer q.posting.Done()
	defer q.posted()
	q.mu.Lock()
	first := q.waiting[0]
	q.mu.Unlock()
	q.post(first)
}

// posted goes on with the next event.
func (q *Queue) posted() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.waiting[0] = event{}
	q.waiting = q.waiting[1:]
	left := q.queued - len(q.waiting)
	for len(q.waiters) > 0 && q.waiters[0].until <= left {
		close(q.waiters[0].done)
		q.waiters = q.waiters[1:]
	}
	switch {
	case len(q.waiting) == 0:
		q.waiting = nil // with what the queue had grown to
	case !q.closed:
		q.posting.Add(1)
		go q.postFirst()
	}
}

// Settle returns when the events of every commit that had returned before have been answered. It
// takes as long as that does, so give ctx a deadline.
func (q *Queue) Settle(ctx context.Context) error {
	q.mu.Lock()
	if len(q.waiting) == 0 {
		q.mu.Unlock()
		return nil
	}
	w := &waiter{until: q.queued, done: make(chan struct{})}
	q.waiters = append(q.waiters, w)
	q.mu.Unlock()
	select {
	case <-w.done:
		return nil
	case <-q.ctx.Done():
		return fmt.Errorf("not all events have been posted: the emulator was closed")
	case <-ctx.Done():
		q.mu.Lock()
		defer q.mu.Unlock()
		q.waiters = slices.DeleteFunc(q.waiters, func(other *waiter) bool { return other == w })
		return fmt.Errorf("%d events have not been answered; if it does not get less, a handler given to Receive is stuck: %w", len(q.waiting), ctx.Err())
	}
}

// Close drops what waits, ends the context of the post that is being made, and returns when that
// has been answered.
func (q *Queue) Close() {
	q.mu.Lock()
	q.closed = true
	q.mu.Unlock()
	q.cancel()
	q.posting.Wait()
}
