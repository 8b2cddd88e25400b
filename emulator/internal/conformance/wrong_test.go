package conformance

import (
	"fmt"

	pb "cloud.google.com/go/firestore/apiv1/firestorepb"
	"google.golang.org/grpc/codes"

	"hippocampus/emulator/internal/literal"
)

// refused checks that a query is an invalid argument.
func refused(name, page string, q *pb.StructuredQuery) Check {
	return Check{Name: name, Page: page, Run: func(t *T) {
		t.store(docs{"c/a": {"v": literal.Int(1)}})
		t.finds(from("c", where(v("==", one))), "a")
		t.refuses(codes.InvalidArgument, q)
	}}
}

// refusedFilter checks that a filter of c is an invalid argument.
func refusedFilter(name, page string, filter *pb.StructuredQuery_Filter) Check {
	return refused(name, page, from("c", where(filter)))
}

const (
	fieldFilter = "proto query.proto, StructuredQuery.FieldFilter.Operator"
	unaryFilter = "proto query.proto, StructuredQuery.UnaryFilter.Operator"
)

var one = literal.Int(1)

// wrongFilters are filters that Firestore refuses.
var wrongFilters = []Check{
	refusedFilter("a filter of no operator is refused", fieldFilter, v("?", one)),
	refusedFilter("a unary filter of no operator is refused", unaryFilter, v("?")),
	refusedFilter("a filter of no kind is refused", "proto query.proto, StructuredQuery.Filter", &pb.StructuredQuery_Filter{}),
	{
		Name:       "AND of nothing is refused",
		Page:       "proto query.proto, StructuredQuery.CompositeFilter",
		Run:        func(t *T) { t.refuses(codes.InvalidArgument, from("c", where(and()))) },
		Difference: "AND of nothing matches every document",
		Official: func(t *T) {
			t.storeEach(one, literal.Null())
			t.matches(and(), "0", "1")
		},
	},
	refusedFilter("OR of nothing is refused", "proto query.proto, StructuredQuery.CompositeFilter", or()),
	refusedFilter("a composite filter of no operator is refused", "proto query.proto, StructuredQuery.CompositeFilter", combined(0, []*pb.StructuredQuery_Filter{v("==", one)})),
	refusedFilter("a filter without a value is refused", fieldFilter, v("==", nil)),
	refusedFilter("a filter with a value of no type is refused", fieldFilter, v("==", &pb.Value{})),
	refusedFilter("a filter of no field is refused", fieldFilter, field("", "==", one)),
	refusedFilter("in of no values is refused", fieldFilter, v("in", literal.Array())),
	refusedFilter("in of a value that is no array is refused", fieldFilter, v("in", one)),
	refusedFilter("not-in of no values is refused", fieldFilter, v("not-in", literal.Array())),
	refusedFilter("not-in of a value that is no array is refused", fieldFilter, v("not-in", one)),
	refusedFilter("not-in of 11 values is refused", filterPage, v("not-in", literal.Array(numbers(11)...))),
	refusedFilter("array-contains-any of no values is refused", fieldFilter, v("array-contains-any", literal.Array())),
	refusedFilter("array-contains-any of a value that is no array is refused", fieldFilter, v("array-contains-any", one)),
	refusedFilter("two != are refused", fieldFilter, and(v("!=", one), v("!=", literal.Int(2)))),
	refusedFilter("two != of different fields are refused", fieldFilter, and(v("!=", one), field("w", "!=", one))),
	refusedFilter("two not-in are refused", fieldFilter, and(v("not-in", literal.Array(one)), field("w", "not-in", literal.Array(one)))),
	refusedFilter("!= with not-in is refused", filterPage, and(v("!=", one), field("w", "not-in", literal.Array(one)))),
	refusedFilter("in with not-in is refused", filterPage, and(v("in", literal.Array(one)), field("w", "not-in", literal.Array(one)))),
	refusedFilter("array-contains-any with not-in is refused", filterPage, and(v("array-contains-any", literal.Array(one)), field("w", "not-in", literal.Array(one)))),
	refusedFilter("OR with not-in is refused", filterPage, or(v("==", one), field("w", "not-in", literal.Array(one)))),
	refusedFilter("not-in beside OR is refused", filterPage, and(or(v("==", one), is("x", 1)), field("w", "not-in", literal.Array(one)))),
	refusedFilter("is not null with != is refused", unaryFilter, and(v("is not null"), field("w", "!=", one))),
	refusedFilter("is not null with not-in is refused", unaryFilter, and(v("is not null"), field("w", "not-in", literal.Array(one)))),
	refusedFilter("two is not null are refused", unaryFilter, and(v("is not null"), field("w", "is not null"))),
	refusedFilter("is not nan with != is refused", unaryFilter, and(v("is not nan"), field("w", "!=", one))),
	refusedFilter("two array-contains are refused", filterPage, and(v("array-contains", one), v("array-contains", literal.Int(2)))),
	refusedFilter("two array-contains of different fields are refused", filterPage, and(v("array-contains", one), field("w", "array-contains", one))),
	refusedFilter("array-contains with array-contains-any is refused", filterPage, and(v("array-contains", one), field("w", "array-contains-any", literal.Array(one)))),
	refusedFilter("two array-contains-any are refused", filterPage, and(v("array-contains-any", literal.Array(one)), field("w", "array-contains-any", literal.Array(one)))),
	refusedFilter("a path with an empty segment is refused", fieldFilter, field("a..b", "==", one)),
	refusedFilter("a path that ends in a dot is refused", fieldFilter, field("a.", "==", one)),
	refusedFilter("a path with an open quote is refused", fieldFilter, field("`a", "==", one)),
	refusedFilter("a path with a space that is not quoted is refused", fieldFilter, field("a b", "==", one)),
	refusedFilter("a reserved field is refused", "proto document.proto, Document.fields", field("__secret__", "==", one)),
	{
		Name: "inequalities of 10 fields are taken and of 11 refused",
		Page: "firestore/query-data/multiple-range-fields",
		Run: func(t *T) {
			f := fields{}
			for i := range 10 {
				f[fmt.Sprint("f", i)] = literal.Int(2)
			}
			t.store(docs{"c/a": f})
			t.matches(and(inequalities(10)...), "a")
			t.refuses(codes.InvalidArgument, from("c", where(and(inequalities(11)...))))
		},
	},
}

// inequalities are ranges of different fields.
func inequalities(n int) []*pb.StructuredQuery_Filter {
	var filters []*pb.StructuredQuery_Filter
	for i := range n {
		filters = append(filters, field(fmt.Sprint("f", i), ">", one))
	}
	return filters
}
