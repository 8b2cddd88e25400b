package eventarc

import (
	"context"
	"fmt"
)

// Hold has events pile up instead of being delivered, from now on, for a test that wants to deliver
// them itself. Deliveries that have begun go on.
func (b *Broker) Hold() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.holding = true
}

// Take returns the messages that have piled up, in the order of their arrival, and forgets them:
// what happens to them is up to the test. Drain first, to be sure that all have arrived.
func (b *Broker) Take() []Message {
	b.mu.Lock()
	defer b.mu.Unlock()
	taken := make([]Message, 0, len(b.held))
	for _, m := range b.held {
		taken = append(taken, m.Message)
	}
	b.held = nil
	return taken
}

// Release ends Hold. What has piled up and was not taken is delivered, with the chaos that is in
// force.
func (b *Broker) Release() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.holding = false
	b.admitted += len(b.held) // a Drain that is under way has to look again
	for _, m := range b.held {
		b.enqueue(m)
	}
	b.held = nil
}

// Deliver delivers a message now, once, whether it was taken before, delivered before or changed,
// and returns the HTTP status of the answer. The error says that there was no answer; a status such
// as 500 is none.
func (b *Broker) Deliver(ctx context.Context, m Message) (status int, err error) {
	status, err = b.post(ctx, m)
	if status == 0 && err != nil {
		return 0, fmt.Errorf("eventarc: deliver %s to %s: %w", m.Event.Document, m.Trigger.Name, err)
	}
	return status, nil
}
