package eventarc

import (
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"net/http"
	"time"

	"github.com/googleapis/google-cloudevents-go/cloud/firestoredata"
	"google.golang.org/protobuf/proto"
)

// maxPost bounds a post: two documents of 1 MiB in base64, and room to spare.
const maxPost = 16 << 20

// ServeHTTP takes the posts of an emulator, POST /functions/projects/{project}/triggers/{trigger}
// with the event in ce-* headers and, as base64 text, in the body. It answers at once.
func (b *Broker) ServeHTTP(w http.ResponseWriter, r *http.Request) { b.mux.ServeHTTP(w, r) }

func (b *Broker) takePost(w http.ResponseWriter, r *http.Request) {
	if err := b.take(r); err != nil {
		b.log.Error("an event that the emulator posted cannot be used", "path", r.URL.Path, "error", err)
		http.Error(w, err.Error(), http.StatusBadRequest)
	}
}

func (b *Broker) take(r *http.Request) error {
	if project := r.PathValue("project"); project != b.opts.Project {
		return fmt.Errorf("it is of project %s, the broker of %s", project, b.opts.Project)
	}
	encoded, err := io.ReadAll(io.LimitReader(r.Body, maxPost))
	if err != nil {
		return fmt.Errorf("read: %w", err)
	}
	body := make([]byte, base64.StdEncoding.DecodedLen(len(encoded)))
	n, err := base64.StdEncoding.Decode(body, encoded)
	if err != nil {
		return fmt.Errorf("its body is not base64: %w", err)
	}
	body = body[:n]
	data := &firestoredata.DocumentEventData{}
	if err := (proto.UnmarshalOptions{DiscardUnknown: true}).Unmarshal(body, data); err != nil {
		return fmt.Errorf("its body is not a DocumentEventData: %w", err)
	}

	b.mu.Lock()
	defer b.mu.Unlock()
	if b.closed {
		return nil
	}
	q := b.queue(r.PathValue("trigger"))
	if q == nil {
		return errors.New("there is no such trigger")
	}
	b.stats.Published++
	kind := kindOf(data)
	if kind == "" {
		b.stats.Unchanged++
		return nil
	}
	e := Event{ID: r.Header.Get("ce-id"), Database: r.Header.Get("ce-database"), Data: data}
	if e.Time, err = time.Parse(time.RFC3339Nano, r.Header.Get("ce-time")); err != nil {
		return fmt.Errorf("its time: %w", err)
	}
	// The path comes from the data: the official emulator does not encode headers.
	if _, err := e.complete(b.opts.Project); err != nil {
		return err
	}
	if q.wants(e, kind) {
		b.admit(newMessage(b.opts.Project, q, e, body))
	}
	return nil
}
