package conformance

import (
	"fmt"

	"hippocampus/emulator/build"
)

// sets are about filters of several values or of an array's elements, and about which field is meant.
var sets = []Check{
	filterCheck("in finds each of its values", list{build.Int(1), build.Int(2), build.Str("2"), build.Int(3), build.Double(3)}, v("in", build.Array(build.Int(1), build.Int(3))), "0", "3", "4"),
	filterCheck("in finds a document once for a value named twice", list{build.Int(1), build.Int(2)}, v("in", build.Array(build.Int(1), build.Int(1), build.Double(1))), "0"),
	filterCheck("in finds arrays that are equal to one of its values", list{build.Array(build.Int(1)), build.Int(1), build.Array(build.Int(1), build.Int(2))}, v("in", build.Array(build.Array(build.Int(1)), build.Int(7))), "0"),
	{
		Name: "in takes 30 values",
		Page: filterPage,
		Run: func(t *T) {
			var all list
			for i := range 30 {
				all = append(all, build.Int(int64(i)))
			}
			t.storeEach(build.Int(0), build.Int(29), build.Int(30))
			t.matches(v("in", build.Array(all...)), "0", "1")
		},
	},
	{
		Name: "not-in takes 10 values",
		Page: filterPage,
		Run: func(t *T) {
			var all list
			for i := range 10 {
				all = append(all, build.Int(int64(i)))
			}
			t.storeEach(build.Int(0), build.Int(9), build.Int(10))
			t.matches(v("not-in", build.Array(all...)), "2")
		},
	},
	{
		Name: "results of in ascend by name and not by value",
		Page: "proto query.proto, StructuredQuery.order_by",
		Run: func(t *T) {
			t.storeEach(build.Int(3), build.Int(1), build.Int(2))
			t.finds(from("c", where(v("in", build.Array(build.Int(1), build.Int(3), build.Int(2))))), "0", "1", "2")
		},
	},
	{
		Name: "results of != ascend by value",
		Page: "proto query.proto, StructuredQuery.order_by",
		Run: func(t *T) {
			t.storeEach(build.Int(3), build.Int(1), build.Str("a"), build.Int(2), build.Bool(true))
			t.finds(from("c", where(v("!=", build.Int(2)))), "4", "1", "0", "2")
		},
	},
	{
		Name: "results of not-in ascend by value",
		Page: "proto query.proto, StructuredQuery.order_by",
		Run: func(t *T) {
			t.storeEach(build.Int(3), build.Int(1), build.Str("a"), build.Int(2), build.Bool(true))
			t.finds(from("c", where(v("not-in", build.Array(build.Int(2), build.Int(7))))), "4", "1", "0", "2")
		},
	},
	{
		Name: "results of a range ascend by value",
		Page: "proto query.proto, StructuredQuery.order_by",
		Run: func(t *T) {
			t.storeEach(build.Int(3), build.Int(1), build.Int(2), build.Int(0))
			t.finds(from("c", where(v(">", build.Int(0)))), "1", "2", "0")
		},
	},
	filterCheck("array-contains finds arrays with an equal element",
		list{build.Array(build.Int(1), build.Str("a")), build.Array(build.Double(1)), build.Array(build.Map(fields{"a": build.Int(1)})), build.Int(1), build.Array(), build.Map(fields{"a": build.Int(1)})},
		v("array-contains", build.Int(1)), "0", "1"),
	filterCheck("array-contains does not look into elements", list{build.Array(build.Map(fields{"a": build.Int(1)})), build.Array(build.Str("abc"))}, v("array-contains", build.Str("a"))),
	filterCheck("array-contains finds a map that is an element",
		list{build.Array(build.Map(fields{"a": build.Int(1)})), build.Array(build.Map(fields{"a": build.Int(1), "b": build.Int(2)}))}, v("array-contains", build.Map(fields{"a": build.Int(1)})), "0"),
	filterCheck("array-contains of null finds nothing", list{build.Array(build.Null()), build.Array(), build.Null(), build.Array(build.Int(1))}, v("array-contains", build.Null())),
	filterCheck("array-contains of an array finds nothing", list{build.Array(build.Int(1)), build.Int(1), build.Array(build.Map(nil))}, v("array-contains", build.Array(build.Int(1)))),
	filterCheck("array-contains-any of an array finds nothing", list{build.Array(build.Int(1)), build.Int(1), build.Array(build.Map(nil))}, v("array-contains-any", build.Array(build.Array(build.Int(1))))),
	filterCheck("array-contains does not find vectors", list{build.Vector(1, 2), build.Array(build.Double(1))}, v("array-contains", build.Double(1)), "1"),
	filterCheck("array-contains-any finds arrays with any of the elements once",
		list{build.Array(build.Int(1), build.Int(2)), build.Array(build.Int(2)), build.Array(build.Int(3)), build.Int(1)}, v("array-contains-any", build.Array(build.Int(1), build.Int(2))), "0", "1"),
	{
		Name: "results of array-contains ascend by name",
		Page: "proto query.proto, StructuredQuery.order_by",
		Run: func(t *T) {
			t.storeEach(build.Array(build.Int(2), build.Int(1)), build.Array(build.Int(1)), build.Array(build.Int(0), build.Int(1)))
			t.finds(from("c", where(v("array-contains", build.Int(1)))), "0", "1", "2")
			t.finds(from("c", where(v("array-contains", build.Int(1))), by("v")), "2", "1", "0")
		},
	},
	{
		Name: "a filter goes into maps and not into arrays",
		Page: filterPage,
		Run: func(t *T) {
			one := fields{"x": build.Int(1)}
			t.store(docs{
				"c/a": {"m": build.Map(one)}, "c/b": {"m": build.Array(build.Map(one))}, "c/c": {"m.x": build.Int(1)},
				"c/d": {"m": build.Map(fields{"x": build.Map(one)})}, "c/e": one,
			})
			t.matches(field("m.x", "==", build.Int(1)), "a")
			t.matches(field("m.x.x", "==", build.Int(1)), "d")
		},
	},
	{
		Name: "a filter of a quoted field means the key as it is quoted",
		Page: "proto query.proto, StructuredQuery.FieldReference",
		Run: func(t *T) {
			t.store(docs{"c/a": {"m.x": build.Int(1)}, "c/b": {"m": build.Map(fields{"x": build.Int(1)})}, "c/c": {"a`b\\": build.Int(1)}, "c/d": {"é 1": build.Int(1)}})
			for i, name := range []string{"`m.x`", "m.`x`", "`a\\`b\\\\`", "`é 1`"} {
				t.matches(field(name, "==", build.Int(1)), fmt.Sprintf("%c", 'a'+i))
			}
		},
	},
}
