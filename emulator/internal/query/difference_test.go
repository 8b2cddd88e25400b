package query_test

import (
	"testing"

	pb "cloud.google.com/go/firestore/apiv1/firestorepb"
	"github.com/stretchr/testify/require"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"hippocampus/emulator/internal/literal"
	"hippocampus/emulator/internal/query"
)

// Where the official emulator takes queries that the documentation does not allow. Random queries
// have none of these.
func TestDifferences(t *testing.T) {
	o := startOfficial(t)
	for _, test := range []struct{ name, query, says string }{
		// query.proto, CompositeFilter.filters: at least one filter is present.
		{"AND of nothing filters nothing", on("composite_filter{op:AND}"), "at least one"},
		{"AND of nothing in OR", on(or("composite_filter{op:AND}", op("a", "EQUAL", one))), "at least one"},
		// query.proto, FieldFilter.Operator: OPERATOR_UNSPECIFIED must not be used.
		{"no operator and null", on(op("a", "OPERATOR_UNSPECIFIED", "null_value:NULL_VALUE")), "OPERATOR_UNSPECIFIED"},
		{"no operator and NaN", on(op("a", "OPERATOR_UNSPECIFIED", "double_value:nan")), "OPERATOR_UNSPECIFIED"},
		{"an unknown operator and null", on(op("a", "11", "null_value:NULL_VALUE")), "operator 11"},
	} {
		t.Run(test.name, func(t *testing.T) {
			q := parse(t, o.db, test.query)
			_, err := o.run(t.Context(), o.db.Root(), q)
			require.NoError(t, err, "the official emulator")
			_, err = query.Compile(o.db, o.db.Root(), q)
			require.Equal(t, codes.InvalidArgument, status.Code(err), "%v", err)
			require.ErrorContains(t, err, test.says)
		})
	}
}

// query.proto, FieldReference: a path can have 1,500 bytes. The official emulator takes 1,499.
func TestALongPath(t *testing.T) {
	o := startOfficial(t)
	long := make([]byte, 1500)
	for i := range long {
		long[i] = 'a'
	}
	q := &pb.StructuredQuery{From: literal.From("c", false), OrderBy: []*pb.StructuredQuery_Order{{Field: literal.Field(string(long))}}}
	_, err := o.run(t.Context(), o.db.Root(), q)
	require.Equal(t, codes.InvalidArgument, status.Code(err), "the official emulator: %v", err)
	_, err = query.Compile(o.db, o.db.Root(), q)
	require.NoError(t, err)
}

// query.proto, Projection.fields: if empty, all fields are returned. The official emulator returns
// none.
func TestAnEmptyProjectionIsEverything(t *testing.T) {
	o := startOfficial(t)
	doc := &pb.Document{Name: o.db.Name("c/d"), Fields: map[string]*pb.Value{"a": literal.Int(1)}}
	o.store(t, []*pb.Document{doc})
	q := parse(t, o.db, c("select{}"))
	docs, err := o.run(t.Context(), o.db.Root(), q)
	require.NoError(t, err)
	require.Len(t, docs, 1)
	require.Empty(t, docs[0].GetFields())
	compiled, err := query.Compile(o.db, o.db.Root(), q)
	require.NoError(t, err)
	require.Same(t, doc, compiled.Project(doc))
}

func TestVectorSearchIsNotImplemented(t *testing.T) {
	_, err := query.Compile(db, db.Root(), &pb.StructuredQuery{From: literal.From("c", false), FindNearest: &pb.StructuredQuery_FindNearest{}})
	require.Equal(t, codes.Unimplemented, status.Code(err))
	require.ErrorContains(t, err, "official emulator")
}

func TestNoQuery(t *testing.T) {
	_, err := query.Compile(db, db.Root(), nil)
	require.Equal(t, codes.InvalidArgument, status.Code(err))
}
