package conformance

import (
	"fmt"

	pb "cloud.google.com/go/firestore/apiv1/firestorepb"
	"github.com/stretchr/testify/require"
	"google.golang.org/grpc/codes"

	"hippocampus/emulator/internal/literal"
)

// grid stores the documents c/00 to c/22 with x and y of their names' digits.
func (t *T) grid() {
	t.Helper()
	all := docs{}
	for x := range int64(3) {
		for y := range int64(3) {
			all[fmt.Sprintf("c/%d%d", x, y)] = fields{"x": literal.Int(x), "y": literal.Int(y)}
		}
	}
	t.store(all)
}

// severalCursors are about cursors of several orders and of names.
var severalCursors = []Check{
	{
		Name: "a cursor of two values is a place in both orders",
		Page: cursorPage,
		Run: func(t *T) {
			t.grid()
			t.finds(from("c", by("x", "y"), startAt(literal.Int(1), literal.Int(1))), "11", "12", "20", "21", "22")
			t.finds(from("c", by("x", "y"), startAfter(literal.Int(1), literal.Int(1))), "12", "20", "21", "22")
			t.finds(from("c", by("x", "y"), endAt(literal.Int(1), literal.Int(1))), "00", "01", "02", "10", "11")
			t.finds(from("c", by("x", "y"), endBefore(literal.Int(1), literal.Int(1))), "00", "01", "02", "10")
		},
	},
	{
		Name: "a cursor of two values in orders of both directions",
		Page: cursorPage,
		Run: func(t *T) {
			t.grid()
			t.finds(from("c", by("x desc", "y"), startAt(literal.Int(1), literal.Int(1))), "11", "12", "00", "01", "02")
			t.finds(from("c", by("x", "y desc"), startAfter(literal.Int(1), literal.Int(1))), "10", "22", "21", "20")
			t.finds(from("c", by("x desc", "y desc"), endAt(literal.Int(1), literal.Int(1))), "22", "21", "20", "12", "11")
		},
	},
	{
		Name: "a cursor of fewer values than orders stands for all results that begin so",
		Page: queryProto + ".start_at",
		Run: func(t *T) {
			t.grid()
			t.finds(from("c", by("x", "y"), startAt(literal.Int(1))), "10", "11", "12", "20", "21", "22")
			t.finds(from("c", by("x", "y"), startAfter(literal.Int(1))), "20", "21", "22")
			t.finds(from("c", by("x", "y"), endAt(literal.Int(1))), "00", "01", "02", "10", "11", "12")
			t.finds(from("c", by("x", "y desc"), startAfter(literal.Int(1))), "22", "21", "20")
		},
	},
	{
		Name: "a cursor of a value and a name continues among equal values",
		Page: cursorPage,
		Run: func(t *T) {
			t.storeEach(one, one, one, literal.Int(2))
			at := literal.Ref(t.Name("c/1"))
			t.finds(from("c", by("v", "__name__"), startAfter(one, at)), "2", "3")
			t.finds(from("c", by("v", "__name__"), startAt(one, at)), "1", "2", "3")
			t.finds(from("c", by("v", "__name__"), endBefore(one, at)), "0")
			t.finds(from("c", by("v desc", "__name__ desc"), startAfter(one, at)), "0")
			t.finds(from("c", by("v", "__name__ desc"), startAfter(one, at)), "0", "3")
		},
	},
	{
		Name: "a cursor of a name is a place in the order of names",
		Page: cursorPage,
		Run: func(t *T) {
			t.store(docs{"c/a": nil, "c/b": nil, "c/c": nil})
			t.finds(from("c", by("__name__"), startAt(literal.Ref(t.Name("c/b")))), "b", "c")
			t.finds(from("c", by("__name__"), startAfter(literal.Ref(t.Name("c/b")))), "c")
			t.finds(from("c", by("__name__"), endBefore(literal.Ref(t.Name("c/b")))), "a")
		},
	},
	{
		Name: "a cursor of an order that is only implied is refused",
		Page: queryProto + ".start_at",
		Run: func(t *T) {
			t.refuses(codes.InvalidArgument, from("c", startAfter(literal.Ref(t.Name("c/a")))))
			t.refuses(codes.InvalidArgument, from("c", by("v"), startAfter(one, literal.Ref(t.Name("c/a")))))
			t.refuses(codes.InvalidArgument, from("c", where(v(">", one)), startAfter(one)))
			t.refuses(codes.InvalidArgument, from("c", where(v(">", one)), endAt(one)))
		},
	},
	{
		Name: "a cursor of a name in another database is refused",
		Run: func(t *T) {
			other := literal.Ref("projects/demo-other/databases/(default)/documents/c/a")
			t.refuses(codes.InvalidArgument, from("c", by("__name__"), startAt(other)))
		},
	},
	{
		Name: "a cursor of a value of no type is refused",
		Page: "proto document.proto, Value",
		Run:  func(t *T) { t.refuses(codes.InvalidArgument, from("c", by("v"), startAt(&pb.Value{}))) },
	},
	descending("a cursor does not make names descend", func(t *T) *pb.StructuredQuery {
		return from("c", by("__name__ desc"), startAfter(literal.Ref(t.Name("c/b"))))
	}),
	{
		Name: "a cursor of a name need not exist",
		Page: queryProto + ".start_at",
		Run: func(t *T) {
			t.store(docs{"c/a": nil, "c/b": nil, "c/c": nil})
			t.finds(from("c", by("__name__"), startAt(literal.Ref(t.Name("c/aa")))), "b", "c")
			t.finds(from("c", by("__name__"), endAt(literal.Ref(t.Name("c/bb")))), "a", "b")
		},
	},
	{
		Name: "a cursor of a name outside of the collection is a place before or after it",
		Run: func(t *T) {
			t.store(docs{"c/a": nil, "c/b": nil})
			t.finds(from("c", by("__name__"), startAt(literal.Ref(t.Name("b/z")))), "a", "b")
			t.finds(from("c", by("__name__"), startAt(literal.Ref(t.Name("d/a")))))
		},
	},
	{
		Name: "pages of a query by cursors are the query",
		Page: cursorPage,
		Run: func(t *T) {
			t.grid()
			var pages []string
			orders := by("x desc", "__name__ desc")
			q := from("c", orders, limitTo(2))
			for {
				page := t.results("", q)
				pages = append(pages, ids(page)...)
				if len(page) < 2 {
					break
				}
				last := page[len(page)-1]
				q = from("c", orders, limitTo(2), startAfter(last.GetFields()["x"], literal.Ref(last.GetName())))
			}
			require.Equal(t, ids(t.results("", from("c", by("x desc")))), pages)
			require.Equal(t, []string{"22", "21", "20", "12", "11", "10", "02", "01", "00"}, pages)
		},
	},
	{
		Name: "limit to last is the reverse order with a limit",
		Page: cursorPage,
		Run: func(t *T) {
			t.grid()
			t.finds(from("c", by("x desc", "y desc"), startAt(literal.Int(1), literal.Int(1)), limitTo(2)), "11", "10")
		},
	},
	{
		Name: "a cursor goes into maps",
		Page: cursorPage,
		Run: func(t *T) {
			t.store(docs{"c/a": {"m": literal.Map(fields{"x": one})}, "c/b": {"m": literal.Map(fields{"x": literal.Int(2)})}, "c/c": {"m": literal.Int(9)}})
			t.finds(from("c", by("m.x"), startAfter(one)), "b")
		},
	},
	{
		Name: "a cursor of a map or array is a place among them",
		Page: cursorPage,
		Run: func(t *T) {
			t.storeEach(literal.Array(one), literal.Array(literal.Int(2)), literal.Map(fields{"a": one}), literal.Map(fields{"a": literal.Int(2)}))
			t.finds(from("c", by("v"), startAfter(literal.Array(one))), "1", "2", "3")
			t.finds(from("c", by("v"), startAfter(literal.Map(fields{"a": one}))), "3")
		},
	},
	{
		Name: "a cursor goes with inequalities of several fields",
		Page: "firestore/query-data/multiple-range-fields",
		Run: func(t *T) {
			t.grid()
			f := where(and(field("y", ">", literal.Int(0)), field("x", ">", literal.Int(0))))
			t.finds(from("c", f, by("x", "y"), startAfter(literal.Int(1), literal.Int(1))), "12", "21", "22")
		},
	},
}
