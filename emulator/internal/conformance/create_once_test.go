package conformance

import (
	"cloud.google.com/go/firestore/apiv1/firestorepb"
	"github.com/stretchr/testify/require"
	"google.golang.org/grpc/codes"
	"google.golang.org/protobuf/types/known/timestamppb"

	"hippocampus/emulator/internal/literal"
)

// createOnce are about preconditions of documents that are created, deleted, and written more than
// once.
var createOnce = []Check{
	{
		Name: "a document that must not exist is created",
		Page: preconditionPage,
		Run: func(t *T) {
			t.commit(onlyIf(false, t.set("c/d", fields{"a": literal.Int(1)})))
			t.has("c/d", fields{"a": literal.Int(1)})
		},
	},
	{
		Name: "a deleted document may be created as one that must not exist",
		Page: preconditionPage,
		Run: func(t *T) {
			t.commit(t.set("c/d", fields{"a": literal.Int(1)}))
			t.commit(t.remove("c/d"))
			t.commit(onlyIf(false, t.set("c/d", fields{"a": literal.Int(2)})))
			t.has("c/d", fields{"a": literal.Int(2)})
		},
	},
	{
		Name: "a deletion that must find its document deletes it",
		Page: preconditionPage,
		Run: func(t *T) {
			t.commit(t.set("c/d", nil))
			t.commit(onlyIf(true, t.remove("c/d")))
			require.Nil(t, t.get("c/d"))
		},
	},
	{
		Name: "a deletion at the document's update time deletes it",
		Page: preconditionPage,
		Run: func(t *T) {
			at := t.commit(t.set("c/d", nil)).WriteResults[0].UpdateTime
			t.commit(onlyAt(at, t.remove("c/d")))
			require.Nil(t, t.get("c/d"))
		},
	},
	{
		Name: "a deletion of a missing document that must not exist succeeds",
		Page: preconditionPage,
		Run: func(t *T) {
			t.commit(onlyIf(false, t.remove("c/d")))
			require.Nil(t, t.get("c/d"))
		},
	},
	{
		Name: "a precondition sees what earlier writes of the commit made",
		Page: "proto firestore.proto, CommitRequest.writes: in order",
		Run: func(t *T) {
			t.commit(onlyIf(false, t.set("c/d", fields{"a": literal.Int(1)})), onlyIf(true, t.merge("c/d", fields{"b": literal.Int(2)}, "b")))
			t.has("c/d", fields{"a": literal.Int(1), "b": literal.Int(2)})
			t.commit(t.remove("c/d"), onlyIf(false, t.set("c/d", fields{"a": literal.Int(3)})))
			t.has("c/d", fields{"a": literal.Int(3)})
		},
	},
	{
		Name: "a precondition on one document prevents the writes of others",
		Page: "proto firestore.proto, CommitRequest.writes: atomically",
		Run: func(t *T) {
			_, err := t.tryCommit(t.set("c/d", nil), onlyIf(true, t.set("c/missing", nil)), t.set("c/e", nil))
			t.fails(codes.NotFound, err)
			for _, path := range []string{"c/d", "c/missing", "c/e"} {
				require.Nil(t, t.get(path))
			}
		},
	},
	contradicts("creating a document that an earlier write of the commit wrote", func(t *T, _ *timestamppb.Timestamp) []*firestorepb.Write {
		return []*firestorepb.Write{t.set("c/missing", nil), onlyIf(false, t.set("c/missing", nil))}
	}),
	contradicts("creating a document twice in a commit", func(t *T, _ *timestamppb.Timestamp) []*firestorepb.Write {
		return []*firestorepb.Write{onlyIf(false, t.set("c/missing", nil)), onlyIf(false, t.set("c/missing", nil))}
	}),
	contradicts("requiring a document that an earlier write of the commit deleted", func(t *T, _ *timestamppb.Timestamp) []*firestorepb.Write {
		return []*firestorepb.Write{t.remove("c/d"), onlyIf(true, t.set("c/d", nil))}
	}),
	contradicts("requiring the update time of a document that an earlier write of the commit deleted", func(t *T, at *timestamppb.Timestamp) []*firestorepb.Write {
		return []*firestorepb.Write{t.remove("c/d"), onlyAt(at, t.set("c/d", nil))}
	}),
	contradicts("requiring the update time of a document that an earlier write of the commit wrote", func(t *T, at *timestamppb.Timestamp) []*firestorepb.Write {
		return []*firestorepb.Write{t.set("c/d", fields{"a": literal.Int(2)}), onlyAt(at, t.set("c/d", nil))}
	}),
	{
		Name: "two writes of a commit may require the same update time of a document",
		Run: func(t *T) {
			at := t.commit(t.set("c/d", nil)).CommitTime
			t.commit(onlyAt(at, t.merge("c/d", fields{"a": literal.Int(1)}, "a")), onlyAt(at, t.merge("c/d", fields{"b": literal.Int(2)}, "b")))
			t.has("c/d", fields{"a": literal.Int(1), "b": literal.Int(2)})
		},
	},
}

// contradicts is the check that a commit is refused whose writes of one document cannot all have
// what they require.
func contradicts(what string, w func(t *T, at *timestamppb.Timestamp) []*firestorepb.Write) Check {
	return Check{
		Name: what + " is refused",
		Run: func(t *T) {
			at := t.commit(t.set("c/d", fields{"a": literal.Int(1)})).CommitTime
			_, err := t.tryCommit(w(t, at)...)
			t.fails(codes.InvalidArgument, err)
			t.has("c/d", fields{"a": literal.Int(1)})
			require.Nil(t, t.get("c/missing"))
		},
	}
}
