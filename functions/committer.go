package functions

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"slices"
	"sync"
	"time"

	"hippocampus/index"
	"hippocampus/internal/outcome"
)

// The committer writes changes to shards, many at a time. From top to bottom:
//
//	commit        a handler gives its change to the worker of a shard document, and waits
//	work          a worker commits what has come for its document until nothing has
//	take          the next batch
//	commitBatch   one commit and what follows from its outcome
//	tryElsewhere  the shard is full, or the change impossible?
//
// Which shard document a change goes to is in tenant.go.
type committer struct {
	write    func(ctx context.Context, memories, shard string, u *index.Update) error
	ask      func(ctx context.Context, memories, reason string) error
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
	tenants map[string]*tenant // by the path of the memory collection
	swept   time.Time
}

const (
	// maxBatchBytes is the most that one commit adds to a shard. A request names each key twice, in
	// its document and its mask, and stays far below Firestore's limits.
	maxBatchBytes = 256 << 10
	// maxBackoff: on contention a worker waits at most so many times the usual interval.
	maxBackoff = 8
	// askTimeout bounds a request for a compaction: events wait for it.
	askTimeout = 5 * time.Second
	// sweepEvery is how often idle tenants are looked for.
	sweepEvery = time.Minute
)

// errClosed says that the service was closed before an event was committed.
var errClosed = errors.New("the service is closed")

// errPoison marks a change that no shard can hold.
var errPoison = errors.New("no shard can hold it")

// waiting is a change on its way to a shard, and the handler that waits for it.
type waiting struct {
	ctx    context.Context // the handler's
	id     string          // of the memory
	update index.Update
	result chan error // takes one
}

func answer(all []*waiting, err error) {
	for _, w := range all {
		w.result <- err
	}
}

// shard is a shard document with changes on their way. It has a worker as long as it exists.
// committer.mu guards pending.
type shard struct {
	id      string
	pending []*waiting
}

func (c *committer) start() *committer {
	c.ctx, c.cancel = context.WithCancel(context.Background())
	c.closing = make(chan struct{})
	c.tenants = map[string]*tenant{}
	return c
}

// commit adds an update of a memory to the index of a collection and returns when it is committed,
// has failed, or ctx ends. After an error the update may be committed nevertheless, now or later;
// repeating it is harmless.
func (c *committer) commit(ctx context.Context, memories, id string, u index.Update) error {
	w := &waiting{ctx: ctx, id: id, update: u, result: make(chan error, 1)}
	if err := c.enqueue(memories, w); err != nil {
		return err
	}
	c.stats.waiting.Add(1)
	defer c.stats.waiting.Add(-1)
	select {
	case err := <-w.result:
		return err
	case <-ctx.Done():
		return fmt.Errorf("not committed in time: %w", ctx.Err())
	}
}

func (c *committer) enqueue(memories string, w *waiting) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closed {
		return errClosed
	}
	now := time.Now()
	t := c.tenants[memories]
	if t == nil {
		c.sweep(now)
		t = newTenant(memories)
		c.tenants[memories] = t
	}
	t.used = now
	c.route(t, w, now)
	return nil
}

// route gives a change to its shard's worker, which it starts if there is none. c.mu is held.
func (c *committer) route(t *tenant, w *waiting, now time.Time) {
	id := t.shardFor(w.id, now)
	s := t.shards[id]
	if s == nil {
		s = &shard{id: id}
		t.shards[id] = s
		c.workers.Add(1)
		go c.work(t, s)
	}
	s.pending = append(s.pending, w)
}

// sweep forgets idle tenants. c.mu is held.
func (c *committer) sweep(now time.Time) {
	if now.Sub(c.swept) < sweepEvery {
		return
	}
	c.swept = now
	for memories, t := range c.tenants {
		if t.idle(now) {
			delete(c.tenants, memories)
		}
	}
}

// work commits a shard's changes until none are pending. Commits begin an interval apart; while
// others write the same document the pauses double.
func (c *committer) work(t *tenant, s *shard) {
	defer c.workers.Done()
	pause := c.interval
	for {
		batch := c.take(t, s)
		if batch == nil {
			return
		}
		started := time.Now()
		if c.commitBatch(t, s, batch) {
			pause = min(2*pause, maxBackoff*c.interval)
			c.wait(pause/2+rand.N(pause/2+1), nil)
			continue
		}
		pause = max(pause/2, c.interval)
		c.wait(pause-time.Since(started), c.closing)
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

// take removes the next batch from a shard's pending changes. Without any it removes the shard,
// whose worker must then end, and returns nil.
func (c *committer) take(t *tenant, s *shard) []*waiting {
	c.mu.Lock()
	defer c.mu.Unlock()
	now := time.Now()
	t.used = now
	pending := s.pending
	s.pending = nil
	if t.isFull(s.id, now) {
		delete(t.shards, s.id)
		for _, w := range pending {
			c.route(t, w, now)
		}
		return nil
	}
	var batch []*waiting
	bytes := 0
	for i, w := range pending {
		if w.ctx.Err() != nil {
			continue // its handler has given up: the event comes again
		}
		size := w.update.Bytes()
		if len(batch) > 0 && bytes+size > maxBatchBytes {
			s.pending = pending[i:]
			break
		}
		batch = append(batch, w)
		bytes += size
	}
	if batch == nil {
		delete(t.shards, s.id)
	}
	return batch
}

// commitBatch commits a batch, in one commit unless it is refused, and answers its handlers. If
// others write the same document it puts back what is not committed, and reports that the worker is
// to wait.
//
// A batch that is refused is halved until one change is refused alone. If that is because the shard
// is full, the rest is put back too: it goes to another shard.
func (c *committer) commitBatch(t *tenant, s *shard, batch []*waiting) (contended bool) {
	for left := [][]*waiting{batch}; len(left) > 0; {
		part := left[0]
		err := c.send(t, s.id, part)
		switch result := outcome.Of(err); {
		case result == outcome.Contended:
			c.stats.contended.Add(1)
			c.putBack(s, left)
			c.mu.Lock()
			t.spreadOut(time.Now())
			c.mu.Unlock()
			return true
		case result == outcome.Invalid && len(part) > 1:
			c.stats.refused.Add(1)
			half := len(part) / 2
			left = append([][]*waiting{part[:half], part[half:]}, left[1:]...)
			continue
		case result == outcome.Invalid:
			c.stats.refused.Add(1)
			if full := c.tryElsewhere(t, s, part[0]); full {
				c.putBack(s, left[1:])
				return false
			}
		default:
			answer(part, err)
		}
		left = left[1:]
	}
	return false
}

// putBack returns parts of a batch to a shard's pending changes, ahead of what has come since.
func (c *committer) putBack(s *shard, parts [][]*waiting) {
	c.mu.Lock()
	defer c.mu.Unlock()
	s.pending = append(slices.Concat(parts...), s.pending...)
}

// tryElsewhere finds out why a shard refuses a change that is alone: the shard is full, or no
// document can hold the change. It does not read the error: it tries the overflow shard, if
// there is one, and then a new document. If one takes the change the shard was full, and that
// one is the overflow shard from now on. If a new document refuses it too the change is
// impossible, and no document was made.
func (c *committer) tryElsewhere(t *tenant, s *shard, w *waiting) (full bool) {
	c.mu.Lock()
	other := t.overflow
	c.mu.Unlock()
	err := error(nil)
	result := outcome.Invalid
	if other != "" && other != s.id {
		err = c.send(t, other, []*waiting{w})
		result = outcome.Of(err)
	}
	if result == outcome.Invalid {
		other = freshShard()
		err = c.send(t, other, []*waiting{w})
		result = outcome.Of(err)
	}
	switch result {
	case outcome.OK:
		c.stats.full.Add(1)
		c.log.Warn("a shard is full: its changes go to others until it is compacted", "collection",
			t.memories, "shard", s.id)
		c.mu.Lock()
		t.markFull(s.id, time.Now())
		t.overflow = other
		c.mu.Unlock()
		c.requestCompaction(t, fmt.Sprintf("%s is full", s.id))
	case outcome.Invalid:
		err = fmt.Errorf("%w, not even a new one that it has alone: %w", errPoison, err)
	}
	w.result <- err
	return result == outcome.OK
}

// send makes one commit of changes to a shard document. Once committed it counts them, and asks for
// a compaction if it is time.
func (c *committer) send(t *tenant, shard string, changes []*waiting) error {
	var u index.Update
	for _, w := range changes {
		u.Merge(w.update)
	}
	ctx, cancel := context.WithTimeout(c.ctx, c.timeout)
	defer cancel()
	c.stats.commits.Add(1)
	if err := c.write(ctx, t.memories, shard, &u); err != nil {
		return fmt.Errorf("commit %d changes to %s of the index of %s: %w", len(changes), shard,
			t.memories, err)
	}
	c.count(t, &u)
	return nil
}

// count adds up what was written to an index and asks for a compaction when that has become too
// much.
func (c *committer) count(t *tenant, u *index.Update) {
	added := (&index.Update{Set: u.Set}).Bytes()
	c.mu.Lock()
	t.moveOn(added, time.Now())
	t.sinceRequest += added
	total := t.sinceRequest
	if total > index.CrowdedBytes {
		t.sinceRequest = 0
	}
	c.mu.Unlock()
	if total > index.CrowdedBytes && !c.requestCompaction(t,
		fmt.Sprintf("%d KB of changes were written", total>>10)) {
		c.mu.Lock()
		t.sinceRequest += total // the next commit asks again
		c.mu.Unlock()
	}
}

// requestCompaction asks for a compaction and reports whether that succeeded. If not, no event
// fails: readers ask, too.
func (c *committer) requestCompaction(t *tenant, reason string) bool {
	ctx, cancel := context.WithTimeout(c.ctx, askTimeout)
	defer cancel()
	if err := c.ask(ctx, t.memories, reason); err != nil {
		c.log.WarnContext(ctx, "no compaction could be asked for", "collection", t.memories,
			"error", err.Error())
		return false
	}
	c.stats.asked.Add(1)
	return true
}

// close takes no more changes and returns when those taken are committed or have failed. If ctx
// ends before, commits under way are cancelled.
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
