package conformance

import (
	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/testing/protocmp"

	"hippocampus/emulator/internal/literal"
)

const (
	listenPage  = "firestore/query-data/listen"
	targetProto = "proto firestore.proto, Target"
	changeProto = "proto firestore.proto, TargetChange"
)

// listenDocuments are about targets of documents.
var listenDocuments = []Check{
	{
		Name: "a document is shown as it is, then the target is current, then all is consistent",
		Page: changeProto + ".TargetChangeType",
		Run: func(t *T) {
			at := t.store(docs{"c/a": {"v": one}}).GetCommitTime().AsTime()
			l := t.watch(t.documentTarget("c/a"))
			l.until("the target is added", func() bool { return l.target(1).added })
			l.until("the document comes", func() bool { return len(l.target(1).docs) == 1 })
			require.False(t, l.target(1).current)
			require.Empty(t, cmp.Diff(t.get("c/a"), l.target(1).docs["c/a"], protocmp.Transform()))
			l.until("the target is current", func() bool { return l.target(1).current })
			l.untilSnapshot("a snapshot", func() bool { return true })
			require.False(t, l.read.AsTime().Before(at))
			require.NotEmpty(t, l.target(1).token)
		},
	},
	{
		Name: "a missing document is said to be gone",
		Page: "proto write.proto, DocumentDelete",
		Run: func(t *T) {
			l := t.watch(t.documentTarget("c/none"))
			l.shows(1, docs{})
			require.Equal(t, []string{"gone c/none"}, l.target(1).events)
		},
	},
	{
		Name: "a document is shown once it is created, changed, deleted and created again",
		Page: listenPage,
		Run: func(t *T) {
			l := t.watch(t.documentTarget("c/a"))
			l.shows(1, docs{})
			t.commit(t.set("c/a", fields{"v": one}))
			l.shows(1, docs{"c/a": {"v": one}})
			t.commit(t.set("c/a", fields{"w": one}))
			l.shows(1, docs{"c/a": {"w": one}})
			t.commit(t.remove("c/a"))
			l.shows(1, docs{})
			t.commit(t.set("c/a", fields{"v": one}))
			l.shows(1, docs{"c/a": {"v": one}})
		},
	},
	{
		Name: "a snapshot is not older than the change that it shows",
		Page: changeProto + ".read_time",
		Run: func(t *T) {
			l := t.watch(t.documentTarget("c/a"))
			l.shows(1, docs{})
			at := t.commit(t.set("c/a", fields{"v": one})).GetCommitTime().AsTime()
			l.shows(1, docs{"c/a": {"v": one}})
			require.False(t, l.read.AsTime().Before(at))
			require.True(t, at.Equal(l.target(1).docs["c/a"].GetUpdateTime().AsTime()))
		},
	},
	{
		Name: "several documents are one target",
		Page: targetProto + ".DocumentsTarget",
		Run: func(t *T) {
			t.store(docs{"c/a": {"v": one}, "d/x/e/b": {"v": literal.Int(2)}, "c/other": nil})
			l := t.watch(t.documentTarget("c/a", "d/x/e/b", "c/none"))
			l.shows(1, docs{"c/a": {"v": one}, "d/x/e/b": {"v": literal.Int(2)}})
			t.commit(t.set("c/none", nil), t.remove("c/a"))
			l.shows(1, docs{"c/none": nil, "d/x/e/b": {"v": literal.Int(2)}})
		},
	},
	{
		Name: "a document named twice is shown once",
		Page: targetProto + ".DocumentsTarget.documents",
		Run: func(t *T) {
			t.store(docs{"c/a": {"v": one}})
			l := t.watch(t.documentTarget("c/a", "c/a"))
			l.shows(1, docs{"c/a": {"v": one}})
			require.Equal(t, []string{"set c/a"}, l.target(1).events)
		},
	},
	{
		Name: "changes of other documents are not told",
		Page: listenPage,
		Run: func(t *T) {
			t.store(docs{"c/a": {"v": one}})
			l := t.watch(t.documentTarget("c/a"))
			l.shows(1, docs{"c/a": {"v": one}})
			t.commit(t.set("c/b", nil))
			t.commit(t.set("c/a/c/a", nil), t.set("d/a", nil))
			t.commit(t.set("c/a", fields{"v": literal.Int(2)}))
			l.shows(1, docs{"c/a": {"v": literal.Int(2)}})
			require.Equal(t, []string{"set c/a", "set c/a"}, l.target(1).events)
		},
	},
	{
		Name: "a target of no documents is current at once",
		Run: func(t *T) {
			l := t.watch(t.documentTarget())
			l.shows(1, docs{})
			require.Empty(t, l.target(1).events)
		},
	},
	{
		Name: "a target of a collection's name is removed as an invalid argument",
		Page: targetProto + ".DocumentsTarget.documents",
		Run:  func(t *T) { t.watch(t.documentTarget("c")).refused(1) },
	},
	{
		Name: "a write that changes nothing is not told",
		Page: "proto write.proto, WriteResult.update_time",
		Run: func(t *T) {
			t.store(docs{"c/a": {"v": one}, "c/b": nil})
			l := t.watch(t.documentTarget("c/a", "c/b"))
			l.shows(1, docs{"c/a": {"v": one}, "c/b": nil})
			t.commit(t.set("c/a", fields{"v": one}))
			t.commit(t.set("c/b", fields{"v": one}))
			l.shows(1, docs{"c/a": {"v": one}, "c/b": {"v": one}})
			require.Equal(t, 1, l.target(1).told("set c/a"), "%q", l.target(1).events)
		},
		Difference: "a write that changes nothing is told",
		Official: func(t *T) {
			t.store(docs{"c/a": {"v": one}})
			l := t.watch(t.documentTarget("c/a"))
			l.shows(1, docs{"c/a": {"v": one}})
			t.commit(t.set("c/a", fields{"v": one}))
			l.until("the write is told", func() bool { return l.target(1).told("set c/a") == 2 })
		},
	},
	{
		Name: "a document of another database is refused",
		Page: targetProto + ".DocumentsTarget.documents",
		Run: func(t *T) {
			target := t.documentTarget("c/a")
			target.GetDocuments().Documents = []string{"projects/demo-other/databases/(default)/documents/c/a"}
			t.watch(target).refused(1)
		},
		Difference: "a document of another database is said to be gone",
		Official: func(t *T) {
			target := t.documentTarget("c/a")
			target.GetDocuments().Documents = []string{"projects/demo-other/databases/(default)/documents/c/a"}
			t.watch(target).shows(1, docs{})
		},
	},
	{
		Name: "documents of one commit are shown at one snapshot",
		Page: "firestore/manage-data/transactions",
		Run: func(t *T) {
			t.store(docs{"c/a": {"v": literal.Int(0)}, "c/b": {"v": literal.Int(0)}})
			l := t.watch(t.documentTarget("c/a", "c/b"))
			l.pairwise(1)
		},
	},
}

// told is how often something was said.
func (w *watched) told(event string) int {
	n := 0
	for _, e := range w.events {
		if e == event {
			n++
		}
	}
	return n
}

// pairwise changes c/a and c/b in commits of both and checks that every snapshot shows them alike.
func (l *listener) pairwise(id int32) {
	l.t.Helper()
	l.shows(id, docs{"c/a": {"v": literal.Int(0)}, "c/b": {"v": literal.Int(0)}})
	seen := 0
	l.each = func() {
		d := l.target(id).docs
		require.Equal(l.t, d["c/a"].GetFields()["v"].GetIntegerValue(), d["c/b"].GetFields()["v"].GetIntegerValue(), "%s", l)
		seen++
	}
	for i := range int64(20) {
		l.t.commit(l.t.set("c/a", fields{"v": literal.Int(i + 1)}), l.t.set("c/b", fields{"v": literal.Int(i + 1)}))
	}
	l.shows(id, docs{"c/a": {"v": literal.Int(20)}, "c/b": {"v": literal.Int(20)}})
	require.Positive(l.t, seen)
}
