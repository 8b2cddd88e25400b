package query_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"hippocampus/emulator/internal/query"
)

// rights are queries at the limits of what is taken.
var rights = []struct{ name, query string }{
	{"no collection selector", ""},
	{"names of every collection", "where{" + op("__name__", "GREATER_THAN", ref) + "} " + by("__name__", "ASCENDING") + "start_at{" + values(ref) + "}"},
	{"OR of one", on(or(op("a", "EQUAL", one)))},
	{"__name__ in quotes", on(op("`__name__`", "EQUAL", ref))},
	{"a quoted path", on(op("`a b`.c", "EQUAL", one))},
	{"a field path of 20 names", c(by("a"+strings.Repeat(".a", 19), "ASCENDING"))},
	{"a collection id of 1500 bytes", `from{collection_id:"` + strings.Repeat("c", 1500) + `"}`},
	{"a value of 1500 bytes", on(op("a", "EQUAL", `string_value:"`+strings.Repeat("a", 1499)+`"`))},
	{"a long value in a cursor", c(by("a", "ASCENDING") + `start_at{values{string_value:"` + strings.Repeat("a", 5000) + `"}}`)},
	{"a vector of 2048 dimensions", c(by("a", "ASCENDING") + "start_at{values{" + vectorText(2048, "double_value:1") + "}}")},
	{"a reference to another database", on(op("a", "EQUAL", `reference_value:"projects/p/databases/d/documents/c/d"`))},
	{"an empty name in a map", on(op("a", "EQUAL", `map_value{fields{key:"" value{integer_value:1}}}`))},
	{"an array in an array", on(op("a", "EQUAL", list(list(one))))},
	{"nanoseconds", on(op("a", "EQUAL", "timestamp_value{nanos:1}"))},
	{"IN of 30", on(op("a", "IN", numbers(30)))},
	{"NOT_IN of 10", on(op("a", "NOT_IN", numbers(10)))},
	{"NOT_IN and ARRAY_CONTAINS", on(and(op("a", "NOT_IN", numbers(2)), op("b", "ARRAY_CONTAINS", one)))},
	{"NOT_EQUAL and IN", on(and(op("a", "NOT_EQUAL", one), op("b", "IN", numbers(2))))},
	{"NOT_EQUAL in OR", on(or(op("a", "NOT_EQUAL", one), op("b", "EQUAL", one)))},
	{"the same ARRAY_CONTAINS twice", on(and(op("a", "ARRAY_CONTAINS", one), op("a", "ARRAY_CONTAINS", one)))},
	{"the same ARRAY_CONTAINS_ANY in another order", on(and(op("a", "ARRAY_CONTAINS_ANY", list(one, "integer_value:0")), op("a", "ARRAY_CONTAINS_ANY", numbers(2))))},
	{"ARRAY_CONTAINS in each part of OR", on(or(op("a", "ARRAY_CONTAINS", one), op("b", "ARRAY_CONTAINS_ANY", numbers(3))))},
	{"30 disjunctions of AND", on(and(op("a", "IN", numbers(5)), op("b", "IN", numbers(6))))},
	{"30 disjunctions of OR", on(or(op("a", "IN", numbers(20)), op("b", "IN", numbers(10))))},
	{"disjunctions that are the same", on(or(op("a", "IN", numbers(30)), op("a", "EQUAL", one)))},
	{"27 of two lists of one field", on(and(op("a", "IN", numbers(6)), op("a", "IN", numbers(7))))},
	{"a list that is there twice", on(and(op("a", "IN", numbers(30)), op("a", "IN", numbers(30))))},
	{"10 fields with inequalities", on(and(filters(10, "GREATER_THAN")...))},
	{"9 fields and __name__ with inequalities", on(and(append(filters(9, "GREATER_THAN"), op("__name__", "GREATER_THAN", ref))...))},
	{"an equality and an inequality on __name__ beside another", on(and(op("__name__", "EQUAL", ref), op("__name__", "LESS_THAN", ref), op("a", "GREATER_THAN", one)))},
	{"an equality on __name__ and an order", on(op("__name__", "EQUAL", ref)) + by("a", "ASCENDING")},
	{"100 filters", on(and(filters(100, "EQUAL")...))},
	{"99 filters and an order", on(and(filters(99, "EQUAL")...)) + by("a", "ASCENDING")},
	{"99 filters and an implied order", on(and(append(filters(99, "EQUAL"), op("a", "GREATER_THAN", one))...))},
	{"100 filters, some twice", on(and(append(filters(100, "EQUAL"), filters(50, "EQUAL")...)...))},
	{"100 orders", c(orders(100))},
	{"orders by a map and its field", c(by("a", "ASCENDING") + by("a.b", "ASCENDING"))},
	{"a cursor for the name, given", c(by("a", "ASCENDING") + by("__name__", "ASCENDING") + "start_at{" + values(one, `reference_value:"ROOT/d/e/f/g"`) + "}")},
	{"a projection of what is not there", c(`select{fields{field_path:"x.y.z"}}`)},
	{"a limit of nothing", c("limit{}")},
	{"a group below a document, by name", `from{collection_id:"c" all_descendants:true}` + by("__name__", "ASCENDING")},
}

func TestQueriesAtTheLimitsAreTaken(t *testing.T) {
	o := startOfficial(t)
	for _, r := range rights {
		t.Run(r.name, func(t *testing.T) {
			q := parse(t, o.db, r.query)
			_, err := o.run(t.Context(), o.db.Root(), q)
			require.NoError(t, err, "the official emulator")
			_, err = query.Compile(o.db, o.db.Root(), q)
			require.NoError(t, err)
		})
	}
}
