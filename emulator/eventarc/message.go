package eventarc

import (
	"fmt"
	"net/http"
	"strings"
	"time"
)

// Message is one event on its way to one trigger: the HTTP request that delivers it. A test that has taken it may
// change what it likes before it delivers it.
type Message struct {
	Trigger Trigger
	Event   Event
	Header  http.Header
	Body    []byte
}

// noPayload is the body of an event whose payload was left out: an empty update mask, nothing else.
var noPayload = []byte{0x1a, 0x00}

// WithoutPayload returns the message as it arrives if its payload was too large for the transport: the path of the
// document is in the headers only.
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

// schema of the body, as Eventarc gives it.
const schema = "https://github.com/googleapis/google-cloudevents/blob/main/proto/google/events/cloud/firestore/v1/data.proto"

// newMessage makes the request that delivers e: a CloudEvent in binary mode.
func newMessage(project string, q *queue, e Event, body []byte) *message {
	header := http.Header{}
	for _, attribute := range [][2]string{
		{"specversion", "1.0"},
		{"id", e.ID},
		{"type", q.trigger.EventType},
		{"source", fmt.Sprintf("//firestore.googleapis.com/projects/%s/databases/%s", project, e.Database)},
		{"subject", "documents/" + e.Document},
		{"time", e.Time.UTC().Format(time.RFC3339Nano)},
		{"dataschema", schema},
		{"project", project},
		{"location", "us-central1"},
		{"database", e.Database},
		{"namespace", "(default)"},
		{"document", e.Document},
	} {
		header.Set("Ce-"+attribute[0], headerValue(attribute[1]))
	}
	header.Set("Content-Type", "application/protobuf")
	header.Set("User-Agent", "APIs-Google; (+https://developers.google.com/webmasters/APIs-Google.html)")
	now := time.Now()
	return &message{
		Message: Message{Trigger: q.trigger, Event: e, Header: header, Body: body},
		queue:   q, arrived: now, due: now,
	}
}

// headerValue encodes an attribute as the HTTP binding of CloudEvents 1.0.2 (3.1.3.2) has it: percent-encoded are the
// bytes of all characters but the printable ASCII ones, and space, double quote and percent.
func headerValue(s string) string {
	var out strings.Builder
	for i := range len(s) {
		if c := s[i]; c <= ' ' || c > '~' || c == '"' || c == '%' {
			fmt.Fprintf(&out, "%%%02X", c)
		} else {
			out.WriteByte(c)
		}
	}
	return out.String()
}
