package conformance

import (
	"google.golang.org/grpc/codes"

	pb "cloud.google.com/go/firestore/apiv1/firestorepb"

	"hippocampus/emulator/internal/literal"
)

// name is the filter of the name of documents.
func (t *T) name(op, path string) *pb.StructuredQuery_Filter {
	return field("__name__", op, literal.Ref(t.Name(path)))
}

// nameRefused checks that a filter of names is an invalid argument.
func nameRefused(name string, filter func(t *T) *pb.StructuredQuery_Filter) Check {
	return Check{Name: name, Page: filterPage, Run: func(t *T) {
		t.store(docs{"c/a": nil})
		t.finds(from("c", where(t.name("==", "c/a"))), "a")
		t.refuses(codes.InvalidArgument, from("c", where(filter(t))))
	}}
}

// descending checks that a query by descending names alone is refused. Firestore itself says that
// it needs an index, and makes none: github.com/firebase/flutterfire/issues/4398.
func descending(name string, q func(t *T) *pb.StructuredQuery) Check {
	return Check{Name: name, Run: func(t *T) {
		t.store(docs{"c/a": nil, "c/b": nil, "c/c": nil})
		t.finds(from("c", by("__name__")), "a", "b", "c")
		t.refuses(codes.FailedPrecondition, q(t))
	}}
}

// queryNames are about queries by the names of documents.
var queryNames = []Check{
	{
		Name: "== of a name finds that document",
		Page: filterPage,
		Run: func(t *T) {
			t.store(docs{"c/a": nil, "c/b": nil, "d/a": nil, "c/a/c/a": nil})
			t.finds(from("c", where(t.name("==", "c/a"))), "a")
		},
	},
	{
		Name: "in of names finds those documents in the order of names",
		Page: filterPage,
		Run: func(t *T) {
			t.store(docs{"c/a": nil, "c/b": nil, "c/c": nil})
			t.finds(from("c", where(field("__name__", "in", literal.Array(literal.Ref(t.Name("c/c")), literal.Ref(t.Name("c/a")), literal.Ref(t.Name("c/none")))))), "a", "c")
		},
	},
	{
		Name: "!= of a name finds the other documents",
		Page: filterPage,
		Run: func(t *T) {
			t.store(docs{"c/a": nil, "c/b": nil, "c/c": nil})
			t.finds(from("c", where(t.name("!=", "c/b"))), "a", "c")
		},
	},
	{
		Name: "not-in of names finds the other documents",
		Page: filterPage,
		Run: func(t *T) {
			t.store(docs{"c/a": nil, "c/b": nil, "c/c": nil})
			t.finds(from("c", where(field("__name__", "not-in", literal.Array(literal.Ref(t.Name("c/a")), literal.Ref(t.Name("c/c")))))), "b")
		},
	},
	{
		Name: "a range of names bounds ids",
		Page: filterPage,
		Run: func(t *T) {
			t.store(docs{"c/a": nil, "c/ab": nil, "c/abc": nil, "c/b": nil, "c/B": nil})
			t.finds(from("c", where(and(t.name(">=", "c/ab"), t.name("<", "c/b")))), "ab", "abc")
			t.finds(from("c", where(t.name("<", "c/a"))), "B")
		},
	},
	descending("a range of names does not descend", func(t *T) *pb.StructuredQuery {
		return from("c", where(t.name("<=", "c/b")), by("__name__ desc"))
	}),
	descending("an order of names does not descend", func(t *T) *pb.StructuredQuery { return from("c", by("__name__ desc")) }),
	descending("a collection group does not descend by name", func(t *T) *pb.StructuredQuery {
		return group("c", by("__name__ desc"), limitTo(2))
	}),
	{
		Name: "an order of names descends among documents of an equality",
		Page: filterPage,
		Run: func(t *T) {
			t.storeEach(one, literal.Int(2), one, one)
			t.finds(from("c", where(v("==", one)), by("__name__ desc")), "3", "2", "0")
		},
	},
	{
		Name: "an inequality of a field with an order of names alone is refused",
		Run: func(t *T) {
			t.refuses(codes.InvalidArgument, from("c", where(v(">", one)), by("__name__")))
		},
	},
	{
		Name: "a name in another database is refused",
		Run: func(t *T) {
			t.refuses(codes.InvalidArgument, from("c", where(field("__name__", "==", literal.Ref("projects/demo-other/databases/(default)/documents/c/a")))))
		},
	},
	{
		Name: "a range of names goes with == of a field",
		Page: filterPage,
		Run: func(t *T) {
			t.storeEach(one, one, literal.Int(2), one)
			t.finds(from("c", where(and(v("==", one), t.name(">", "c/0")))), "1", "3")
		},
	},
	{
		Name: "an order of names finds documents without fields",
		Page: limitPage,
		Run: func(t *T) {
			t.store(docs{"c/b": nil, "c/a": {"v": one}})
			t.finds(from("c", by("__name__")), "a", "b")
		},
	},
	{
		Name: "numeric ids precede the others, by number",
		Page: orderPage,
		Run: func(t *T) {
			t.store(docs{"c/__id10__": nil, "c/__id9__": nil, "c/__id-3__": nil, "c/A": nil, "c/0": nil, "c/_": nil})
			t.finds(from("c"), "__id-3__", "__id9__", "__id10__", "0", "A", "_")
		},
	},
	{
		Name: "a range of names bounds numeric ids by number",
		Page: orderPage,
		Run: func(t *T) {
			t.store(docs{"c/__id10__": nil, "c/__id9__": nil, "c/__id11__": nil, "c/a": nil})
			t.finds(from("c", where(t.name(">", "c/__id9__"))), "__id10__", "__id11__", "a")
		},
	},
	{
		Name: "documents of collections below are not found",
		Page: "firestore/data-model",
		Run: func(t *T) {
			t.store(docs{"c/a": nil, "c/a/c/b": nil, "c/a/d/c": nil, "c/z/d/e": nil})
			t.finds(from("c"), "a")
			t.findsIn("c/a", from("c"), "b")
			t.findsIn("c/z", from("d"), "e")
			t.findsIn("c/z", from("c"))
		},
	},
	{
		Name: "a document whose parent is missing is found",
		Page: "firestore/data-model",
		Run: func(t *T) {
			t.store(docs{"c/ghost/d/a": {"v": one}})
			t.findsIn("c/ghost", from("d", where(v("==", one))), "a")
			t.finds(from("c"))
		},
	},
	{
		Name: "collections whose ids begin alike are apart",
		Page: "firestore/data-model",
		Run: func(t *T) {
			t.store(docs{"c/1": nil, "cc/2": nil, "c-/3": nil, "c0/4": nil, "C/5": nil})
			t.finds(from("c"), "1")
			t.finds(from("cc"), "2")
		},
	},
	nameRefused("a name that is a string is refused", func(*T) *pb.StructuredQuery_Filter { return field("__name__", "==", literal.Str("a")) }),
	nameRefused("a name that is null is refused", func(*T) *pb.StructuredQuery_Filter { return field("__name__", "is null") }),
	nameRefused("array-contains of the name is refused", func(t *T) *pb.StructuredQuery_Filter { return t.name("array-contains", "c/a") }),
	nameRefused("in of names with a string among them is refused", func(t *T) *pb.StructuredQuery_Filter {
		return field("__name__", "in", literal.Array(literal.Ref(t.Name("c/a")), literal.Str("b")))
	}),
	nameRefused("a name that is a collection's is refused", func(t *T) *pb.StructuredQuery_Filter { return t.name("==", "c") }),
}
