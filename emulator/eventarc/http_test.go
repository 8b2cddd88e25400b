package eventarc_test

import (
	"net/url"
	"testing"
	"time"

	"github.com/googleapis/google-cloudevents-go/cloud/firestoredata"
	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/timestamppb"

	"hippocampus/emulator"
	"hippocampus/emulator/eventarc"
)

// document makes the data of a change at a time in seconds; 0 for no document.
func document(path string, value, old int64) *firestoredata.DocumentEventData {
	at := func(seconds int64) *firestoredata.Document {
		if seconds == 0 {
			return nil
		}
		return &firestoredata.Document{
			Name:       "projects/demo-eventarc/databases/(default)/documents/" + path,
			Fields:     map[string]*firestoredata.Value{"n": {ValueType: &firestoredata.Value_IntegerValue{IntegerValue: seconds}}},
			CreateTime: &timestamppb.Timestamp{Seconds: 1},
			UpdateTime: &timestamppb.Timestamp{Seconds: seconds},
		}
	}
	return &firestoredata.DocumentEventData{Value: at(value), OldValue: at(old)}
}

func TestRequestExactly(t *testing.T) {
	f := newFunction(t)
	b := start(t, nil)
	add(t, b, eventarc.Trigger{Name: "t", EventType: eventarc.Updated, Pattern: "x/{id}", URL: f.url + "/OnUpdated?a=b"})
	data := document(`x/日 "1"%`, 3, 2)
	require.NoError(t, b.Publish(eventarc.Event{
		ID: "e-1", Time: time.Date(2026, 8, 1, 2, 3, 4, 567_000, time.FixedZone("", 3600)), Data: data,
	}))
	drain(t, b)

	require.Len(t, f.got(), 1)
	r := f.got()[0]
	require.Equal(t, "/OnUpdated", r.path)
	for header, want := range map[string]string{
		"Content-Type":       "application/protobuf",
		"Ce-Specversion":     "1.0",
		"Ce-Id":              "e-1",
		"Ce-Type":            "google.cloud.firestore.document.v1.updated",
		"Ce-Source":          "//firestore.googleapis.com/projects/demo-eventarc/databases/(default)",
		"Ce-Subject":         "documents/x/%E6%97%A5%20%221%22%25",
		"Ce-Document":        "x/%E6%97%A5%20%221%22%25",
		"Ce-Time":            "2026-08-01T01:03:04.000567Z",
		"Ce-Dataschema":      "https://github.com/googleapis/google-cloudevents/blob/main/proto/google/events/cloud/firestore/v1/data.proto",
		"Ce-Project":         "demo-eventarc",
		"Ce-Location":        "us-central1",
		"Ce-Database":        "(default)",
		"Ce-Namespace":       "(default)",
		"Ce-Datacontenttype": "", // in binary mode it is the Content-Type
	} {
		require.Equal(t, want, r.header.Get(header), header)
	}
	want, err := proto.MarshalOptions{Deterministic: true}.Marshal(data)
	require.NoError(t, err)
	require.Equal(t, want, r.body)
}

// What an emulator posts arrives whole, whatever the path. The official one's own headers carry it
// unencoded, so of control characters other than the tab nothing arrives from it, see
// official.Emulator.AddTrigger.
func TestPathsFromTheEmulator(t *testing.T) { onBoth(t, pathsFromTheEmulator) }

func pathsFromTheEmulator(t *testing.T, em eventarc.Firestore) {
	ctx := t.Context()
	client := newClient(t, em)
	f := newFunction(t)
	b := start(t, &eventarc.Options{Provider: em})
	add(t, b, eventarc.Trigger{Name: "t", Pattern: "x/{id}/y/{z}", URL: f.url})
	paths := []string{"x/a b/y/c ", "x/100%/y/%2F", "x/日本語/y/é", "x/👩‍👩‍👧/y/\"", "x/#1/y/a+b", "x/{id}/y/*", "x/a\tb/y/c"}
	if _, embedded := em.(*emulator.Emulator); embedded {
		paths = append(paths, "x/a\r\nb/y/\x01\x7f")
	}
	for _, path := range paths {
		_, err := client.Doc(path).Set(ctx, map[string]any{"a": 1})
		require.NoError(t, err, path)
	}
	drain(t, b)

	prefix := "projects/" + em.Project() + "/databases/(default)/documents/"
	var names, headers []string
	for _, r := range f.got() {
		names = append(names, r.data.GetValue().GetName())
		path, err := url.PathUnescape(r.document())
		require.NoError(t, err)
		headers = append(headers, path)
		require.Equal(t, "//firestore.googleapis.com/projects/"+em.Project()+"/databases/(default)", r.header.Get("ce-source"))
	}
	require.ElementsMatch(t, paths, headers)
	for i, path := range headers {
		require.Equal(t, prefix+path, names[i])
	}
}

func TestBadEvents(t *testing.T) {
	b := start(t, nil)
	for name, c := range map[string]struct {
		event eventarc.Event
		want  string
	}{
		"no document":      {eventarc.Event{}, "is no path of a document"},
		"a collection":     {eventarc.Event{Document: "x"}, "is no path of a document"},
		"foreign project":  {eventarc.Event{Data: &firestoredata.DocumentEventData{Value: &firestoredata.Document{Name: "projects/other/databases/(default)/documents/x/1"}}}, "is not in projects/demo-eventarc"},
		"foreign database": {eventarc.Event{Database: "two", Data: document("x/1", 1, 0)}, "is not in"},
		"two paths":        {eventarc.Event{Document: "x/2", Data: document("x/1", 1, 0)}, "is called x/1"},
	} {
		require.ErrorContains(t, b.Publish(c.event), c.want, name)
	}
	require.Zero(t, b.Stats().Published)
}
