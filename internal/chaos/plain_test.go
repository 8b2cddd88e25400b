package chaos

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"cloud.google.com/go/firestore"
	"github.com/googleapis/google-cloudevents-go/cloud/firestoredata"
	"github.com/stretchr/testify/require"
	"google.golang.org/api/iterator"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"

	"hippocampus/index"
	"hippocampus/internal/mutant"
	"hippocampus/memory"
)

// plain is an index as one would first think of it: each event merges
// entries.{id} = date into a shard, a deletion removes the field, and the repair
// scans the store and rewrites the shards, where it drops what is not in the store
// and older than the scan.
var plain = system{
	hook:         plainHook,
	build:        plainRepair,
	compact:      func(context.Context, *firestore.Client, string) error { return nil },
	isSuperseded: func(error) bool { return false },
	list:         plainList,

	patience: hangTimeout,
}

const plainEntries = "entries"

// The schedules find that the plain hook and the plain repair are wrong.
func TestPlainHookAndRepair(t *testing.T) {
	outcome, err := runSchedules(t.Context(), plain, &Options{First: *first, Count: 10, Firestore: firestoreOf(t)})
	require.NoError(t, err)
	require.Equal(t, 10, outcome.Completed)
	for _, f := range outcome.Found {
		require.Contains(t, f.Text, mutant.Differs)
	}
	t.Logf("%d of 10 schedules find a difference", len(outcome.Found))
	require.Greater(t, len(outcome.Found), 5)
}

func plainHook(client *firestore.Client) (hook, error) {
	return hook{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var data firestoredata.DocumentEventData
		body, err := io.ReadAll(r.Body)
		if err == nil {
			err = proto.Unmarshal(body, &data)
		}
		if err == nil {
			err = plainEvent(r.Context(), client, &data, r.Header.Get("Ce-Document"))
		}
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
		}
	})}, nil
}

func plainEvent(ctx context.Context, client *firestore.Client, data *firestoredata.DocumentEventData, header string) error {
	name := data.GetValue().GetName()
	if name == "" {
		name = data.GetOldValue().GetName()
	}
	ref := client.Doc(header)
	if name != "" {
		ref = client.Doc(relativeName(name))
	}
	var date any = firestore.Delete
	switch {
	case data.GetValue() != nil:
		version := memory.MicrosOf(data.GetValue().GetUpdateTime().AsTime())
		var field any
		if stamp := data.GetValue().GetFields()[memory.DefaultDateField].GetTimestampValue(); stamp != nil {
			field = stamp.AsTime()
		}
		date = memory.Date(field, version).Time()
	case data.GetOldValue() == nil:
		now, err := ref.Get(ctx)
		if err != nil && status.Code(err) != codes.NotFound {
			return err
		}
		if now.Exists() {
			date = memory.Date(now.Data()[memory.DefaultDateField], memory.MicrosOf(now.UpdateTime)).Time()
		}
	}
	collection, err := index.Path(relativeName(ref.Parent.Path))
	if err != nil {
		return err
	}
	_, err = client.Collection(collection).Doc(index.ShardID(index.ShardNumber(ref.ID, index.Shards))).
		Set(ctx, map[string]any{plainEntries: map[string]any{ref.ID: date}}, firestore.Merge(firestore.FieldPath{plainEntries, ref.ID}))
	return err
}

func plainRepair(ctx context.Context, client *firestore.Client, memories string, o repairOptions) error {
	path, err := index.Path(memories)
	if err != nil {
		return err
	}
	store, err := memory.NewStore(client, memories, memory.Schema{})
	if err != nil {
		return err
	}
	started, err := client.Collection(path).Doc(index.MetaID).Get(ctx)
	if err != nil && status.Code(err) != codes.NotFound {
		return err
	}
	shards := make([]map[string]any, index.Shards)
	for i := range shards {
		shards[i] = map[string]any{}
	}
	err = store.Scan(ctx, &memory.ScanOptions{Page: o.page}, func(r memory.Record) error {
		shards[index.ShardNumber(r.ID, index.Shards)][r.ID] = r.Date.Time()
		return nil
	})
	if err != nil {
		return err
	}
	before, err := readPlain(ctx, client, path)
	if err != nil {
		return err
	}
	for id, date := range before.entries {
		if shard := shards[index.ShardNumber(id, index.Shards)]; date.After(started.ReadTime) {
			shard[id] = date
		}
	}
	return client.RunTransaction(ctx, func(_ context.Context, tx *firestore.Transaction) error {
		for i, entries := range shards {
			ref := client.Collection(path).Doc(index.ShardID(i))
			if err := tx.Set(ref, map[string]any{plainEntries: entries}); err != nil {
				return err
			}
		}
		return tx.Set(client.Collection(path).Doc(index.MetaID), map[string]any{"scan_started": started.ReadTime})
	})
}

type plainIndex struct {
	entries     map[string]time.Time
	scanStarted time.Time // zero if there is no meta
}

func readPlain(ctx context.Context, client *firestore.Client, path string) (plainIndex, error) {
	p := plainIndex{entries: map[string]time.Time{}}
	docs := client.Collection(path).Documents(ctx)
	defer docs.Stop()
	for {
		doc, err := docs.Next()
		if errors.Is(err, iterator.Done) {
			return p, nil
		}
		if err != nil {
			return p, err
		}
		if isMeta(doc) {
			p.scanStarted = doc.Data()["scan_started"].(time.Time)
		}
		entries, _ := doc.Data()[plainEntries].(map[string]any)
		for id, date := range entries {
			p.entries[id] = date.(time.Time)
		}
	}
}

func plainList(ctx context.Context, client *firestore.Client, memories string) (listing, error) {
	path, err := index.Path(memories)
	if err != nil {
		return listing{}, err
	}
	p, err := readPlain(ctx, client, path)
	if err != nil {
		return listing{}, err
	}
	l := listing{fromIndex: !p.scanStarted.IsZero(), scanStarted: memory.MicrosOf(p.scanStarted)}
	var entries []index.Entry
	for id, date := range p.entries {
		entries = append(entries, index.EntryOf(memory.Base64URL, memory.Record{ID: id, Date: memory.MicrosOf(date)}))
	}
	index.Sort(entries)
	l.lines = linesOf(entries)
	return l, nil
}

// relativeName returns a full name relative to its database.
func relativeName(name string) string {
	_, relative, _ := strings.Cut(name, "/documents/")
	return relative
}
