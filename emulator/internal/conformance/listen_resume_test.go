package conformance

import (
	"slices"

	pb "cloud.google.com/go/firestore/apiv1/firestorepb"
	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/testing/protocmp"

	"hippocampus/emulator/internal/literal"
)

// resumed opens a stream that goes on with target 1 of another, whose results it begins with.
func (l *listener) resumed(target *pb.Target) *listener {
	l.t.Helper()
	next := l.t.listen()
	w := next.target(1)
	for path, d := range l.target(1).docs {
		w.docs[path] = d
	}
	next.add(numbered(1, target))
	return next
}

// fromToken resumes a target at a token.
func fromToken(target *pb.Target, token []byte) *pb.Target {
	target.ResumeType = &pb.Target_ResumeToken{ResumeToken: token}
	return target
}

// resumes checks that a target, which showed c/a and c/b, tells after a change only what changed.
func resumes(name, page string, target func(t *T) *pb.Target, resume func(l *listener, target *pb.Target) *pb.Target) Check {
	run := func(t *T, only bool) {
		t.store(docs{"c/a": {"v": one}, "c/b": {"v": one}})
		l := t.watch(target(t))
		l.shows(1, docs{"c/a": {"v": one}, "c/b": {"v": one}})
		t.commit(t.set("c/b", fields{"v": literal.Int(2)}))
		next := l.resumed(resume(l, target(t)))
		next.shows(1, docs{"c/a": {"v": one}, "c/b": {"v": literal.Int(2)}})
		if only {
			require.Equal(t, []string{"set c/b"}, next.target(1).events)
		} else {
			require.Equal(t, []string{"reset", "set c/a", "set c/b"}, next.target(1).events)
		}
		t.commit(t.set("c/a", fields{"v": literal.Int(3)}))
		next.shows(1, docs{"c/a": {"v": literal.Int(3)}, "c/b": {"v": literal.Int(2)}})
	}
	return Check{
		Name: name, Page: page, Run: func(t *T) { run(t, true) },
		Difference: "a target that is resumed is reset and tells everything",
		Official:   func(t *T) { run(t, false) },
	}
}

func allOf(t *T) *pb.Target { return t.queryTarget(from("c")) }

func aAndB(t *T) *pb.Target { return t.documentTarget("c/a", "c/b") }

func atToken(l *listener, target *pb.Target) *pb.Target { return fromToken(target, l.target(1).token) }

func atReadTime(l *listener, target *pb.Target) *pb.Target {
	target.ResumeType = &pb.Target_ReadTime{ReadTime: l.read}
	return target
}

// listenResume are about targets that go on where others were.
var listenResume = []Check{
	resumes("a query that is resumed at a token tells what changed", targetProto+".resume_token", allOf, atToken),
	resumes("a query that is resumed at a time tells what changed", targetProto+".read_time", allOf, atReadTime),
	resumes("documents that are resumed at a token tell what changed", targetProto+".resume_token", aAndB, atToken),
	resumes("documents that are resumed at a time tell what changed", targetProto+".read_time", aAndB, atReadTime),
	{
		Name: "a query that is resumed tells what is gone, by name or by number",
		Page: "proto write.proto, ExistenceFilter",
		Run: func(t *T) {
			t.store(docs{"c/a": {"v": one}, "c/b": {"v": one}, "c/c": {"v": one}})
			l := t.watch(allOf(t))
			l.shows(1, docs{"c/a": {"v": one}, "c/b": {"v": one}, "c/c": {"v": one}})
			t.commit(t.remove("c/b"), t.remove("c/c"))
			next := l.resumed(atToken(l, allOf(t)))
			next.untilSnapshot("the two are gone", func() bool {
				w := next.target(1)
				return w.current && (w.filter == 1 || cmp.Equal(docs{"c/a": {"v": one}}, w.contents(), protocmp.Transform()))
			})
		},
	},
	{
		Name: "documents that are resumed tell what is gone",
		Page: "proto write.proto, DocumentDelete",
		Run: func(t *T) {
			t.store(docs{"c/a": {"v": one}, "c/b": {"v": one}})
			l := t.watch(aAndB(t))
			l.shows(1, docs{"c/a": {"v": one}, "c/b": {"v": one}})
			t.commit(t.remove("c/b"))
			next := l.resumed(atToken(l, aAndB(t)))
			next.shows(1, docs{"c/a": {"v": one}})
			require.True(t, slices.Contains(next.target(1).events, "gone c/b"), "%s", next)
		},
	},
	{
		Name: "a query that is resumed without a change tells nothing",
		Page: targetProto + ".resume_token",
		Run: func(t *T) {
			t.store(docs{"c/a": {"v": one}, "c/b": {"v": one}})
			l := t.watch(allOf(t))
			l.shows(1, docs{"c/a": {"v": one}, "c/b": {"v": one}})
			next := l.resumed(atToken(l, allOf(t)))
			next.shows(1, docs{"c/a": {"v": one}, "c/b": {"v": one}})
			require.Empty(t, next.target(1).events)
		},
		Difference: "a target that is resumed is reset and tells everything",
		Official: func(t *T) {
			t.store(docs{"c/a": {"v": one}, "c/b": {"v": one}})
			l := t.watch(allOf(t))
			l.shows(1, docs{"c/a": {"v": one}, "c/b": {"v": one}})
			next := l.resumed(atToken(l, allOf(t)))
			next.shows(1, docs{"c/a": {"v": one}, "c/b": {"v": one}})
			require.Equal(t, []string{"reset", "set c/a", "set c/b"}, next.target(1).events)
		},
	},
	{
		Name: "a query that is resumed tells what ceased to match",
		Page: targetProto + ".resume_token",
		Run: func(t *T) {
			low := func() *pb.Target { return t.queryTarget(from("c", where(v("<", literal.Int(5))))) }
			t.store(docs{"c/a": {"v": one}, "c/b": {"v": one}})
			l := t.watch(low())
			l.shows(1, docs{"c/a": {"v": one}, "c/b": {"v": one}})
			t.commit(t.set("c/b", fields{"v": literal.Int(9)}))
			next := l.resumed(atToken(l, low()))
			next.untilSnapshot("c/b is gone", func() bool {
				w := next.target(1)
				return w.current && (w.filter == 1 || cmp.Equal(docs{"c/a": {"v": one}}, w.contents(), protocmp.Transform()))
			})
		},
	},
	{
		Name: "a query may be resumed on the stream that it was removed from",
		Page: targetProto + ".resume_token",
		Run: func(t *T) {
			t.store(docs{"c/a": {"v": one}})
			l := t.watch(allOf(t))
			l.shows(1, docs{"c/a": {"v": one}})
			token := l.target(1).token
			l.remove(1)
			l.until("the target is removed", func() bool { return l.target(1).removed })
			t.commit(t.set("c/b", nil))
			l.target(2).docs["c/a"] = t.get("c/a")
			l.add(numbered(2, fromToken(allOf(t), token)))
			l.shows(2, docs{"c/a": {"v": one}, "c/b": nil})
		},
	},
	{
		Name: "a token grows with the snapshots",
		Page: changeProto + ".resume_token",
		Run: func(t *T) {
			t.store(docs{"c/a": {"v": one}})
			l := t.watch(allOf(t))
			l.shows(1, docs{"c/a": {"v": one}})
			first := l.target(1).token
			t.commit(t.set("c/b", nil))
			l.shows(1, docs{"c/a": {"v": one}, "c/b": nil})
			require.NotEqual(t, first, l.target(1).token)
		},
	},
}
