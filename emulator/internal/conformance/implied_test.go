package conformance

import "hippocampus/emulator/internal/literal"

// implied are about the orders that a query has without naming them.
var implied = []Check{
	{
		Name: "several inequality fields order in the order of their names",
		Page: "proto query.proto, StructuredQuery.order_by",
		Run: func(t *T) {
			t.store(docs{
				"c/1": {"a": literal.Int(2), "b": literal.Int(1)}, "c/2": {"a": literal.Int(1), "b": literal.Int(2)}, "c/3": {"a": literal.Int(1), "b": literal.Int(1)},
			})
			t.finds(from("c", where(and(field("b", ">", literal.Int(0)), field("a", ">", literal.Int(0))))), "3", "2", "1")
		},
	},
	{
		Name: "an inequality field that is not named follows the orders that are",
		Page: "proto query.proto, StructuredQuery.order_by",
		Run: func(t *T) {
			t.store(docs{
				"c/1": {"a": literal.Int(1), "b": literal.Int(2)}, "c/2": {"a": literal.Int(2), "b": literal.Int(1)}, "c/3": {"a": literal.Int(3), "b": literal.Int(1)},
			})
			q := where(and(field("b", ">", literal.Int(0)), field("a", ">", literal.Int(0))))
			t.finds(from("c", q, by("b")), "2", "3", "1")
			t.finds(from("c", q, by("b desc")), "1", "3", "2")
		},
	},
	{
		Name: "an order of another field may precede that of an inequality",
		Page: "firestore/query-data/multiple-range-fields",
		Run: func(t *T) {
			t.store(docs{
				"c/1": {"a": literal.Int(1), "b": literal.Int(2)}, "c/2": {"a": literal.Int(2), "b": literal.Int(1)}, "c/3": {"a": literal.Int(3), "b": literal.Int(0)},
				"c/4": {"a": literal.Int(4)},
			})
			t.finds(from("c", where(field("a", ">", literal.Int(1))), by("b")), "3", "2")
		},
	},
	{
		Name: "implied orders descend if the last that is named does",
		Page: "proto query.proto, StructuredQuery.order_by",
		Run: func(t *T) {
			t.store(docs{
				"c/1": {"a": literal.Int(1), "b": literal.Int(1)}, "c/2": {"a": literal.Int(2), "b": literal.Int(1)}, "c/3": {"a": literal.Int(2), "b": literal.Int(1)},
			})
			q := where(field("a", ">", literal.Int(0)))
			t.finds(from("c", q, by("b desc")), "3", "2", "1")
			t.finds(from("c", q, by("b")), "1", "2", "3")
		},
	},
	{
		Name: "a range of names implies no order before that of another field",
		Page: "proto query.proto, StructuredQuery.order_by",
		Run: func(t *T) {
			t.store(docs{"c/1": {"a": literal.Int(3)}, "c/2": {"a": literal.Int(2)}, "c/3": {"a": literal.Int(1)}})
			t.finds(from("c", where(and(field("__name__", ">", literal.Ref(t.Name("c/1"))), field("a", ">", literal.Int(0))))), "3", "2")
		},
	},
	{
		Name: "an inequality of names follows the order that is named",
		Page: "proto query.proto, StructuredQuery.order_by",
		Run: func(t *T) {
			t.store(docs{"c/1": {"a": literal.Int(3)}, "c/2": {"a": literal.Int(2)}, "c/3": {"a": literal.Int(1)}})
			t.finds(from("c", where(field("__name__", ">", literal.Ref(t.Name("c/1")))), by("a")), "3", "2")
		},
	},
	{
		Name: "equality implies no order",
		Page: "proto query.proto, StructuredQuery.order_by",
		Run: func(t *T) {
			t.store(docs{"c/1": {"a": literal.Int(1), "b": literal.Int(2)}, "c/2": {"a": literal.Int(1), "b": literal.Int(1)}, "c/3": {"a": literal.Int(1)}})
			t.finds(from("c", where(is("a", 1))), "1", "2", "3")
			t.finds(from("c", where(is("a", 1)), by("b")), "2", "1")
		},
	},
	{
		Name: "an order of the field of an equality changes nothing but the direction of names",
		Page: "proto query.proto, StructuredQuery.order_by",
		Run: func(t *T) {
			t.storeEach(literal.Int(1), literal.Double(1), literal.Int(2), literal.Int(1))
			t.finds(from("c", where(v("==", literal.Int(1))), by("v desc")), "3", "1", "0")
		},
	},
	{
		Name: "inequalities of nested fields order in the order of their paths",
		Page: "proto query.proto, StructuredQuery.order_by",
		Run: func(t *T) {
			t.store(docs{
				"c/1": {"m": literal.Map(fields{"b": literal.Int(1), "a": literal.Int(2)})}, "c/2": {"m": literal.Map(fields{"b": literal.Int(2), "a": literal.Int(1)})},
			})
			t.finds(from("c", where(and(field("m.b", ">", literal.Int(0)), field("m.a", ">", literal.Int(0))))), "2", "1")
		},
	},
	{
		Name: "is not null orders by its field",
		Page: "proto query.proto, StructuredQuery.UnaryFilter.Operator",
		Run: func(t *T) {
			t.storeEach(literal.Int(2), literal.Null(), literal.Int(1), literal.Str(""))
			t.finds(from("c", where(v("is not null"))), "2", "0", "3")
		},
	},
	{
		Name: "is not null may be asked along with another order",
		Page: "proto query.proto, StructuredQuery.order_by",
		Run: func(t *T) {
			t.store(docs{"c/1": {"a": literal.Int(1), "b": literal.Int(2)}, "c/2": {"a": literal.Int(2), "b": literal.Int(1)}, "c/3": {"a": literal.Null(), "b": literal.Int(0)}})
			t.finds(from("c", where(field("a", "is not null")), by("b")), "2", "1")
		},
	},
}
