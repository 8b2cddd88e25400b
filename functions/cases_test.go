package functions_test

import (
	"strings"
	"testing"
	"time"

	"cloud.google.com/go/firestore"
	"github.com/stretchr/testify/require"

	"hippocampus/emulator/eventarc"
	"hippocampus/index"
	"hippocampus/internal/tenanttest"
	"hippocampus/memory"
)

// The cases from the field, "Events". Each starts with an empty index, so that
// what is listed comes from the hook alone.

func TestCase01_DeleteArrivesBeforeItsWrite(t *testing.T) {
	w := newWorld(t, setting{})
	w.build()
	w.broker.Hold()
	w.Put("a", t0)
	w.Delete("a")
	events := w.held(2)
	w.deliver(events[1], events[0])
	w.requireListed(0)
}

func TestCase02_RecreatedAndTheDeleteArrivesLast(t *testing.T) {
	w := newWorld(t, setting{})
	w.build()
	w.broker.Hold()
	w.Put("a", t0)
	w.Delete("a")
	w.Put("a", t0)
	events := w.held(3)
	w.deliver(events[0], events[2], events[1])
	w.requireListed(1)
}

func TestCase03_SameEventThreeTimesTheLastALongTimeLater(t *testing.T) {
	w := newWorld(t, setting{})
	w.build()
	w.broker.Hold()
	w.Put("a", t0)
	first := w.held(1)[0]
	w.deliver(first, first)
	w.Put("a", t0.Add(time.Hour))
	w.Put("b", t0)
	w.deliver(w.held(2)...)
	want := w.list()
	w.deliver(first)
	require.Equal(t, want, w.list())
	w.requireListed(2)

	// A day later, when a fold has taken in and cleared away all that it knew.
	w.Delete("a")
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
		w.Put("a", t0.Add(time.Duration(i)*time.Hour))
	}
	events := w.held(5)
	for i := range events {
		w.deliver(events[len(events)-1-i])
	}
	require.Equal(t, []tenanttest.Line{{Name: "a", Date: t0.Add(4 * time.Hour).Format(time.RFC3339Nano)}}, w.list())
	w.requireListed(1)
}

func TestCase05_DateMovesBackwards(t *testing.T) {
	w := newWorld(t, setting{})
	w.build()
	w.Put("a", t0.Add(2*time.Hour))
	w.Put("b", t0.Add(time.Hour))
	w.drain()
	require.Equal(t, "a", w.list()[0].Name)
	w.Put("a", t0)
	w.drain()
	require.Equal(t, "b", w.list()[0].Name)
	w.requireListed(2)
}

func TestCase06_DateUnchangedIsNotWritten(t *testing.T) {
	w := newWorld(t, setting{})
	w.build()
	w.Put("a", t0)
	w.drain()
	before, want := w.service.Stats(), w.list()
	_, err := w.Doc("a").Update(t.Context(), []firestore.Update{{Path: "embedding", Value: []float64{1, 2}}})
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
	w.Put("gone", t0)
	w.drain()
	w.build()
	w.broker.Hold()
	w.Put("new", t0)
	w.Delete("gone") // both at once: the counts agree
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
	w.Put("é", t0)
	w.deliver(w.held(1)[0].WithoutPayload())
	w.requireListed(1)
	w.Put("é", t0.Add(time.Hour))
	w.deliver(w.held(1)[0].WithoutPayload())
	w.requireListed(1)
	w.Delete("é")
	w.deliver(w.held(1)[0].WithoutPayload())
	w.requireListed(0)
	require.Equal(t, 3, w.service.Stats().Read)
	require.Empty(t, w.log.lines("ERROR"))

	// The others are logged once and acknowledged.
	w.Put("x", t0)
	bad := w.held(1)[0]
	bad.Body = []byte("not protobuf")
	w.deliver(bad)
	require.Len(t, w.log.lines(`"severity":"ERROR"`, "not the protobuf"), 1)
	for _, path := range []string{"tenants/acme", "tenants/acme/other/x", acme + "/x/versions/1"} {
		_, err := w.Client.Doc(path).Set(t.Context(), map[string]any{"updated_at": t0})
		require.NoError(t, err)
		w.deliver(w.held(1)...)
		require.Len(t, w.log.lines(`"severity":"ERROR"`, path+`\" is no memory`), 1)
	}
	require.Equal(t, 4, w.service.Stats().Malformed)
	require.Empty(t, w.list())
}

func TestCase09_EventsBeforeTheFirstBuild(t *testing.T) {
	w := newWorld(t, setting{})
	w.Put("a", t0)
	w.Put("b", t0)
	w.drain()
	w.Delete("b")
	w.drain()
	require.ErrorIs(t, w.View().Err, index.ErrMissing)
	w.broker.Hold()
	w.Put("c", t0)
	w.Delete("a")
	late := w.held(2)
	w.build()
	w.requireListed(1)
	w.deliver(late...)
	w.Put("d", t0)
	w.deliver(w.held(1)...)
	w.requireListed(2)
}

// The cases "Names" and "Lists", from a write to the list.

func TestCase12_NamesAreListedAsThemselves(t *testing.T) {
	w := newWorld(t, setting{})
	w.build()
	greatest := strings.Repeat("é", memory.MaxNameBytes/2)
	all := []string{"a b", "a b ", "#1", "100%", "..", ".", "__x__", "日本語/メモ", "👩‍👩‍👧/x", greatest}
	for _, name := range all {
		w.Put(name, t0)
	}
	w.drain()
	w.requireListed(len(all))
	var shown []string
	for _, l := range w.list() {
		shown = append(shown, l.Name)
	}
	require.ElementsMatch(t, all, shown)

	require.ErrorIs(t, w.Store.Put(t.Context(), greatest+"x", nil, nil), memory.ErrName, "one byte more")
	for _, name := range all {
		w.Delete(name)
	}
	w.drain()
	w.requireListed(0)
	require.Equal(t, 2*len(all), w.service.Stats().Events)
	require.Empty(t, w.log.lines(`"severity":"ERROR"`))
}

func TestCase14_SameNameUnderSeveralTenants(t *testing.T) {
	w := newWorld(t, setting{})
	tenants := []string{"a.b", "a b", "日本", "a"}
	for i, name := range tenants {
		memories := "tenants/" + name + "/memories"
		w.buildOf(memories)
		tenant := w.of(memories)
		tenant.Put("same", t0.Add(time.Duration(i)*time.Hour))
		tenant.Put("of "+name, t0.Add(-time.Hour))
	}
	w.drain()
	for i, name := range tenants {
		require.Equal(t, []tenanttest.Line{
			{Name: "same", Date: t0.Add(time.Duration(i) * time.Hour).Format(time.RFC3339Nano)},
			{Name: "of " + name, Date: t0.Add(-time.Hour).Format(time.RFC3339Nano)},
		}, w.of("tenants/"+name+"/memories").RequireEqual())
	}

	const gone = "a.b"
	w.of("tenants/" + gone + "/memories").Delete("same")
	w.drain()
	for _, name := range tenants {
		require.Len(t, w.of("tenants/"+name+"/memories").RequireEqual(), map[bool]int{true: 1, false: 2}[name == gone], name)
	}
}

func TestCase16_SubcollectionOfAMemory(t *testing.T) {
	w := newWorld(t, setting{trigger: eventarc.Trigger{Pattern: "tenants/{rest=**}"}})
	w.build()
	w.Put("a", t0)
	w.drain()
	before := w.View()
	for _, collection := range []string{"versions", "memories"} {
		below := w.Doc("a").Collection(collection).Doc(w.Doc("b").ID)
		_, err := below.Set(t.Context(), map[string]any{"updated_at": t0})
		require.NoError(t, err)
		_, err = below.Set(t.Context(), map[string]any{"updated_at": t0.Add(time.Hour)})
		require.NoError(t, err)
		w.drain()
		require.Equal(t, before, w.View())
		w.requireListed(1)
	}
	_, err := w.Doc("a").Collection("versions").Doc(w.Doc("b").ID).Delete(t.Context())
	require.NoError(t, err)
	w.drain()
	require.Equal(t, 5, w.service.Stats().Malformed)
	require.Equal(t, before, w.View())

	// A memory that is gone, with a document still below it, is no memory either.
	w.Delete("a")
	w.drain()
	w.requireListed(0)
	w.build()
	w.requireListed(0)
}

func TestCase18_HugeValueInTheDateField(t *testing.T) {
	const limit = 1 << 20 // of a document
	w := newWorld(t, setting{})
	w.build()
	w.broker.Hold()
	empty := map[string]any{"updated_at": "", "n": 1}
	room := limit - memory.DocumentSize(acme+"/"+w.Doc("full").ID, empty)
	sizes := map[string]int{"large": 900_000, "full": room}
	for name, size := range sizes {
		for i := range 2 { // the second event carries both states
			_, err := w.Doc(name).Set(t.Context(), map[string]any{"updated_at": strings.Repeat("x", size), "n": i})
			require.NoError(t, err)
		}
	}
	_, err := w.Doc("full").Set(t.Context(), map[string]any{"updated_at": strings.Repeat("x", room+1), "n": 2})
	require.Error(t, err, "the document is as large as it can be")
	want := func() []tenanttest.Line {
		all := []tenanttest.Line{}
		for name := range sizes {
			doc, err := w.Doc(name).Get(t.Context())
			require.NoError(t, err)
			all = append(all, tenanttest.Line{Name: name, Date: doc.UpdateTime.Format(time.RFC3339Nano)})
		}
		return all
	}
	messages := w.held(4)
	w.deliver(messages...)
	w.requireListed(2)
	require.ElementsMatch(t, want(), w.list())
	require.Zero(t, w.service.Stats().Read, "the events came whole")

	// As Eventarc delivers what is too large for it.
	for _, m := range messages {
		w.deliver(m.WithoutPayload())
	}
	require.ElementsMatch(t, want(), w.list())
	require.Zero(t, w.build().Drift.Total())
	require.Empty(t, w.shardIDs())
	w.requireListed(2)
	require.ElementsMatch(t, want(), w.list())
	require.Empty(t, w.log.lines(`"severity":"ERROR"`))
}
