package conformance

import (
	"math"

	pb "cloud.google.com/go/firestore/apiv1/firestorepb"
	"github.com/stretchr/testify/require"
	"google.golang.org/grpc/codes"
	"google.golang.org/protobuf/types/known/timestamppb"

	"hippocampus/emulator/internal/literal"
)

// aggregated checks the aggregation of the values of a field.
func aggregated(name string, values list, want *pb.Value, a aggregation) Check {
	return Check{Name: name, Page: aggregationProto + ".Aggregation", Run: func(t *T) {
		t.storeEach(values...)
		t.aggregates(fields{a.GetAlias(): want}, from("c"), a)
	}}
}

// sums are about sum and avg, and when aggregations read.
var sums = []Check{
	aggregated("a sum of integers is an integer", list{literal.Int(1), literal.Int(2), literal.Str("x"), literal.Null()}, literal.Int(3), sum("s", "v")),
	aggregated("a sum with a double is a double", list{literal.Int(1), literal.Double(2)}, literal.Double(3), sum("s", "v")),
	aggregated("a sum of nothing is the integer 0", list{literal.Str("x")}, literal.Int(0), sum("s", "v")),
	aggregated("a sum of integers beyond 64 bits is a double", list{literal.Int(math.MaxInt64), literal.Int(1)}, literal.Double(1<<63), sum("s", "v")),
	aggregated("a sum with NaN is NaN", list{literal.Int(1), nan}, nan, sum("s", "v")),
	aggregated("an average is a double", list{literal.Int(1), literal.Int(3), literal.Str("x")}, literal.Double(2), average("s", "v")),
	aggregated("an average of nothing is null", list{literal.Str("x")}, literal.Null(), average("s", "v")),
	{
		Name: "a count reads at a past time",
		Page: "proto firestore.proto, RunAggregationQueryRequest.read_time",
		Run: func(t *T) {
			at := t.store(docs{"c/a": nil, "c/b": nil}).GetCommitTime()
			t.commit(t.remove("c/a"))
			req := t.aggregateRequest(from("c"), count("n"))
			req.ConsistencySelector = &pb.RunAggregationQueryRequest_ReadTime{ReadTime: at}
			answers, err := t.aggregate(req)
			require.NoError(t, err)
			require.EqualValues(t, 2, answers[0].GetResult().GetAggregateFields()["n"].GetIntegerValue())
			require.True(t, at.AsTime().Equal(answers[0].GetReadTime().AsTime()))
			t.counts(1, from("c"))
		},
	},
	{
		Name: "a count begins a transaction and counts in it",
		Page: "proto firestore.proto, RunAggregationQueryRequest.new_transaction",
		Run: func(t *T) {
			t.store(docs{"c/a": nil, "c/b": nil})
			req := t.aggregateRequest(from("c"), count("n"))
			req.ConsistencySelector = &pb.RunAggregationQueryRequest_NewTransaction{NewTransaction: readOnly(nil)}
			answers, err := t.aggregate(req)
			require.NoError(t, err)
			require.NotEmpty(t, answers)
			tx := answers[0].GetTransaction()
			require.NotEmpty(t, tx)
			t.commit(t.remove("c/a"))
			req.ConsistencySelector = &pb.RunAggregationQueryRequest_Transaction{Transaction: tx}
			answers, err = t.aggregate(req)
			require.NoError(t, err)
			require.EqualValues(t, 2, answers[0].GetResult().GetAggregateFields()["n"].GetIntegerValue())
		},
	},
	{
		Name: "a count in the future is refused",
		Page: "proto firestore.proto, RunAggregationQueryRequest.read_time",
		Run: func(t *T) {
			at := t.store(docs{"c/a": nil}).GetCommitTime().AsTime().AddDate(0, 0, 1)
			req := t.aggregateRequest(from("c"), count("n"))
			req.ConsistencySelector = &pb.RunAggregationQueryRequest_ReadTime{ReadTime: timestamppb.New(at)}
			_, err := t.aggregate(req)
			t.fails(codes.InvalidArgument, err)
		},
	},
}
