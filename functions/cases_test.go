package functions_test

import (
	"testing"
	"time"

	"cloud.google.com/go/firestore"
	"github.com/stretchr/testify/require"

	"hippocampus/emulator/eventarc"
	"hippocampus/index"
)

// The cases from the field, "Events". Each starts with an empty index, so that
// what is listed comes from the hook alone.

func TestCase01_DeleteArrivesBeforeItsWrite(t *testing.T) {
	w := newWorld(t, setting{})
	w.build()
	w.broker.Hold()
	w.put("a", t0)
	w.delete("a")
	events := w.held(2)
	w.deliver(events[1], events[0])
	w.requireListed(0)
}

func TestCase02_RecreatedAndTheDeleteArrivesLast(t *testing.T) {
	w := newWorld(t, setting{})
	w.build()
	w.broker.Hold()
	w.put("a", t0)
	w.delete("a")
	w.put("a", t0)
	events := w.held(3)
	w.deliver(events[0], events[2], events[1])
	w.requireListed(1)
}

func TestCase03_SameEventThreeTimesTheLastALongTimeLater(t *testing.T) {
	w := newWorld(t, setting{})
	w.build()
	w.broker.Hold()
	w.put("a", t0)
	first := w.held(1)[0]
	w.deliver(first, first)
	w.put("a", t0.Add(time.Hour))
	w.put("b", t0)
	w.deliver(w.held(2)...)
	want := w.list()
	w.deliver(first)
	require.Equal(t, want, w.list())
	w.requireListed(2)

	// A day later, when a fold has taken in and cleared away all that it knew.
	w.delete("a")
	w.deliver(w.held(1)...)
	w.build()
	w.deliver(first)
	w.requireListed(1)
}

func TestCase04_FiveQuickChangesInReverse(t *testing.T) {
	w := newWorld(t, setting{})
	w.build()
	w.broker.Hold()
	for i := range 5 {
		w.put("a", t0.Add(time.Duration(i)*time.Hour))
	}
	events := w.held(5)
	for i := range events {
		w.deliver(events[len(events)-1-i])
	}
	require.Equal(t, []listed{{"a", t0.Add(4 * time.Hour).Format(time.RFC3339Nano)}}, w.list())
	w.requireListed(1)
}

func TestCase05_DateMovesBackwards(t *testing.T) {
	w := newWorld(t, setting{})
	w.build()
	w.put("a", t0.Add(2*time.Hour))
	w.put("b", t0.Add(time.Hour))
	w.drain()
	require.Equal(t, "a", w.list()[0].name)
	w.put("a", t0)
	w.drain()
	require.Equal(t, "b", w.list()[0].name)
	w.requireListed(2)
}

func TestCase06_DateUnchangedIsNotWritten(t *testing.T) {
	w := newWorld(t, setting{})
	w.build()
	w.put("a", t0)
	w.drain()
	before, want := w.service.Stats(), w.list()
	_, err := w.doc("a").Update(t.Context(), []firestore.Update{{Path: "embedding", Value: []float64{1, 2}}})
	require.NoError(t, err)
	w.drain()
	after := w.service.Stats()
	require.Equal(t, before.Events+1, after.Events)
	require.Equal(t, before.Unchanged+1, after.Unchanged)
	require.Equal(t, before.Commits, after.Commits)
	require.Equal(t, want, w.list())
	w.requireListed(1)
}

func TestCase07_LostEventsAreRightAfterTheNextFold(t *testing.T) {
	w := newWorld(t, setting{})
	w.put("gone", t0)
	w.drain()
	w.build()
	w.broker.Hold()
	w.put("new", t0)
	w.delete("gone") // both at once: the counts agree
	w.held(2)        // lost
	require.NotEqual(t, w.scan(), w.list())
	drift := w.build().Drift
	require.Equal(t, 1, drift.Missing)
	require.Equal(t, 1, drift.Ghosts)
	w.requireListed(1)
}

func TestCase08_WithoutPayloadNotProtobufNoMemory(t *testing.T) {
	w := newWorld(t, setting{trigger: eventarc.Trigger{Pattern: "tenants/{rest=**}"}})
	w.build()
	w.broker.Hold()

	// Neither value: the memory is read.
	w.put("é", t0)
	w.deliver(w.held(1)[0].WithoutPayload())
	w.requireListed(1)
	w.put("é", t0.Add(time.Hour))
	w.deliver(w.held(1)[0].WithoutPayload())
	w.requireListed(1)
	w.delete("é")
	w.deliver(w.held(1)[0].WithoutPayload())
	w.requireListed(0)
	require.Equal(t, 3, w.service.Stats().Read)
	require.Empty(t, w.log.lines("ERROR"))

	// The others are logged once and acknowledged.
	w.put("x", t0)
	bad := w.held(1)[0]
	bad.Body = []byte("not protobuf")
	w.deliver(bad)
	require.Len(t, w.log.lines(`"severity":"ERROR"`, "not the protobuf"), 1)
	for _, path := range []string{"tenants/acme", "tenants/acme/other/x", acme + "/x/versions/1"} {
		_, err := w.client.Doc(path).Set(t.Context(), map[string]any{"updated_at": t0})
		require.NoError(t, err)
		w.deliver(w.held(1)...)
		require.Len(t, w.log.lines(`"severity":"ERROR"`, path+`\" is no memory`), 1)
	}
	require.Equal(t, 4, w.service.Stats().Malformed)
	require.Empty(t, w.list())
}

func TestCase09_EventsBeforeTheFirstBuild(t *testing.T) {
	w := newWorld(t, setting{})
	w.put("a", t0)
	w.put("b", t0)
	w.drain()
	w.delete("b")
	w.drain()
	require.ErrorIs(t, w.index(acme).Err, index.ErrMissing)
	w.broker.Hold()
	w.put("c", t0)
	w.delete("a")
	late := w.held(2)
	w.build()
	w.requireListed(1)
	w.deliver(late...)
	w.put("d", t0)
	w.deliver(w.held(1)...)
	w.requireListed(2)
}
