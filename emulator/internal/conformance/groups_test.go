package conformance

import (
	pb "cloud.google.com/go/firestore/apiv1/firestorepb"
	"google.golang.org/grpc/codes"

	"hippocampus/emulator/internal/literal"
)

const groupPage = "firestore/query-data/queries"

// family are documents of collections c at several depths.
func (t *T) family() {
	t.Helper()
	t.store(docs{
		"c/1": {"v": literal.Int(3)}, "a/x/c/2": {"v": literal.Int(2)}, "a/y/c/3": {"v": one}, "a/x/b/z/c/4": {"v": literal.Int(4)},
		"d/5": {"v": one}, "a/x": {"v": one}, "a/x/cc/6": {"v": one}, "c/1/c/7": {"v": literal.Int(5)},
	})
}

// groups are about queries of all collections of an id.
var groups = []Check{
	{
		Name: "a collection group is every collection of an id, by full name",
		Page: groupPage,
		Run: func(t *T) {
			t.family()
			t.finds(group("c"), "4", "2", "3", "1", "7")
		},
	},
	{
		Name: "a collection group orders across collections",
		Page: groupPage,
		Run: func(t *T) {
			t.family()
			t.finds(group("c", by("v")), "3", "2", "1", "4", "7")
			t.finds(group("c", by("v desc"), limitTo(2)), "7", "4")
		},
	},
	{
		Name: "a collection group is filtered",
		Page: groupPage,
		Run: func(t *T) {
			t.family()
			t.finds(group("c", where(v(">", literal.Int(2)))), "1", "4", "7")
		},
	},
	{
		Name: "a collection group below a document stays below it",
		Page: "proto query.proto, StructuredQuery.CollectionSelector",
		Run: func(t *T) {
			t.family()
			t.findsIn("a/x", group("c"), "4", "2")
			t.findsIn("a/y", group("c"), "3")
			t.findsIn("c/1", group("c"), "7")
			t.findsIn("a/none", group("c"))
		},
	},
	{
		Name: "a document whose id the parent's begins is not below it",
		Page: "proto query.proto, StructuredQuery.CollectionSelector",
		Run: func(t *T) {
			t.store(docs{"a/x/c/1": nil, "a/xx/c/2": nil, "a/x-/c/3": nil})
			t.findsIn("a/x", group("c"), "1")
		},
	},
	{
		Name: "a query of a collection stays in that of its parent",
		Page: groupPage,
		Run: func(t *T) {
			t.family()
			t.findsIn("a/x", from("c"), "2")
			t.findsIn("a/y", from("c"), "3")
			t.finds(from("c"), "1")
		},
	},
	{
		Name: "every document below a parent is a group of no id",
		Page: "proto query.proto, StructuredQuery.CollectionSelector.collection_id",
		Run: func(t *T) {
			t.family()
			t.finds(group(""), "x", "4", "2", "6", "3", "1", "7", "5")
			t.findsIn("a/x", group(""), "4", "2", "6")
		},
	},
	{
		Name: "a query of no collection id is of every collection of its parent",
		Page: "proto query.proto, StructuredQuery.CollectionSelector.collection_id",
		Run: func(t *T) {
			t.family()
			t.finds(from(""), "x", "1", "5")
			t.findsIn("a/x", from(""), "2", "6")
			t.finds(&pb.StructuredQuery{}, "x", "1", "5")
		},
	},
	{
		Name: "a group of no id takes filters and orders of names alone",
		Run: func(t *T) {
			t.family()
			t.finds(group("", where(t.name(">", "c/1")), by("__name__")), "7", "5")
			t.refuses(codes.InvalidArgument, group("", where(v("==", one))))
			t.refuses(codes.InvalidArgument, group("", by("v")))
		},
	},
	{
		Name: "a collection group takes a range of full names",
		Page: groupPage,
		Run: func(t *T) {
			t.family()
			t.finds(group("c", where(t.name(">", "a/x/c/2"))), "3", "1", "7")
			t.finds(group("c", where(t.name("==", "a/y/c/3"))), "3")
			t.finds(group("c", where(t.name(">=", "c/1"))), "1", "7")
		},
	},
	{
		Name: "a collection group takes cursors of full names",
		Page: cursorPage,
		Run: func(t *T) {
			t.family()
			t.finds(group("c", by("__name__"), startAfter(literal.Ref(t.Name("a/x/c/2")))), "3", "1", "7")
			t.finds(group("c", by("__name__"), endAt(literal.Ref(t.Name("a/x/c/2")))), "4", "2")
		},
	},
	{
		Name: "documents of a group with equal values ascend by full name",
		Page: groupPage,
		Run: func(t *T) {
			t.store(docs{"b/1/c/a": {"v": one}, "a/2/c/b": {"v": one}, "c/c": {"v": one}})
			t.finds(group("c", by("v")), "b", "a", "c")
			t.finds(group("c", by("v desc")), "c", "a", "b")
		},
	},
	{
		Name: "a collection group has offset, limit and projection",
		Page: groupPage,
		Run: func(t *T) {
			t.family()
			t.finds(group("c", by("v"), skip(1), limitTo(2), only("__name__")), "2", "1")
		},
	},
}
