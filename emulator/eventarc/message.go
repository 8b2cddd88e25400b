package eventarc

import (
	"net/http"
	"time"

	"hippocampus/emulator/internal/cloudevent"
)

// Message is one event on its way to one trigger: the HTTP request that delivers it. A test that
// has taken it may change what it likes before it delivers it.
type Message struct {
	Trigger Trigger
	Event   Event
	Header  http.Header
	Body    []byte
}

// noPayload is the body of an event whose payload was left out: an empty update mask, nothing else.
var noPayload = []byte{0x1a, 0x00}

// WithoutPayload returns the message as it arrives if its payload was too large for the transport:
// the path of the document is in the headers only.
func (m Message) WithoutPayload() Message {
	m.Body = noPayload
	return m
}

// message is a Message in a queue. b.mu guards it.
type message struct {
	Message
	queue    *queue
	arrived  time.Time
	due      time.Time // not to be delivered before
	seq      int       // order among those that are due at the same time
	attempts int
	behind   int  // how many later messages shall overtake it; 0: none
	failures int  // how many attempts fail on purpose
	loseAck  bool // whether its first success is reported as a failure
}

// newMessage makes the request that delivers e: a CloudEvent in binary mode.
func newMessage(project string, q *queue, e Event, body []byte) *message {
	header := cloudevent.Attributes{
		ID: e.ID, Type: q.trigger.EventType, Time: e.Time, Project: project, Database: e.Database,
		Document: e.Document,
	}.Header()
	header.Set("User-Agent", "APIs-Google; (+https://developers.google.com/webmasters/APIs-Google.html)")
	now := time.Now()
	return &message{
		Message: Message{Trigger: q.trigger, Event: e, Header: header, Body: body},
		queue:   q, arrived: now, due: now,
	}
}
