package conformance

import (
	"time"

	"cloud.google.com/go/firestore/apiv1/firestorepb"
	"github.com/stretchr/testify/require"
	"google.golang.org/grpc/codes"
	"google.golang.org/protobuf/types/known/timestamppb"

	"hippocampus/emulator/internal/literal"
)

const readTimePage = "proto firestore.proto, GetDocumentRequest.read_time"

// readTimes are about reads in the past.
var readTimes = []Check{
	past("a read at the time of a commit sees it", literal.Int(1), func(h history) *timestamppb.Timestamp { return h.created }),
	past("a read before a document's creation does not find it", nil, func(h history) *timestamppb.Timestamp { return later(h.created, -time.Microsecond) }),
	past("a read between two versions sees the earlier", literal.Int(1), func(h history) *timestamppb.Timestamp { return later(h.updated, -time.Microsecond) }),
	past("a read at the time of an update sees it", literal.Int(2), func(h history) *timestamppb.Timestamp { return h.updated }),
	past("a read before a deletion sees the last version", literal.Int(2), func(h history) *timestamppb.Timestamp { return later(h.deleted, -time.Microsecond) }),
	past("a read at the time of a deletion does not find the document", nil, func(h history) *timestamppb.Timestamp { return h.deleted }),
	past("a read between a deletion and a new creation does not find the document", nil, func(h history) *timestamppb.Timestamp { return later(h.again, -time.Microsecond) }),
	past("a read at the time of a new creation finds the new document", literal.Int(3), func(h history) *timestamppb.Timestamp { return h.again }),
	{
		Name: "a version in the past has the times that it had",
		Page: readTimePage,
		Run: func(t *T) {
			h := t.history()
			doc, err := t.at("c/d", later(h.updated, -time.Microsecond))
			require.NoError(t, err)
			t.same(h.created, doc.CreateTime)
			t.same(h.created, doc.UpdateTime)
			doc, err = t.at("c/d", h.updated)
			require.NoError(t, err)
			t.same(h.created, doc.CreateTime)
			t.same(h.updated, doc.UpdateTime)
		},
	},
	{
		Name: "a read in the past has all documents of a commit or none",
		Page: "proto firestore.proto, CommitRequest.writes: atomically",
		Run: func(t *T) {
			at := t.commit(t.set("c/d", nil), t.set("x/y", nil)).CommitTime
			for _, path := range []string{"c/d", "x/y"} {
				_, err := t.at(path, at)
				require.NoError(t, err)
				_, err = t.at(path, later(at, -time.Microsecond))
				t.fails(codes.NotFound, err)
			}
		},
	},
	{
		Name: "a read in the past may have a mask",
		Page: readTimePage,
		Run: func(t *T) {
			at := t.commit(t.set("c/d", fields{"a": literal.Int(1), "b": literal.Int(2)})).CommitTime
			t.commit(t.set("c/d", nil))
			doc, err := t.Firestore.GetDocument(t.Ctx, &firestorepb.GetDocumentRequest{Name: t.Name("c/d"),
				Mask: &firestorepb.DocumentMask{FieldPaths: []string{"b"}}, ConsistencySelector: &firestorepb.GetDocumentRequest_ReadTime{ReadTime: at}})
			require.NoError(t, err)
			t.same(&firestorepb.MapValue{Fields: fields{"b": literal.Int(2)}}, &firestorepb.MapValue{Fields: doc.Fields})
		},
	},
	{
		Name: "a query in the past finds what was there",
		Page: "proto firestore.proto, RunQueryRequest.read_time",
		Run: func(t *T) {
			h := t.history()
			for _, c := range []struct {
				at   *timestamppb.Timestamp
				want []int64
			}{{later(h.created, -time.Microsecond), nil}, {h.created, []int64{1}}, {h.updated, []int64{2}}, {h.deleted, nil}, {h.again, []int64{3}}} {
				answers, err := all(t.Firestore.RunQuery(t.Ctx, &firestorepb.RunQueryRequest{Parent: t.Root(),
					QueryType: &firestorepb.RunQueryRequest_StructuredQuery{StructuredQuery: &firestorepb.StructuredQuery{
						From: literal.From("c", false)}},
					ConsistencySelector: &firestorepb.RunQueryRequest_ReadTime{ReadTime: c.at}}))
				require.NoError(t, err)
				var got []int64
				for _, a := range answers {
					t.same(c.at, a.ReadTime)
					if a.Document != nil {
						got = append(got, a.Document.Fields["n"].GetIntegerValue())
					}
				}
				require.Equal(t, c.want, got)
			}
		},
	},
	{
		Name: "a list in the past has what was there",
		Page: "proto firestore.proto, ListDocumentsRequest.read_time",
		Run: func(t *T) {
			h := t.history()
			for at, want := range map[*timestamppb.Timestamp]int{later(h.created, -time.Microsecond): 0, h.updated: 1, h.deleted: 0, h.again: 1} {
				res, err := t.Firestore.ListDocuments(t.Ctx, &firestorepb.ListDocumentsRequest{Parent: t.Root(), CollectionId: "c",
					ConsistencySelector: &firestorepb.ListDocumentsRequest_ReadTime{ReadTime: at}})
				require.NoError(t, err)
				require.Len(t, res.Documents, want)
			}
		},
	},
	{
		Name: "the collections in the past are those that were there",
		Page: "proto firestore.proto, ListCollectionIdsRequest.read_time",
		Run: func(t *T) {
			at := t.commit(t.set("a/d", nil)).CommitTime
			t.commit(t.set("b/d", nil), t.remove("a/d"))
			res, err := t.Firestore.ListCollectionIds(t.Ctx, &firestorepb.ListCollectionIdsRequest{Parent: t.Root(),
				ConsistencySelector: &firestorepb.ListCollectionIdsRequest_ReadTime{ReadTime: at}})
			require.NoError(t, err)
			require.Equal(t, []string{"a"}, res.CollectionIds)
		},
	},
	{
		Name: "a read in the past stays the same while others write",
		Page: readTimePage,
		Run: func(t *T) {
			at := t.commit(t.set("c/d", fields{"n": literal.Int(0)})).CommitTime
			want, err := t.at("c/d", at)
			require.NoError(t, err)
			for n := range int64(10) {
				t.commit(t.set("c/d", fields{"n": literal.Int(n + 1)}))
				got, err := t.at("c/d", at)
				require.NoError(t, err)
				t.same(want, got)
			}
		},
	},
	refusesTime("a time in the future", codes.InvalidArgument, func(at *timestamppb.Timestamp) *timestamppb.Timestamp { return later(at, time.Hour) }),
	loose("any past time can be read, also one of before the emulator was started",
		refusesTime("a time more than an hour ago", codes.FailedPrecondition, func(at *timestamppb.Timestamp) *timestamppb.Timestamp { return later(at, -61*time.Minute) }),
		func(t *T) {
			_, err := t.at("c/d", later(t.commit(t.set("c/d", nil)).CommitTime, -61*time.Minute))
			t.fails(codes.NotFound, err)
		}),
	refusesTime("a time that is not aligned to microseconds", codes.InvalidArgument, func(at *timestamppb.Timestamp) *timestamppb.Timestamp { return later(at, time.Nanosecond) }),
	refusesTime("a time that is none", codes.InvalidArgument, func(*timestamppb.Timestamp) *timestamppb.Timestamp { return &timestamppb.Timestamp{Nanos: -1} }),
}

// history are the times of document c/d: created {n: 1}, updated {n: 2}, deleted, created again {n:
// 3}.
type history struct{ created, updated, deleted, again *timestamppb.Timestamp }

func (t *T) history() history {
	return history{
		created: t.commit(t.set("c/d", fields{"n": literal.Int(1)})).CommitTime,
		updated: t.commit(t.set("c/d", fields{"n": literal.Int(2)})).CommitTime,
		deleted: t.commit(t.remove("c/d")).CommitTime,
		again:   t.commit(t.set("c/d", fields{"n": literal.Int(3)})).CommitTime,
	}
}

// past is the check of what field n of a document was at a time of its history; nil means that it
// was missing.
func past(name string, want *firestorepb.Value, when func(history) *timestamppb.Timestamp) Check {
	return Check{
		Name: name,
		Page: readTimePage,
		Run: func(t *T) {
			doc, err := t.at("c/d", when(t.history()))
			if want == nil {
				t.fails(codes.NotFound, err)
				return
			}
			require.NoError(t, err)
			t.is(want, doc.Fields["n"])
		},
	}
}

// refusesTime is the check that a document cannot be read at a time.
func refusesTime(what string, code codes.Code, when func(now *timestamppb.Timestamp) *timestamppb.Timestamp) Check {
	return Check{
		Name: what + " is refused",
		Page: readTimePage + ": microsecond precision within the past hour",
		Run: func(t *T) {
			at := when(t.commit(t.set("c/d", nil)).CommitTime)
			_, err := t.at("c/d", at)
			t.fails(code, err)
			_, err = all(t.Firestore.BatchGetDocuments(t.Ctx, &firestorepb.BatchGetDocumentsRequest{Database: t.Database, Documents: []string{t.Name("c/d")},
				ConsistencySelector: &firestorepb.BatchGetDocumentsRequest_ReadTime{ReadTime: at}}))
			t.fails(code, err)
		},
	}
}

// at is the read of a document at a time.
func (t *T) at(path string, at *timestamppb.Timestamp) (*firestorepb.Document, error) {
	return t.Firestore.GetDocument(t.Ctx, &firestorepb.GetDocumentRequest{Name: t.Name(path),
		ConsistencySelector: &firestorepb.GetDocumentRequest_ReadTime{ReadTime: at}})
}
