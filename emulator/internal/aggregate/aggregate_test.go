package aggregate_test

import (
	"math"
	"testing"

	"cloud.google.com/go/firestore/apiv1/firestorepb"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/stretchr/testify/require"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/testing/protocmp"
	"google.golang.org/protobuf/types/known/wrapperspb"

	"hippocampus/emulator/internal/aggregate"
	"hippocampus/emulator/internal/literal"
	"hippocampus/emulator/internal/resource"
)

type aggregation = firestorepb.StructuredAggregationQuery_Aggregation

func count(alias string, upTo ...int64) *aggregation {
	c := &firestorepb.StructuredAggregationQuery_Aggregation_Count{}
	for _, n := range upTo {
		c.UpTo = wrapperspb.Int64(n)
	}
	return &aggregation{Alias: alias, Operator: &firestorepb.StructuredAggregationQuery_Aggregation_Count_{Count: c}}
}

func sum(alias, path string) *aggregation {
	return &aggregation{Alias: alias, Operator: &firestorepb.StructuredAggregationQuery_Aggregation_Sum_{
		Sum: &firestorepb.StructuredAggregationQuery_Aggregation_Sum{Field: literal.Field(path)}}}
}

func average(alias, path string) *aggregation {
	return &aggregation{Alias: alias, Operator: &firestorepb.StructuredAggregationQuery_Aggregation_Avg_{
		Avg: &firestorepb.StructuredAggregationQuery_Aggregation_Avg{Field: literal.Field(path)}}}
}

func compile(aggregations ...*aggregation) (*aggregate.Aggregation, error) {
	db := resource.Database{Project: "p", ID: "(default)"}
	return aggregate.Compile(db, db.Root(), &firestorepb.StructuredAggregationQuery{
		Aggregations: aggregations,
		QueryType: &firestorepb.StructuredAggregationQuery_StructuredQuery{StructuredQuery: &firestorepb.StructuredQuery{
			From: literal.From("c", false),
		}},
	})
}

func TestResults(t *testing.T) {
	for name, tt := range map[string]struct {
		values   []*firestorepb.Value
		sum, avg *firestorepb.Value
	}{
		"nothing":     {nil, literal.Int(0), literal.Null()},
		"no numbers":  {[]*firestorepb.Value{literal.Null()}, literal.Int(0), literal.Null()},
		"integers":    {[]*firestorepb.Value{literal.Int(1), literal.Int(2), literal.Null()}, literal.Int(3), literal.Double(1.5)},
		"a double":    {[]*firestorepb.Value{literal.Int(1), literal.Double(2)}, literal.Double(3), literal.Double(1.5)},
		"an overflow": {[]*firestorepb.Value{literal.Int(math.MaxInt64), literal.Int(1)}, literal.Double(1 << 63), literal.Double(1 << 62)},
		"an overflow on the way": {[]*firestorepb.Value{literal.Int(math.MaxInt64), literal.Int(1), literal.Int(-2)}, literal.Int(math.MaxInt64 - 1),
			literal.Double(float64(math.MaxInt64-1) / 3)},
		"rounding":   {[]*firestorepb.Value{literal.Double(1e100), literal.Double(1), literal.Double(-1e100)}, literal.Double(1), literal.Double(1.0 / 3)},
		"infinities": {[]*firestorepb.Value{literal.Double(math.Inf(1)), literal.Double(math.Inf(-1))}, literal.Double(math.NaN()), literal.Double(math.NaN())},
	} {
		t.Run(name, func(t *testing.T) {
			a, err := compile(count("n"), sum("s", "v"), average("a", "v"))
			require.NoError(t, err)
			for _, v := range tt.values {
				doc := &firestorepb.Document{Fields: map[string]*firestorepb.Value{"v": v}}
				require.True(t, a.Query.Matches("c/d", doc))
				a.Add(doc)
			}
			require.False(t, a.Query.Matches("c/d", &firestorepb.Document{}), "a document without the field does not count")
			want := map[string]*firestorepb.Value{"n": literal.Int(int64(len(tt.values))), "s": tt.sum, "a": tt.avg}
			require.Empty(t, cmp.Diff(want, a.Result().GetAggregateFields(), protocmp.Transform(), cmpopts.EquateNaNs()))
		})
	}
}

func TestCountsStopWhereTheyMay(t *testing.T) {
	for name, tt := range map[string]struct {
		aggregations []*aggregation
		limit        int
	}{
		"bounded":      {[]*aggregation{count("a", 3), count("b", 5)}, 5},
		"one is not":   {[]*aggregation{count("a", 3), count("b")}, -1},
		"one is a sum": {[]*aggregation{count("a", 3), sum("b", "v")}, -1},
	} {
		t.Run(name, func(t *testing.T) {
			a, err := compile(tt.aggregations...)
			require.NoError(t, err)
			require.Equal(t, tt.limit, a.Query.Limit)
		})
	}
}

func TestWrongAggregations(t *testing.T) {
	for name, aggregations := range map[string][]*aggregation{
		"none":        nil,
		"six":         {count("a"), count("b"), count("c"), count("d"), count("e"), count("f")},
		"twice":       {count("a"), count("a")},
		"reserved":    {count("__a__")},
		"no operator": {{Alias: "a"}},
		"up to 0":     {count("a", 0)},
		"no field":    {sum("a", "")},
		"the name":    {average("a", "__name__")},
		"quoted name": {sum("a", "`__name__`")},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := compile(aggregations...)
			require.Equal(t, codes.InvalidArgument, status.Code(err), "%v", err)
		})
	}
}
