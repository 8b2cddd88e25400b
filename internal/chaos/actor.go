package chaos

import (
	"context"
	"fmt"
	"runtime/debug"
	"sync/atomic"
	"time"
)

// An actor is one piece of work, a fold or the delivery of an event, that goes on
// only when the schedule lets it: from one call to Firestore to the next.
type actor struct {
	s      *schedule
	name   string
	gate   *gate
	served func(*call, error) // told of each call that was made

	arrivals  chan *call
	at        *call // the call it waits for; nil once it has ended
	calls     int   // let go so far
	dead      atomic.Bool
	abandoned chan struct{} // closed when no call waits any more
	cancel    context.CancelFunc
	done      chan struct{}
	err       error // of the work, once ended
}

// act begins work behind a gate, and returns when it waits for its first call,
// or has ended.
func (s *schedule) act(name string, g *gate, served func(*actor, *call, error),
	work func(context.Context) error) *actor {
	ctx, cancel := context.WithCancel(s.ctx)
	a := &actor{
		s: s, name: name, gate: g, cancel: cancel,
		arrivals: make(chan *call, 64), abandoned: make(chan struct{}), done: make(chan struct{}),
	}
	if served != nil {
		a.served = func(c *call, err error) { served(a, c, err) }
	}
	g.give(a)
	s.actors[a] = struct{}{}
	go func() {
		defer close(a.done)
		defer func() {
			if thrown := recover(); thrown != nil {
				a.err = fmt.Errorf("panic: %v\n%s", thrown, debug.Stack())
			}
		}()
		a.err = work(ctx)
	}()
	a.awaitCall()
	return a
}

func (a *actor) ended() bool { return a.at == nil }

// awaitCall returns when the actor waits for a call or has ended.
func (a *actor) awaitCall() {
	timeout := time.NewTimer(a.s.sys.patience)
	defer timeout.Stop()
	select {
	case a.at = <-a.arrivals:
	case <-a.done:
		a.end()
	case <-a.s.ctx.Done():
		panic(&aborted{a.s.ctx.Err()})
	case <-timeout.C:
		a.s.unexpected(fmt.Errorf("it does nothing for %s", a.s.sys.patience), "%s after %d calls",
			a.name, a.calls)
	}
}

func (a *actor) end() {
	a.at = nil
	a.gate.give(nil)
	a.cancel()
	delete(a.s.actors, a)
}

// step lets the actor's call go and returns when it waits for the next one or has
// ended.
func (a *actor) step(v verdict) {
	if v == dieBefore || v == dieAfter {
		a.dead.Store(true)
	}
	a.calls++
	a.at.verdict <- v
	a.awaitCall()
	for a.dead.Load() && !a.ended() { // a call that was on its way when it died
		a.at.verdict <- dieBefore
		a.awaitCall()
	}
}

// finish lets the actor run to its end.
func (a *actor) finish() {
	for !a.ended() {
		a.step(pass)
	}
}

// wait is called for each call, by the actor's own goroutines.
func (a *actor) wait(ctx context.Context, c *call) verdict {
	if a.dead.Load() {
		return dieBefore
	}
	a.arrivals <- c
	select {
	case v := <-c.verdict:
		return v
	case <-a.abandoned:
		return dieBefore
	case <-ctx.Done():
		return dieBefore
	}
}

// abandon has all calls of the actor fail from now on, which should end it.
func (a *actor) abandon() {
	a.dead.Store(true)
	close(a.abandoned)
	a.cancel()
	select {
	case <-a.done:
	case <-time.After(farewell):
	}
	a.end()
}

// farewell is how long work may take to end once it cannot go on.
const farewell = 10 * time.Second
