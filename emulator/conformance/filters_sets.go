package conformance

import "fmt"

// sets are about filters of several values or of an array's elements, and about which field is meant.
var sets = []Check{
	filterCheck("in finds each of its values", list{integer(1), integer(2), str("2"), integer(3), double(3)}, v("in", array(integer(1), integer(3))), "0", "3", "4"),
	filterCheck("in finds a document once for a value named twice", list{integer(1), integer(2)}, v("in", array(integer(1), integer(1), double(1))), "0"),
	filterCheck("in finds arrays that are equal to one of its values", list{array(integer(1)), integer(1), array(integer(1), integer(2))}, v("in", array(array(integer(1)), integer(7))), "0"),
	{
		Name: "in takes 30 values",
		Page: filterPage,
		Run: func(t *T) {
			var all list
			for i := range 30 {
				all = append(all, integer(int64(i)))
			}
			t.storeEach(integer(0), integer(29), integer(30))
			t.matches(v("in", array(all...)), "0", "1")
		},
	},
	{
		Name: "not-in takes 10 values",
		Page: filterPage,
		Run: func(t *T) {
			var all list
			for i := range 10 {
				all = append(all, integer(int64(i)))
			}
			t.storeEach(integer(0), integer(9), integer(10))
			t.matches(v("not-in", array(all...)), "2")
		},
	},
	{
		Name: "results of in ascend by name and not by value",
		Page: "proto query.proto, StructuredQuery.order_by",
		Run: func(t *T) {
			t.storeEach(integer(3), integer(1), integer(2))
			t.finds(from("c", where(v("in", array(integer(1), integer(3), integer(2))))), "0", "1", "2")
		},
	},
	{
		Name: "results of != ascend by value",
		Page: "proto query.proto, StructuredQuery.order_by",
		Run: func(t *T) {
			t.storeEach(integer(3), integer(1), str("a"), integer(2), boolean(true))
			t.finds(from("c", where(v("!=", integer(2)))), "4", "1", "0", "2")
		},
	},
	{
		Name: "results of not-in ascend by value",
		Page: "proto query.proto, StructuredQuery.order_by",
		Run: func(t *T) {
			t.storeEach(integer(3), integer(1), str("a"), integer(2), boolean(true))
			t.finds(from("c", where(v("not-in", array(integer(2), integer(7))))), "4", "1", "0", "2")
		},
	},
	{
		Name: "results of a range ascend by value",
		Page: "proto query.proto, StructuredQuery.order_by",
		Run: func(t *T) {
			t.storeEach(integer(3), integer(1), integer(2), integer(0))
			t.finds(from("c", where(v(">", integer(0)))), "1", "2", "0")
		},
	},
	filterCheck("array-contains finds arrays with an equal element",
		list{array(integer(1), str("a")), array(double(1)), array(mapOf(fields{"a": integer(1)})), integer(1), array(), mapOf(fields{"a": integer(1)})},
		v("array-contains", integer(1)), "0", "1"),
	filterCheck("array-contains does not look into elements", list{array(mapOf(fields{"a": integer(1)})), array(str("abc"))}, v("array-contains", str("a"))),
	filterCheck("array-contains finds a map that is an element",
		list{array(mapOf(fields{"a": integer(1)})), array(mapOf(fields{"a": integer(1), "b": integer(2)}))}, v("array-contains", mapOf(fields{"a": integer(1)})), "0"),
	filterCheck("array-contains of null finds nothing", list{array(null()), array(), null(), array(integer(1))}, v("array-contains", null())),
	filterCheck("array-contains of an array finds nothing", list{array(integer(1)), integer(1), array(mapOf(nil))}, v("array-contains", array(integer(1)))),
	filterCheck("array-contains-any of an array finds nothing", list{array(integer(1)), integer(1), array(mapOf(nil))}, v("array-contains-any", array(array(integer(1))))),
	filterCheck("array-contains does not find vectors", list{vector(1, 2), array(double(1))}, v("array-contains", double(1)), "1"),
	filterCheck("array-contains-any finds arrays with any of the elements once",
		list{array(integer(1), integer(2)), array(integer(2)), array(integer(3)), integer(1)}, v("array-contains-any", array(integer(1), integer(2))), "0", "1"),
	{
		Name: "results of array-contains ascend by name",
		Page: "proto query.proto, StructuredQuery.order_by",
		Run: func(t *T) {
			t.storeEach(array(integer(2), integer(1)), array(integer(1)), array(integer(0), integer(1)))
			t.finds(from("c", where(v("array-contains", integer(1)))), "0", "1", "2")
			t.finds(from("c", where(v("array-contains", integer(1))), by("v")), "2", "1", "0")
		},
	},
	{
		Name: "a filter goes into maps and not into arrays",
		Page: filterPage,
		Run: func(t *T) {
			one := fields{"x": integer(1)}
			t.store(docs{
				"c/a": {"m": mapOf(one)}, "c/b": {"m": array(mapOf(one))}, "c/c": {"m.x": integer(1)},
				"c/d": {"m": mapOf(fields{"x": mapOf(one)})}, "c/e": one,
			})
			t.matches(field("m.x", "==", integer(1)), "a")
			t.matches(field("m.x.x", "==", integer(1)), "d")
		},
	},
	{
		Name: "a filter of a quoted field means the key as it is quoted",
		Page: "proto query.proto, StructuredQuery.FieldReference",
		Run: func(t *T) {
			t.store(docs{"c/a": {"m.x": integer(1)}, "c/b": {"m": mapOf(fields{"x": integer(1)})}, "c/c": {"a`b\\": integer(1)}, "c/d": {"é 1": integer(1)}})
			for i, name := range []string{"`m.x`", "m.`x`", "`a\\`b\\\\`", "`é 1`"} {
				t.matches(field(name, "==", integer(1)), fmt.Sprintf("%c", 'a'+i))
			}
		},
	},
}
