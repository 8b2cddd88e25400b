package conformance

import (
	"io"

	pb "cloud.google.com/go/firestore/apiv1/firestorepb"
	"github.com/stretchr/testify/require"
	"google.golang.org/grpc/codes"

	"hippocampus/emulator/internal/literal"
)

// numbered is a target with an id.
func numbered(id int32, target *pb.Target) *pb.Target {
	target.TargetId = id
	return target
}

// listenStreams are about streams of several targets, and about targets' ids.
var listenStreams = []Check{
	{
		Name: "a stream has several targets, each with its own results",
		Page: targetProto + ".target_id",
		Run: func(t *T) {
			t.store(docs{"c/a": {"v": one}, "c/b": {"v": literal.Int(2)}, "d/a": {"v": one}})
			l := t.listen()
			l.add(numbered(3, t.queryTarget(from("c"))))
			l.add(numbered(1, t.queryTarget(from("c", where(v("==", one))))))
			l.add(numbered(1000, t.documentTarget("d/a", "c/b")))
			l.shows(3, docs{"c/a": {"v": one}, "c/b": {"v": literal.Int(2)}})
			l.shows(1, docs{"c/a": {"v": one}})
			l.shows(1000, docs{"c/b": {"v": literal.Int(2)}, "d/a": {"v": one}})
			t.commit(t.set("c/b", fields{"v": one}))
			l.untilSnapshot("all targets show the change", func() bool {
				return l.target(3).v("c/b") == 1 && l.target(1).v("c/b") == 1 && l.target(1000).v("c/b") == 1
			})
		},
	},
	{
		Name: "targets of one stream are consistent with each other",
		Page: changeProto + ".read_time",
		Run: func(t *T) {
			t.store(docs{"c/a": {"v": literal.Int(0)}})
			l := t.listen()
			l.add(numbered(1, t.documentTarget("c/a")))
			l.add(numbered(2, t.queryTarget(from("c"))))
			l.shows(1, docs{"c/a": {"v": literal.Int(0)}})
			l.shows(2, docs{"c/a": {"v": literal.Int(0)}})
			l.each = func() { require.Equal(t, l.target(1).v("c/a"), l.target(2).v("c/a"), "%s", l) }
			for i := range int64(20) {
				t.commit(t.set("c/a", fields{"v": literal.Int(i + 1)}))
			}
			l.shows(1, docs{"c/a": {"v": literal.Int(20)}})
			l.shows(2, docs{"c/a": {"v": literal.Int(20)}})
		},
	},
	{
		Name: "snapshots of a stream do not go back in time",
		Page: changeProto + ".read_time",
		Run: func(t *T) {
			l := t.watch(t.queryTarget(from("c")))
			l.shows(1, docs{})
			want := docs{}
			for _, id := range []string{"c/a", "c/b", "c/c", "c/d"} {
				want[id] = nil
				at := t.commit(t.set(id, nil)).GetCommitTime().AsTime()
				l.shows(1, want)
				require.False(t, l.read.AsTime().Before(at))
			}
		},
	},
	{
		Name: "a target that is removed is told of and shows nothing more",
		Page: "proto firestore.proto, ListenRequest.remove_target",
		Run: func(t *T) {
			t.store(docs{"c/a": {"v": one}})
			l := t.listen()
			l.add(numbered(1, t.queryTarget(from("c"))))
			l.add(numbered(2, t.documentTarget("d/end")))
			l.shows(1, docs{"c/a": {"v": one}})
			l.shows(2, docs{})
			l.remove(1)
			l.until("the target is removed", func() bool { return l.target(1).removed })
			require.Equal(t, codes.OK, l.target(1).cause)
			t.commit(t.set("c/a", fields{"v": literal.Int(2)}))
			t.commit(t.set("d/end", nil))
			l.shows(2, docs{"d/end": nil})
			require.Empty(t, l.target(1).docs)
		},
	},
	{
		Name: "the id of a removed target may be used again",
		Page: targetProto + ".target_id",
		Run: func(t *T) {
			t.store(docs{"c/a": {"v": one}, "d/a": {"v": literal.Int(2)}})
			l := t.watch(t.queryTarget(from("c")))
			l.shows(1, docs{"c/a": {"v": one}})
			l.remove(1)
			l.until("the target is removed", func() bool { return l.target(1).removed })
			l.add(numbered(1, t.queryTarget(from("d"))))
			l.shows(1, docs{"d/a": {"v": literal.Int(2)}})
		},
	},
	{
		Name: "removing a target that there is not leaves the others",
		Page: "proto firestore.proto, ListenRequest.remove_target",
		Run: func(t *T) {
			t.store(docs{"c/a": {"v": one}})
			l := t.watch(t.queryTarget(from("c")))
			l.shows(1, docs{"c/a": {"v": one}})
			l.remove(5)
			t.commit(t.set("c/a", fields{"v": literal.Int(2)}))
			l.shows(1, docs{"c/a": {"v": literal.Int(2)}})
		},
	},
	{
		Name: "a target that fails leaves the others",
		Page: changeProto + ".cause",
		Run: func(t *T) {
			t.store(docs{"c/a": {"v": one}})
			l := t.watch(t.queryTarget(from("c")))
			l.shows(1, docs{"c/a": {"v": one}})
			l.add(numbered(2, t.documentTarget("c")))
			l.refused(2)
			t.commit(t.set("c/a", fields{"v": literal.Int(2)}))
			l.shows(1, docs{"c/a": {"v": literal.Int(2)}})
		},
	},
	{
		Name: "a target without an id is given one",
		Page: targetProto + ".target_id",
		Run: func(t *T) {
			t.store(docs{"c/a": {"v": one}})
			l := t.listen()
			l.add(t.queryTarget(from("c")))
			l.until("a target is added", func() bool { return len(l.targets) > 0 })
			for id, w := range l.targets {
				require.True(t, w.added)
				require.NotZero(t, id)
				l.shows(id, docs{"c/a": {"v": one}})
			}
		},
	},
	{
		Name: "targets without an id are given different ones",
		Page: targetProto + ".target_id",
		Run: func(t *T) {
			l := t.listen()
			l.add(t.documentTarget("c/a"))
			l.add(t.documentTarget("c/b"))
			l.until("two targets are current", func() bool {
				n := 0
				for _, w := range l.targets {
					if w.current {
						n++
					}
				}
				return n == 2
			})
		},
	},
	{
		Name: "a target with an id after one without is removed",
		Page: targetProto + ".target_id",
		Run: func(t *T) {
			l := t.listen()
			l.add(t.documentTarget("c/a"))
			l.add(numbered(1000, t.documentTarget("c/b")))
			l.until("the target is removed", func() bool { return l.target(1000).removed })
		},
		Difference: "a target with an id is added after one without",
		Official: func(t *T) {
			l := t.listen()
			l.add(t.documentTarget("c/a"))
			l.add(numbered(1000, t.documentTarget("c/b")))
			l.shows(1000, docs{})
		},
	},
	{
		Name: "a second target of an id is refused",
		Page: targetProto + ".target_id",
		Run: func(t *T) {
			l := t.watch(t.documentTarget("c/a"))
			l.shows(1, docs{})
			l.add(numbered(1, t.documentTarget("c/b")))
			// No code is documented.
			l.refusedAs(1, codes.InvalidArgument, codes.AlreadyExists)
		},
		Difference: "a second target of an id ends the stream with UNKNOWN",
		Official: func(t *T) {
			l := t.watch(t.documentTarget("c/a"))
			l.shows(1, docs{})
			l.add(numbered(1, t.documentTarget("c/b")))
			l.ends(codes.Unknown)
		},
	},
	{
		Name: "a target that is wanted once is removed when it is current",
		Page: targetProto + ".once",
		Run: func(t *T) {
			t.store(docs{"c/a": {"v": one}})
			target := t.queryTarget(from("c"))
			target.Once = true
			l := t.watch(target)
			l.until("the target is current", func() bool { return l.target(1).current })
			require.Equal(t, []string{"set c/a"}, l.target(1).events)
			l.until("the target is removed", func() bool { return l.target(1).removed })
			require.Equal(t, codes.OK, l.target(1).cause)
		},
		Difference: "a target that is wanted once goes on",
		Official: func(t *T) {
			t.store(docs{"c/a": {"v": one}})
			target := t.queryTarget(from("c"))
			target.Once = true
			l := t.watch(target)
			l.shows(1, docs{"c/a": {"v": one}})
			t.commit(t.set("c/b", nil))
			l.shows(1, docs{"c/a": {"v": one}, "c/b": nil})
		},
	},
	refusedTarget("a negative id is refused", func(t *T) *pb.ListenRequest {
		return &pb.ListenRequest{Database: t.Database, TargetChange: &pb.ListenRequest_AddTarget{AddTarget: numbered(-1, t.documentTarget("c/a"))}}
	}),
	refusedTarget("a target of nothing is refused", func(t *T) *pb.ListenRequest {
		return &pb.ListenRequest{Database: t.Database, TargetChange: &pb.ListenRequest_AddTarget{AddTarget: &pb.Target{TargetId: 1}}}
	}),
	refusedTarget("a request of nothing is refused", func(t *T) *pb.ListenRequest {
		return &pb.ListenRequest{Database: t.Database}
	}),
	{
		Name: "a request without a database is refused",
		Page: "proto firestore.proto, ListenRequest.database",
		Run: func(t *T) {
			l := t.listen()
			l.send(&pb.ListenRequest{TargetChange: &pb.ListenRequest_AddTarget{AddTarget: numbered(1, t.documentTarget("c/a"))}})
			l.refused(1)
		},
		Difference: "a request without a database is one of the database that a header names",
		Official: func(t *T) {
			l := t.listen()
			l.send(&pb.ListenRequest{TargetChange: &pb.ListenRequest_AddTarget{AddTarget: numbered(1, t.documentTarget("c/a"))}})
			l.shows(1, docs{})
		},
	},
	{
		Name: "a stream needs no header that names its database",
		Page: "proto firestore.proto, ListenRequest.database",
		Run: func(t *T) {
			l := t.listenWith(t.Ctx)
			l.add(numbered(1, t.documentTarget("c/a")))
			l.shows(1, docs{})
		},
		Difference: "a stream without the header google-cloud-resource-prefix fails with UNKNOWN",
		Official:   func(t *T) { t.listenWith(t.Ctx).ends(codes.Unknown) },
	},
	{
		Name: "a stream whose client is done ends",
		Run: func(t *T) {
			l := t.watch(t.documentTarget("c/a"))
			l.shows(1, docs{})
			require.NoError(t, l.stream.CloseSend())
			for {
				if _, err := l.receive(); err != nil {
					require.ErrorIs(t, err, io.EOF)
					return
				}
			}
		},
	},
}

// refusedTarget checks that a stream refuses a first request.
func refusedTarget(name string, request func(t *T) *pb.ListenRequest) Check {
	return Check{
		Name: name, Page: targetProto,
		Run: func(t *T) {
			l := t.listen()
			l.send(request(t))
			l.refused(request(t).GetAddTarget().GetTargetId())
		},
		Difference: "the stream ends with UNKNOWN",
		Official: func(t *T) {
			l := t.listen()
			l.send(request(t))
			l.ends(codes.Unknown)
		},
	}
}

// v is the integer v of a document that a target shows, or -1.
func (w *watched) v(path string) int64 {
	d, ok := w.docs[path]
	if !ok {
		return -1
	}
	return d.GetFields()["v"].GetIntegerValue()
}
