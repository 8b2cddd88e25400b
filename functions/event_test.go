package functions_test

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	pb "cloud.google.com/go/firestore/apiv1/firestorepb"
	cloudevents "github.com/cloudevents/sdk-go/v2"
	"github.com/googleapis/google-cloudevents-go/cloud/firestoredata"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/timestamppb"

	"hippocampus/emulator/eventarc"
	"hippocampus/functions"
	"hippocampus/index"
	"hippocampus/internal/tenanttest"
	"hippocampus/memory"
)

// TestMalformedEvents gives each function what it can never understand. It must be
// acknowledged, logged once and counted, and nothing may be written.
func TestMalformedEvents(t *testing.T) {
	w := newWorld(t, setting{})
	root := "projects/" + w.Emulator.Project() + "/databases/(default)/documents/"
	at := timestamppb.New(t0)
	doc := func(name string) *firestoredata.Document { return &firestoredata.Document{Name: name, UpdateTime: at} }
	marshal := func(d *firestoredata.DocumentEventData) []byte {
		body, err := proto.Marshal(d)
		require.NoError(t, err)
		return body
	}
	type malformed struct {
		body       []byte
		extensions map[string]string
		says       string
	}
	table := map[string]malformed{
		"no protobuf":            {body: []byte("{}"), says: "not the protobuf"},
		"base64 of a protobuf":   {body: []byte("Cn0KVnBy"), says: "not the protobuf"},
		"no body and no headers": {says: "neither a payload nor"},
		"another project": {body: marshal(&firestoredata.DocumentEventData{Value: doc("projects/other/databases/(default)/documents/" + acme + "/YQ")}),
			says: "GOOGLE_CLOUD_PROJECT"},
		"another database": {body: marshal(&firestoredata.DocumentEventData{OldValue: doc("projects/" + w.Emulator.Project() + "/databases/x/documents/" + acme + "/YQ")}),
			says: "HIPPO_DATABASE"},
		"no name": {body: marshal(&firestoredata.DocumentEventData{Value: doc("")}), says: "not in the database"},
		"two documents": {body: marshal(&firestoredata.DocumentEventData{Value: doc(root + acme + "/YQ"), OldValue: doc(root + acme + "/Yg")}),
			says: "two documents"},
		"a tenant": {body: marshal(&firestoredata.DocumentEventData{Value: doc(root + "tenants/acme")}), says: "no memory"},
		"a subcollection's": {body: marshal(&firestoredata.DocumentEventData{Value: doc(root + acme + "/YQ/versions/1")}),
			says: "no memory"},
		"the index's": {body: marshal(&firestoredata.DocumentEventData{Value: doc(root + "hippocampus/v1/" + acme + "/index/memory_shards/shard-0")}),
			says: "no memory"},
		"no id":                        {body: marshal(&firestoredata.DocumentEventData{Value: doc(root + acme + "/")}), says: "no memory"},
		"a header of another project":  {extensions: map[string]string{"document": acme + "/YQ", "project": "p", "database": "(default)"}, says: "not in the database"},
		"a damaged header":             {extensions: map[string]string{"document": "tenants/\xe6/memories/YQ"}, says: "damaged"},
		"a header that cannot be read": {extensions: map[string]string{"document": acme + "/.."}, says: "cannot be read"},
	}
	for name, m := range table {
		t.Run(name, func(t *testing.T) {
			e := newEvent(m.body, m.extensions)
			before := w.service.Stats().Malformed
			require.NoError(t, w.service.OnMemoryWritten(t.Context(), e))
			require.NoError(t, w.service.OnRequest(t.Context(), e))
			require.Equal(t, before+2, w.service.Stats().Malformed)
			lines := w.log.lines(`"severity":"ERROR"`, `"event":"`+e.ID()+`"`)
			require.Len(t, lines, 2)
			require.Contains(t, lines[0], m.says)
		})
	}
	noTime := newEvent(marshal(&firestoredata.DocumentEventData{Value: &firestoredata.Document{Name: root + acme + "/YQ"}}), nil)
	require.NoError(t, w.service.OnMemoryWritten(t.Context(), noTime))
	require.Len(t, w.log.lines("no valid update time"), 1)
	require.Empty(t, w.View().Shards)
	require.Zero(t, w.service.Stats().Commits)
}

var eventNumber int

func newEvent(body []byte, extensions map[string]string) cloudevents.Event {
	e := cloudevents.NewEvent()
	eventNumber++
	e.SetID(fmt.Sprintf("made-%d", eventNumber))
	e.SetType(eventarc.Written)
	e.SetSource("//firestore.googleapis.com/projects/x/databases/(default)")
	// As the HTTP binding leaves them: it checks no values.
	all := map[string]any{}
	for name, value := range extensions {
		all[name] = value
	}
	e.Context.(*cloudevents.EventContextV1).Extensions = all
	e.DataEncoded = body
	return e
}

// TestDatesAndNames checks that what the hook takes from events is what the scan
// takes from documents.
func TestDatesAndNames(t *testing.T) {
	for name, config := range map[string]functions.Config{
		"default": {},
		"plain ids, another field and layout": {
			Memories: "users/{user}/notes/x/deep", Schema: memory.Schema{IDs: memory.Plain, DateField: "edited at"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			memories := acme
			trigger := eventarc.Trigger{}
			if config.Memories != "" {
				memories = "users/Zoë %41/notes/x/deep"
				trigger.Pattern = "users/{user}/notes/x/deep/{memory}"
			}
			w := newWorld(t, setting{config: config, trigger: trigger})
			w.Tenant = w.of(memories)
			w.buildOf(memories)
			field := config.Schema.Field()
			for id, date := range map[string]any{
				"YQ": t0, "Yg": "yesterday", "Yw": 17, "ZA": nil, "not base64url!": t0, "日本語": t0, "a%20b": t0,
				"past": time.Date(1, 1, 1, 0, 0, 0, 0, time.UTC), "future": time.Date(9999, 12, 31, 23, 59, 59, 999999999, time.UTC),
				"map": map[string]any{"at": t0},
			} {
				w.Write(id, map[string]any{field: date})
			}
			w.Write("none", map[string]any{"other": t0})
			w.drain()
			w.requireListed(11)

			// The same without payloads: the path comes from the header.
			w.broker.Hold()
			w.Write("日本語", map[string]any{field: t0.Add(time.Hour)})
			w.deliver(w.held(1)[0].WithoutPayload())
			w.RequireEqual()
			require.Zero(t, w.service.Stats().Malformed, w.log.lines(""))
		})
	}
}

// TestManyRequestsAtOnce has slow events wait for a commit while quick ones come
// and go over the same handler: each is answered with what became of it.
func TestManyRequestsAtOnce(t *testing.T) {
	release := make(chan struct{})
	w := newWorld(t, setting{client: tenanttest.Commits(func(_ context.Context, _ *pb.CommitRequest, send func() error) error {
		<-release
		return send()
	})})
	w.build()
	w.broker.Hold()
	const slow, quick = 50, 300
	w.Import(tenanttest.Numbered("a/", slow), t0, time.Second)
	messages := w.held(slow)
	var slowOnes, quickOnes sync.WaitGroup
	post := func(of *sync.WaitGroup, m eventarc.Message) {
		of.Go(func() {
			status, err := w.broker.Deliver(t.Context(), m)
			assert.NoError(t, err)
			assert.Equal(t, 200, status)
		})
	}
	for i := range quick {
		m := messages[i%slow]
		if i < slow {
			post(&slowOnes, m)
		}
		m.Body = []byte("malformed: acknowledged at once")
		post(&quickOnes, m)
	}
	quickOnes.Wait()
	close(release)
	slowOnes.Wait()
	w.requireListed(slow)
}

func TestBadHTTP(t *testing.T) {
	w := newWorld(t, setting{})
	w.broker.Hold()
	w.Put("a", t0)
	message := w.held(1)[0]
	w.broker.Release()
	send := func(method, path string, header http.Header, body string) int {
		r, err := http.NewRequestWithContext(t.Context(), method, w.url+path, bytes.NewReader([]byte(body)))
		require.NoError(t, err)
		if header != nil {
			r.Header = header
		}
		res, err := http.DefaultClient.Do(r)
		require.NoError(t, err)
		require.NoError(t, res.Body.Close())
		return res.StatusCode
	}
	require.Equal(t, 405, send("GET", "/OnMemoryWritten", nil, ""))
	require.Equal(t, 405, send("GET", "/RepairDue", nil, ""))
	require.Equal(t, 404, send("POST", "/", nil, ""))
	require.Equal(t, 400, send("POST", "/OnMemoryWritten", nil, "no event at all"))
	require.Equal(t, 400, send("POST", "/OnRequest", http.Header{"Ce-Specversion": {"1.0"}, "Ce-Id": {"1"}}, ""))
	require.Equal(t, 400, send("POST", "/OnMemoryWritten", message.Header, strings.Repeat("x", 34<<20)))
	require.Equal(t, 200, send("POST", "/OnMemoryWritten", message.Header, strings.Repeat("x", 1<<20)))
	require.Equal(t, 200, send("POST", "/OnMemoryWritten", message.Header, string(message.Body)))
	path, err := index.Path(acme)
	require.NoError(t, err)
	_, err = w.Client.Doc(path + "/shard-0").Get(t.Context())
	require.NoError(t, err)
}

// TestPanicIsAnAnswer has the Firestore client panic under a function.
func TestPanicIsAnAnswer(t *testing.T) {
	w := newWorld(t, setting{client: (&tenanttest.Wire{Call: func(_ context.Context, c tenanttest.Call, send func() error) error {
		if c.Stream {
			panic("out of order")
		}
		return send()
	}}).Options()})
	w.broker.Hold()
	w.Put("a", t0)
	status, err := w.broker.Deliver(t.Context(), w.held(1)[0].WithoutPayload())
	require.NoError(t, err)
	require.Equal(t, 500, status)
	require.Len(t, w.log.lines(`"severity":"ERROR"`, "out of order", "event.go"), 1)
}
