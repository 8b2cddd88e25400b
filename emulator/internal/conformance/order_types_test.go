package conformance

import (
	"math"

	pb "cloud.google.com/go/firestore/apiv1/firestorepb"

	"hippocampus/emulator/internal/literal"
)

// negativeZero is the double -0.
var negativeZero = math.Copysign(0, -1)

// orderTypes are about the order of values of different types, and what takes part in an order.
var orderTypes = []Check{
	ascends("types ascend from null to map", func(t *T) []*pb.Value {
		return []*pb.Value{
			literal.Null(), literal.Bool(false), literal.Bool(true), literal.Double(math.NaN()), literal.Double(math.Inf(-1)), literal.Int(5), literal.Double(math.Inf(1)),
			literal.Time(0, 0), literal.Str(""), literal.Str("\U0010ffff"), literal.Bytes(""), literal.Bytes("\xff"), literal.Ref(t.Name("a/b")), literal.Geo(-90, -180),
			literal.Array(), literal.Array(literal.Map(nil)), literal.Vector(1), literal.Map(nil), literal.Map(fields{"a": literal.Null()}),
		}
	}),
	ascends("false precedes true", given(literal.Bool(false), literal.Bool(true))),
	{
		Name: "an order leaves out documents without its field",
		Page: "firestore/query-data/order-limit-data",
		Run: func(t *T) {
			t.store(docs{"c/a": {"v": literal.Int(2)}, "c/b": {"w": literal.Int(0)}, "c/c": {"v": literal.Null()}, "c/d": {"v": literal.Int(1)}})
			t.finds(from("c", by("v")), "c", "d", "a")
		},
	},
	{
		Name: "without an order documents ascend by name",
		Page: "firestore/query-data/order-limit-data",
		Run: func(t *T) {
			t.store(docs{"c/b": nil, "c/B": nil, "c/a": nil, "c/10": nil, "c/9": nil, "c/é": nil, "c/_": nil})
			t.finds(from("c"), "10", "9", "B", "_", "a", "b", "é")
		},
	},
	{
		Name: "documents of equal values descend by name if the last order descends",
		Page: "proto query.proto, StructuredQuery.order_by",
		Run: func(t *T) {
			t.store(docs{"c/a": {"v": literal.Int(1)}, "c/b": {"v": literal.Int(2)}, "c/c": {"v": literal.Int(1)}, "c/d": {"v": literal.Int(2)}})
			t.finds(from("c", by("v")), "a", "c", "b", "d")
			t.finds(from("c", by("v desc")), "d", "b", "c", "a")
			t.finds(from("c", by("v desc", "__name__")), "b", "d", "a", "c")
			t.finds(from("c", by("v", "__name__ desc")), "c", "a", "d", "b")
		},
	},
	{
		Name: "several orders decide in turn, each in its direction",
		Page: "firestore/query-data/order-limit-data",
		Run: func(t *T) {
			t.store(docs{
				"c/a": {"v": literal.Int(1), "w": literal.Int(1)}, "c/b": {"v": literal.Int(1), "w": literal.Int(2)},
				"c/c": {"v": literal.Int(2), "w": literal.Int(1)}, "c/d": {"v": literal.Int(2), "w": literal.Int(2)}, "c/e": {"v": literal.Int(2)},
			})
			t.finds(from("c", by("v", "w")), "a", "b", "c", "d")
			t.finds(from("c", by("v desc", "w")), "c", "d", "a", "b")
			t.finds(from("c", by("v", "w desc")), "b", "a", "d", "c")
			t.finds(from("c", by("w desc", "v desc")), "d", "b", "c", "a")
		},
	},
	{
		Name: "an order goes into maps",
		Page: "firestore/query-data/order-limit-data",
		Run: func(t *T) {
			t.store(docs{
				"c/a": {"m": literal.Map(fields{"x": literal.Int(2)})}, "c/b": {"m": literal.Map(fields{"x": literal.Int(1)})},
				"c/c": {"m": literal.Map(fields{"y": literal.Int(0)})}, "c/d": {"m": literal.Int(0)}, "c/e": {"m.x": literal.Int(0)},
			})
			t.finds(from("c", by("m.x")), "b", "a")
		},
	},
	{
		Name: "an order by a quoted field means the key as it is quoted",
		Page: "proto query.proto, StructuredQuery.FieldReference",
		Run: func(t *T) {
			t.store(docs{"c/a": {"m.x": literal.Int(2)}, "c/b": {"m.x": literal.Int(1)}, "c/c": {"m": literal.Map(fields{"x": literal.Int(0)})}})
			t.finds(from("c", by("`m.x`")), "b", "a")
		},
	},
	{
		Name: "an order of no direction ascends",
		Page: "proto query.proto, StructuredQuery.Order",
		Run: func(t *T) {
			t.storeEach(literal.Int(2), literal.Int(1))
			q := from("c", by("v"))
			q.OrderBy[0].Direction = pb.StructuredQuery_DIRECTION_UNSPECIFIED
			t.finds(q, "1", "0")
		},
	},
}
