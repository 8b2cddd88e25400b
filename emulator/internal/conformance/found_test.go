package conformance

import (
	pb "cloud.google.com/go/firestore/apiv1/firestorepb"
	"github.com/stretchr/testify/require"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/types/known/timestamppb"

	"hippocampus/emulator/internal/literal"
)

// found are about writes and lists: what random programs found that told the emulators apart.
var found = []Check{
	{
		Name: "all writes of a document in a commit return what the last one leaves",
		Run: func(t *T) {
			res := t.commit(t.set("c/a", nil), t.remove("c/a"))
			require.Nil(t, res.WriteResults[0].UpdateTime)
			require.Nil(t, res.WriteResults[1].UpdateTime)
			res = t.commit(t.remove("c/a"), t.set("c/a", fields{"v": one}))
			t.same(res.CommitTime, res.WriteResults[0].UpdateTime)
			t.same(res.CommitTime, res.WriteResults[1].UpdateTime)
			next := t.commit(t.set("c/a", fields{"v": literal.Int(2)}), t.set("c/a", fields{"v": one}))
			t.same(res.CommitTime, next.WriteResults[0].UpdateTime)
			t.same(res.CommitTime, next.WriteResults[1].UpdateTime)
		},
	},
	refusedFirst("an insert after an insert", func(t *T) []*pb.Write {
		return []*pb.Write{onlyIf(false, t.set("c/a", nil)), onlyIf(false, t.set("c/a", nil))}
	}),
	refusedFirst("an update after a deletion", func(t *T) []*pb.Write {
		return []*pb.Write{onlyIf(true, t.remove("c/none")), onlyIf(true, t.set("c/none", nil))}
	}),
	refusedFirst("a version after none", func(t *T) []*pb.Write {
		return []*pb.Write{onlyIf(true, t.set("c/none", nil)), onlyAt(t.get("c/a").UpdateTime, t.set("c/none", nil))}
	}),
	{
		Name: "two deletions in a commit may be for one version",
		Run: func(t *T) {
			at := t.commit(t.set("c/a", nil)).CommitTime
			t.commit(onlyAt(at, t.remove("c/a")), onlyAt(at, t.remove("c/a")))
			require.Nil(t, t.get("c/a"))
		},
	},
	deletedVersion("a write for the version that a deletion left is refused", func(t *T, at *timestamppb.Timestamp) *pb.Write {
		return onlyAt(at, t.set("c/a", nil))
	}, "the version is found, and then no document: NOT_FOUND", codes.NotFound),
	deletedVersion("a deletion for the version that a deletion left is refused", func(t *T, at *timestamppb.Timestamp) *pb.Write {
		return onlyAt(at, t.remove("c/a"))
	}, "the deletion succeeds", codes.OK),
	{
		Name: "a field of no name that the mask does not cover is refused",
		Page: "proto document.proto, Document.fields",
		Run: func(t *T) {
			_, err := t.tryCommit(t.merge("c/a", fields{"": one, "v": one}, "v"))
			t.fails(codes.InvalidArgument, err)
		},
		Difference: "a field of no name that the mask does not cover is ignored",
		Official: func(t *T) {
			t.commit(t.merge("c/a", fields{"": one, "v": one}, "v"))
			t.has("c/a", fields{"v": one})
		},
	},
	{
		Name: "a list in the order of quoted fields",
		Page: listProto + ".order_by",
		Run: func(t *T) {
			t.store(docs{
				"c/a": {"m x": literal.Int(2), "a,b": one, "`\\": one}, "c/b": {"m x": one, "a,b": literal.Int(2), "`\\": one}, "c/c": {"m x": one},
			})
			t.lists(orderBy("`m x` desc"), "a", "c", "b")
			t.lists(orderBy("`a,b`, `m x`"), "a", "b")
			t.lists(orderBy("`\\`\\\\`, `a,b` desc"), "b", "a")
		},
	},
	{
		Name: "spaces around an order of a list do not matter",
		Page: "google.aip.dev/132, ordering",
		Run: func(t *T) {
			t.storeEach(one, literal.Int(2))
			t.lists(orderBy(" v  desc "), "1", "0")
		},
		Difference: "a list whose order begins with a space is refused",
		Official: func(t *T) {
			_, err := t.list(orderBy(" v desc"))
			t.fails(codes.InvalidArgument, err)
			t.storeEach(one, literal.Int(2))
			t.lists(orderBy("v  desc"), "1", "0")
		},
	},
	{
		Name: "a full page has no token if nothing is left",
		Page: "proto firestore.proto, ListDocumentsResponse.next_page_token",
		Run: func(t *T) {
			t.store(docs{"c/a": nil, "c/b": nil})
			require.Empty(t, t.lists(pageOf(2), "a", "b").GetNextPageToken())
		},
		Difference: "a full page has a token, if only for a page of nothing",
		Official: func(t *T) {
			t.store(docs{"c/a": nil, "c/b": nil})
			token := t.lists(pageOf(2), "a", "b").GetNextPageToken()
			require.NotEmpty(t, token)
			require.Empty(t, t.lists(func(r *pb.ListDocumentsRequest) { r.PageSize, r.PageToken = 2, token }).GetNextPageToken())
		},
	},
}

func orderBy(order string) func(*pb.ListDocumentsRequest) {
	return func(r *pb.ListDocumentsRequest) { r.OrderBy = order }
}

func pageOf(size int32) func(*pb.ListDocumentsRequest) {
	return func(r *pb.ListDocumentsRequest) { r.PageSize = size }
}

// refusedFirst checks that writes which contradict each other are refused as that, though the first one fails, too.
func refusedFirst(what string, writes func(t *T) []*pb.Write) Check {
	return Check{Name: what + " contradicts it before documents are looked at", Run: func(t *T) {
		t.commit(t.set("c/a", nil))
		_, err := t.tryCommit(writes(t)...)
		t.fails(codes.InvalidArgument, err)
	}}
}

// deletedVersion checks that a write of the document c/a at the time of its deletion fails.
func deletedVersion(name string, write func(t *T, at *timestamppb.Timestamp) *pb.Write, difference string, official codes.Code) Check {
	run := func(want codes.Code) func(t *T) {
		return func(t *T) {
			t.commit(t.set("c/a", nil))
			_, err := t.tryCommit(write(t, t.commit(t.remove("c/a")).CommitTime))
			require.Equal(t, want, status.Code(err), "%v", err)
		}
	}
	return Check{
		Name: name, Page: preconditionPage + ", update_time: the document must exist", Run: run(codes.FailedPrecondition),
		Difference: difference, Official: run(official),
	}
}
