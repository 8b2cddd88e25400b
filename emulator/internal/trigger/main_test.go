package trigger_test

import (
	"encoding/base64"
	"io"
	"log/slog"
	"net/http"
	"sync"
	"testing"
	"time"

	"cloud.google.com/go/firestore/apiv1/firestorepb"
	"github.com/googleapis/google-cloudevents-go/cloud/firestoredata"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/timestamppb"

	"hippocampus/emulator/internal/cloudevent"
	"hippocampus/emulator/internal/literal"
	"hippocampus/emulator/internal/resource"
	"hippocampus/emulator/internal/store"
	"hippocampus/emulator/internal/trigger"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

var day = time.Date(2026, 8, 1, 2, 3, 4, 567_000, time.UTC)

// post is what a handler was sent.
type post struct {
	method, path string
	header       http.Header
	data         *firestoredata.DocumentEventData
}

// recorder notes the posts.
type recorder struct {
	answer func(post) // nil: at once

	mu    sync.Mutex
	posts []post
}

func (r *recorder) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	encoded, err := io.ReadAll(req.Body)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	body, err := base64.StdEncoding.DecodeString(string(encoded))
	data := &firestoredata.DocumentEventData{}
	if err == nil {
		err = proto.Unmarshal(body, data)
	}
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	p := post{req.Method, req.URL.EscapedPath(), req.Header, data}
	if r.answer != nil {
		r.answer(p)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.posts = append(r.posts, p)
}

func (r *recorder) taken() []post {
	r.mu.Lock()
	defer r.mu.Unlock()
	posts := r.posts
	r.posts = nil
	return posts
}

// seen returns "{path} {document}" of each post.
func (r *recorder) seen() []string {
	var seen []string
	for _, p := range r.taken() {
		seen = append(seen, p.path+" "+p.header.Get("ce-document"))
	}
	return seen
}

// newQueue returns a queue of project p.
func newQueue(t *testing.T, o trigger.Options) *trigger.Queue {
	t.Helper()
	o.Project = "p"
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	q := trigger.New(o)
	t.Cleanup(q.Close)
	return q
}

// received returns a queue whose posts are recorded.
func received(t *testing.T, triggers ...trigger.Trigger) (*trigger.Queue, *recorder) {
	t.Helper()
	q, r := newQueue(t, trigger.Options{}), &recorder{}
	require.NoError(t, q.Receive(r))
	for _, tr := range triggers {
		require.NoError(t, q.Add(tr))
	}
	return q, r
}

// all is a trigger for all documents of the default database.
func all(name string) trigger.Trigger {
	return trigger.Trigger{Name: name, EventType: cloudevent.Written, Database: "(default)", Pattern: "{document=**}"}
}

// document is a document with fields, of update time n in seconds.
func document(path string, n int64, fields map[string]*firestorepb.Value) *firestorepb.Document {
	return &firestorepb.Document{
		Name: "projects/p/databases/(default)/documents/" + path, Fields: fields,
		CreateTime: &timestamppb.Timestamp{Seconds: 1}, UpdateTime: &timestamppb.Timestamp{Seconds: n},
	}
}

// created is the change of a new document.
func created(path string) store.Change {
	return store.Change{Path: resource.Path(path), After: document(path, 1, map[string]*firestorepb.Value{"n": literal.Int(1)})}
}
