package conformance

import (
	"cloud.google.com/go/firestore/apiv1/firestorepb"
	"google.golang.org/grpc/codes"

	"hippocampus/emulator/internal/literal"
)

const maskPage = "proto write.proto, Write.update_mask"

// masks are about updates of some of a document's fields.
var masks = []Check{
	updates("an update without a mask replaces the document", fields{"a": literal.Int(1), "b": literal.Int(2)},
		func(t *T) *firestorepb.Write { return t.set("c/d", fields{"a": literal.Int(3)}) }, fields{"a": literal.Int(3)}),
	masked("a mask leaves other fields as they are",
		fields{"a": literal.Int(1), "b": literal.Int(2)}, fields{"a": literal.Int(3)}, []string{"a"}, fields{"a": literal.Int(3), "b": literal.Int(2)}),
	masked("a field in the mask but not in the update is removed",
		fields{"a": literal.Int(1), "b": literal.Int(2)}, nil, []string{"a"}, fields{"b": literal.Int(2)}),
	masked("a field in the update but not in the mask is left out",
		fields{"a": literal.Int(1)}, fields{"a": literal.Int(3), "b": literal.Int(4)}, []string{"b"}, fields{"a": literal.Int(1), "b": literal.Int(4)}),
	masked("a field that is removed need not exist", fields{"a": literal.Int(1)}, nil, []string{"b", "c.d"}, fields{"a": literal.Int(1)}),
	masked("an empty mask changes no field", fields{"a": literal.Int(1)}, fields{"a": literal.Int(2)}, nil, fields{"a": literal.Int(1)}),
	masked("a masked update creates a missing document", nil, fields{"a": literal.Int(1), "b": literal.Int(2)}, []string{"a"}, fields{"a": literal.Int(1)}),
	masked("an empty mask creates an empty document", nil, fields{"a": literal.Int(1)}, nil, fields{}),
	masked("a mask that only removes creates an empty document", nil, nil, []string{"a"}, fields{}),
	masked("a path sets a key of a map and leaves the other keys",
		fields{"m": literal.Map(fields{"a": literal.Int(1), "b": literal.Int(2)})}, fields{"m": literal.Map(fields{"a": literal.Int(3)})}, []string{"m.a"},
		fields{"m": literal.Map(fields{"a": literal.Int(3), "b": literal.Int(2)})}),
	masked("a path removes a key of a map",
		fields{"m": literal.Map(fields{"a": literal.Int(1), "b": literal.Int(2)})}, nil, []string{"m.a"}, fields{"m": literal.Map(fields{"b": literal.Int(2)})}),
	masked("removing the last key of a map leaves an empty map",
		fields{"m": literal.Map(fields{"a": literal.Int(1)})}, nil, []string{"m.a"}, fields{"m": literal.Map(nil)}),
	masked("a map in the mask is replaced",
		fields{"m": literal.Map(fields{"a": literal.Int(1), "b": literal.Int(2)})}, fields{"m": literal.Map(fields{"c": literal.Int(3)})}, []string{"m"},
		fields{"m": literal.Map(fields{"c": literal.Int(3)})}),
	masked("an empty map in the mask empties the map",
		fields{"m": literal.Map(fields{"a": literal.Int(1)})}, fields{"m": literal.Map(nil)}, []string{"m"}, fields{"m": literal.Map(nil)}),
	masked("a path makes the maps that it goes through",
		fields{"x": literal.Int(1)}, fields{"a": literal.Map(fields{"b": literal.Map(fields{"c": literal.Int(2)})})}, []string{"a.b.c"},
		fields{"x": literal.Int(1), "a": literal.Map(fields{"b": literal.Map(fields{"c": literal.Int(2)})})}),
	masked("a path through a value that is no map replaces it by a map",
		fields{"a": literal.Int(1)}, fields{"a": literal.Map(fields{"b": literal.Int(2)})}, []string{"a.b"}, fields{"a": literal.Map(fields{"b": literal.Int(2)})}),
	masked("a path through an array replaces it by a map",
		fields{"a": literal.Array(literal.Int(1))}, fields{"a": literal.Map(fields{"0": literal.Int(2)})}, []string{"a.`0`"}, fields{"a": literal.Map(fields{"0": literal.Int(2)})}),
	masked("removing a path through a value that is no map leaves the value",
		fields{"a": literal.Int(1)}, nil, []string{"a.b"}, fields{"a": literal.Int(1)}),
	masked("removing a path through a missing field makes no map", fields{"x": literal.Int(1)}, nil, []string{"a.b"}, fields{"x": literal.Int(1)}),
	masked("several paths into one map are all applied",
		fields{"m": literal.Map(fields{"a": literal.Int(1), "b": literal.Int(2), "c": literal.Int(3)})},
		fields{"m": literal.Map(fields{"a": literal.Int(4), "d": literal.Int(5)})}, []string{"m.a", "m.b", "m.d"},
		fields{"m": literal.Map(fields{"a": literal.Int(4), "c": literal.Int(3), "d": literal.Int(5)})}),
	masked("one update sets, removes and leaves",
		fields{"set": literal.Int(1), "removed": literal.Int(2), "left": literal.Int(3)}, fields{"set": literal.Int(4)}, []string{"set", "removed"},
		fields{"set": literal.Int(4), "left": literal.Int(3)}),
	masked("a path and a path inside it may be in one mask: the value is taken whole",
		fields{"a": literal.Map(fields{"x": literal.Int(1)})}, fields{"a": literal.Map(fields{"b": literal.Int(1), "c": literal.Int(2)})}, []string{"a", "a.b"},
		fields{"a": literal.Map(fields{"b": literal.Int(1), "c": literal.Int(2)})}),
	masked("a path and a path around it may be in one mask: the value is taken whole",
		fields{"a": literal.Map(fields{"x": literal.Int(1)})}, fields{"a": literal.Map(fields{"b": literal.Int(1), "c": literal.Int(2)})}, []string{"a.b", "a"},
		fields{"a": literal.Map(fields{"b": literal.Int(1), "c": literal.Int(2)})}),
	masked("a path may appear twice in a mask", fields{"b": literal.Int(1)}, fields{"a": literal.Int(1)}, []string{"a", "a"}, fields{"a": literal.Int(1), "b": literal.Int(1)}),
	masked("a quoted field name may hold dots",
		fields{"a": literal.Map(fields{"b": literal.Int(1)})}, fields{"a.b": literal.Int(2)}, []string{"`a.b`"},
		fields{"a": literal.Map(fields{"b": literal.Int(1)}), "a.b": literal.Int(2)}),
	masked("backticks and backslashes are escaped in a quoted name",
		fields{"x": literal.Int(1)}, fields{"a`b\\c": literal.Int(2)}, []string{"`a\\`b\\\\c`"}, fields{"x": literal.Int(1), "a`b\\c": literal.Int(2)}),
	masked("a simple field name may be quoted", fields{"b": literal.Int(1)}, fields{"a": literal.Int(2)}, []string{"`a`"}, fields{"a": literal.Int(2), "b": literal.Int(1)}),
	masked("quoted and simple names mix in a path",
		nil, fields{"a": literal.Map(fields{"b c": literal.Map(fields{"d": literal.Int(1)})})}, []string{"a.`b c`.d"},
		fields{"a": literal.Map(fields{"b c": literal.Map(fields{"d": literal.Int(1)})})}),
	masked("any name may be quoted, also in another script", nil, fields{"é 🧠": literal.Int(1)}, []string{"`é 🧠`"}, fields{"é 🧠": literal.Int(1)}),
	refusesMask("an empty path", "proto document.proto, Document.fields", ""),
	refusesMask("a path with an empty part", "proto document.proto, Document.fields", "a..b"),
	refusesMask("a path that ends with a dot", "proto document.proto, Document.fields", "a."),
	refusesMask("a path that begins with a dot", "proto document.proto, Document.fields", ".a"),
	refusesMask("an empty quoted name", "proto document.proto, Document.fields", "``"),
	refusesMask("a quote that is not closed", "proto document.proto, Document.fields", "`a"),
	refusesMask("a simple name that begins with a digit", "proto document.proto, Document.fields", "1a"),
	refusesMask("a simple name with a hyphen", "proto document.proto, Document.fields", "a-b"),
	refusesMask("a simple name with a space", "proto document.proto, Document.fields", "a b"),
	refusesMask("a simple name with a slash", "proto document.proto, Document.fields", "a/b"),
	refusesMask("a simple name in another script", "proto document.proto, Document.fields", "é"),
	refusesMask("a reserved name", maskPage, "__a__"),
	refusesMask("a reserved name of a key", maskPage, "a.__b__"),
	refusesMask("a quoted reserved name", maskPage, "`__a__`"),
	{
		Name: "the path __name__ is refused",
		Page: maskPage,
		Run: func(t *T) {
			_, err := t.tryCommit(t.merge("c/d", fields{"a": literal.Int(1)}, "a", "__name__"))
			t.fails(codes.InvalidArgument, err)
		},
		Difference: "the path __name__ in an update's mask is ignored",
		Official: func(t *T) {
			t.commit(t.merge("c/d", fields{"a": literal.Int(1)}, "a", "__name__"))
			t.has("c/d", fields{"a": literal.Int(1)})
		},
	},
	{
		Name: "a mask is refused with a deletion",
		Page: maskPage + ": only when the operation is update",
		Run: func(t *T) {
			t.commit(t.set("c/d", nil))
			w := t.remove("c/d")
			w.UpdateMask = &firestorepb.DocumentMask{FieldPaths: []string{"a"}}
			_, err := t.tryCommit(w)
			t.fails(codes.InvalidArgument, err)
		},
	},
	{
		Name: "a bad value outside of the mask is refused",
		Run: func(t *T) {
			_, err := t.tryCommit(t.merge("c/d", fields{"a": literal.Int(1), "b": literal.Array(literal.Array())}, "a"))
			t.fails(codes.InvalidArgument, err)
		},
	},
}

// masked is the check of what an update with a mask makes of a document; without fields before
// there is none.
func masked(name string, before, update fields, mask []string, after fields) Check {
	return updates(name, before, func(t *T) *firestorepb.Write { return t.merge("c/d", update, mask...) }, after)
}

// updates is the check of what a write makes of the document c/d.
func updates(name string, before fields, w func(t *T) *firestorepb.Write, after fields) Check {
	return Check{
		Name: name,
		Page: maskPage,
		Run: func(t *T) {
			if before != nil {
				t.commit(t.set("c/d", before))
			}
			t.commit(w(t))
			doc := t.get("c/d")
			if doc == nil {
				doc = &firestorepb.Document{}
				t.Errorf("c/d does not exist")
			}
			t.same(&firestorepb.MapValue{Fields: after}, &firestorepb.MapValue{Fields: doc.Fields})
		},
	}
}

// refusesMask is the check that a mask cannot be used.
func refusesMask(what, page string, mask ...string) Check {
	return Check{
		Name: what + " is refused",
		Page: page,
		Run: func(t *T) {
			_, err := t.tryCommit(t.merge("c/d", fields{"x": literal.Int(1)}, mask...))
			t.fails(codes.InvalidArgument, err)
		},
	}
}
