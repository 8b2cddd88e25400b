package conformance

import (
	pb "cloud.google.com/go/firestore/apiv1/firestorepb"
	"github.com/stretchr/testify/require"
	"google.golang.org/grpc/codes"

	"hippocampus/emulator/internal/literal"
)

// everything is the query for all documents.
func everything() *pb.StructuredQuery {
	return &pb.StructuredQuery{From: literal.From("", true)}
}

// foundQueries are about queries: what random programs found that told the emulators apart.
var foundQueries = []Check{
	{
		Name: "the last answer of a query is done",
		Page: "proto firestore.proto, RunQueryResponse.done",
		Run: func(t *T) {
			t.storeEach(one, one)
			for _, q := range []*pb.StructuredQuery{from("c"), from("c", limitTo(1)), from("c", skip(2)), from("none")} {
				answers, err := t.query("", q)
				require.NoError(t, err)
				for i, a := range answers {
					require.Equal(t, i == len(answers)-1, a.GetDone())
				}
			}
		},
	},
	aggregatedAfterNames("an order by name", func(*T) (string, *pb.StructuredQuery) { return "", from("c", by("__name__")) }),
	aggregatedAfterNames("a filter by name", func(t *T) (string, *pb.StructuredQuery) {
		return "", from("c", where(t.name("==", "c/0")))
	}),
	aggregatedAfterNames("a collection group below a document", func(*T) (string, *pb.StructuredQuery) { return "c/0", group("c") }),
	{
		Name: "a field that is ordered by before the name is aggregated",
		Run: func(t *T) {
			t.storeEach(one, literal.Int(2))
			t.aggregates(fields{"s": literal.Int(3)}, from("c", by("v", "__name__")), sum("s", "v"))
			t.aggregates(fields{"n": literal.Int(2)}, from("c", by("__name__")), count("n"))
		},
	},
	{
		Name: "aggregated fields order a query, by their paths, before its limit and offset",
		Run: func(t *T) {
			t.store(docs{
				"c/1": {"k": one, "a": literal.Int(3), "b": literal.Int(10)}, "c/2": {"k": one, "a": literal.Int(2), "b": literal.Int(30)},
				"c/3": {"k": one, "a": literal.Int(2), "b": literal.Int(20)}, "c/4": {"k": one, "a": literal.Int(4)},
			})
			t.aggregates(fields{"a": literal.Int(2)}, from("c", limitTo(1)), sum("a", "a"))
			t.aggregates(fields{"a": literal.Int(7)}, from("c", skip(2)), sum("a", "a"))
			both := []aggregation{sum("b", "b"), sum("a", "a")}
			t.aggregates(fields{"a": literal.Int(2), "b": literal.Int(20)}, from("c", limitTo(1)), both...)
			t.aggregates(fields{"a": literal.Int(3), "b": literal.Int(10)}, from("c", by("k desc"), limitTo(1)), both...)
			t.aggregates(fields{"a": literal.Int(3), "b": literal.Int(10)}, from("c", by("b"), limitTo(1)), both...)
		},
	},
	{
		Name: "a timestamp is compared in nanoseconds, one in a list, an array or a map in microseconds, as it is stored",
		Run: func(t *T) {
			in := func(v *pb.Value) *pb.Value { return literal.Map(fields{"x": v}) }
			at, stored := literal.Time(1, 1999), literal.Time(1, 1000)
			t.store(docs{"c/t": {"v": stored}, "c/a": {"v": literal.Array(stored)}, "c/m": {"v": in(stored)}, "c/am": {"v": literal.Array(in(stored))}})
			t.matches(v("==", at))
			t.matches(v("<", at), "t")
			t.matches(v("array-contains", at))
			t.matches(v("!=", at), "a", "am", "m", "t")
			t.matches(v("in", literal.Array(at)), "t")
			t.matches(v("not-in", literal.Array(at)), "a", "am", "m")
			t.matches(v("==", literal.Array(at)), "a")
			t.matches(v("==", in(at)), "m")
			t.matches(v("array-contains-any", literal.Array(at)), "a")
			t.matches(v("array-contains", in(at)), "am")
			t.finds(from("c", by("v"), startAt(at)), "a", "am", "m")
			t.finds(from("c", by("v"), startAt(in(at))), "m")
		},
	},
	{
		Name: "all documents can be queried in a transaction",
		Page: "proto firestore.proto, RunQueryRequest.transaction",
		Run: func(t *T) {
			t.store(docs{"c/a": nil, "c/a/d/b": nil})
			answers, err := t.queryAll(t.begin(nil))
			require.NoError(t, err)
			require.Equal(t, []string{"a", "b"}, ids(documents(answers)))
		},
		Difference: "a query of all documents in a transaction fails with UNKNOWN",
		Official: func(t *T) {
			_, err := t.queryAll(t.begin(nil))
			t.fails(codes.Unknown, err)
		},
	},
	{
		Name: "a target of all documents is told of changes",
		Page: targetProto + ".query",
		Run: func(t *T) {
			t.store(docs{"c/a": nil})
			l := t.watch(t.queryTarget(everything()))
			l.shows(1, docs{"c/a": nil})
			t.commit(t.set("d/b", nil))
			l.shows(1, docs{"c/a": nil, "d/b": nil})
		},
		Difference: "a target of all documents is never told of changes",
		Official: func(t *T) {
			t.store(docs{"c/a": nil})
			l := t.watch(t.queryTarget(everything()))
			l.shows(1, docs{"c/a": nil})
			l.add(numbered(2, t.documentTarget("c/a", "d/b")))
			l.shows(2, docs{"c/a": nil})
			t.commit(t.set("d/b", nil))
			l.shows(2, docs{"c/a": nil, "d/b": nil})
			t.commit(t.set("c/a", fields{"v": one}))
			l.shows(2, docs{"c/a": {"v": one}, "d/b": nil})
			require.Equal(t, docs{"c/a": nil}, l.target(1).contents())
		},
	},
	{
		Name: "that a transaction is over is said before that a query has no index",
		Run: func(t *T) {
			tx := t.begin(nil)
			require.NoError(t, t.rollback(tx))
			_, err := all(t.Firestore.RunQuery(t.Ctx, &pb.RunQueryRequest{
				Parent:              t.Root(),
				QueryType:           &pb.RunQueryRequest_StructuredQuery{StructuredQuery: from("c", by("__name__ desc"))},
				ConsistencySelector: &pb.RunQueryRequest_Transaction{Transaction: tx},
			}))
			t.fails(codes.InvalidArgument, err)
		},
	},
}

// queryAll queries all documents in a transaction.
func (t *T) queryAll(transaction []byte) ([]*pb.RunQueryResponse, error) {
	return all(t.Firestore.RunQuery(t.Ctx, &pb.RunQueryRequest{
		Parent: t.Root(), QueryType: &pb.RunQueryRequest_StructuredQuery{StructuredQuery: everything()},
		ConsistencySelector: &pb.RunQueryRequest_Transaction{Transaction: transaction},
	}))
}

// aggregatedAfterNames checks that a field is not aggregated if a query looks at names before.
func aggregatedAfterNames(what string, query func(t *T) (parent string, q *pb.StructuredQuery)) Check {
	return Check{Name: "a sum after " + what + " is refused", Run: func(t *T) {
		parent, q := query(t)
		req := t.aggregateRequest(q, sum("s", "v"))
		req.Parent = t.parent(parent)
		_, err := t.aggregate(req)
		t.fails(codes.InvalidArgument, err)
		req = t.aggregateRequest(q, count("n"))
		req.Parent = t.parent(parent)
		_, err = t.aggregate(req)
		require.NoError(t, err)
	}}
}
