package emulator_test

import (
	"context"
	"encoding/base64"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"cloud.google.com/go/firestore"
	"github.com/googleapis/google-cloudevents-go/cloud/firestoredata"
	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/proto"

	"hippocampus/emulator"
	"hippocampus/emulator/clock"
	"hippocampus/emulator/eventarc"
)

var _ eventarc.Provider = (*emulator.Emulator)(nil)

// post is an event that was posted.
type post struct {
	path   string
	header http.Header
	data   *firestoredata.DocumentEventData
}

// posts notes the events that are posted.
type posts struct {
	mu  sync.Mutex
	all []post
}

func (p *posts) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	data := &firestoredata.DocumentEventData{}
	body, err := io.ReadAll(base64.NewDecoder(base64.StdEncoding, req.Body))
	if err == nil {
		err = proto.Unmarshal(body, data)
	}
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.all = append(p.all, post{req.URL.Path, req.Header, data})
}

func (p *posts) taken() []post {
	p.mu.Lock()
	defer p.mu.Unlock()
	all := p.all
	p.all = nil
	return all
}

func TestEventsOfCommits(t *testing.T) {
	em, c := start(t, nil)
	var got posts
	require.NoError(t, em.Receive(&got))
	require.NoError(t, em.AddTrigger(t.Context(), "t", eventarc.Written, "x/{id}"))
	doc := c.Doc("x/1")
	for _, step := range []struct {
		what string
		do   func() error
		want string // "old>new", the values of n
	}{
		{"create", func() error { _, err := doc.Create(t.Context(), map[string]any{"n": 1}); return err }, "->1"},
		{"change", func() error { _, err := doc.Set(t.Context(), map[string]any{"n": 2}); return err }, "1->2"},
		{"the same again", func() error { _, err := doc.Set(t.Context(), map[string]any{"n": 2}); return err }, ""},
		{"twice in one commit", func() error {
			return c.RunTransaction(t.Context(), func(_ context.Context, tx *firestore.Transaction) error {
				if err := tx.Set(doc, map[string]any{"n": 3}); err != nil {
					return err
				}
				return tx.Set(doc, map[string]any{"n": 4})
			})
		}, "2->4"},
		{"there and back in one commit", func() error {
			return c.RunTransaction(t.Context(), func(_ context.Context, tx *firestore.Transaction) error {
				if err := tx.Delete(c.Doc("x/2")); err != nil { // what does not exist
					return err
				}
				return tx.Set(c.Doc("y/1"), map[string]any{"n": 5}) // what is not watched
			})
		}, ""},
		{"delete", func() error { _, err := doc.Delete(t.Context()); return err }, "4->"},
		{"delete again", func() error { _, err := doc.Delete(t.Context()); return err }, ""},
	} {
		require.NoError(t, step.do(), step.what)
		require.NoError(t, em.Settle(t.Context()))
		var seen []string
		for _, p := range got.taken() {
			require.Equal(t, "/functions/projects/"+em.Project()+"/triggers/t", p.path)
			require.Equal(t, "x/1", p.header.Get("ce-document"))
			n := func(d *firestoredata.Document) string {
				if d == nil {
					return ""
				}
				return string(rune('0' + d.GetFields()["n"].GetIntegerValue()))
			}
			seen = append(seen, n(p.data.GetOldValue())+"->"+n(p.data.GetValue()))
		}
		require.Equal(t, step.want, strings.Join(seen, ","), step.what)
	}

	_, err := doc.Set(t.Context(), map[string]any{"n": 6})
	require.NoError(t, err)
	require.NoError(t, em.Settle(t.Context()))
	got.taken()
	require.NoError(t, em.Clear(t.Context()))
	require.NoError(t, em.Settle(t.Context()))
	cleared := got.taken()
	require.Len(t, cleared, 1, "of x/1, not of y/1")
	require.Nil(t, cleared[0].data.GetValue())
	require.EqualValues(t, 6, cleared[0].data.GetOldValue().GetFields()["n"].GetIntegerValue())
}

// A handler may use the emulator: its own commits' events come next.
func TestAHandlerThatWrites(t *testing.T) {
	em, c := start(t, nil)
	var got posts
	require.NoError(t, em.AddTrigger(t.Context(), "x", eventarc.Created, "x/{id}"))
	require.NoError(t, em.AddTrigger(t.Context(), "y", eventarc.Created, "y/{id}"))
	require.NoError(t, em.Receive(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		if strings.HasSuffix(req.URL.Path, "/x") {
			if _, err := c.Doc("y/1").Create(req.Context(), map[string]any{}); err != nil {
				http.Error(w, err.Error(), http.StatusInternalServerError)
				return
			}
		}
		got.ServeHTTP(w, req)
	})))
	_, err := c.Doc("x/1").Create(t.Context(), map[string]any{})
	require.NoError(t, err)
	require.NoError(t, em.Settle(t.Context()), "x/1 is answered")
	require.NoError(t, em.Settle(t.Context()), "so y/1 is committed")
	all := got.taken()
	require.Len(t, all, 2)
	require.Equal(t, "y/1", all[1].header.Get("ce-document"))
}

func TestTriggersOfProjectsAreApart(t *testing.T) {
	em, c := start(t, nil)
	var one, two posts
	other := em.In("demo-other")
	require.NoError(t, em.Receive(&one))
	require.NoError(t, other.Receive(&two))
	require.NoError(t, em.AddTrigger(t.Context(), "t", eventarc.Written, "{document=**}"))
	_, err := c.Doc("x/1").Set(t.Context(), map[string]any{})
	require.NoError(t, err)
	require.NoError(t, em.Settle(t.Context()))
	require.NoError(t, other.Settle(t.Context()))
	require.Len(t, one.taken(), 1)
	require.Empty(t, two.taken())
}

func TestWrongTriggers(t *testing.T) {
	em, _ := start(t, nil)
	ctx, cancel := context.WithCancel(t.Context())
	require.ErrorContains(t, em.AddTrigger(ctx, "", eventarc.Written, "x/{id}"), "needs a name")
	require.ErrorContains(t, em.AddTrigger(ctx, "t", "written", "x/{id}"), "is not one of")
	require.ErrorContains(t, em.AddTrigger(ctx, "t", eventarc.Written, "x"), "names a collection")
	cancel()
	require.ErrorIs(t, em.AddTrigger(ctx, "t", eventarc.Written, "x/{id}"), context.Canceled)
	for _, functions := range []string{"5001", "127.0.0.1:", ":5001", "http://127.0.0.1:5001"} {
		_, err := emulator.Start(t.Context(), &emulator.Options{Functions: functions})
		require.ErrorContains(t, err, "give host:port", functions)
	}
}

func TestEventsOverHTTP(t *testing.T) {
	var got posts
	functions := httptest.NewServer(&got)
	defer functions.Close()
	em, c := start(t, &emulator.Options{Functions: strings.TrimPrefix(functions.URL, "http://")})
	require.ErrorContains(t, em.Receive(&got), "leave it empty")
	require.NoError(t, em.AddTrigger(t.Context(), "t", eventarc.Written, "x/{id}"))
	_, err := c.Doc("x/日\n").Set(t.Context(), map[string]any{})
	require.NoError(t, err)
	require.NoError(t, em.Settle(t.Context()))
	all := got.taken()
	require.Len(t, all, 1)
	require.Equal(t, "x/%E6%97%A5%0A", all[0].header.Get("ce-document"))
}

// The same again for the same seed, clock and calls.
func TestEventsAreDeterministic(t *testing.T) {
	run := func(seed uint64) []post {
		now := clock.NewManual(time.Date(2026, 8, 1, 0, 0, 0, 0, time.UTC))
		em, c := start(t, &emulator.Options{Clock: now, Seed: seed})
		var got posts
		require.NoError(t, em.Receive(&got))
		require.NoError(t, em.AddTrigger(t.Context(), "t", eventarc.Written, "{document=**}"))
		for range 3 {
			now.Advance(time.Second)
			_, err := c.Doc("x/1").Set(t.Context(), map[string]any{"n": firestore.Increment(1), "m": map[string]any{"a": 1, "b": 2, "c": 3}}, firestore.MergeAll)
			require.NoError(t, err)
		}
		require.NoError(t, em.Settle(t.Context()))
		all := got.taken()
		require.Len(t, all, 3)
		return all
	}
	one, again, other := run(1), run(1), run(2)
	for i := range one {
		require.Equal(t, one[i].header, again[i].header)
		require.True(t, proto.Equal(one[i].data, again[i].data))
		require.NotEqual(t, one[i].header.Get("ce-id"), other[i].header.Get("ce-id"))
	}
}

// Close ends a handler's context and waits for it; nothing is posted any more.
func TestCloseWhileAHandlerRuns(t *testing.T) {
	em, err := emulator.Start(t.Context(), nil)
	require.NoError(t, err)
	entered, ended := make(chan struct{}), false
	require.NoError(t, em.Receive(http.HandlerFunc(func(_ http.ResponseWriter, req *http.Request) {
		close(entered)
		<-req.Context().Done()
		ended = true
	})))
	require.NoError(t, em.AddTrigger(t.Context(), "t", eventarc.Written, "{document=**}"))
	c, err := em.Client(t.Context())
	require.NoError(t, err)
	for _, path := range []string{"x/1", "x/2"} {
		_, err = c.Doc(path).Set(t.Context(), map[string]any{})
		require.NoError(t, err)
	}
	<-entered
	require.NoError(t, c.Close())
	require.NoError(t, em.Close())
	require.True(t, ended)
	require.ErrorContains(t, em.Settle(t.Context()), "was closed")
}
