package conformance

import (
	"fmt"

	pb "cloud.google.com/go/firestore/apiv1/firestorepb"
	"google.golang.org/grpc/codes"

	"hippocampus/emulator/internal/literal"
)

const (
	combinePage = "firestore/query-data/queries"
	severalPage = "firestore/query-data/multiple-range-fields"
)

// letters are documents a to h with each combination of the bits x, y and z.
func (t *T) letters() {
	t.Helper()
	all := docs{}
	for i := range 8 {
		all[fmt.Sprintf("c/%c", 'a'+i)] = fields{
			"x": literal.Int(int64(i >> 2 & 1)), "y": literal.Int(int64(i >> 1 & 1)), "z": literal.Int(int64(i & 1)),
		}
	}
	t.store(all)
}

// is is the filter of a field by equality with an integer.
func is(name string, n int64) *pb.StructuredQuery_Filter { return field(name, "==", literal.Int(n)) }

// letterCheck says which of letters a filter matches.
func letterCheck(name string, filter *pb.StructuredQuery_Filter, want ...string) Check {
	return Check{Name: name, Page: combinePage, Run: func(t *T) {
		t.letters()
		t.matches(filter, want...)
	}}
}

// composite are about filters of several conditions.
var composite = []Check{
	letterCheck("AND wants all of its filters", and(is("x", 1), is("y", 0), is("z", 1)), "f"),
	letterCheck("OR wants any of its filters", or(is("x", 1), is("y", 1)), "c", "d", "e", "f", "g", "h"),
	letterCheck("OR finds a document once that several of its filters match", or(is("x", 1), is("x", 1), and(is("x", 1), is("y", 1))), "e", "f", "g", "h"),
	letterCheck("AND of OR", and(or(is("x", 1), is("y", 1)), is("z", 0)), "c", "e", "g"),
	letterCheck("OR of AND", or(and(is("x", 1), is("y", 1)), and(is("x", 0), is("z", 1))), "b", "d", "g", "h"),
	letterCheck("AND of two OR", and(or(is("x", 0), is("y", 0)), or(is("y", 1), is("z", 1))), "b", "c", "d", "f"),
	letterCheck("OR in AND in OR", or(is("z", 1), and(is("x", 1), or(is("y", 1), is("z", 1)))), "b", "d", "f", "g", "h"),
	letterCheck("AND in AND is one AND", and(and(is("x", 1), and(is("y", 1))), is("z", 0)), "g"),
	letterCheck("a filter of one filter is that filter", and(or(and(is("x", 1)))), "e", "f", "g", "h"),
	letterCheck("a contradiction finds nothing", and(is("x", 1), is("x", 0))),
	letterCheck("OR of in and ==", or(field("x", "in", literal.Array(literal.Int(1), literal.Int(5))), is("z", 1)), "b", "d", "e", "f", "g", "h"),
	letterCheck("OR of ranges of several fields", or(field("x", ">", literal.Int(0)), field("y", ">", literal.Int(0))), "c", "d", "e", "f", "g", "h"),
	letterCheck("ranges of three fields", and(field("x", ">=", literal.Int(1)), field("y", "<", literal.Int(1)), field("z", ">", literal.Int(0))), "f"),
	letterCheck("!= with a range of another field", and(field("x", "!=", literal.Int(0)), field("y", ">", literal.Int(0))), "g", "h"),
	letterCheck("in with a range of another field", and(field("x", "in", literal.Array(literal.Int(1), literal.Int(2))), field("y", "<", literal.Int(1))), "e", "f"),
	{
		Name: "OR finds documents that lack the field of one filter",
		Page: combinePage,
		Run: func(t *T) {
			t.store(docs{"c/a": {"x": literal.Int(1)}, "c/b": {"y": literal.Int(1)}, "c/c": {"z": literal.Int(1)}})
			t.matches(or(is("x", 1), is("y", 1)), "a", "b")
		},
	},
	{
		Name: "OR with a range finds only documents with the range's field, which is an order",
		Page: "firestore/query-data/order-limit-data",
		Run: func(t *T) {
			t.store(docs{"c/a": {"x": literal.Int(1)}, "c/b": {"y": literal.Int(5)}, "c/c": {"x": literal.Int(1), "y": literal.Int(0)}})
			t.matches(or(is("x", 1), field("y", ">", literal.Int(3))), "b", "c")
		},
	},
	{
		Name: "two ranges of one field of which one is implied",
		Page: combinePage,
		Run: func(t *T) {
			t.storeEach(literal.Int(1), literal.Int(2), literal.Int(3), literal.Str("a"))
			t.matches(and(v(">", literal.Int(1)), v(">", literal.Int(2))), "2")
		},
	},
	{
		Name: "ranges of one field of different types find nothing",
		Page: combinePage,
		Run: func(t *T) {
			t.storeEach(literal.Int(1), literal.Str("a"))
			t.matches(and(v(">", literal.Int(0)), v("<", literal.Str("z"))))
		},
	},
	{
		Name: "several array-contains of one field in different disjunctions",
		Page: combinePage,
		Run: func(t *T) {
			t.storeEach(literal.Array(literal.Int(1)), literal.Array(literal.Int(2)), literal.Array(literal.Int(3)))
			t.matches(or(v("array-contains", literal.Int(1)), v("array-contains", literal.Int(2))), "0", "1")
		},
	},
	{
		Name: "array-contains with == and a range",
		Page: combinePage,
		Run: func(t *T) {
			t.store(docs{
				"c/a": {"v": literal.Array(literal.Int(1)), "x": literal.Int(1), "y": literal.Int(1)}, "c/b": {"v": literal.Array(literal.Int(1)), "x": literal.Int(1), "y": literal.Int(9)},
				"c/c": {"v": literal.Array(literal.Int(2)), "x": literal.Int(1), "y": literal.Int(1)}, "c/d": {"v": literal.Array(literal.Int(1)), "x": literal.Int(2), "y": literal.Int(1)},
			})
			t.matches(and(v("array-contains", literal.Int(1)), is("x", 1), field("y", "<", literal.Int(5))), "a")
		},
	},
	{
		Name: "array-contains in one disjunction and array-contains-any in another",
		Page: combinePage,
		Run: func(t *T) {
			t.storeEach(literal.Array(literal.Int(1)), literal.Array(literal.Int(2)), literal.Array(literal.Int(3)))
			t.matches(or(v("array-contains", literal.Int(1)), v("array-contains-any", literal.Array(literal.Int(3), literal.Int(4)))), "0", "2")
		},
	},
	{
		Name: "array-contains with in",
		Page: combinePage,
		Run: func(t *T) {
			t.store(docs{"c/a": {"v": literal.Array(one), "x": one}, "c/b": {"v": literal.Array(one), "x": literal.Int(3)}, "c/c": {"x": one}})
			t.matches(and(v("array-contains", one), field("x", "in", literal.Array(numbers(3)...))), "a")
		},
	},
	{
		Name: "not-in with == and a range",
		Page: combinePage,
		Run: func(t *T) {
			t.letters()
			t.matches(and(field("x", "not-in", literal.Array(literal.Int(5), literal.Int(0))), is("y", 1), field("z", "<", one)), "g")
		},
	},
	{
		Name: "!= may be asked along with OR",
		Page: combinePage,
		Run: func(t *T) {
			t.letters()
			t.matches(and(field("x", "!=", one), or(is("y", 1), is("z", 1))), "b", "c", "d")
		},
	},
	{
		Name: "30 disjunctions are taken and 31 refused",
		Page: combinePage,
		Run: func(t *T) {
			t.storeEach(literal.Int(1), literal.Int(29), literal.Int(30))
			t.matches(or(several(30)...), "0", "1")
			t.refuses(codes.InvalidArgument, from("c", where(or(several(31)...))))
		},
	},
	{
		Name: "in has as many disjunctions as values",
		Page: combinePage,
		Run: func(t *T) {
			t.storeEach(literal.Int(29))
			t.matches(v("in", literal.Array(numbers(30)...)), "0")
			t.refuses(codes.InvalidArgument, from("c", where(v("in", literal.Array(numbers(31)...)))))
		},
	},
	{
		Name: "array-contains-any has as many disjunctions as values",
		Page: combinePage,
		Run: func(t *T) {
			t.storeEach(literal.Array(literal.Int(29)))
			t.matches(v("array-contains-any", literal.Array(numbers(30)...)), "0")
			t.refuses(codes.InvalidArgument, from("c", where(v("array-contains-any", literal.Array(numbers(31)...)))))
		},
	},
	{
		Name: "disjunctions of AND multiply",
		Page: combinePage,
		Run: func(t *T) {
			t.letters()
			t.matches(and(field("x", "in", literal.Array(numbers(6)...)), field("y", "in", literal.Array(numbers(5)...))), "a", "b", "c", "d", "e", "f", "g", "h")
			t.refuses(codes.InvalidArgument, from("c", where(and(field("x", "in", literal.Array(numbers(16)...)), field("y", "in", literal.Array(numbers(2)...))))))
		},
	},
	{
		Name: "disjunctions of OR add up",
		Page: combinePage,
		Run: func(t *T) {
			t.letters()
			t.matches(or(field("x", "in", literal.Array(numbers(15)...)), field("y", "in", literal.Array(numbers(15)...))), "a", "b", "c", "d", "e", "f", "g", "h")
			t.refuses(codes.InvalidArgument, from("c", where(or(field("x", "in", literal.Array(numbers(16)...)), field("y", "in", literal.Array(numbers(15)...))))))
		},
	},
}

// several are filters v == 0, v == 1, …
func several(n int) []*pb.StructuredQuery_Filter {
	var filters []*pb.StructuredQuery_Filter
	for i := range n {
		filters = append(filters, v("==", literal.Int(int64(i))))
	}
	return filters
}

// numbers are the integers 0, 1, …
func numbers(n int) []*pb.Value {
	var values []*pb.Value
	for i := range n {
		values = append(values, literal.Int(int64(i)))
	}
	return values
}
