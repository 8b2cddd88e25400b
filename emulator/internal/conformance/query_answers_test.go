package conformance

import (
	"slices"

	pb "cloud.google.com/go/firestore/apiv1/firestorepb"
	"github.com/stretchr/testify/require"
	"google.golang.org/grpc/codes"
	"google.golang.org/protobuf/types/known/timestamppb"

	"hippocampus/emulator/internal/literal"
)

const (
	answerProto  = "proto firestore.proto, RunQueryResponse"
	requestProto = "proto firestore.proto, RunQueryRequest"
)

// queryAt runs a query at the root with a consistency selector. It has one answer at least, or an
// error.
func (t *T) queryAt(q *pb.StructuredQuery, selector func(*pb.RunQueryRequest)) ([]*pb.RunQueryResponse, error) {
	req := &pb.RunQueryRequest{Parent: t.Root(), QueryType: &pb.RunQueryRequest_StructuredQuery{StructuredQuery: q}}
	selector(req)
	answers, err := all(t.Firestore.RunQuery(t.Ctx, req))
	if err == nil {
		require.NotEmpty(t, answers)
	}
	return answers, err
}

func atTime(at *timestamppb.Timestamp) func(*pb.RunQueryRequest) {
	return func(r *pb.RunQueryRequest) { r.ConsistencySelector = &pb.RunQueryRequest_ReadTime{ReadTime: at} }
}

func inTransaction(tx []byte) func(*pb.RunQueryRequest) {
	return func(r *pb.RunQueryRequest) { r.ConsistencySelector = &pb.RunQueryRequest_Transaction{Transaction: tx} }
}

func inNewTransaction(o *pb.TransactionOptions) func(*pb.RunQueryRequest) {
	return func(r *pb.RunQueryRequest) {
		r.ConsistencySelector = &pb.RunQueryRequest_NewTransaction{NewTransaction: o}
	}
}

// queryAnswers are about the answers of queries and when queries read.
var queryAnswers = []Check{
	{
		Name: "every result has the time at which it was read",
		Page: answerProto + ".read_time",
		Run: func(t *T) {
			at := t.store(docs{"c/a": nil, "c/b": nil}).GetCommitTime().AsTime()
			answers, err := t.query("", from("c"))
			require.NoError(t, err)
			require.Len(t, documents(answers), 2)
			for _, a := range answers {
				require.NoError(t, a.GetReadTime().CheckValid())
				require.False(t, a.GetReadTime().AsTime().Before(at))
			}
		},
	},
	{
		Name: "a query without results answers with the time at which it was read",
		Page: answerProto + ".read_time",
		Run: func(t *T) {
			at := t.commit(t.set("other/a", nil)).GetCommitTime().AsTime()
			answers, err := t.query("", from("c"))
			require.NoError(t, err)
			require.NotEmpty(t, answers)
			require.Empty(t, documents(answers))
			require.False(t, answers[len(answers)-1].GetReadTime().AsTime().Before(at))
		},
	},
	{
		Name: "done is only said by the last answer",
		Page: answerProto + ".done",
		Run: func(t *T) {
			t.storeEach(one, one, one)
			answers, err := t.query("", from("c"))
			require.NoError(t, err)
			require.Len(t, documents(answers), 3)
			i := slices.IndexFunc(answers, (*pb.RunQueryResponse).GetDone)
			require.Contains(t, []int{-1, len(answers) - 1}, i)
		},
	},
	{
		Name: "a result has the times at which its document was created and updated",
		Page: "proto document.proto, Document",
		Run: func(t *T) {
			created := t.commit(t.set("c/a", nil)).GetCommitTime().AsTime()
			updated := t.commit(t.set("c/a", fields{"v": one})).GetCommitTime().AsTime()
			found := t.results("", from("c"))
			require.Len(t, found, 1)
			require.True(t, created.Equal(found[0].GetCreateTime().AsTime()))
			require.True(t, updated.Equal(found[0].GetUpdateTime().AsTime()))
		},
	},
	{
		Name: "a query at a past time finds what there was",
		Page: requestProto + ".read_time",
		Run: func(t *T) {
			at := t.store(docs{"c/a": {"v": one}, "c/b": {"v": literal.Int(2)}}).GetCommitTime()
			t.commit(t.remove("c/a"), t.set("c/b", fields{"v": literal.Int(9)}), t.set("c/c", fields{"v": one}))
			answers, err := t.queryAt(from("c", where(v("<", literal.Int(5)))), atTime(at))
			require.NoError(t, err)
			require.Equal(t, []string{"a", "b"}, ids(documents(answers)))
			require.EqualValues(t, 2, documents(answers)[1].GetFields()["v"].GetIntegerValue())
			require.True(t, at.AsTime().Equal(answers[0].GetReadTime().AsTime()))
			t.finds(from("c", where(v("<", literal.Int(5)))), "c")
		},
	},
	{
		Name: "a query before the first commit finds nothing",
		Page: requestProto + ".read_time",
		Run: func(t *T) {
			at := t.commit(t.set("c/a", nil)).GetCommitTime().AsTime()
			answers, err := t.queryAt(from("c"), atTime(timestamppb.New(at.Add(-1000))))
			require.NoError(t, err)
			require.Empty(t, documents(answers))
		},
	},
	{
		Name: "a query at a time that is no whole microsecond is refused",
		Page: requestProto + ".read_time",
		Run: func(t *T) {
			at := t.commit(t.set("c/a", nil)).GetCommitTime()
			_, err := t.queryAt(from("c"), atTime(&timestamppb.Timestamp{Seconds: at.GetSeconds(), Nanos: at.GetNanos() + 1}))
			t.fails(codes.InvalidArgument, err)
		},
	},
	{
		Name: "a query of more than an hour ago is refused",
		Page: requestProto + ".read_time",
		Run: func(t *T) {
			at := t.commit(t.set("c/a", nil)).GetCommitTime()
			_, err := t.queryAt(from("c"), atTime(&timestamppb.Timestamp{Seconds: at.GetSeconds() - 2*60*60}))
			t.fails(codes.FailedPrecondition, err)
		},
		Difference: "a query of more than an hour ago finds what there was then",
		Official: func(t *T) {
			at := t.commit(t.set("c/a", nil)).GetCommitTime()
			answers, err := t.queryAt(from("c"), atTime(&timestamppb.Timestamp{Seconds: at.GetSeconds() - 2*60*60}))
			require.NoError(t, err)
			require.Empty(t, documents(answers))
		},
	},
	{
		Name: "a query begins a transaction, whose name comes first and alone",
		Page: answerProto + ".transaction",
		Run: func(t *T) {
			t.storeEach(one)
			answers, err := t.queryAt(from("c"), inNewTransaction(readOnly(nil)))
			require.NoError(t, err)
			require.GreaterOrEqual(t, len(answers), 2)
			require.NotEmpty(t, answers[0].GetTransaction())
			require.Nil(t, answers[0].GetDocument())
			require.Nil(t, answers[0].GetReadTime())
			for _, a := range answers[1:] {
				require.Empty(t, a.GetTransaction())
			}
			require.Equal(t, []string{"0"}, ids(documents(answers)))
		},
	},
	{
		Name: "a query that begins a transaction and finds nothing says its name",
		Page: answerProto + ".transaction",
		Run: func(t *T) {
			answers, err := t.queryAt(from("c"), inNewTransaction(readOnly(nil)))
			require.NoError(t, err)
			require.NotEmpty(t, answers[0].GetTransaction())
			require.NoError(t, answers[len(answers)-1].GetReadTime().CheckValid())
		},
	},
	{
		Name: "queries of a read-only transaction see one state",
		Page: requestProto + ".transaction",
		Run: func(t *T) {
			t.store(docs{"c/a": nil})
			answers, err := t.queryAt(from("c"), inNewTransaction(readOnly(nil)))
			require.NoError(t, err)
			tx := answers[0].GetTransaction()
			t.commit(t.remove("c/a"), t.set("c/b", nil))
			answers, err = t.queryAt(from("c"), inTransaction(tx))
			require.NoError(t, err)
			require.Equal(t, []string{"a"}, ids(documents(answers)))
		},
	},
	{
		Name: "a query begins a read-only transaction at a past time",
		Page: "proto common.proto, TransactionOptions.ReadOnly",
		Run: func(t *T) {
			at := t.store(docs{"c/a": nil}).GetCommitTime()
			t.commit(t.remove("c/a"), t.set("c/b", nil))
			answers, err := t.queryAt(from("c"), inNewTransaction(readOnly(at)))
			require.NoError(t, err)
			require.Equal(t, []string{"a"}, ids(documents(answers)))
		},
	},
	{
		Name: "a query begins a transaction that writes",
		Page: requestProto + ".new_transaction",
		Run: func(t *T) {
			t.store(docs{"c/a": nil})
			answers, err := t.queryAt(from("c"), inNewTransaction(readWrite(nil)))
			require.NoError(t, err)
			_, err = t.commitIn(answers[0].GetTransaction(), t.set("c/b", nil))
			require.NoError(t, err)
			t.finds(from("c"), "a", "b")
		},
	},
}
