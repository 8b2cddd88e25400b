package eventarc

import (
	"container/heap"
	"context"
	"errors"
	"time"

	"hippocampus/emulator/internal/pattern"
)

// queue holds one trigger's messages until they are acknowledged. b.mu guards it.
type queue struct {
	b       *Broker
	trigger Trigger
	pattern pattern.Pattern
	ctx     context.Context
	stop    context.CancelFunc

	waiting  byDue
	inFlight int
	lastSeq  int
	behind   int           // messages that wait to be overtaken, so that there is nothing to look for without any
	wake     chan struct{} // has room for one: run looks again
}

func newQueue(b *Broker, t Trigger, p pattern.Pattern) *queue {
	ctx, stop := context.WithCancel(b.ctx)
	return &queue{b: b, trigger: t, pattern: p, ctx: ctx, stop: stop, wake: make(chan struct{}, 1)}
}

// push adds a message. b.mu is held.
func (q *queue) push(m *message) {
	q.lastSeq++
	m.seq = q.lastSeq
	if m.behind > 0 {
		q.behind++
	}
	heap.Push(&q.waiting, m)
	q.look()
}

// look has run look for what is due.
func (q *queue) look() {
	select {
	case q.wake <- struct{}{}:
	default:
	}
}

// run starts deliveries when they are due, as many at once as the trigger allows, until the broker
// is closed.
func (q *queue) run() {
	defer q.b.wg.Done()
	timer := time.NewTimer(time.Hour)
	defer timer.Stop()
	for {
		timer.Reset(q.startDue())
		select {
		case <-q.ctx.Done():
			return
		case <-q.wake:
		case <-timer.C:
		}
	}
}

// startDue starts what is due and returns for how long nothing else will be.
func (q *queue) startDue() time.Duration {
	q.b.mu.Lock()
	defer q.b.mu.Unlock()
	for len(q.waiting) > 0 && q.inFlight < q.trigger.Concurrency && q.ctx.Err() == nil {
		if wait := time.Until(q.waiting[0].due); wait > 0 {
			return wait
		}
		m := heap.Pop(&q.waiting).(*message)
		q.overtake(m)
		q.inFlight++
		q.b.wg.Add(1)
		go func() {
			defer q.b.wg.Done()
			q.deliver(m)
		}()
	}
	return time.Hour
}

// overtake lets go of those that wait to be overtaken by m and need no other.
func (q *queue) overtake(m *message) {
	if m.behind > 0 { // waited in vain
		m.behind = 0
		q.behind--
	}
	if q.behind == 0 {
		return
	}
	for _, other := range q.waiting {
		if other.behind == 0 || other.seq > m.seq {
			continue
		}
		other.behind--
		if other.behind == 0 {
			other.due = time.Now()
			q.behind--
		}
	}
	heap.Init(&q.waiting)
}

// What may become of a message after an attempt.
const (
	acknowledged = "delivered"
	again        = "delivery failed, it is tried again"
	notRetried   = "the event is lost: its trigger does not retry"
	tooOld       = "the event is lost: it is too old to be tried again"
	cutShort     = "delivery was cut short: the broker is closed"
)

// deliver makes one attempt and settles what becomes of the message, which is nobody else's
// meanwhile.
func (q *queue) deliver(m *message) {
	b := q.b
	m.attempts++
	b.mu.Lock()
	sabotaged := b.sabotage(m)
	b.mu.Unlock()
	err := errSabotaged
	if !sabotaged {
		_, err = b.post(q.ctx, m.Message)
	}
	if err == nil && m.loseAck {
		m.loseAck = false
		err = errAckLost
	}
	backoff := q.backoff(m.attempts)
	fate := q.fate(m, err, backoff)
	if err != nil {
		b.report(m, err, fate) // outside of the lock, as a log may be slow
	}

	b.mu.Lock()
	defer b.mu.Unlock()
	q.inFlight--
	if errors.Is(err, errAckLost) {
		b.stats.AcksLost++
	}
	switch fate {
	case acknowledged:
		b.stats.Delivered++
	case notRetried, tooOld:
		b.stats.Expired++
	case again:
		b.stats.Retried++
		m.due = time.Now().Add(backoff)
		q.push(m)
	}
	q.look()
	b.broadcast()
}

func (q *queue) fate(m *message, err error, backoff time.Duration) string {
	switch {
	case err == nil:
		return acknowledged
	case q.ctx.Err() != nil:
		return cutShort
	case q.trigger.NoRetry:
		return notRetried
	case time.Since(m.arrived)+backoff > q.b.opts.Retention:
		return tooOld
	}
	return again
}

// backoff is the pause after the n-th failed attempt, n from 1.
func (q *queue) backoff(n int) time.Duration {
	d := q.b.opts.MinBackoff
	for ; n > 1 && d < q.b.opts.MaxBackoff; n-- {
		d *= 2
	}
	return min(d, q.b.opts.MaxBackoff)
}

// byDue is a heap of messages, the next to deliver first.
type byDue []*message

func (h byDue) Len() int { return len(h) }
func (h byDue) Less(i, j int) bool {
	if !h[i].due.Equal(h[j].due) {
		return h[i].due.Before(h[j].due)
	}
	return h[i].seq < h[j].seq
}
func (h byDue) Swap(i, j int) { h[i], h[j] = h[j], h[i] }
func (h *byDue) Push(x any)   { *h = append(*h, x.(*message)) }
func (h *byDue) Pop() any {
	old := *h
	m := old[len(old)-1]
	old[len(old)-1] = nil
	*h = old[:len(old)-1]
	return m
}
