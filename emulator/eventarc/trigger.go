package eventarc

import (
	"context"
	"fmt"
	"net/url"
	"regexp"

	"hippocampus/emulator/internal/cloudevent"
	"hippocampus/emulator/internal/pattern"
)

// The types of events. Written is any of the other three.
const (
	Created = cloudevent.Created
	Updated = cloudevent.Updated
	Deleted = cloudevent.Deleted
	Written = cloudevent.Written
)

// defaultDatabase is the database of a trigger or event that names none.
const defaultDatabase = "(default)"

const defaultConcurrency = 100

// maxConcurrency is the most that Cloud Run allows an instance.
const maxConcurrency = 1000

var triggerName = regexp.MustCompile(`^[A-Za-z0-9_-]{1,100}$`)

// Trigger says which events go where.
type Trigger struct {
	// Name tells triggers of one broker apart: letters, digits, "-" and "_".
	Name string
	// EventType is Created, Updated, Deleted or Written. Default Written.
	EventType string
	// Database that is watched. Default "(default)"; a Provider posts the events of no other.
	Database string
	// Pattern of the documents' paths, relative to the database, as for
	// --trigger-event-filters-path-pattern=document=...: "tenants/{tenant}/memories/{memory}". A
	// segment is literal, or {name}, {name=*} or * for any one, or {name=**} or ** for any number.
	Pattern string
	// URL that events are posted to.
	URL string
	// Concurrency is how many events are in delivery at once. Default 100.
	Concurrency int
	// NoRetry has each event tried once only, as a function deployed without --retry.
	NoRetry bool
}

// Add adds a trigger, at the Provider too. It sees the events of commits made after Add has
// returned.
func (b *Broker) Add(ctx context.Context, t Trigger) error {
	watched, err := t.complete(b.opts.Provider != nil)
	if err != nil {
		return fmt.Errorf("eventarc: add trigger %q: %w", t.Name, err)
	}
	q := newQueue(b, t, watched)
	b.mu.Lock()
	if b.closed {
		b.mu.Unlock()
		return fmt.Errorf("eventarc: add trigger %q: the broker is closed", t.Name)
	}
	if b.queue(t.Name) != nil {
		b.mu.Unlock()
		return fmt.Errorf("eventarc: add trigger %q: there is one of that name; choose another", t.Name)
	}
	b.queues = append(b.queues, q)
	b.wg.Add(1)
	b.mu.Unlock()
	go q.run()
	if b.opts.Provider != nil {
		// Always Written: the type is told from the event.
		if err := b.opts.Provider.AddTrigger(ctx, t.Name, Written, t.Pattern); err != nil {
			b.remove(q)
			return fmt.Errorf("eventarc: add trigger %q: %w", t.Name, err)
		}
	}
	return nil
}

func (t *Trigger) complete(source bool) (pattern.Pattern, error) {
	if !triggerName.MatchString(t.Name) {
		return nil, fmt.Errorf("a name is 1 to 100 letters, digits, - and _")
	}
	if t.EventType == "" {
		t.EventType = Written
	}
	if err := cloudevent.CheckType(t.EventType); err != nil {
		return nil, err
	}
	if t.Database == "" {
		t.Database = defaultDatabase
	}
	if source && t.Database != defaultDatabase {
		return nil, fmt.Errorf("database %s: the provider posts the events of %s only", t.Database,
			defaultDatabase)
	}
	u, err := url.Parse(t.URL)
	if err != nil || (u.Scheme != "http" && u.Scheme != "https") || u.Host == "" {
		return nil, fmt.Errorf("URL %q: give the function's, such as http://127.0.0.1:8080/OnWritten", t.URL)
	}
	if t.Concurrency == 0 {
		t.Concurrency = defaultConcurrency
	}
	if t.Concurrency < 0 {
		return nil, fmt.Errorf("concurrency %d; give a positive number", t.Concurrency)
	}
	return pattern.Parse(t.Pattern)
}

// queue returns the queue of a trigger, or nil. b.mu is held.
func (b *Broker) queue(trigger string) *queue {
	for _, q := range b.queues {
		if q.trigger.Name == trigger {
			return q
		}
	}
	return nil
}

// remove takes back what Add did before its error.
func (b *Broker) remove(q *queue) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for i := range b.queues {
		if b.queues[i] == q {
			b.queues = append(b.queues[:i], b.queues[i+1:]...)
			break
		}
	}
	q.stop()
}
