package conformance

import (
	"cloud.google.com/go/firestore/apiv1/firestorepb"
	"github.com/stretchr/testify/require"

	"hippocampus/emulator/internal/literal"
)

const createTimePage = "proto document.proto, Document.create_time"

// createTimes are about when documents were created and updated.
var createTimes = []Check{
	{
		Name: "a new document was updated when it was created",
		Page: "proto document.proto, Document.update_time: initially the create_time",
		Run: func(t *T) {
			at := t.commit(t.set("c/d", nil)).CommitTime
			t.same(at, t.get("c/d").CreateTime)
			t.same(at, t.get("c/d").UpdateTime)
		},
	},
	kept("replacing a document", func(t *T) *firestorepb.Write { return t.set("c/d", fields{"a": literal.Int(2)}) }),
	kept("a masked update", func(t *T) *firestorepb.Write { return t.merge("c/d", fields{"a": literal.Int(2)}, "a") }),
	kept("a transform", func(t *T) *firestorepb.Write { return t.transform("c/d", literal.Increment("a", literal.Int(2))) }),
	{
		Name: "a document that is deleted and written again has a later create time",
		Page: createTimePage + ": increases when deleted then recreated",
		Run: func(t *T) {
			first := t.commit(t.set("c/d", nil)).CommitTime
			deleted := t.commit(t.remove("c/d")).CommitTime
			again := t.commit(t.set("c/d", nil)).CommitTime
			t.before(first, deleted)
			t.before(deleted, again)
			t.same(again, t.get("c/d").CreateTime)
		},
	},
	{
		Name: "writing below a document does not update it",
		Run: func(t *T) {
			at := t.commit(t.set("c/d", nil)).CommitTime
			t.commit(t.set("c/d/s/e", nil))
			t.same(at, t.get("c/d").UpdateTime)
		},
	},
	{
		Name: "a read's time is not before the update times that it returns",
		Page: createTimePage + ": can be compared to the read_time",
		Run: func(t *T) {
			at := t.commit(t.set("c/d", nil)).CommitTime
			answers, err := all(t.Firestore.BatchGetDocuments(t.Ctx, &firestorepb.BatchGetDocumentsRequest{
				Database: t.Database, Documents: []string{t.Name("c/d")}}))
			require.NoError(t, err)
			require.False(t, answers[0].ReadTime.AsTime().Before(at.AsTime()))
		},
	},
}

// kept is the check that a write of document c/d, which is {a: 1}, keeps its create time.
func kept(what string, w func(t *T) *firestorepb.Write) Check {
	return Check{
		Name: what + " keeps the create time",
		Page: createTimePage,
		Run: func(t *T) {
			first := t.commit(t.set("c/d", fields{"a": literal.Int(1)})).CommitTime
			second := t.commit(w(t)).CommitTime
			doc := t.get("c/d")
			t.same(first, doc.CreateTime)
			t.same(second, doc.UpdateTime)
			t.before(first, second)
		},
	}
}
