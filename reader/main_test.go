package reader_test

import (
	"context"
	"log/slog"
	"testing"
	"time"

	"cloud.google.com/go/firestore"
	"github.com/stretchr/testify/require"

	"hippocampus/emulator/emulatortest"
	"hippocampus/emulator/eventarc"
	"hippocampus/emulator/official"
	"hippocampus/emulator/official/officialtest"
	"hippocampus/index"
	"hippocampus/internal/tenanttest"
	"hippocampus/memory"
	"hippocampus/reader"
)

func TestMain(m *testing.M) { emulatortest.Main(m) }

const memories = tenanttest.Memories

// quiet keeps the warnings that tests provoke out of their output.
var quiet = &reader.Options{Logger: slog.New(slog.DiscardHandler)}

// tenant is a collection of memories in a project of the test's own, and its
// index, written by the encoders of package index.
type tenant struct {
	*tenanttest.Tenant
	t tenanttest.T
}

func newTenant(t testing.TB) *tenant {
	t.Helper()
	return newTenantOf(t, memory.Schema{})
}

func newTenantOf(t testing.TB, schema memory.Schema) *tenant {
	t.Helper()
	return &tenant{tenanttest.New(t, schema), t}
}

// newTenantWithRules is for tests of security rules, which the official emulator alone evaluates.
func newTenantWithRules(t testing.TB) (*tenant, *official.Emulator) {
	t.Helper()
	em := officialtest.Start(t)
	return newTenantIn(t, em, officialtest.Client(t, em), memories), em
}

func newTenantIn(t tenanttest.T, em eventarc.Firestore, client *firestore.Client, path string) *tenant {
	t.Helper()
	return &tenant{tenanttest.In(t, em, client, path, memory.Schema{}), t}
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
	id, err := tn.Store.Schema().IDs.ID(name)
	require.NoError(tn.t, err)
	tn.putID(id, date)
}

func (tn *tenant) putID(id string, date any) {
	tn.t.Helper()
	fields := map[string]any{"text": "what is known of " + id}
	if date != nil {
		fields[tn.Store.Schema().Field()] = date
	}
	tn.Write(id, fields)
}

// build writes the index of what is in the store.
func (tn *tenant) build() *index.Meta {
	tn.t.Helper()
	return tn.buildOf(tn.Scan())
}

// buildOf writes a base of entries that are in list order.
func (tn *tenant) buildOf(entries []index.Entry) *index.Meta {
	tn.t.Helper()
	parts := index.EncodeParts(entries)
	meta := &index.Meta{
		Schema: tn.Store.Schema(), ScanStarted: tn.Now(), AsOf: tn.Now(), Generation: 1, Run: "run",
		Count: len(entries), Parts: len(parts), Sum: index.Checksum(parts), Due: tn.Now(),
	}
	for i, part := range parts[1:] {
		tn.set(index.PartID(meta.Generation, meta.Run, i+1), map[string]any{index.BlockField: part})
	}
	tn.set(index.MetaID, meta.Fields(parts[0]))
	return meta
}

// set writes a document of the index.
func (tn *tenant) set(id string, fields map[string]any) {
	tn.t.Helper()
	_, err := tn.Index.Doc(id).Set(context.Background(), fields)
	require.NoError(tn.t, err)
}

func (tn *tenant) remove(id string) {
	tn.t.Helper()
	_, err := tn.Index.Doc(id).Delete(context.Background(), firestore.Exists)
	require.NoError(tn.t, err)
}

// request returns the request document, nil if there is none.
func (tn *tenant) request() map[string]any {
	tn.t.Helper()
	if request := tn.View().Request; request != nil {
		return request.Fields
	}
	return nil
}

// list reads the list with a reader of its own.
func (tn *tenant) list() *reader.List {
	tn.t.Helper()
	list, err := reader.New(tn.Client, &reader.Options{Schema: tn.Store.Schema(), Logger: quiet.Logger}).List(context.Background(), tn.Store.Path())
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
