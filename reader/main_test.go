package reader_test

import (
	"context"
	"fmt"
	"log/slog"
	"slices"
	"testing"
	"time"

	"cloud.google.com/go/firestore"
	"github.com/stretchr/testify/require"

	"hippocampus/emulator/emulatortest"
	"hippocampus/emulator/eventarc"
	"hippocampus/emulator/official"
	"hippocampus/emulator/official/officialtest"
	"hippocampus/index"
	"hippocampus/memory"
	"hippocampus/reader"
)

func TestMain(m *testing.M) { emulatortest.Main(m) }

const memories = "tenants/acme/memories"

// quiet keeps the warnings that tests provoke out of their output.
var quiet = &reader.Options{Logger: slog.New(slog.DiscardHandler)}

// tenant is a collection of memories in a project of the test's own, and its
// index, written by the encoders of package index.
type tenant struct {
	t      failer
	em     eventarc.Firestore
	client *firestore.Client // passes the rules and is not spied on
	path   string
	index  *firestore.CollectionRef
	schema memory.Schema
}

// failer is what a testing.T and a rapid.T have in common.
type failer interface {
	require.TestingT
	Helper()
}

func newTenant(t testing.TB) *tenant {
	t.Helper()
	em := emulatortest.Start(t)
	return newTenantIn(t, em, emulatortest.Client(t, em), memories)
}

// newTenantWithRules is for tests of security rules, which the official emulator alone evaluates.
func newTenantWithRules(t testing.TB) (*tenant, *official.Emulator) {
	t.Helper()
	em := officialtest.Start(t)
	return newTenantIn(t, em, officialtest.Client(t, em), memories), em
}

func newTenantIn(t failer, em eventarc.Firestore, client *firestore.Client, path string) *tenant {
	t.Helper()
	indexPath, err := index.Path(path)
	require.NoError(t, err)
	return &tenant{t: t, em: em, client: client, path: path, index: client.Collection(indexPath)}
}

// put writes memories that are one second apart, the first the newest.
func (tn *tenant) put(names ...string) {
	tn.t.Helper()
	at := time.Date(2026, 10, 1, 12, 0, 0, 0, time.UTC)
	for _, name := range names {
		tn.putAt(name, at)
		at = at.Add(-time.Second)
	}
}

// putAt writes a memory with a date of any type; nil leaves the date out.
func (tn *tenant) putAt(name string, date any) {
	tn.t.Helper()
	id, err := tn.schema.IDs.ID(name)
	require.NoError(tn.t, err)
	tn.putID(id, date)
}

func (tn *tenant) putID(id string, date any) {
	tn.t.Helper()
	fields := map[string]any{"text": "what is known of " + id}
	if date != nil {
		fields[tn.schema.Field()] = date
	}
	_, err := tn.client.Collection(tn.path).Doc(id).Set(context.Background(), fields)
	require.NoError(tn.t, err)
}

// entries returns the memories as a fold scans them.
func (tn *tenant) entries() []index.Entry {
	tn.t.Helper()
	store, err := memory.NewStore(tn.client, tn.path, tn.schema)
	require.NoError(tn.t, err)
	var entries []index.Entry
	require.NoError(tn.t, store.Scan(context.Background(), nil, func(r memory.Record) error {
		entries = append(entries, index.EntryOf(tn.schema.IDs, r))
		return nil
	}))
	index.Sort(entries)
	return entries
}

// build writes the index of what is in the store.
func (tn *tenant) build() *index.Meta {
	tn.t.Helper()
	return tn.buildOf(tn.entries())
}

// buildOf writes a base of entries that are in list order.
func (tn *tenant) buildOf(entries []index.Entry) *index.Meta {
	tn.t.Helper()
	parts := index.EncodeParts(entries)
	meta := &index.Meta{
		Schema: tn.schema, ScanStarted: tn.now(), AsOf: tn.now(), Generation: 1, Run: "run",
		Count: len(entries), Parts: len(parts), Sum: index.Checksum(parts), Due: tn.now(),
	}
	for i, part := range parts[1:] {
		tn.set(index.PartID(meta.Generation, meta.Run, i+1), map[string]any{index.BlockField: part})
	}
	tn.set(index.MetaID, meta.Fields(parts[0]))
	return meta
}

// change writes a change into a shard as the hook does.
func (tn *tenant) change(shard int, changes ...index.Change) {
	tn.t.Helper()
	var update index.Update
	for _, c := range changes {
		require.True(tn.t, update.Add(c))
	}
	entries := map[string]any{}
	for key, date := range update.Set {
		entries[key] = nil
		if date != nil {
			entries[key] = date.Time()
		}
	}
	tn.set(index.ShardID(shard), map[string]any{index.EntriesField: entries})
}

// set writes a document of the index.
func (tn *tenant) set(id string, fields map[string]any) {
	tn.t.Helper()
	_, err := tn.index.Doc(id).Set(context.Background(), fields)
	require.NoError(tn.t, err)
}

// patch changes one field of a document of the index.
func (tn *tenant) patch(id, field string, value any) {
	tn.t.Helper()
	_, err := tn.index.Doc(id).Update(context.Background(), []firestore.Update{{Path: field, Value: value}})
	require.NoError(tn.t, err)
}

func (tn *tenant) remove(id string) {
	tn.t.Helper()
	_, err := tn.index.Doc(id).Delete(context.Background(), firestore.Exists)
	require.NoError(tn.t, err)
}

// now is the server's time.
func (tn *tenant) now() memory.Micros {
	tn.t.Helper()
	snapshot, _ := tn.index.Doc("nothing").Get(context.Background())
	require.NotNil(tn.t, snapshot)
	return memory.MicrosOf(snapshot.ReadTime)
}

// request returns the request document, nil if there is none.
func (tn *tenant) request() map[string]any {
	tn.t.Helper()
	docs, err := tn.index.Documents(context.Background()).GetAll()
	require.NoError(tn.t, err)
	for _, doc := range docs {
		if doc.Ref.ID == index.RequestID {
			return doc.Data()
		}
	}
	return nil
}

// list reads the list with a reader of its own.
func (tn *tenant) list() *reader.List {
	tn.t.Helper()
	list, err := reader.New(tn.client, &reader.Options{Schema: tn.schema, Logger: quiet.Logger}).List(context.Background(), tn.path)
	require.NoError(tn.t, err)
	return list
}

// names returns the names of a list, in order.
func names(list *reader.List) []string {
	names := make([]string, len(list.Entries))
	for i, e := range list.Entries {
		names[i] = e.Name
	}
	return names
}

// numbered returns n names.
func numbered(prefix string, n int) []string {
	return slices.Collect(func(yield func(string) bool) {
		for i := range n {
			if !yield(fmt.Sprintf("%s%05d", prefix, i)) {
				return
			}
		}
	})
}
