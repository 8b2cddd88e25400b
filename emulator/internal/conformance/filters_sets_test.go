package conformance

import (
	"fmt"

	"hippocampus/emulator/internal/literal"
)

// sets are about filters of several values or of an array's elements, and about which field is
// meant.
var sets = []Check{
	filterCheck("in finds each of its values", list{literal.Int(1), literal.Int(2), literal.Str("2"), literal.Int(3), literal.Double(3)}, v("in", literal.Array(literal.Int(1), literal.Int(3))), "0", "3", "4"),
	filterCheck("in finds a document once for a value named twice", list{literal.Int(1), literal.Int(2)}, v("in", literal.Array(literal.Int(1), literal.Int(1), literal.Double(1))), "0"),
	filterCheck("in finds arrays that are equal to one of its values", list{literal.Array(literal.Int(1)), literal.Int(1), literal.Array(literal.Int(1), literal.Int(2))}, v("in", literal.Array(literal.Array(literal.Int(1)), literal.Int(7))), "0"),
	{
		Name: "in takes 30 values",
		Page: filterPage,
		Run: func(t *T) {
			var all list
			for i := range 30 {
				all = append(all, literal.Int(int64(i)))
			}
			t.storeEach(literal.Int(0), literal.Int(29), literal.Int(30))
			t.matches(v("in", literal.Array(all...)), "0", "1")
		},
	},
	{
		Name: "not-in takes 10 values",
		Page: filterPage,
		Run: func(t *T) {
			var all list
			for i := range 10 {
				all = append(all, literal.Int(int64(i)))
			}
			t.storeEach(literal.Int(0), literal.Int(9), literal.Int(10))
			t.matches(v("not-in", literal.Array(all...)), "2")
		},
	},
	{
		Name: "results of in ascend by name and not by value",
		Page: "proto query.proto, StructuredQuery.order_by",
		Run: func(t *T) {
			t.storeEach(literal.Int(3), literal.Int(1), literal.Int(2))
			t.finds(from("c", where(v("in", literal.Array(literal.Int(1), literal.Int(3), literal.Int(2))))), "0", "1", "2")
		},
	},
	{
		Name: "results of != ascend by value",
		Page: "proto query.proto, StructuredQuery.order_by",
		Run: func(t *T) {
			t.storeEach(literal.Int(3), literal.Int(1), literal.Str("a"), literal.Int(2), literal.Bool(true))
			t.finds(from("c", where(v("!=", literal.Int(2)))), "4", "1", "0", "2")
		},
	},
	{
		Name: "results of not-in ascend by value",
		Page: "proto query.proto, StructuredQuery.order_by",
		Run: func(t *T) {
			t.storeEach(literal.Int(3), literal.Int(1), literal.Str("a"), literal.Int(2), literal.Bool(true))
			t.finds(from("c", where(v("not-in", literal.Array(literal.Int(2), literal.Int(7))))), "4", "1", "0", "2")
		},
	},
	{
		Name: "results of a range ascend by value",
		Page: "proto query.proto, StructuredQuery.order_by",
		Run: func(t *T) {
			t.storeEach(literal.Int(3), literal.Int(1), literal.Int(2), literal.Int(0))
			t.finds(from("c", where(v(">", literal.Int(0)))), "1", "2", "0")
		},
	},
	filterCheck("array-contains finds arrays with an equal element",
		list{literal.Array(literal.Int(1), literal.Str("a")), literal.Array(literal.Double(1)), literal.Array(literal.Map(fields{"a": literal.Int(1)})), literal.Int(1), literal.Array(), literal.Map(fields{"a": literal.Int(1)})},
		v("array-contains", literal.Int(1)), "0", "1"),
	filterCheck("array-contains does not look into elements", list{literal.Array(literal.Map(fields{"a": literal.Int(1)})), literal.Array(literal.Str("abc"))}, v("array-contains", literal.Str("a"))),
	filterCheck("array-contains finds a map that is an element",
		list{literal.Array(literal.Map(fields{"a": literal.Int(1)})), literal.Array(literal.Map(fields{"a": literal.Int(1), "b": literal.Int(2)}))}, v("array-contains", literal.Map(fields{"a": literal.Int(1)})), "0"),
	filterCheck("array-contains of null finds nothing", list{literal.Array(literal.Null()), literal.Array(), literal.Null(), literal.Array(literal.Int(1))}, v("array-contains", literal.Null())),
	filterCheck("array-contains of an array finds nothing", list{literal.Array(literal.Int(1)), literal.Int(1), literal.Array(literal.Map(nil))}, v("array-contains", literal.Array(literal.Int(1)))),
	filterCheck("array-contains-any of an array finds nothing", list{literal.Array(literal.Int(1)), literal.Int(1), literal.Array(literal.Map(nil))}, v("array-contains-any", literal.Array(literal.Array(literal.Int(1))))),
	filterCheck("array-contains does not find vectors", list{literal.Vector(1, 2), literal.Array(literal.Double(1))}, v("array-contains", literal.Double(1)), "1"),
	filterCheck("array-contains-any finds arrays with any of the elements once",
		list{literal.Array(literal.Int(1), literal.Int(2)), literal.Array(literal.Int(2)), literal.Array(literal.Int(3)), literal.Int(1)}, v("array-contains-any", literal.Array(literal.Int(1), literal.Int(2))), "0", "1"),
	{
		Name: "results of array-contains ascend by name",
		Page: "proto query.proto, StructuredQuery.order_by",
		Run: func(t *T) {
			t.storeEach(literal.Array(literal.Int(2), literal.Int(1)), literal.Array(literal.Int(1)), literal.Array(literal.Int(0), literal.Int(1)))
			t.finds(from("c", where(v("array-contains", literal.Int(1)))), "0", "1", "2")
			t.finds(from("c", where(v("array-contains", literal.Int(1))), by("v")), "2", "1", "0")
		},
	},
	{
		Name: "a filter goes into maps and not into arrays",
		Page: filterPage,
		Run: func(t *T) {
			one := fields{"x": literal.Int(1)}
			t.store(docs{
				"c/a": {"m": literal.Map(one)}, "c/b": {"m": literal.Array(literal.Map(one))}, "c/c": {"m.x": literal.Int(1)},
				"c/d": {"m": literal.Map(fields{"x": literal.Map(one)})}, "c/e": one,
			})
			t.matches(field("m.x", "==", literal.Int(1)), "a")
			t.matches(field("m.x.x", "==", literal.Int(1)), "d")
		},
	},
	{
		Name: "a filter of a quoted field means the key as it is quoted",
		Page: "proto query.proto, StructuredQuery.FieldReference",
		Run: func(t *T) {
			t.store(docs{"c/a": {"m.x": literal.Int(1)}, "c/b": {"m": literal.Map(fields{"x": literal.Int(1)})}, "c/c": {"a`b\\": literal.Int(1)}, "c/d": {"é 1": literal.Int(1)}})
			for i, name := range []string{"`m.x`", "m.`x`", "`a\\`b\\\\`", "`é 1`"} {
				t.matches(field(name, "==", literal.Int(1)), fmt.Sprintf("%c", 'a'+i))
			}
		},
	},
}
