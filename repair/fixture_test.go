package repair_test

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"cloud.google.com/go/firestore"
	"github.com/stretchr/testify/require"

	"hippocampus/emulator/emulatortest"
	"hippocampus/emulator/eventarc"
	"hippocampus/index"
	"hippocampus/memory"
	"hippocampus/repair"
)

const memories = "tenants/acme/memories"

// fixture is one tenant in a project of its own. Its tests write to the index
// as the hook does, one event at a time, so that they decide which events
// arrive, and when.
type fixture struct {
	*testing.T
	em     eventarc.Firestore
	client *firestore.Client
	store  *memory.Store
	index  *firestore.CollectionRef
}

func newFixture(t *testing.T) *fixture {
	em := emulatortest.Start(t)
	client := emulatortest.Client(t, em)
	store, err := memory.NewStore(client, memories, memory.Schema{})
	require.NoError(t, err)
	path, err := index.Path(memories)
	require.NoError(t, err)
	return &fixture{T: t, em: em, client: client, store: store, index: client.Collection(path)}
}

// options reads at the server's now: nothing else writes while a fold reads.
func (f *fixture) options() *repair.Options { return &repair.Options{Horizon: -1} }

func (f *fixture) full() *repair.Result {
	f.Helper()
	result, err := repair.Full(f.Context(), f.client, memories, f.options())
	require.NoError(f, err)
	require.Empty(f, result.Uncleaned)
	return result
}

func (f *fixture) compact() *repair.Result {
	f.Helper()
	result, err := repair.Compact(f.Context(), f.client, memories, f.options())
	require.NoError(f, err)
	require.Empty(f, result.Uncleaned)
	return result
}

// put changes a memory and returns its event.
func (f *fixture) put(name string, date time.Time) index.Change {
	f.Helper()
	before := f.state(name)
	require.NoError(f, f.store.Put(f.Context(), name, nil, &memory.PutOptions{Date: date}))
	return f.event(name, before)
}

// remove deletes a memory and returns its event.
func (f *fixture) remove(name string) index.Change {
	f.Helper()
	before := f.state(name)
	require.NoError(f, f.store.Delete(f.Context(), name))
	return f.event(name, before)
}

func (f *fixture) event(name string, before *index.State) index.Change {
	id, err := memory.ID(name)
	require.NoError(f, err)
	return index.Change{ID: id, Old: before, New: f.state(name)}
}

func (f *fixture) state(name string) *index.State {
	found, err := f.store.Open(f.Context(), name)
	if err != nil {
		require.ErrorIs(f, err, memory.ErrNotFound)
		return nil
	}
	return &index.State{Version: found[0].Version, Date: found[0].Date}
}

// deliver writes an event to a shard, as the hook does.
func (f *fixture) deliver(shard int, changes ...index.Change) {
	f.Helper()
	var u index.Update
	for _, c := range changes {
		u.Add(c)
	}
	entries := map[string]any{}
	var paths []firestore.FieldPath
	for k, date := range u.Set {
		entries[k] = nil
		if date != nil {
			entries[k] = date.Time()
		}
		paths = append(paths, firestore.FieldPath{index.EntriesField, k})
	}
	for k := range u.Remove {
		entries[k] = firestore.Delete
		paths = append(paths, firestore.FieldPath{index.EntriesField, k})
	}
	_, err := f.index.Doc(index.ShardID(shard)).Set(f.Context(), map[string]any{index.EntriesField: entries}, firestore.Merge(paths...))
	require.NoError(f, err)
}

func (f *fixture) view() *index.View {
	f.Helper()
	snapshots, err := f.index.Documents(f.Context()).GetAll()
	require.NoError(f, err)
	var docs []index.Doc
	for _, s := range snapshots {
		docs = append(docs, index.Doc{ID: s.Ref.ID, UpdateTime: s.UpdateTime, Fields: s.Data()})
	}
	return index.Read(docs, memory.Schema{})
}

// requireEqual requires that the list by the index is the list by the scan.
func (f *fixture) requireEqual() {
	f.Helper()
	listed, err := f.view().List()
	require.NoError(f, err)
	require.Equal(f, lines(f.scan()), lines(listed))
}

func (f *fixture) scan() []index.Entry {
	f.Helper()
	var entries []index.Entry
	require.NoError(f, f.store.Scan(f.Context(), nil, func(r memory.Record) error {
		entries = append(entries, index.EntryOf(memory.Base64URL, r))
		return nil
	}))
	index.Sort(entries)
	return entries
}

// documents returns the ids of the index's documents.
func (f *fixture) documents() []string {
	f.Helper()
	refs, err := f.index.DocumentRefs(f.Context()).GetAll()
	require.NoError(f, err)
	var ids []string
	for _, ref := range refs {
		ids = append(ids, ref.ID)
	}
	slices.Sort(ids)
	return ids
}

func (f *fixture) request(kind index.Kind) {
	f.Helper()
	_, err := f.index.Doc(index.RequestID).Create(f.Context(), index.Request{Kind: kind, Reason: "test"}.Fields(firestore.ServerTimestamp))
	require.NoError(f, err)
}

// now is the server's time.
func (f *fixture) now() time.Time {
	found, err := f.client.GetAll(f.Context(), []*firestore.DocumentRef{f.client.Doc("clock/now")})
	require.NoError(f, err)
	return found[0].ReadTime
}

func lines(entries []index.Entry) string {
	var b strings.Builder
	for _, e := range entries {
		b.WriteString(e.Date.Time().Format(time.RFC3339Nano) + " " + e.Name + "\n")
	}
	return b.String()
}

func day(d int) time.Time { return time.Date(2026, 5, d, 12, 0, 0, 0, time.UTC) }

// during returns a client that acts once, ahead of the call after the given number
// of calls: inside a fold.
func during(t *testing.T, em eventarc.Firestore, calls int, act func()) *firestore.Client {
	t.Helper()
	return emulatortest.Client(t, em, interceptCalls(func(context.Context, string) error {
		if calls--; calls == -1 {
			act()
		}
		return nil
	})...)
}
