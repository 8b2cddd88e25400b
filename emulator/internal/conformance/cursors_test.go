package conformance

import (
	"math"

	pb "cloud.google.com/go/firestore/apiv1/firestorepb"

	"hippocampus/emulator/internal/literal"
)

const cursorPage = "firestore/query-data/query-cursors"

// cursorCheck says what a query finds among c/0 to c/5, whose values v are 0, 1, 1, 1, 2 and 3.
func cursorCheck(name string, q *pb.StructuredQuery, want ...string) Check {
	return Check{Name: name, Page: cursorPage, Run: func(t *T) {
		t.storeEach(literal.Int(0), literal.Int(1), literal.Int(1), literal.Int(1), literal.Int(2), literal.Int(3))
		t.finds(q, want...)
		t.finds(from("c"), "0", "1", "2", "3", "4", "5")
	}}
}

// cursors are about where a query starts and ends.
var cursors = []Check{
	cursorCheck("startAt begins with its value", from("c", by("v"), startAt(literal.Int(1))), "1", "2", "3", "4", "5"),
	cursorCheck("startAfter begins after all results of its value", from("c", by("v"), startAfter(literal.Int(1))), "4", "5"),
	cursorCheck("endAt ends with all results of its value", from("c", by("v"), endAt(literal.Int(1))), "0", "1", "2", "3"),
	cursorCheck("endBefore ends before its value", from("c", by("v"), endBefore(literal.Int(1))), "0"),
	cursorCheck("startAt of a descending order begins with its value", from("c", by("v desc"), startAt(literal.Int(1))), "3", "2", "1", "0"),
	cursorCheck("startAfter of a descending order begins with less", from("c", by("v desc"), startAfter(literal.Int(1))), "0"),
	cursorCheck("endAt of a descending order ends with its value", from("c", by("v desc"), endAt(literal.Int(1))), "5", "4", "3", "2", "1"),
	cursorCheck("endBefore of a descending order ends with more", from("c", by("v desc"), endBefore(literal.Int(1))), "5", "4"),
	cursorCheck("a cursor need not match a result", from("c", by("v"), startAt(literal.Double(0.5)), endAt(literal.Double(2.5))), "1", "2", "3", "4"),
	cursorCheck("a start and an end bound both sides", from("c", by("v"), startAfter(literal.Int(0)), endBefore(literal.Int(3))), "1", "2", "3", "4"),
	cursorCheck("a start after the end finds nothing", from("c", by("v"), startAt(literal.Int(3)), endAt(literal.Int(1)))),
	cursorCheck("startAt and endBefore of one value find nothing", from("c", by("v"), startAt(literal.Int(1)), endBefore(literal.Int(1)))),
	cursorCheck("startAt and endAt of one value find that value", from("c", by("v"), startAt(literal.Int(1)), endAt(literal.Int(1))), "1", "2", "3"),
	cursorCheck("a cursor of no values that starts before is the beginning", from("c", by("v"), startAt()), "0", "1", "2", "3", "4", "5"),
	cursorCheck("a cursor of no values that ends after is the end", from("c", by("v"), endAt()), "0", "1", "2", "3", "4", "5"),
	cursorCheck("a cursor counts before a limit", from("c", by("v"), startAfter(literal.Int(0)), limitTo(2)), "1", "2"),
	cursorCheck("a cursor counts before an offset", from("c", by("v"), startAt(literal.Int(1)), skip(2)), "3", "4", "5"),
	cursorCheck("a cursor goes with a filter", from("c", where(v(">", literal.Int(0))), by("v"), startAfter(literal.Int(1)), endBefore(literal.Int(3))), "4"),
	cursorCheck("a cursor of the double that equals an integer begins with it", from("c", by("v"), startAt(literal.Double(2))), "4", "5"),
	cursorCheck("a cursor of a lesser type begins with the first", from("c", by("v"), startAt(literal.Bool(true))), "0", "1", "2", "3", "4", "5"),
	cursorCheck("a cursor of a greater type begins after the last", from("c", by("v"), startAt(literal.Str("")))),
	cursorCheck("an end of a greater type ends with the last", from("c", by("v"), endAt(literal.Map(nil))), "0", "1", "2", "3", "4", "5"),
	cursorCheck("a start at NaN precedes the other numbers", from("c", by("v desc"), endAt(literal.Double(math.NaN()))), "5", "4", "3", "2", "1", "0"),
	cursorCheck("a start at null begins with the first", from("c", by("v"), startAt(literal.Null())), "0", "1", "2", "3", "4", "5"),
	{
		Name: "a cursor across types begins in the order of types",
		Page: cursorPage,
		Run: func(t *T) {
			t.storeEach(literal.Null(), literal.Bool(true), literal.Int(1), literal.Str("a"), literal.Bytes("a"), literal.Array(), literal.Map(nil))
			t.finds(from("c", by("v"), startAfter(literal.Int(1))), "3", "4", "5", "6")
			t.finds(from("c", by("v"), endBefore(literal.Int(1))), "0", "1")
			t.finds(from("c", by("v desc"), startAfter(literal.Int(1))), "1", "0")
		},
	},
}
