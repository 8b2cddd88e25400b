package conformance

import (
	pb "cloud.google.com/go/firestore/apiv1/firestorepb"
	"github.com/stretchr/testify/require"
	"google.golang.org/grpc/codes"
	"google.golang.org/protobuf/types/known/timestamppb"

	"hippocampus/emulator/internal/literal"
)

const queryProto = "proto query.proto, StructuredQuery"

// wrongQueries are queries that Firestore refuses for something other than a filter.
var wrongQueries = []Check{
	refused("a negative limit is refused", queryProto+".limit", from("c", limitTo(-1))),
	refused("a negative offset is refused", queryProto+".offset", from("c", skip(-1))),
	refused("an order of no field is refused", queryProto+".Order", from("c", by(""))),
	refused("two orders of one field are refused", "", from("c", by("v", "v desc"))),
	refused("an order after that of names is refused", "", from("c", by("__name__", "v"))),
	refused("a path with an empty segment is refused in an order", queryProto+".FieldReference", from("c", by("a..b"))),
	refused("a path with an empty segment is refused in a projection", queryProto+".FieldReference", from("c", only("a..b"))),
	refused("a projection of no field's name is refused", queryProto+".FieldReference", from("c", only(""))),
	refused("an order of a reserved field is refused", "proto document.proto, Document.fields", from("c", by("__secret__"))),
	refused("two collections are refused", queryProto+".from", &pb.StructuredQuery{From: []*pb.StructuredQuery_CollectionSelector{{CollectionId: "c"}, {CollectionId: "d"}}}),
	refused("a collection id with a slash is refused", queryProto+".CollectionSelector", from("c/a/d")),
	refused("a reserved collection id is refused", "firestore/quotas", from("__c__")),
	refused("a start of more values than orders is refused", queryProto+".start_at", from("c", by("v"), startAt(one, one, one))),
	refused("an end of more values than orders is refused", queryProto+".end_at", from("c", by("v"), endAt(one, one, one))),
	refused("a start of a value without an order, which is a name's place, is refused", queryProto+".start_at", from("c", startAt(one))),
	refused("a start at a name of a string is refused", queryProto+".start_at", from("c", by("__name__"), startAt(literal.Str("a")))),
	{
		Name: "a parent that is a collection is refused",
		Page: "proto firestore.proto, RunQueryRequest.parent",
		Run: func(t *T) {
			_, err := t.query("c", from("d"))
			t.fails(codes.InvalidArgument, err)
		},
	},
	{
		Name: "a parent that is no name is refused",
		Page: "proto firestore.proto, RunQueryRequest.parent",
		Run: func(t *T) {
			for _, parent := range []string{"", "c", t.Database, t.Root() + "/", "projects/p"} {
				_, err := all(t.Firestore.RunQuery(t.Ctx, &pb.RunQueryRequest{
					Parent: parent, QueryType: &pb.RunQueryRequest_StructuredQuery{StructuredQuery: from("c")},
				}))
				t.fails(codes.InvalidArgument, err)
			}
		},
	},
	{
		Name: "a request without a query is refused",
		Page: "proto firestore.proto, RunQueryRequest.query_type",
		Run: func(t *T) {
			_, err := all(t.Firestore.RunQuery(t.Ctx, &pb.RunQueryRequest{Parent: t.Root()}))
			t.fails(codes.InvalidArgument, err)
		},
	},
	{
		Name: "a read in the future is refused",
		Page: "proto firestore.proto, RunQueryRequest.read_time",
		Run: func(t *T) {
			now := t.commit(t.set("c/a", nil)).GetCommitTime().AsTime()
			_, err := all(t.Firestore.RunQuery(t.Ctx, &pb.RunQueryRequest{
				Parent: t.Root(), QueryType: &pb.RunQueryRequest_StructuredQuery{StructuredQuery: from("c")},
				ConsistencySelector: &pb.RunQueryRequest_ReadTime{ReadTime: timestamppb.New(now.AddDate(0, 0, 1))},
			}))
			t.fails(codes.InvalidArgument, err)
		},
	},
	{
		Name: "a query in a transaction that is unknown is refused",
		Page: "proto firestore.proto, RunQueryRequest.transaction",
		Run: func(t *T) {
			_, err := all(t.Firestore.RunQuery(t.Ctx, &pb.RunQueryRequest{
				Parent: t.Root(), QueryType: &pb.RunQueryRequest_StructuredQuery{StructuredQuery: from("c")},
				ConsistencySelector: &pb.RunQueryRequest_Transaction{Transaction: []byte("none")},
			}))
			t.fails(codes.InvalidArgument, err)
		},
	},
	{
		Name: "a query that is refused answers nothing before",
		Run: func(t *T) {
			t.storeEach(one, literal.Int(2))
			answers, err := t.query("", from("c", limitTo(-1)))
			t.fails(codes.InvalidArgument, err)
			require.Empty(t, answers)
		},
	},
}
