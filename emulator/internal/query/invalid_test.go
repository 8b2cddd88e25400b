package query_test

import (
	"slices"
	"strings"
	"testing"

	pb "cloud.google.com/go/firestore/apiv1/firestorepb"
	"github.com/stretchr/testify/require"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"hippocampus/emulator/internal/literal"
	"hippocampus/emulator/internal/query"
)

// wrong is a query that is refused, and what the error says.
type wrong struct {
	name  string
	query string // in text format; ROOT is the database's root
	says  string
}

var wrongs = []wrong{
	{"two collections", `from{collection_id:"c"} from{collection_id:"d"}`, "can have one"},
	{"a path as collection", `from{collection_id:"c/d/e"}`, "slash"},
	{"a reserved collection", `from{collection_id:"__c__"}`, "reserved"},
	{"the collection .", `from{collection_id:"."}`, "not allowed"},
	{"a long collection id", `from{collection_id:"` + strings.Repeat("c", 1501) + `"}`, "1501 bytes"},
	{"a filter by a field of every collection", "where{" + op("a", "EQUAL", one) + "}", "names no collection"},
	{"an order of every collection", by("a", "ASCENDING"), "names no collection"},
	{"a descending order of every collection", by("__name__", "DESCENDING"), "names no collection"},

	{"an empty filter", c("where{}"), "a filter is empty"},
	{"an empty filter inside", on(and(op("a", "EQUAL", one), "")), "a filter is empty"},
	{"OR of nothing", on("composite_filter{op:OR}"), "at least one"},
	{"a composite filter without operator", on("composite_filter{filters{" + op("a", "EQUAL", one) + "}}"), "AND or OR"},
	{"a field filter without operator", on(op("a", "OPERATOR_UNSPECIFIED", one)), "OPERATOR_UNSPECIFIED"},
	{"a unary filter without operator", on(is("a", "OPERATOR_UNSPECIFIED")), "OPERATOR_UNSPECIFIED"},
	{"an unknown operator", on(op("a", "99", one)), "operator 99"},
	{"an unknown unary operator", on(is("a", "99")), "operator 99"},
	{"a filter without a field", on("field_filter{op:EQUAL value{integer_value:1}}"), "empty"},
	{"a unary filter without a field", on("unary_filter{op:IS_NULL}"), "empty"},

	{"a field path with two dots", on(op("a..b", "EQUAL", one)), "cannot be read"},
	{"a field path with a space", on(op("a b", "EQUAL", one)), "backquotes"},
	{"a reserved field", on(op("__a__", "EQUAL", one)), "reserved"},
	{"a reserved field inside", c(by("a.__b__", "ASCENDING")), "reserved"},
	{"__name__ inside", c(`select{fields{field_path:"a.__name__"}}`), "reserved"},
	{"a field path of 21 names", c(by("a"+strings.Repeat(".a", 20), "ASCENDING")), "21 names"},
	{"a field path of 1501 bytes", c(`select{fields{field_path:"` + strings.Repeat("a", 1501) + `"}}`), "1501 bytes"},

	{"a value without a type", on(op("a", "EQUAL", "")), "no type"},
	{"a value without a type in an array", on(op("a", "EQUAL", list(""))), "no type"},
	{"a value without a type in a map", on(op("a", "EQUAL", `map_value{fields{key:"b" value{}}}`)), "no type"},
	{"a timestamp in the year 10000", on(op("a", "LESS_THAN", "timestamp_value{seconds:253402300800}")), "out of range"},
	{"a timestamp with negative nanoseconds", on(op("a", "LESS_THAN", "timestamp_value{nanos:-1}")), "out of range"},
	{"a point beyond the pole", on(op("a", "EQUAL", "geo_point_value{latitude:91}")), "not on the globe"},
	{"a point at NaN", on(op("a", "EQUAL", "geo_point_value{longitude:nan}")), "not on the globe"},
	{"a reference to nothing", on(op("a", "EQUAL", `reference_value:"foo"`)), "foo"},
	{"a reference to a collection", on(op("a", "EQUAL", `reference_value:"ROOT/c"`)), "collection"},
	{"a reference to the root", on(op("a", "EQUAL", `reference_value:"ROOT"`)), "no document"},
	{"a reserved name in a map", on(op("a", "EQUAL", `map_value{fields{key:"__b__" value{integer_value:1}}}`)), "reserved"},
	{"a vector without dimensions", on(op("a", "EQUAL", vectorText(0, "double_value:1"))), "0 dimensions"},
	{"a vector of 2049 dimensions", on(op("a", "EQUAL", vectorText(2049, "double_value:1"))), "2049 dimensions"},
	{"a vector of integers", on(op("a", "EQUAL", vectorText(1, "integer_value:1"))), "doubles"},
	{"half a vector", on(op("a", "EQUAL", `map_value{fields{key:"__type__" value{string_value:"__vector__"}}}`)), "a vector is"},
	{"a type that is no string", on(op("a", "EQUAL", `map_value{fields{key:"__type__" value{integer_value:1}}}`)), "__type__"},
	{"a field reference", on(op("a", "EQUAL", `field_reference_value:"b"`)), "a field reference"},
	{"a function", on(op("a", "EQUAL", `function_value{name:"b"}`)), "a function"},
	{"a value of 1501 bytes", on(op("a", "EQUAL", `string_value:"`+strings.Repeat("a", 1500)+`"`)), "1501 bytes"},
	{"a map of 1502 bytes", on(op("a", "EQUAL", `map_value{fields{key:"a" value{string_value:"`+strings.Repeat("a", 1499)+`"}}}`)), "1502 bytes"},
	{"an element of 1501 bytes", on(op("a", "ARRAY_CONTAINS", `bytes_value:"`+strings.Repeat("a", 1501)+`"`)), "1501 bytes"},

	{"IN without a list", on(op("a", "IN", one)), "needs an array"},
	{"IN of nothing", on(op("a", "IN", "array_value{}")), "1 to 30"},
	{"IN of 31", on(op("a", "IN", numbers(31))), "1 to 30"},
	{"IN of 31 that are the same", on(op("a", "IN", list(slices.Repeat([]string{one}, 31)...))), "1 to 30"},
	{"NOT_IN without a list", on(op("a", "NOT_IN", one)), "needs an array"},
	{"NOT_IN of nothing", on(op("a", "NOT_IN", "array_value{}")), "1 to 10"},
	{"NOT_IN of 11", on(op("a", "NOT_IN", numbers(11))), "1 to 10"},
	{"ARRAY_CONTAINS_ANY without a list", on(op("a", "ARRAY_CONTAINS_ANY", "null_value:NULL_VALUE")), "needs an array"},
	{"ARRAY_CONTAINS_ANY of 31", on(op("a", "ARRAY_CONTAINS_ANY", numbers(31))), "1 to 30"},

	{"__name__ equal to a string", on(op("__name__", "EQUAL", `string_value:"d"`)), "reference value"},
	{"__name__ in a list of strings", on(op("__name__", "IN", list(`string_value:"d"`))), "reference value"},
	{"__name__ of another database", on(op("__name__", "EQUAL", `reference_value:"projects/p/databases/(default)/documents/c/d"`)), "another database"},
	{"__name__ of a collection", on(op("__name__", "LESS_THAN", `reference_value:"ROOT/c"`)), "collection"},
	{"__name__ of 1501 bytes", on(op("__name__", "LESS_THAN", `reference_value:"ROOT/c/`+strings.Repeat("a", 1501)+`"`)), "1501 bytes"},
	{"__name__ containing", on(op("__name__", "ARRAY_CONTAINS", ref)), "no array"},
	{"__name__ containing any", on(op("__name__", "ARRAY_CONTAINS_ANY", list(ref))), "no array"},
	{"__name__ null", on(is("__name__", "IS_NULL")), "never null"},
	{"__name__ not NaN", on(is("__name__", "IS_NOT_NAN")), "never null"},
	{"an equality on __name__ beside an inequality", on(and(op("__name__", "EQUAL", ref), op("a", "GREATER_THAN", one))), "equality on __name__"},
	{"__name__ in a list beside an inequality, apart", on(or(op("__name__", "IN", list(ref)), op("a", "NOT_EQUAL", one))), "equality on __name__"},

	{"two NOT_EQUAL", on(and(op("a", "NOT_EQUAL", one), op("a", "NOT_EQUAL", one))), "more than one filter"},
	{"two NOT_IN", on(and(op("a", "NOT_IN", list(one)), op("b", "NOT_IN", list(one)))), "more than one filter"},
	{"NOT_EQUAL and NOT_IN", on(and(op("a", "NOT_EQUAL", one), op("a", "NOT_IN", list(one)))), "more than one filter"},
	{"NOT_EQUAL or IS_NOT_NULL", on(or(op("a", "NOT_EQUAL", one), is("b", "IS_NOT_NULL"))), "more than one filter"},
	{"IS_NOT_NULL and IS_NOT_NAN", on(and(is("a", "IS_NOT_NULL"), is("a", "IS_NOT_NAN"))), "more than one filter"},
	{"NOT_IN and IN", on(and(op("a", "NOT_IN", list(one)), op("b", "IN", list(one)))), "NOT_IN and IN"},
	{"NOT_IN and ARRAY_CONTAINS_ANY", on(and(op("a", "NOT_IN", list(one)), op("b", "ARRAY_CONTAINS_ANY", list(one)))), "NOT_IN and ARRAY_CONTAINS_ANY"},
	{"NOT_IN beside OR", on(and(op("a", "NOT_IN", list(one)), or(op("b", "EQUAL", one)))), "NOT_IN and OR"},
	{"NOT_IN in OR", on(or(op("a", "NOT_IN", list(one)))), "NOT_IN and OR"},

	{"two ARRAY_CONTAINS", on(and(op("a", "ARRAY_CONTAINS", one), op("b", "ARRAY_CONTAINS", one))), "more than one ARRAY_CONTAINS"},
	{"ARRAY_CONTAINS and ARRAY_CONTAINS_ANY", on(and(op("a", "ARRAY_CONTAINS", one), op("a", "ARRAY_CONTAINS_ANY", numbers(2)))), "more than one ARRAY_CONTAINS"},
	{"two ARRAY_CONTAINS_ANY", on(and(op("a", "ARRAY_CONTAINS_ANY", numbers(2)), op("a", "ARRAY_CONTAINS_ANY", numbers(3)))), "more than one ARRAY_CONTAINS"},
	{"ARRAY_CONTAINS beside one in OR", on(and(op("a", "ARRAY_CONTAINS", one), or(op("b", "ARRAY_CONTAINS", one), op("c", "EQUAL", one)))), "more than one ARRAY_CONTAINS"},

	{"35 disjunctions of AND", on(and(op("a", "IN", numbers(5)), op("b", "IN", numbers(7)))), "35 disjunctions"},
	{"31 disjunctions of OR", on(or(op("a", "IN", numbers(20)), op("b", "ARRAY_CONTAINS_ANY", numbers(11)))), "31 disjunctions"},
	{"35 of two lists of one field", on(and(op("a", "IN", numbers(7)), op("a", "IN", numbers(8)))), "35 disjunctions"},
	{"more disjunctions than can be counted", on(and(ors(49)...)), "more than 4096 disjunctions"},

	{"11 fields with inequalities", on(and(filters(11, "GREATER_THAN")...)), "on 11 fields"},
	{"10 fields and __name__ with inequalities", on(and(append(filters(10, "GREATER_THAN"), op("__name__", "GREATER_THAN", ref))...)), "on 11 fields"},
	{"101 filters", on(and(filters(101, "EQUAL")...)), "101 filters"},
	{"91 filters and a list of 10", on(and(append(filters(91, "EQUAL"), op("a", "NOT_IN", numbers(10)))...)), "101 filters"},
	{"100 filters and an order", on(and(filters(100, "EQUAL")...)) + by("a", "ASCENDING"), "101 filters"},
	{"101 orders", c(orders(101)), "101 orders"},

	{"an unknown direction", c(by("a", "99")), "direction 99"},
	{"an order without a field", c("order_by{direction:ASCENDING}"), "empty"},
	{"an order given twice", c(by("a", "ASCENDING") + by("`a`", "DESCENDING")), "given twice"},
	{"an order after __name__", c(by("__name__", "ASCENDING") + by("a", "ASCENDING")), "put __name__ last"},
	{"an implied order after __name__", on(op("a", "GREATER_THAN", one)) + by("__name__", "ASCENDING"), "add an order by a before __name__"},

	{"a value in a cursor without an order", c("start_at{values{" + ref + "}}"), "start_at has 1 values"},
	{"a value for the implied __name__", c(by("a", "ASCENDING") + "end_at{" + values(one, ref) + "}"), "end_at has 2 values"},
	{"a value for an implied order", on(op("a", "GREATER_THAN", one)) + "start_at{" + values(one) + "}", "order_by has 0"},
	{"a number for __name__", c(by("__name__", "ASCENDING") + "start_at{" + values(one) + "}"), "reference value"},
	{"a cursor of another database", c(by("__name__", "ASCENDING") + `start_at{values{reference_value:"projects/p/databases/(default)/documents/c/d"}}`), "another database"},
	{"a cursor without a type", c(by("a", "ASCENDING") + "start_at{values{}}"), "no type"},
	{"a cursor with a reference to nothing", c(by("a", "ASCENDING") + `end_at{values{reference_value:"foo"}}`), "foo"},

	{"a negative offset", c("offset:-1"), "offset is -1"},
	{"a negative limit", c("limit{value:-1}"), "limit is -1"},
	{"a projection without a field", c("select{fields{}}"), "empty"},
	{"a projection below __name__", c(`select{fields{field_path:"__name__.a"}}`), "reserved"},
}

func TestWrongQueriesAreRefused(t *testing.T) {
	o := startOfficial(t)
	for _, w := range wrongs {
		t.Run(w.name, func(t *testing.T) {
			q := parse(t, o.db, w.query)
			_, err := o.run(t.Context(), o.db.Root(), q)
			require.Equal(t, codes.InvalidArgument, status.Code(err), "the official emulator: %v", err)
			_, err = query.Compile(o.db, o.db.Root(), q)
			require.Equal(t, codes.InvalidArgument, status.Code(err), "%v", err)
			require.ErrorContains(t, err, w.says)
		})
	}
}

func TestWrongParentsAreRefused(t *testing.T) {
	o := startOfficial(t)
	root := o.db.Root()
	for _, parent := range []string{"", "foo", "projects/p", o.db.String(), root + "/", root + "/c", root + "/c/d/e", root + "//d", root + "/c/__d__"} {
		q := &pb.StructuredQuery{From: literal.From("c", false)}
		_, err := o.run(t.Context(), parent, q)
		require.Equal(t, codes.InvalidArgument, status.Code(err), "the official emulator on %q: %v", parent, err)
		_, err = query.Compile(o.db, parent, q)
		require.Equal(t, codes.InvalidArgument, status.Code(err), "%q: %v", parent, err)
	}
}

func TestPartOfACollectionGroupHasNoFields(t *testing.T) {
	o := startOfficial(t)
	for _, rest := range []string{"where{" + op("a", "EQUAL", one) + "}", by("a", "ASCENDING"), "where{" + op("a", "GREATER_THAN", one) + "}"} {
		q := parse(t, o.db, `from{collection_id:"c" all_descendants:true} `+rest)
		_, err := o.run(t.Context(), o.db.Name("c/d"), q)
		require.Equal(t, codes.InvalidArgument, status.Code(err), "the official emulator: %v", err)
		_, err = query.Compile(o.db, o.db.Name("c/d"), q)
		require.Equal(t, codes.InvalidArgument, status.Code(err), "%v", err)
		require.ErrorContains(t, err, "the root as parent")
		_, err = query.Compile(o.db, o.db.Root(), q)
		require.NoError(t, err)
	}
}

func TestAParentCountsAsAPartOfTheQuery(t *testing.T) {
	o := startOfficial(t)
	for _, text := range []string{on(and(filters(100, "EQUAL")...)), c(orders(100))} {
		q := parse(t, o.db, text)
		for parent, want := range map[string]codes.Code{o.db.Root(): codes.OK, o.db.Name("c/d"): codes.InvalidArgument} {
			_, err := o.run(t.Context(), parent, q)
			require.Equal(t, want, status.Code(err), "the official emulator: %v", err)
			_, err = query.Compile(o.db, parent, q)
			require.Equal(t, want, status.Code(err), "%v", err)
		}
	}
}

func TestNamesAreNotReadFromTheEnd(t *testing.T) {
	o := startOfficial(t)
	for text, want := range map[string]codes.Code{
		c(by("__name__", "DESCENDING")):                                               codes.FailedPrecondition,
		on(op("__name__", "GREATER_THAN", ref)) + by("__name__", "DESCENDING"):        codes.FailedPrecondition,
		on(op("__name__", "EQUAL", ref)) + by("__name__", "DESCENDING"):               codes.FailedPrecondition,
		on(op("a", "EQUAL", one)) + by("__name__", "DESCENDING"):                      codes.OK,
		c(by("a", "DESCENDING") + by("__name__", "DESCENDING")):                       codes.OK,
		c(by("__name__", "DESCENDING") + "limit{value:-1}"):                           codes.InvalidArgument,
		c(by("__name__", "DESCENDING") + "start_at{" + values(one) + "}"):             codes.InvalidArgument,
		`from{collection_id:"c" all_descendants:true}` + by("__name__", "DESCENDING"): codes.FailedPrecondition,
	} {
		q := parse(t, o.db, text)
		_, err := o.run(t.Context(), o.db.Root(), q)
		require.Equal(t, want, status.Code(err), "the official emulator: %v", err)
		_, err = query.Compile(o.db, o.db.Root(), q)
		require.Equal(t, want, status.Code(err), "%s: %v", text, err)
	}
}
