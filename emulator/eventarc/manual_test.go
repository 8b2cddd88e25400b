package eventarc_test

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"hippocampus/emulator/eventarc"
)

// A test takes the events and delivers the ones it likes, in its own order, as often as it likes.
func TestManualDelivery(t *testing.T) { onBoth(t, manualDelivery) }

func manualDelivery(t *testing.T, em eventarc.Firestore) {
	ctx := t.Context()
	client := newClient(t, em)
	f := newFunction(t)
	b := start(t, &eventarc.Options{Provider: em})
	add(t, b, eventarc.Trigger{Name: "t", Pattern: "x/{id}", URL: f.url})

	b.Hold()
	doc := client.Doc("x/1")
	_, err := doc.Set(ctx, map[string]any{"a": 1})
	require.NoError(t, err)
	_, err = doc.Set(ctx, map[string]any{"a": 2})
	require.NoError(t, err)
	_, err = doc.Delete(ctx)
	require.NoError(t, err)
	drain(t, b)
	require.Empty(t, f.got())
	require.Equal(t, 3, b.Stats().Held)

	held := b.Take()
	require.Len(t, held, 3)
	require.Empty(t, b.Take())
	require.Nil(t, held[0].Event.Data.GetOldValue())
	require.NotNil(t, held[1].Event.Data.GetOldValue())
	require.Nil(t, held[2].Event.Data.GetValue())

	status, err := b.Deliver(ctx, held[2])
	require.NoError(t, err)
	require.Equal(t, http.StatusOK, status)
	for range 2 {
		_, err = b.Deliver(ctx, held[0])
		require.NoError(t, err)
	}
	_, err = b.Deliver(ctx, held[0].WithoutPayload())
	require.NoError(t, err)
	f.respond(func(int, request) int { return http.StatusTeapot })
	damaged := held[1]
	damaged.Body = []byte("\xff\xff")
	status, err = b.Deliver(ctx, damaged)
	require.NoError(t, err)
	require.Equal(t, http.StatusBadRequest, status)
	status, err = b.Deliver(ctx, held[1])
	require.NoError(t, err)
	require.Equal(t, http.StatusTeapot, status)

	got := f.got()
	require.Len(t, got, 5)
	require.Equal(t, held[2].Body, got[0].body)
	require.Equal(t, held[0].Body, got[1].body)
	require.Equal(t, got[1], got[2])
	require.Equal(t, []byte{0x1a, 0}, got[3].body)
	require.Equal(t, got[1].header.Get("ce-id"), got[3].header.Get("ce-id"))
	require.Equal(t, "x/1", got[3].document())
	require.NotEmpty(t, held[0].Body, "WithoutPayload changes a copy")

	damaged.Trigger.URL = "http://127.0.0.1:1/"
	_, err = b.Deliver(ctx, damaged)
	require.ErrorContains(t, err, "deliver x/1 to t")
}

func TestReleaseDeliversWhatPiledUp(t *testing.T) {
	f := newFunction(t)
	b := start(t, nil)
	add(t, b, eventarc.Trigger{Name: "t", Pattern: "x/{id}", URL: f.url, Concurrency: 1})
	b.Hold()
	for _, path := range []string{"x/1", "x/2", "x/3"} {
		require.NoError(t, b.Publish(eventarc.Event{Data: document(path, 1, 0)}))
	}
	drain(t, b)
	require.Empty(t, f.got())
	b.Release()
	require.NoError(t, b.Publish(eventarc.Event{Data: document("x/4", 1, 0)}))
	drain(t, b)
	require.Equal(t, []string{"x/1", "x/2", "x/3", "x/4"}, f.documents())
}
