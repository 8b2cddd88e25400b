package conformance

import (
	"time"

	"cloud.google.com/go/firestore/apiv1/firestorepb"
	"github.com/stretchr/testify/require"
	"google.golang.org/grpc/codes"

	"hippocampus/emulator/internal/literal"
)

const batchWritePage = "proto firestore.proto, BatchWriteRequest.writes"

// batchWrites are about writes that are sent together but do not depend on each other.
var batchWrites = []Check{
	{
		Name: "every write has a result and a status",
		Page: "proto firestore.proto, BatchWriteResponse",
		Run: func(t *T) {
			res := t.batchWrite(t.set("c/d", fields{"a": literal.Int(1)}), t.set("c/e", fields{"a": literal.Int(2)}))
			require.Len(t, res.WriteResults, 2)
			require.Len(t, res.Status, 2)
			for i, path := range []string{"c/d", "c/e"} {
				require.Zero(t, res.Status[i].GetCode())
				t.same(t.get(path).UpdateTime, res.WriteResults[i].UpdateTime)
			}
		},
	},
	{
		Name: "a failing write does not stop the others",
		Page: batchWritePage + ": succeeds or fails independently",
		Run: func(t *T) {
			t.commit(t.set("c/there", nil))
			res := t.batchWrite(t.set("c/a", nil), onlyIf(true, t.set("c/missing", nil)), onlyIf(false, t.set("c/there", nil)), t.set("c/b", nil))
			t.statuses(res, codes.OK, codes.NotFound, codes.AlreadyExists, codes.OK)
			require.NotNil(t, t.get("c/a"))
			require.NotNil(t, t.get("c/b"))
			require.Nil(t, t.get("c/missing"))
		},
	},
	{
		Name: "a failed write has an empty result",
		Page: "proto firestore.proto, BatchWriteResponse.write_results",
		Run: func(t *T) {
			res := t.batchWrite(onlyIf(true, t.set("c/missing", nil)), t.set("c/d", nil))
			t.same(&firestorepb.WriteResult{}, res.WriteResults[0])
			require.NotNil(t, res.WriteResults[1].UpdateTime)
		},
	},
	{
		Name: "a write at another update time fails alone",
		Page: batchWritePage,
		Run: func(t *T) {
			at := t.commit(t.set("c/d", nil)).CommitTime
			t.statuses(t.batchWrite(onlyAt(later(at, -time.Second), t.set("c/d", fields{"a": literal.Int(1)})), t.set("c/e", nil)),
				codes.FailedPrecondition, codes.OK)
			t.has("c/d", nil)
		},
	},
	{
		Name: "writing a document twice is refused and nothing is written",
		Page: batchWritePage + ": cannot write to the same document more than once",
		Run: func(t *T) {
			_, err := t.Firestore.BatchWrite(t.Ctx, &firestorepb.BatchWriteRequest{
				Database: t.Database, Writes: []*firestorepb.Write{t.set("c/d", nil), t.set("c/e", nil), t.remove("c/d")}})
			t.fails(codes.InvalidArgument, err)
			require.Nil(t, t.get("c/d"))
			require.Nil(t, t.get("c/e"))
		},
	},
	{
		Name: "a malformed write is refused and nothing is written",
		Run: func(t *T) {
			_, err := t.Firestore.BatchWrite(t.Ctx, &firestorepb.BatchWriteRequest{
				Database: t.Database, Writes: []*firestorepb.Write{t.set("c/d", nil), t.set("c", nil)}})
			t.fails(codes.InvalidArgument, err)
			require.Nil(t, t.get("c/d"))
		},
	},
	{
		Name: "deletions, merges and transforms may be in a batch",
		Page: batchWritePage,
		Run: func(t *T) {
			t.commit(t.set("c/d", nil), t.set("c/e", fields{"a": literal.Int(1)}))
			res := t.batchWrite(t.remove("c/d"), t.merge("c/e", fields{"b": literal.Int(2)}, "b"), t.transform("c/f", literal.Increment("n", literal.Int(3))))
			t.statuses(res, codes.OK, codes.OK, codes.OK)
			require.Nil(t, t.get("c/d"))
			t.has("c/e", fields{"a": literal.Int(1), "b": literal.Int(2)})
			t.has("c/f", fields{"n": literal.Int(3)})
			t.is(literal.Int(3), res.WriteResults[2].TransformResults[0])
		},
	},
	{
		Name: "a batch may have labels",
		Page: "proto firestore.proto, BatchWriteRequest.labels",
		Run: func(t *T) {
			_, err := t.Firestore.BatchWrite(t.Ctx, &firestorepb.BatchWriteRequest{
				Database: t.Database, Writes: []*firestorepb.Write{t.set("c/d", nil)}, Labels: map[string]string{"a": "b"}})
			require.NoError(t, err)
			require.NotNil(t, t.get("c/d"))
		},
	},
	{
		Name: "an empty batch succeeds",
		Run: func(t *T) {
			res := t.batchWrite()
			require.Empty(t, res.WriteResults)
			require.Empty(t, res.Status)
		},
	},
	{
		Name: "a write that changes nothing keeps the update time",
		Page: writeResultPage,
		Run: func(t *T) {
			at := t.commit(t.set("c/d", fields{"a": literal.Int(1)})).CommitTime
			t.same(at, t.batchWrite(t.set("c/d", fields{"a": literal.Int(1)})).WriteResults[0].UpdateTime)
		},
	},
	{
		Name: "many documents may be in a batch",
		Run: func(t *T) {
			var writes []*firestorepb.Write
			for i := range 300 {
				writes = append(writes, t.set("c/"+autoID(i), nil))
			}
			require.Len(t, t.batchWrite(writes...).WriteResults, 300)
			require.NotNil(t, t.get("c/"+autoID(299)))
		},
	},
}

// batchWrite sends writes that do not depend on each other.
func (t *T) batchWrite(writes ...*firestorepb.Write) *firestorepb.BatchWriteResponse {
	t.Helper()
	res, err := t.Firestore.BatchWrite(t.Ctx, &firestorepb.BatchWriteRequest{Database: t.Database, Writes: writes})
	require.NoError(t, err)
	return res
}

// statuses checks the codes of a batch's writes.
func (t *T) statuses(res *firestorepb.BatchWriteResponse, want ...codes.Code) {
	t.Helper()
	require.Len(t, res.Status, len(want))
	for i, code := range want {
		require.Equal(t, code, codes.Code(res.Status[i].GetCode()), "write %d: %v", i, res.Status[i])
	}
}
