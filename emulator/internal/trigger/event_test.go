package trigger_test

import (
	"net/http"
	"testing"
	"time"

	"cloud.google.com/go/firestore/apiv1/firestorepb"
	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/proto"

	"hippocampus/emulator/internal/cloudevent"
	"hippocampus/emulator/internal/literal"
	"hippocampus/emulator/internal/store"
	"hippocampus/emulator/internal/trigger"
)

func TestRequestExactly(t *testing.T) {
	q, r := received(t, trigger.Trigger{Name: "a/b?%", EventType: cloudevent.Updated, Database: "(default)", Pattern: "x/{id}"})
	before := document("x/日\n%", 1, map[string]*firestorepb.Value{"n": literal.Int(1)})
	after := document("x/日\n%", 2, map[string]*firestorepb.Value{"n": literal.Int(2)})
	q.Committed("(default)", day, []store.Change{{Path: "x/日\n%", Before: before, After: after}})
	require.NoError(t, q.Settle(t.Context()))
	posts := r.taken()
	require.Len(t, posts, 1)
	got := posts[0]
	require.Equal(t, http.MethodPost, got.method)
	require.Equal(t, "/functions/projects/p/triggers/a%2Fb%3F%25", got.path)
	require.Equal(t, "application/protobuf", got.header.Get("Content-Type"))
	require.Equal(t, "application/protobuf", got.header.Get("Ce-Datacontenttype"))
	require.Equal(t, cloudevent.Updated, got.header.Get("Ce-Type"))
	require.Equal(t, "x/%E6%97%A5%0A%25", got.header.Get("Ce-Document"))
	require.Equal(t, "2026-08-01T02:03:04.000567Z", got.header.Get("Ce-Time"))
	require.Regexp(t, "^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$", got.header.Get("Ce-Id"))

	// The data have the same form on the wire as Firestore's own documents.
	for _, c := range []struct {
		want *firestorepb.Document
		got  proto.Message
	}{{before, got.data.GetOldValue()}, {after, got.data.GetValue()}} {
		encoded, err := proto.Marshal(c.got)
		require.NoError(t, err)
		decoded := &firestorepb.Document{}
		require.NoError(t, proto.Unmarshal(encoded, decoded))
		require.True(t, proto.Equal(c.want, decoded), decoded)
	}
	require.Equal(t, []string{"n"}, got.data.GetUpdateMask().GetFieldPaths())
}

// Each trigger sees its own type of events.
func TestTypes(t *testing.T) {
	old := document("x/1", 1, nil)
	for name, c := range map[string]struct {
		change store.Change
		want   string
	}{
		"created": {store.Change{Path: "x/1", After: old}, "created"},
		"updated": {store.Change{Path: "x/1", Before: old, After: document("x/1", 2, nil)}, "updated"},
		"deleted": {store.Change{Path: "x/1", Before: old}, "deleted"},
	} {
		t.Run(name, func(t *testing.T) {
			q, r := received(t, all("written"))
			for _, kind := range []string{cloudevent.Created, cloudevent.Updated, cloudevent.Deleted} {
				require.NoError(t, q.Add(trigger.Trigger{Name: kind[len("google.cloud.firestore.document.v1."):], EventType: kind, Database: "(default)", Pattern: "x/{id}"}))
			}
			q.Committed("(default)", day, []store.Change{c.change})
			require.NoError(t, q.Settle(t.Context()))
			posts := r.taken()
			require.Len(t, posts, 2)
			require.Equal(t, "/functions/projects/p/triggers/written", posts[0].path)
			require.Equal(t, "/functions/projects/p/triggers/"+c.want, posts[1].path)
			require.Equal(t, c.change.After == nil, posts[0].data.GetValue() == nil)
			require.Equal(t, c.change.Before == nil, posts[0].data.GetOldValue() == nil)
			require.NotNil(t, posts[0].data.GetUpdateMask(), "empty, but there, as on the official emulator")
		})
	}
}

func TestUpdateMask(t *testing.T) {
	type fields = map[string]*firestorepb.Value
	list := func(n ...int64) *firestorepb.Value {
		var all []*firestorepb.Value
		for _, n := range n {
			all = append(all, literal.Int(n))
		}
		return literal.Array(all...)
	}
	vector := func(n ...int64) *firestorepb.Value {
		return literal.Map(fields{"__type__": literal.Str("__vector__"), "value": list(n...)})
	}
	double := literal.Double(1)
	for name, c := range map[string]struct {
		before, after fields
		want          []string
	}{
		"changed, removed, added": {fields{"a": literal.Int(1), "b": literal.Int(1), "same": literal.Int(1)}, fields{"a": literal.Int(2), "c": literal.Int(1), "same": literal.Int(1)}, []string{"a", "b", "c"}},
		"another type":            {fields{"a": literal.Int(1)}, fields{"a": double}, []string{"a"}},
		"inside maps": {
			fields{"m": literal.Map(fields{"a": literal.Int(1), "b": literal.Int(1), "n": literal.Map(fields{"x": literal.Int(1)})})},
			fields{"m": literal.Map(fields{"a": literal.Int(1), "b": literal.Int(2), "n": literal.Map(fields{"y": literal.Int(1)})})},
			[]string{"m.b", "m.n.x", "m.n.y"},
		},
		"a map that was none":      {fields{"m": literal.Int(1)}, fields{"m": literal.Map(fields{"a": literal.Int(1)})}, []string{"m"}},
		"a map that is none now":   {fields{"m": literal.Map(fields{"a": literal.Int(1)})}, fields{"m": literal.Int(1)}, []string{"m"}},
		"a new map":                {nil, fields{"m": literal.Map(fields{"a": literal.Int(1)})}, []string{"m"}},
		"arrays as a whole":        {fields{"l": list(1, 2)}, fields{"l": list(1, 3)}, []string{"l"}},
		"vectors as a whole":       {fields{"v": vector(1, 2)}, fields{"v": vector(1, 3)}, []string{"v"}},
		"names that need quotes":   {fields{"a.b": literal.Int(1)}, fields{"a.b": literal.Int(2), "日": literal.Int(1)}, []string{"`a.b`", "`日`"}},
		"nothing, but update time": {fields{"a": literal.Int(1)}, fields{"a": literal.Int(1)}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			q, r := received(t, all("t"))
			q.Committed("(default)", day, []store.Change{{Path: "x/1", Before: document("x/1", 1, c.before), After: document("x/1", 2, c.after)}})
			require.NoError(t, q.Settle(t.Context()))
			posts := r.taken()
			require.Len(t, posts, 1)
			require.Equal(t, c.want, posts[0].data.GetUpdateMask().GetFieldPaths())
		})
	}
}

// The same changes at the same times have the same ids again; all others differ.
func TestIDs(t *testing.T) {
	ids := func(seed uint64) []string {
		q, r := newQueue(t, trigger.Options{Seed: seed}), &recorder{}
		require.NoError(t, q.Receive(r))
		require.NoError(t, q.Add(all("a")))
		byType := all("b")
		byType.EventType = cloudevent.Created
		require.NoError(t, q.Add(byType))
		other := all("c")
		other.Database = "other"
		require.NoError(t, q.Add(other))
		q.Committed("(default)", day, []store.Change{created("x/1"), created("x/2")})
		q.Committed("(default)", day.Add(time.Microsecond), []store.Change{created("x/1")})
		q.Committed("other", day, []store.Change{created("x/1")})
		require.NoError(t, q.Settle(t.Context()))
		var ids []string
		for _, p := range r.taken() {
			ids = append(ids, p.header.Get("ce-id"))
		}
		require.Len(t, ids, 7)
		return ids
	}
	one := ids(1)
	require.Equal(t, one, ids(1))
	seen := map[string]bool{}
	for _, id := range append(one, ids(2)...) {
		require.False(t, seen[id], "twice")
		seen[id] = true
	}
}
