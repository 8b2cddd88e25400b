package functions

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"sync"
	"time"

	"hippocampus/index"
)

const (
	// batchBytes bounds what one commit adds to a shard, so that the request, in
	// which each key is twice, stays far below Firestore's limits.
	batchBytes = 256 << 10
	// slowest is how many times the usual interval contention can make it.
	slowest = 8
	// askTimeout bounds a request for a compaction: events wait for it.
	askTimeout = 5 * time.Second
	// sweepEvery is how often idle tenants are looked for.
	sweepEvery = time.Minute
)

// errClosed says that the service was closed before an event was committed.
var errClosed = errors.New("the service is closed")

// event is a change on its way to a shard, and the handler that waits for it.
type event struct {
	ctx    context.Context // the handler's
	id     string          // of the memory
	update index.Update
	result chan error // takes one
}

func (e *event) finish(err error) { e.result <- err }

// committer writes changes to shards, many at a time.
//
//	event ──▶ tenant ──▶ shard ──▶ pending ─┐
//	                                        │ one worker a shard document, for as
//	handler ◀── result ◀── settle ◀── write ┘ long as there is something pending
//
// A worker takes what is pending, commits it, waits until the interval since the
// commit's start is over, and ends when nothing is pending then.
type committer struct {
	write    func(ctx context.Context, path string, u *index.Update) error
	ask      func(ctx context.Context, indexPath, reason string) error
	interval time.Duration // between commits to one document
	timeout  time.Duration // of one commit
	log      *slog.Logger
	stats    *counters

	ctx     context.Context // ends all commits
	cancel  context.CancelFunc
	closing chan struct{} // closed by close: from then on commits do not wait
	workers sync.WaitGroup

	mu      sync.Mutex
	closed  bool
	tenants map[string]*tenant
	swept   time.Time
}

func (c *committer) start() *committer {
	c.ctx, c.cancel = context.WithCancel(context.Background())
	c.closing = make(chan struct{})
	c.tenants = map[string]*tenant{}
	return c
}

// commit adds an update of a memory to the index at path and returns when it is
// committed, has failed, or ctx ends. In the latter two cases it may have been
// committed all the same, or still be: doing it again is harmless.
func (c *committer) commit(ctx context.Context, path, id string, u index.Update) error {
	e := &event{ctx: ctx, id: id, update: u, result: make(chan error, 1)}
	if err := c.enqueue(path, e); err != nil {
		return err
	}
	c.stats.waiting.Add(1)
	defer c.stats.waiting.Add(-1)
	select {
	case err := <-e.result:
		return err
	case <-ctx.Done():
		return fmt.Errorf("not committed in time: %w", ctx.Err())
	}
}

func (c *committer) enqueue(path string, e *event) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closed {
		return errClosed
	}
	now := time.Now()
	t := c.tenants[path]
	if t == nil {
		c.sweep(now)
		t = newTenant(path)
		c.tenants[path] = t
	}
	t.used = now
	c.route(t, e, now)
	return nil
}

// route gives an event to its shard's worker, which it starts if there is none.
// c.mu is held.
func (c *committer) route(t *tenant, e *event, now time.Time) {
	id := t.route(e.id, now)
	s := t.shards[id]
	if s == nil {
		s = &shard{id: id}
		t.shards[id] = s
		c.workers.Add(1)
		go c.work(t, s)
	}
	s.pending = append(s.pending, e)
}

// sweep forgets idle tenants. c.mu is held.
func (c *committer) sweep(now time.Time) {
	if now.Sub(c.swept) < sweepEvery {
		return
	}
	c.swept = now
	for path, t := range c.tenants {
		if t.idle(now) {
			delete(c.tenants, path)
		}
	}
}

// work commits a shard's changes until none are pending.
func (c *committer) work(t *tenant, s *shard) {
	defer c.workers.Done()
	gap := c.interval
	for {
		events := c.take(t, s)
		if events == nil {
			return
		}
		started := time.Now()
		if c.settle(t, s, events) == contended {
			gap = min(2*gap, slowest*c.interval)
			c.wait(gap/2+rand.N(gap/2+1), nil)
			continue
		}
		gap = max(gap/2, c.interval)
		c.wait(gap-time.Since(started), c.closing)
	}
}

// wait waits for d, or until stop is closed.
func (c *committer) wait(d time.Duration, stop <-chan struct{}) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-stop:
	case <-c.ctx.Done():
	}
}

// take removes the next batch from a shard's pending events. Without any it
// removes the shard, whose worker must then end, and returns nil.
func (c *committer) take(t *tenant, s *shard) []*event {
	c.mu.Lock()
	defer c.mu.Unlock()
	now := time.Now()
	t.used = now
	pending := s.pending
	s.pending = nil
	if t.isFull(s.id, now) {
		delete(t.shards, s.id)
		for _, e := range pending {
			c.route(t, e, now)
		}
		return nil
	}
	var batch []*event
	bytes := 0
	for i, e := range pending {
		if e.ctx.Err() != nil {
			continue // its handler has given up: the event comes again
		}
		size := e.update.Bytes()
		if len(batch) > 0 && bytes+size > batchBytes {
			s.pending = pending[i:]
			break
		}
		batch = append(batch, e)
		bytes += size
	}
	if batch == nil {
		delete(t.shards, s.id)
	}
	return batch
}

// send commits events to a shard document of a tenant. Once committed it counts
// them, and asks for a compaction if it is time.
func (c *committer) send(t *tenant, shard string, events []*event) (outcome, error) {
	var u index.Update
	for _, e := range events {
		u.Merge(e.update)
	}
	ctx, cancel := context.WithTimeout(c.ctx, c.timeout)
	defer cancel()
	c.stats.commits.Add(1)
	err := c.write(ctx, t.path+"/"+shard, &u)
	if err != nil {
		return outcomeOf(err), fmt.Errorf("commit %d changes to %s/%s: %w", len(events), t.path, shard, err)
	}
	c.count(t, &u)
	return done, nil
}

// count adds up what was written to an index and asks for a compaction when
// that has become too much.
func (c *committer) count(t *tenant, u *index.Update) {
	added := (&index.Update{Set: u.Set}).Bytes()
	c.mu.Lock()
	t.roll(added, time.Now())
	t.unasked += added
	total := t.unasked
	if total > index.CrowdedBytes {
		t.unasked = 0
	}
	c.mu.Unlock()
	if total > index.CrowdedBytes && !c.request(t, fmt.Sprintf("%d KB of changes were written", total>>10)) {
		c.mu.Lock()
		t.unasked += total // the next commit asks again
		c.mu.Unlock()
	}
}

// request asks for a compaction and reports whether it was heard. That fails no
// event: the reader asks too.
func (c *committer) request(t *tenant, reason string) bool {
	ctx, cancel := context.WithTimeout(c.ctx, askTimeout)
	defer cancel()
	if err := c.ask(ctx, t.path, reason); err != nil {
		c.log.WarnContext(ctx, "no compaction could be asked for", "index", t.path, "error", err.Error())
		return false
	}
	c.stats.asked.Add(1)
	return true
}

// close takes no more events and returns when those taken are committed or have
// failed. If ctx ends before, commits under way are cancelled.
func (c *committer) close(ctx context.Context) error {
	c.mu.Lock()
	if !c.closed {
		c.closed = true
		close(c.closing)
	}
	c.mu.Unlock()
	drained := make(chan struct{})
	go func() {
		c.workers.Wait()
		close(drained)
	}()
	defer c.cancel()
	select {
	case <-drained:
		return nil
	case <-ctx.Done():
		c.cancel()
		<-drained
		return fmt.Errorf("close: changes were still on their way: %w", ctx.Err())
	}
}
