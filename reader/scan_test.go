package reader_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"cloud.google.com/go/firestore"
	"github.com/stretchr/testify/require"
	"google.golang.org/api/option"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"hippocampus/emulator/emulatortest"
	"hippocampus/index"
	"hippocampus/internal/deep"
	"hippocampus/internal/tenanttest"
	"hippocampus/memory"
	"hippocampus/reader"
)

// faults are all the ways in which an index that is there cannot be used.
var faults = []struct {
	name, reason, detail string
	harm                 func(tn *tenant)
}{
	{"never built", "missing", "index missing", func(tn *tenant) { tn.remove(index.MetaID) }},
	{"shards only", "missing", "index missing", func(tn *tenant) {
		tn.remove(index.MetaID)
		tn.Deliver(0, index.Change{ID: "YQ", New: &index.State{Version: tn.Now(), Date: 1}})
	}},
	{"format unknown", "format", "version 2", func(tn *tenant) { tn.Patch(index.MetaID, "format", 2) }},
	{"format no number", "damaged", "format", func(tn *tenant) { tn.Patch(index.MetaID, "format", "1") }},
	{"other ids", "settings", "ids plain", func(tn *tenant) { tn.Patch(index.MetaID, "ids", "plain") }},
	{"other date field", "settings", "date field changed", func(tn *tenant) { tn.Patch(index.MetaID, "date_field", "changed") }},
	{"checksum wrong", "damaged", "checksum", func(tn *tenant) { tn.Patch(index.MetaID, "sum", "1") }},
	{"base cut short", "damaged", "checksum", func(tn *tenant) {
		tn.Patch(index.MetaID, index.BlockField, index.EncodeParts(tn.Scan())[0][:20])
	}},
	{"base of another list", "damaged", "checksum", func(tn *tenant) {
		tn.Patch(index.MetaID, index.BlockField, index.EncodeParts(tn.Scan()[:1])[0])
	}},
	{"no base", "damaged", "no base", func(tn *tenant) { tn.Patch(index.MetaID, index.BlockField, firestore.Delete) }},
	{"part missing", "damaged", "part 2 of 2", func(tn *tenant) { tn.Patch(index.MetaID, "parts", 2) }},
	{"part of another run", "damaged", "part 2 of 2", func(tn *tenant) {
		tn.Patch(index.MetaID, "parts", 2)
		tn.set(index.PartID(1, "other", 1), map[string]any{index.BlockField: index.EncodeBlock(nil)})
	}},
	{"part of another type", "damaged", "part 2 of 2", func(tn *tenant) {
		tn.Patch(index.MetaID, "parts", 2)
		tn.set(index.PartID(1, "run", 1), map[string]any{index.BlockField: "text"})
	}},
	{"meta garbage", "damaged", "meta", func(tn *tenant) { tn.set(index.MetaID, map[string]any{"x": 1}) }},
	{"shard no map", "damaged", "shard-3", func(tn *tenant) { tn.set("shard-3", map[string]any{index.EntriesField: 7}) }},
	{"shard key garbage", "damaged", "shard key", func(tn *tenant) {
		tn.set("shard-3", map[string]any{index.EntriesField: map[string]any{"nonsense": time.Now()}})
	}},
	{"shard value garbage", "damaged", "no date", func(tn *tenant) {
		tn.set("shard-3", map[string]any{index.EntriesField: map[string]any{index.Key(tn.Now(), "YQ"): "today"}})
	}},
}

func TestCase21_IndexThatCannotBeUsed(t *testing.T) {
	em := emulatortest.Start(t)
	client := emulatortest.Client(t, em)
	for i, fault := range faults {
		t.Run(fault.name, func(t *testing.T) {
			tn := newTenantIn(t, em, client, fmt.Sprintf("tenants/t%d/memories", i))
			tn.put("pages/a", "pages/b", "notebook/c")
			tn.build()
			sound := tn.list()
			require.Equal(t, reader.FromIndex, sound.Receipt.Source)
			fault.harm(tn)
			stored, err := tn.Index.Documents(t.Context()).GetAll()
			require.NoError(t, err)

			var s spy
			r := reader.New(s.client(t, tn), quiet)
			list, err := r.List(t.Context(), tn.Store.Path())
			require.NoError(t, err)
			require.Equal(t, sound.Entries, list.Entries)
			receipt := list.Receipt
			require.Equal(t, reader.FromScan, receipt.Source)
			require.Equal(t, fault.reason, receipt.Reason)
			require.Contains(t, receipt.Detail, fault.detail)
			require.True(t, receipt.Complete)
			require.Equal(t, 3, receipt.Count)
			require.Equal(t, sound.Receipt.Hash, receipt.Hash)
			require.Equal(t, reader.Asked, receipt.Request)
			require.Equal(t, receipt.AsOf, receipt.ScanStarted)
			require.GreaterOrEqual(t, receipt.AsOf, sound.Receipt.AsOf)
			require.Equal(t, s.read(), receipt.DocumentsRead)
			if len(stored) > 0 {
				require.Equal(t, len(stored)+3, receipt.DocumentsRead)
			} else {
				require.Equal(t, 1+1+3, receipt.DocumentsRead, "the empty query, the time, the memories")
			}
			size := 0
			for _, doc := range stored {
				path := must(index.Path(tn.Store.Path())) + "/" + doc.Ref.ID
				size += memory.DocumentSize(path, doc.Data())
			}
			for _, e := range list.Entries {
				size += memory.DocumentSize(tn.Store.Path()+"/"+e.ID(), map[string]any{"updated_at": e.Date.Time()})
			}
			require.Equal(t, size, receipt.Bytes)

			request := tn.request()
			require.Equal(t, index.Request{Kind: index.Build, Reason: fault.reason}, index.ParseRequest(request))
			require.IsType(t, time.Time{}, request[index.DueField], "the server's time")

			again, err := r.List(t.Context(), tn.Store.Path())
			require.NoError(t, err)
			require.Equal(t, reader.AlreadyAsked, again.Receipt.Request)
			require.Equal(t, 1, s.count("Commit"))

			tn.remove(index.RequestID)
			for _, doc := range stored {
				tn.remove(doc.Ref.ID)
			}
			tn.build()
			mended, err := r.List(t.Context(), tn.Store.Path())
			require.NoError(t, err)
			require.Equal(t, reader.FromIndex, mended.Receipt.Source)
			require.Equal(t, sound.Entries, mended.Entries)
		})
	}
}

func TestEmptyCollectionWithoutAnIndex(t *testing.T) {
	tn := newTenant(t)
	var s spy
	list, err := reader.New(s.client(t, tn), quiet).List(t.Context(), memories)
	require.NoError(t, err)
	require.Empty(t, list.Entries)
	require.True(t, list.Receipt.Complete)
	require.Equal(t, 3, list.Receipt.DocumentsRead, "two empty queries and the time")
	require.Equal(t, s.read(), list.Receipt.DocumentsRead)
	require.Zero(t, list.Receipt.Bytes)
	require.False(t, list.Receipt.AsOf.IsZero())
}

// A collection that fills a page to the last memory costs a second, empty one.
func TestScanOfSeveralPages(t *testing.T) {
	deep.Only(t)
	const n = 20_000
	tn := newTenant(t)
	tn.Import(tenanttest.Numbered("pages/", n), time.UnixMicro(1), 0)
	var s spy
	list, err := reader.New(s.client(t, tn), quiet).List(t.Context(), memories)
	require.NoError(t, err)
	require.Equal(t, tenanttest.Numbered("pages/", n), names(list))
	require.Equal(t, s.read(), list.Receipt.DocumentsRead)
	require.Equal(t, 2+n+1, list.Receipt.DocumentsRead, "the index, the time, and two pages")
}

// TestScanIsOneState changes the store in the middle of a scan: what the list
// shows is the store as it was when the scan began.
func TestScanIsOneState(t *testing.T) {
	tn := newTenant(t)
	tn.put("pages/a", "pages/b")
	var s spy
	s.fail = func(_ context.Context, _ int, c call) error {
		if c.method == "RunQuery" && !isIndex(c) {
			tn.putAt("pages/late", time.UnixMicro(1))
			store := must(memory.NewStore(tn.Client, memories, memory.Schema{}))
			require.NoError(t, store.Delete(context.Background(), "pages/a"))
		}
		return nil
	}
	list, err := reader.New(s.client(t, tn), quiet).List(t.Context(), memories)
	require.NoError(t, err)
	require.Equal(t, []string{"pages/a", "pages/b"}, names(list))
	require.Equal(t, []string{"pages/b", "pages/late"}, names(tn.list()))
}

func TestIndexThatMayNotBeRead(t *testing.T) {
	tn, em := newTenantWithRules(t)
	tn.put("pages/a", "pages/b")
	tn.build()
	require.NoError(t, em.LoadRules(t.Context(), `rules_version = '2';
service cloud.firestore {
  match /databases/{database}/documents {
    match /tenants/{t}/memories/{m} { allow read: if request.auth.uid == t; }
  }
}`))
	client, err := em.ClientAs(t.Context(), "acme", nil)
	require.NoError(t, err)
	t.Cleanup(func() { client.Close() })
	r := reader.New(client, quiet)

	list, err := r.List(t.Context(), memories)
	require.NoError(t, err)
	require.Equal(t, []string{"pages/a", "pages/b"}, names(list))
	require.Equal(t, reader.FromScan, list.Receipt.Source)
	require.Equal(t, reader.Unreadable, list.Receipt.Reason)
	require.Contains(t, list.Receipt.Detail, "PermissionDenied")
	require.Equal(t, reader.NotNeeded, list.Receipt.Request, "no build would mend it")
	require.Nil(t, tn.request())

	_, err = r.List(t.Context(), "tenants/other/memories")
	require.ErrorContains(t, err, "list tenants/other/memories")
	require.ErrorContains(t, err, "index cannot be read")
	require.ErrorContains(t, err, "memories cannot be scanned")
	require.Equal(t, codes.PermissionDenied, status.Code(err))
}

func TestPathOfNoCollection(t *testing.T) {
	tn := newTenant(t)
	r := reader.New(tn.Client, quiet)
	for _, path := range []string{"", "tenants", "tenants/acme", "tenants//memories", "/tenants/acme/memories", "tenants/acme/memories/x", "tenants/../memories"} {
		list, err := r.List(t.Context(), path)
		if path == "tenants" {
			require.NoError(t, err) // a collection at the root
			continue
		}
		require.ErrorContains(t, err, "no collection path", path)
		require.Nil(t, list)
	}
}

func TestServerThatIsNotThere(t *testing.T) {
	tn := newTenant(t)
	client := emulatortest.Client(t, tn.Emulator, option.WithEndpoint("passthrough:///127.0.0.1:1"))
	ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
	defer cancel()
	_, err := reader.New(client, quiet).List(ctx, memories)
	require.ErrorIs(t, err, context.DeadlineExceeded)
	require.ErrorContains(t, err, "give the turn more time")
	require.ErrorContains(t, err, "check that the server can be reached")
}
