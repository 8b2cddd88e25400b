// Package cloudevent is Firestore's document events in their form on the wire: a CloudEvent in
// binary mode, its attributes in HTTP headers. Eventarc delivers them so, and Google's emulator
// posts them so.
package cloudevent

import (
	"fmt"
	"net/http"
	"strings"
	"time"
)

// The types of events. Written is any of the other three.
const (
	Created = "google.cloud.firestore.document.v1.created"
	Updated = "google.cloud.firestore.document.v1.updated"
	Deleted = "google.cloud.firestore.document.v1.deleted"
	Written = "google.cloud.firestore.document.v1.written"
)

// CheckType returns an error unless t is one of the four types.
func CheckType(t string) error {
	switch t {
	case Created, Updated, Deleted, Written:
		return nil
	}
	return fmt.Errorf("event type %q is not one of %s, %s, %s, %s", t, Created, Updated, Deleted,
		Written)
}

// schema of the body, as Eventarc gives it.
const schema = "https://github.com/googleapis/google-cloudevents/blob/main/proto/google/events/cloud/firestore/v1/data.proto"

// Attributes of one event.
type Attributes struct {
	ID       string
	Type     string
	Time     time.Time
	Project  string
	Database string // its id: "(default)"
	Document string // its path in the database: "tenants/acme/memories/1"
}

// Header returns the headers of the request that carries the event.
func (a Attributes) Header() http.Header {
	header := http.Header{}
	for _, attribute := range [][2]string{
		{"specversion", "1.0"},
		{"id", a.ID},
		{"type", a.Type},
		{"source", fmt.Sprintf("//firestore.googleapis.com/projects/%s/databases/%s", a.Project,
			a.Database)},
		{"subject", "documents/" + a.Document},
		{"time", a.Time.UTC().Format(time.RFC3339Nano)},
		{"dataschema", schema},
		{"project", a.Project},
		{"location", "us-central1"},
		{"database", a.Database},
		{"namespace", "(default)"},
		{"document", a.Document},
	} {
		header.Set("Ce-"+attribute[0], encode(attribute[1]))
	}
	header.Set("Content-Type", "application/protobuf")
	return header
}

// encode encodes an attribute as the HTTP binding of CloudEvents 1.0.2 (3.1.3.2) has it:
// percent-encoded are the bytes of all characters but the printable ASCII ones, and space, double
// quote and percent.
func encode(s string) string {
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
