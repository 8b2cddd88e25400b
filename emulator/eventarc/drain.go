package eventarc

import (
	"context"
	"fmt"
)

// Stats counts what a Broker has done since its start.
type Stats struct {
	Published int // events that the Provider reported, once per matching trigger, or that Publish was given
	Unchanged int // of these, events of writes that changed nothing: filtered
	Matched   int // messages, one for each event and trigger that wants it

	Attempts  int // requests sent
	Delivered int // messages acknowledged; copies count
	Retried   int // failed attempts that are followed by another
	Expired   int // messages given up: too old, or of a trigger that does not retry

	Lost       int // by chaos: messages never delivered
	Duplicated int // by chaos: copies
	Delayed    int // by chaos: messages late
	Reordered  int // by chaos: messages made to wait for later ones
	Stripped   int // by chaos: messages without payload
	Failed     int // by chaos: attempts not sent
	AcksLost   int // by chaos: attempts that succeeded but were repeated

	Pending int // messages now waiting or in delivery
	Held    int // messages now piled up by Hold
}

// Stats returns the counts.
func (b *Broker) Stats() Stats {
	b.mu.Lock()
	defer b.mu.Unlock()
	s := b.stats
	s.Pending, s.Held = b.pending(), len(b.held)
	return s
}

// pending counts the messages in queues and in delivery. b.mu is held.
func (b *Broker) pending() int {
	n := 0
	for _, q := range b.queues {
		n += len(q.waiting) + q.inFlight
	}
	return n
}

// Drain returns when nothing is left to do: the events of every commit that had returned before
// Drain was called have arrived and each was acknowledged, dropped or given up, and so with the
// events of all that the functions wrote before they acknowledged those. It does not wait for what
// functions do after their answer, nor for messages that Hold piles up; it waits for back-offs, so
// give ctx a deadline.
//
// If others go on writing it waits for the events of these, too, and may never return before ctx
// ends.
func (b *Broker) Drain(ctx context.Context) error {
	for {
		admitted, err := b.idle(ctx)
		if err != nil {
			return err
		}
		if b.opts.Provider == nil {
			return nil // Publish has returned for all
		}
		// A function's writes have returned when it acknowledges. Nothing was pending, so whatever
		// was to come had been committed when this starts:
		if err := b.opts.Provider.Settle(ctx); err != nil {
			return fmt.Errorf("eventarc: drain: %w", err)
		}
		b.mu.Lock()
		done := b.admitted == admitted
		b.mu.Unlock()
		if done {
			return nil
		}
	}
}

// idle waits until no message is pending and returns b.admitted of that moment.
func (b *Broker) idle(ctx context.Context) (admitted int, err error) {
	for {
		b.mu.Lock()
		pending, changed, closed := b.pending(), b.changed, b.closed
		admitted = b.admitted
		b.mu.Unlock()
		switch {
		case closed:
			return 0, fmt.Errorf("eventarc: drain: the broker is closed")
		case pending == 0:
			return admitted, nil
		}
		select {
		case <-changed:
		case <-b.ctx.Done():
		case <-ctx.Done():
			return 0, fmt.Errorf("eventarc: drain: %d messages are still undelivered: %w", pending,
				ctx.Err())
		}
	}
}
