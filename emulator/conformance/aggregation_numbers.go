package conformance

import (
	"math"

	pb "cloud.google.com/go/firestore/apiv1/firestorepb"
	"github.com/stretchr/testify/require"
	"google.golang.org/grpc/codes"
	"google.golang.org/protobuf/types/known/timestamppb"

	"hippocampus/emulator/build"
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
	aggregated("a sum of integers is an integer", list{build.Int(1), build.Int(2), build.Str("x"), build.Null()}, build.Int(3), sum("s", "v")),
	aggregated("a sum with a double is a double", list{build.Int(1), build.Double(2)}, build.Double(3), sum("s", "v")),
	aggregated("a sum of nothing is the integer 0", list{build.Str("x")}, build.Int(0), sum("s", "v")),
	aggregated("a sum of integers beyond 64 bits is a double", list{build.Int(math.MaxInt64), build.Int(1)}, build.Double(1<<63), sum("s", "v")),
	aggregated("a sum with NaN is NaN", list{build.Int(1), nan}, nan, sum("s", "v")),
	aggregated("an average is a double", list{build.Int(1), build.Int(3), build.Str("x")}, build.Double(2), average("s", "v")),
	aggregated("an average of nothing is null", list{build.Str("x")}, build.Null(), average("s", "v")),
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
