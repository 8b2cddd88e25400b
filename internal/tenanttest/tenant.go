// Package tenanttest gives tests a tenant: a collection of memories and its index, in a project of
// the test's own on either emulator (see package emulatortest), and ways to watch a client's calls,
// to hold them up and to refuse them.
//
// Nothing here keeps the index. A test delivers the events itself, folds, or runs the functions.
package tenanttest

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"cloud.google.com/go/firestore"
	"github.com/stretchr/testify/require"

	"hippocampus/emulator/emulatortest"
	"hippocampus/emulator/eventarc"
	"hippocampus/index"
	"hippocampus/internal/indexdb"
	"hippocampus/memory"
)

// Memories is the collection of the tenant that New returns.
const Memories = "tenants/acme/memories"

// T is what a testing.TB and a rapid.T have in common.
type T interface {
	require.TestingT
	Helper()
	Context() context.Context
}

// Tenant is a collection of memories and its index.
type Tenant struct {
	Emulator eventarc.Firestore
	// Client passes the rules, and nothing is in its way: it is the test's, not that of what is
	// tested.
	Client *firestore.Client
	Store  *memory.Store
	Index  *firestore.CollectionRef

	t  T
	db *indexdb.Index
}

// New returns an empty tenant in a project of the test's own.
func New(t testing.TB, schema memory.Schema) *Tenant {
	t.Helper()
	em := emulatortest.Start(t)
	return In(t, em, emulatortest.Client(t, em), Memories, schema)
}

// In returns the tenant whose memories are at a path. Several may be in one project.
func In(t T, em eventarc.Firestore, client *firestore.Client, path string,
	schema memory.Schema) *Tenant {
	t.Helper()
	store, err := memory.NewStore(client, path, schema)
	require.NoError(t, err)
	db, err := indexdb.Of(client, path)
	require.NoError(t, err)
	return &Tenant{Emulator: em, Client: client, Store: store, Index: db.Collection(), t: t, db: db}
}

// Of returns another tenant of the project, with the same schema. Failures are t's.
func (x *Tenant) Of(t T, path string) *Tenant {
	t.Helper()
	return In(t, x.Emulator, x.Client, path, x.Store.Schema())
}

// Doc returns the document of a memory.
func (x *Tenant) Doc(name string) *firestore.DocumentRef {
	x.t.Helper()
	id, err := x.Store.Schema().IDs.ID(name)
	require.NoError(x.t, err)
	return x.Client.Collection(x.Store.Path()).Doc(id)
}

// Put writes a memory; a zero date is the server's time.
func (x *Tenant) Put(name string, date time.Time) {
	x.t.Helper()
	require.NoError(x.t, x.Store.Put(x.t.Context(), name, map[string]any{"text": "about " + name},
		&memory.PutOptions{Date: date}))
}

// Write replaces a document of the collection, under any id, by any fields.
func (x *Tenant) Write(id string, fields map[string]any) {
	x.t.Helper()
	_, err := x.Client.Collection(x.Store.Path()).Doc(id).Set(x.t.Context(), fields)
	require.NoError(x.t, err)
}

// Delete deletes a memory.
func (x *Tenant) Delete(name string) {
	x.t.Helper()
	require.NoError(x.t, x.Store.Delete(x.t.Context(), name))
}

// Import creates memories as fast as the client can, each dated a step after the one before.
func (x *Tenant) Import(names []string, first time.Time, step time.Duration) {
	x.t.Helper()
	const commit = 500
	date := first
	for some := range slices.Chunk(names, commit) {
		begin := date
		require.NoError(x.t, x.Client.RunTransaction(x.t.Context(),
			func(_ context.Context, tx *firestore.Transaction) error {
				date = begin // a transaction may be tried again
				for _, name := range some {
					if err := tx.Create(x.Doc(name),
						map[string]any{x.Store.Schema().Field(): date}); err != nil {
						return err
					}
					date = date.Add(step)
				}
				return nil
			}))
	}
}

// Scan returns the list that the store gives.
func (x *Tenant) Scan() []index.Entry {
	x.t.Helper()
	var entries []index.Entry
	require.NoError(x.t, x.Store.Scan(x.t.Context(), nil, func(r memory.Record) error {
		entries = append(entries, index.EntryOf(x.Store.Schema().IDs, r))
		return nil
	}))
	index.Sort(entries)
	return entries
}

// View reads the index, whatever state it is in.
func (x *Tenant) View() *index.View {
	x.t.Helper()
	found, err := x.db.Read(x.t.Context(), 0)
	require.NoError(x.t, err)
	return index.Read(found.Docs, x.Store.Schema())
}

// List returns the list that the index gives, which must be readable.
func (x *Tenant) List() []index.Entry {
	x.t.Helper()
	entries, err := x.View().List()
	require.NoError(x.t, err)
	return entries
}

// Line is what a list shows of a memory. No version is in it: the index may know an older one than
// the store, where the date has stayed the same since.
type Line struct {
	Name, Date string
	RawID      bool
}

// Lines returns what a list shows, never nil.
func Lines(entries []index.Entry) []Line {
	lines := make([]Line, len(entries))
	for i, e := range entries {
		lines[i] = Line{e.Name, e.Date.Time().Format(time.RFC3339Nano), e.RawID}
	}
	return lines
}

// RequireEqual requires that the index gives the store's list, and returns it.
func (x *Tenant) RequireEqual() []Line {
	x.t.Helper()
	listed := Lines(x.List())
	require.Equal(x.t, Lines(x.Scan()), listed)
	return listed
}

// Deliver writes changes to a shard in one write, as the hook does. Each must be one that the hook
// writes.
func (x *Tenant) Deliver(shard int, changes ...index.Change) {
	x.t.Helper()
	var u index.Update
	for _, c := range changes {
		require.True(x.t, u.Add(c), "nothing to write: %+v", c)
	}
	require.NoError(x.t, x.db.Merge(x.t.Context(), index.ShardID(shard), &u))
}

// Patch changes one field of a document of the index.
func (x *Tenant) Patch(id, field string, value any) {
	x.t.Helper()
	_, err := x.Index.Doc(id).Update(x.t.Context(), []firestore.Update{{Path: field, Value: value}})
	require.NoError(x.t, err)
}

// Request asks for a run, for the reason "test". There must be no request yet.
func (x *Tenant) Request(kind index.Kind) {
	x.t.Helper()
	created, err := x.db.Request(x.t.Context(), index.Request{Kind: kind, Reason: "test"})
	require.NoError(x.t, err)
	require.True(x.t, created, "there is a request already")
}

// Documents returns the ids of the index's documents, sorted.
func (x *Tenant) Documents() []string {
	x.t.Helper()
	refs, err := x.Index.DocumentRefs(x.t.Context()).GetAll()
	require.NoError(x.t, err)
	var ids []string
	for _, ref := range refs {
		ids = append(ids, ref.ID)
	}
	slices.Sort(ids)
	return ids
}

// Now is the server's time, never this machine's, whose clock a test may have put wrong.
func (x *Tenant) Now() memory.Micros {
	x.t.Helper()
	now, err := indexdb.ServerTime(x.t.Context(), x.Client.Doc("clock/now"))
	require.NoError(x.t, err)
	return now
}

// Numbered returns n names.
func Numbered(prefix string, n int) []string {
	names := make([]string, n)
	for i := range names {
		names[i] = fmt.Sprintf("%s%05d", prefix, i)
	}
	return names
}
