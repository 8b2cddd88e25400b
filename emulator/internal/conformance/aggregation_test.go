package conformance

import (
	"fmt"

	pb "cloud.google.com/go/firestore/apiv1/firestorepb"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/stretchr/testify/require"
	"google.golang.org/grpc/codes"
	"google.golang.org/protobuf/testing/protocmp"
	"google.golang.org/protobuf/types/known/wrapperspb"

	"hippocampus/emulator/internal/literal"
)

const (
	aggregationPage  = "firestore/query-data/aggregation-queries"
	aggregationProto = "proto query.proto, StructuredAggregationQuery"
)

type aggregation = *pb.StructuredAggregationQuery_Aggregation

// count counts under an alias, "" for none.
func count(alias string) aggregation {
	return &pb.StructuredAggregationQuery_Aggregation{Alias: alias, Operator: &pb.StructuredAggregationQuery_Aggregation_Count_{
		Count: &pb.StructuredAggregationQuery_Aggregation_Count{},
	}}
}

// countUpTo counts until a number.
func countUpTo(alias string, n int64) aggregation {
	a := count(alias)
	a.GetCount().UpTo = wrapperspb.Int64(n)
	return a
}

func sum(alias, name string) aggregation {
	return &pb.StructuredAggregationQuery_Aggregation{Alias: alias, Operator: &pb.StructuredAggregationQuery_Aggregation_Sum_{
		Sum: &pb.StructuredAggregationQuery_Aggregation_Sum{Field: literal.Field(name)},
	}}
}

func average(alias, name string) aggregation {
	return &pb.StructuredAggregationQuery_Aggregation{Alias: alias, Operator: &pb.StructuredAggregationQuery_Aggregation_Avg_{
		Avg: &pb.StructuredAggregationQuery_Aggregation_Avg{Field: literal.Field(name)},
	}}
}

// aggregateRequest is a request to aggregate a query at the root.
func (t *T) aggregateRequest(q *pb.StructuredQuery, aggregations ...aggregation) *pb.RunAggregationQueryRequest {
	return &pb.RunAggregationQueryRequest{
		Parent: t.Root(),
		QueryType: &pb.RunAggregationQueryRequest_StructuredAggregationQuery{StructuredAggregationQuery: &pb.StructuredAggregationQuery{
			QueryType: &pb.StructuredAggregationQuery_StructuredQuery{StructuredQuery: q}, Aggregations: aggregations,
		}},
	}
}

// aggregate returns the answers to a request: one at least, or an error.
func (t *T) aggregate(req *pb.RunAggregationQueryRequest) ([]*pb.RunAggregationQueryResponse, error) {
	t.Helper()
	answers, err := all(t.Firestore.RunAggregationQuery(t.Ctx, req))
	if err == nil {
		require.NotEmpty(t, answers)
	}
	return answers, err
}

// aggregates checks the one result of aggregations of a query.
func (t *T) aggregates(want fields, q *pb.StructuredQuery, aggregations ...aggregation) {
	t.Helper()
	answers, err := t.aggregate(t.aggregateRequest(q, aggregations...))
	require.NoError(t, err)
	require.Len(t, answers, 1)
	require.Empty(t, cmp.Diff(want, answers[0].GetResult().GetAggregateFields(), protocmp.Transform(), cmpopts.EquateNaNs()))
	require.NoError(t, answers[0].GetReadTime().CheckValid())
}

// counts checks how many results a query is counted to have.
func (t *T) counts(want int64, q *pb.StructuredQuery) {
	t.Helper()
	t.aggregates(fields{"n": literal.Int(want)}, q, count("n"))
}

// countCheck says how many of c/0 to c/5, whose values v are 0, 1, 1, 1, 2 and 3, a query is
// counted to have.
func countCheck(name string, want int64, q *pb.StructuredQuery) Check {
	return Check{Name: name, Page: aggregationPage, Run: func(t *T) {
		t.storeEach(literal.Int(0), literal.Int(1), literal.Int(1), literal.Int(1), literal.Int(2), literal.Int(3))
		t.counts(want, q)
	}}
}

// aggregationRefused checks that aggregations of c are an invalid argument.
func aggregationRefused(name string, aggregations ...aggregation) Check {
	return Check{Name: name, Page: aggregationProto, Run: func(t *T) {
		t.storeEach(one)
		t.counts(1, from("c"))
		_, err := t.aggregate(t.aggregateRequest(from("c"), aggregations...))
		t.fails(codes.InvalidArgument, err)
	}}
}

// six are one aggregation more than Firestore takes.
var six = []aggregation{count("a"), count("b"), count("c"), count("d"), count("e"), count("f")}

// counting are about counts of the results of queries.
var counting = []Check{
	countCheck("a count counts a collection", 6, from("c")),
	countCheck("a count of nothing is 0", 0, from("none")),
	countCheck("a count counts what passes the filter", 3, from("c", where(v("==", one)))),
	countCheck("a count counts OR once", 5, from("c", where(or(v("==", one), v(">=", one))))),
	countCheck("a count counts no more than the limit", 2, from("c", limitTo(2))),
	countCheck("a count with a limit of 0 is 0", 0, from("c", limitTo(0))),
	countCheck("a count counts from the offset", 4, from("c", skip(2))),
	countCheck("a count with an offset of all is 0", 0, from("c", skip(9))),
	countCheck("a count counts between cursors", 4, from("c", by("v"), startAt(one), endBefore(literal.Int(3)))),
	countCheck("a count with an order leaves out documents without its field", 0, from("c", by("w"))),
	countCheck("a count counts a collection group", 6, group("c")),
	countCheck("a projection does not change a count", 6, from("c", only("absent"))),
	{
		Name: "a count of up to n is at most n",
		Page: aggregationProto + ".Aggregation.Count.up_to",
		Run: func(t *T) {
			t.storeEach(one, one, one)
			t.aggregates(fields{"a": literal.Int(2), "b": literal.Int(3), "c": literal.Int(3)}, from("c"), countUpTo("a", 2), countUpTo("b", 3), countUpTo("c", 1000))
		},
	},
	{
		Name: "a count of up to n counts within the limit",
		Page: aggregationProto + ".Aggregation.Count.up_to",
		Run: func(t *T) {
			t.storeEach(one, one, one)
			t.aggregates(fields{"a": literal.Int(1), "b": literal.Int(2)}, from("c", limitTo(2)), countUpTo("a", 1), countUpTo("b", 5))
		},
	},
	differs(aggregationRefused("a count of up to 0 is refused", countUpTo("a", 0)), "a count of up to 0 is 0", func(t *T) {
		t.storeEach(one)
		t.aggregates(fields{"a": literal.Int(0)}, from("c"), countUpTo("a", 0))
	}),
	aggregationRefused("a count of up to less than 0 is refused", countUpTo("a", -1)),
	{
		Name: "aggregations without an alias are named by number",
		Page: aggregationProto + ".Aggregation.alias",
		Run: func(t *T) {
			t.storeEach(one, one, one, one)
			t.aggregates(fields{"a": literal.Int(1), "field_1": literal.Int(2), "b": literal.Int(3), "field_2": literal.Int(4)}, from("c"),
				countUpTo("a", 1), countUpTo("", 2), countUpTo("b", 3), count(""))
		},
	},
	aggregationRefused("two aggregations of one alias are refused", count("a"), countUpTo("a", 1)),
	aggregationRefused("an aggregation of no operator is refused", &pb.StructuredAggregationQuery_Aggregation{Alias: "a"}),
	aggregationRefused("no aggregation is refused"),
	differs(aggregationRefused("six aggregations are refused", six...), "six aggregations fail with UNKNOWN", func(t *T) {
		_, err := t.aggregate(t.aggregateRequest(from("c"), six...))
		t.fails(codes.Unknown, err)
	}),
	aggregationRefused("a reserved alias is refused", count("__a__")),
	aggregationRefused("a sum of the name is refused", sum("s", "__name__")),
	aggregationRefused("a sum of the name in quotes is refused", sum("s", "`__name__`")),
	{
		Name: "five aggregations are taken",
		Page: aggregationProto,
		Run: func(t *T) {
			t.storeEach(one, one)
			var five []aggregation
			want := fields{}
			for i := range 5 {
				five = append(five, count(fmt.Sprint("a", i)))
				want[fmt.Sprint("a", i)] = literal.Int(2)
			}
			t.aggregates(want, from("c"), five...)
		},
	},
	{
		Name: "an alias may need quotes as a path",
		Page: aggregationProto + ".Aggregation.alias",
		Run: func(t *T) {
			t.storeEach(one)
			t.aggregates(fields{"a b.c": literal.Int(1)}, from("c"), count("a b.c"))
		},
	},
	{
		Name: "an aggregation of a wrong query is refused",
		Page: aggregationProto,
		Run: func(t *T) {
			t.counts(0, from("c", limitTo(1)))
			_, err := t.aggregate(t.aggregateRequest(from("c", limitTo(-1)), count("a")))
			t.fails(codes.InvalidArgument, err)
		},
	},
	{
		Name: "an aggregation without a query is refused",
		Page: aggregationProto,
		Run: func(t *T) {
			_, err := t.aggregate(&pb.RunAggregationQueryRequest{Parent: t.Root()})
			t.fails(codes.InvalidArgument, err)
		},
	},
}
