package eventarc

import (
	"crypto/rand"
	"fmt"
	"strings"
	"time"

	"github.com/googleapis/google-cloudevents-go/cloud/firestoredata"
	"google.golang.org/protobuf/proto"
)

// Event is one change of one document, as Firestore reports it.
type Event struct {
	// ID of the event, the same in every delivery. Default a random one.
	ID string
	// Time of the event, to be shown, not to be ordered by. Default now.
	Time time.Time
	// Database of the document. Default "(default)".
	Database string
	// Document is its path in the database: "tenants/acme/memories/1". Default what the name in
	// Data says.
	Document string
	// Data holds the document after and before the change: no Value means deleted, no OldValue
	// means created.
	Data *firestoredata.DocumentEventData
}

// Publish takes an event in and returns at once; it is delivered to every trigger that matches. It
// is for tests of functions without a Firestore, and for one that is no Provider. Events of writes
// that changed nothing are filtered.
func (b *Broker) Publish(e Event) error {
	body, err := e.complete(b.opts.Project)
	if err != nil {
		return fmt.Errorf("eventarc: publish: %w", err)
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.closed {
		return fmt.Errorf("eventarc: publish %s: the broker is closed", e.Document)
	}
	b.stats.Published++
	kind := kindOf(e.Data)
	if kind == "" {
		b.stats.Unchanged++
		return nil
	}
	for _, q := range b.queues {
		if q.wants(e, kind) {
			b.admit(newMessage(b.opts.Project, q, e, body))
		}
	}
	return nil
}

// complete fills what is missing and returns the event's body.
func (e *Event) complete(project string) ([]byte, error) {
	if e.ID == "" {
		e.ID = rand.Text()
	}
	if e.Time.IsZero() {
		e.Time = time.Now()
	}
	if e.Database == "" {
		e.Database = defaultDatabase
	}
	name := e.Data.GetValue().GetName()
	if name == "" {
		name = e.Data.GetOldValue().GetName()
	}
	if name != "" {
		prefix := "projects/" + project + "/databases/" + e.Database + "/documents/"
		path, ok := strings.CutPrefix(name, prefix)
		if !ok {
			return nil, fmt.Errorf("document %s is not in %s", name, prefix)
		}
		if e.Document != "" && e.Document != path {
			return nil, fmt.Errorf("document %s is called %s in its data", e.Document, path)
		}
		e.Document = path
	}
	if n := strings.Count(e.Document, "/"); e.Document == "" || n%2 == 0 {
		return nil, fmt.Errorf("%q is no path of a document", e.Document)
	}
	body, err := proto.MarshalOptions{Deterministic: true}.Marshal(e.Data)
	if err != nil {
		return nil, fmt.Errorf("encode the data of %s: %w", e.Document, err)
	}
	return body, nil
}

// kindOf returns the type of an event, never Written, or "" if nothing changed: a write that
// changes nothing keeps the document's update time.
func kindOf(d *firestoredata.DocumentEventData) string {
	value, old := d.GetValue(), d.GetOldValue()
	switch {
	case value == nil && old == nil:
		return ""
	case old == nil:
		return Created
	case value == nil:
		return Deleted
	case proto.Equal(value.GetUpdateTime(), old.GetUpdateTime()):
		return ""
	}
	return Updated
}

// wants reports whether an event of a kind is the trigger's.
func (q *queue) wants(e Event, kind string) bool {
	return (q.trigger.EventType == Written || q.trigger.EventType == kind) &&
		q.trigger.Database == e.Database && q.pattern.Match(e.Document)
}
