package conformance

import (
	"cloud.google.com/go/firestore/apiv1/firestorepb"
	"github.com/stretchr/testify/require"
	"google.golang.org/grpc/codes"

	"hippocampus/emulator/internal/literal"
)

const (
	commitPage      = "proto firestore.proto, CommitRequest.writes"
	writeResultPage = "proto write.proto, WriteResult.update_time"
)

// commits are about several writes at once and what they return.
var commits = []Check{
	{
		Name: "a commit returns a result for each write",
		Page: "proto firestore.proto, CommitResponse.write_results",
		Run: func(t *T) {
			require.Len(t, t.commit(t.set("c/d", nil), t.remove("c/e"), t.set("c/f", nil)).WriteResults, 3)
		},
	},
	{
		Name: "a write's update time is the commit's time and the document's",
		Page: writeResultPage,
		Run: func(t *T) {
			res := t.commit(t.set("c/d", nil), t.set("c/e", nil))
			for i, path := range []string{"c/d", "c/e"} {
				t.same(res.CommitTime, res.WriteResults[i].UpdateTime)
				t.same(res.CommitTime, t.get(path).UpdateTime)
			}
		},
	},
	{
		Name: "commit times have microseconds",
		Page: "proto common.proto, Precondition.update_time: microsecond aligned",
		Run: func(t *T) {
			for range 5 {
				require.Zero(t, t.commit(t.set("c/d", nil)).CommitTime.Nanos%1000)
			}
		},
	},
	{
		Name: "commit times increase",
		Page: "proto document.proto, Document.update_time",
		Run: func(t *T) {
			last := t.commit(t.set("c/d", fields{"n": literal.Int(-1)})).CommitTime
			for n := range int64(20) {
				at := t.commit(t.set("c/d", fields{"n": literal.Int(n)})).CommitTime
				t.before(last, at)
				last = at
			}
		},
	},
	{
		Name: "a deletion returns no update time",
		Page: writeResultPage + ": not set after a delete",
		Run: func(t *T) {
			t.commit(t.set("c/d", nil))
			require.Nil(t, t.commit(t.remove("c/d")).WriteResults[0].UpdateTime)
		},
	},
	{
		Name: "a commit without writes succeeds",
		Page: "proto firestore.proto, CommitResponse.commit_time",
		Run: func(t *T) {
			res := t.commit()
			require.Empty(t, res.WriteResults)
			require.NotNil(t, res.CommitTime)
		},
		Difference: "a commit without writes has no commit time",
		Official: func(t *T) {
			res := t.commit()
			require.Empty(t, res.WriteResults)
			require.Nil(t, res.CommitTime)
		},
	},
	{
		Name: "a deletion of a missing document succeeds",
		Run:  func(t *T) { require.NotNil(t, t.commit(t.remove("c/d")).CommitTime) },
	},
	{
		Name: "writes of one document in a commit apply in order",
		Page: commitPage + ": in order",
		Run: func(t *T) {
			t.commit(t.set("c/d", fields{"a": literal.Int(1)}), t.merge("c/d", fields{"b": literal.Int(2)}, "b"), t.merge("c/d", nil, "a"))
			t.has("c/d", fields{"b": literal.Int(2)})
		},
	},
	{
		Name: "a document that a commit writes and then deletes is gone",
		Page: commitPage + ": in order",
		Run: func(t *T) {
			t.commit(t.set("c/d", fields{"a": literal.Int(1)}), t.remove("c/d"))
			require.Nil(t, t.get("c/d"))
		},
	},
	{
		Name: "a document that a commit deletes and then writes has only what was written",
		Page: commitPage + ": in order",
		Run: func(t *T) {
			t.commit(t.set("c/d", fields{"a": literal.Int(1)}))
			t.commit(t.remove("c/d"), t.merge("c/d", fields{"b": literal.Int(2)}, "b"))
			t.has("c/d", fields{"b": literal.Int(2)})
		},
	},
	{
		Name: "a commit with a malformed write writes nothing",
		Page: commitPage + ": atomically",
		Run: func(t *T) {
			_, err := t.tryCommit(t.set("c/d", nil), t.set("c/e", fields{"a": literal.Array(literal.Array())}))
			t.fails(codes.InvalidArgument, err)
			require.Nil(t, t.get("c/d"))
		},
	},
	{
		Name: "the documents of a commit get one update time",
		Page: "proto firestore.proto, CommitResponse.commit_time",
		Run: func(t *T) {
			t.commit(t.set("c/d", nil), t.set("c/d/s/e", nil), t.set("x/y", nil))
			t.same(t.get("c/d").UpdateTime, t.get("c/d/s/e").UpdateTime)
			t.same(t.get("c/d").UpdateTime, t.get("x/y").UpdateTime)
		},
	},
	{
		Name: "more than 500 writes may be in a commit",
		Page: "firestore/quotas: no limit of writes, since 2023",
		Run: func(t *T) {
			var writes []*firestorepb.Write
			for range 501 {
				writes = append(writes, t.set("c/"+autoID(len(writes)), nil))
			}
			require.Len(t, t.commit(writes...).WriteResults, 501)
			require.NotNil(t, t.get("c/"+autoID(500)))
		},
	},
	{
		Name: "a document without its parents can be written",
		Page: "firestore/data-model: subcollections",
		Run: func(t *T) {
			t.commit(t.set("a/b/c/d", fields{"x": literal.Int(1)}))
			t.has("a/b/c/d", fields{"x": literal.Int(1)})
			require.Nil(t, t.get("a/b"))
		},
	},
	{
		Name: "deleting a document leaves those below it",
		Page: "firestore/manage-data/delete-data: does not delete its subcollections",
		Run: func(t *T) {
			t.commit(t.set("a/b", nil), t.set("a/b/c/d", fields{"x": literal.Int(1)}))
			t.commit(t.remove("a/b"))
			require.Nil(t, t.get("a/b"))
			t.has("a/b/c/d", fields{"x": literal.Int(1)})
		},
	},
	unchanged("an update to what a document is", func(t *T) *firestorepb.Write { return t.set("c/d", fields{"a": literal.Int(1)}) }),
	unchanged("a masked update to what a field is", func(t *T) *firestorepb.Write { return t.merge("c/d", fields{"a": literal.Int(1)}, "a") }),
	unchanged("a masked removal of what is not there", func(t *T) *firestorepb.Write { return t.merge("c/d", nil, "b") }),
	unchanged("an update with an empty mask", func(t *T) *firestorepb.Write { return t.merge("c/d", nil) }),
	unchanged("an increment by zero", func(t *T) *firestorepb.Write { return t.transform("c/d", literal.Increment("a", literal.Int(0))) }),
	unchanged("a maximum with less", func(t *T) *firestorepb.Write { return t.transform("c/d", literal.Maximum("a", literal.Int(0))) }),
	changed("an integer replaced by an equal double", fields{"a": literal.Int(1)}, fields{"a": literal.Double(1)}),
	changed("zero replaced by negative zero", fields{"a": literal.Double(0)}, fields{"a": literal.Double(negativeZero)}),
	changed("a string replaced by equal bytes", fields{"a": literal.Str("a")}, fields{"a": literal.Bytes("a")}),
	{
		Name: "a NaN replaced by a NaN keeps the update time",
		Page: writeResultPage,
		Run: func(t *T) {
			first := t.commit(t.set("c/d", fields{"a": nan}))
			t.same(first.CommitTime, t.commit(t.set("c/d", fields{"a": nan})).WriteResults[0].UpdateTime)
		},
	},
}

// unchanged is the check that a write of document c/d, which is {a: 1}, keeps its update time.
func unchanged(what string, w func(t *T) *firestorepb.Write) Check {
	return Check{
		Name: what + " keeps the update time",
		Page: writeResultPage + ": if the write did not change the document, the previous one",
		Run: func(t *T) {
			first := t.commit(t.set("c/d", fields{"a": literal.Int(1)}))
			res := t.commit(w(t))
			t.same(first.CommitTime, res.WriteResults[0].UpdateTime)
			t.same(first.CommitTime, t.get("c/d").UpdateTime)
			t.before(first.CommitTime, res.CommitTime)
		},
	}
}

// changed is the check that a difference in type or content is a change.
func changed(what string, before, after fields) Check {
	return Check{
		Name: what + " is a change",
		Page: writeResultPage,
		Run: func(t *T) {
			first := t.commit(t.set("c/d", before))
			res := t.commit(t.set("c/d", after))
			t.before(first.CommitTime, res.WriteResults[0].UpdateTime)
			t.is(after["a"], t.get("c/d").Fields["a"])
		},
	}
}
