package conformance

import (
	"cloud.google.com/go/firestore/apiv1/firestorepb"
	"google.golang.org/grpc/codes"
)

const maskPage = "proto write.proto, Write.update_mask"

// masks are about updates of some of a document's fields.
var masks = []Check{
	updates("an update without a mask replaces the document", fields{"a": integer(1), "b": integer(2)},
		func(t *T) *firestorepb.Write { return t.set("c/d", fields{"a": integer(3)}) }, fields{"a": integer(3)}),
	masked("a mask leaves other fields as they are",
		fields{"a": integer(1), "b": integer(2)}, fields{"a": integer(3)}, []string{"a"}, fields{"a": integer(3), "b": integer(2)}),
	masked("a field in the mask but not in the update is removed",
		fields{"a": integer(1), "b": integer(2)}, nil, []string{"a"}, fields{"b": integer(2)}),
	masked("a field in the update but not in the mask is left out",
		fields{"a": integer(1)}, fields{"a": integer(3), "b": integer(4)}, []string{"b"}, fields{"a": integer(1), "b": integer(4)}),
	masked("a field that is removed need not exist", fields{"a": integer(1)}, nil, []string{"b", "c.d"}, fields{"a": integer(1)}),
	masked("an empty mask changes no field", fields{"a": integer(1)}, fields{"a": integer(2)}, nil, fields{"a": integer(1)}),
	masked("a masked update creates a missing document", nil, fields{"a": integer(1), "b": integer(2)}, []string{"a"}, fields{"a": integer(1)}),
	masked("an empty mask creates an empty document", nil, fields{"a": integer(1)}, nil, fields{}),
	masked("a mask that only removes creates an empty document", nil, nil, []string{"a"}, fields{}),
	masked("a path sets a key of a map and leaves the other keys",
		fields{"m": mapOf(fields{"a": integer(1), "b": integer(2)})}, fields{"m": mapOf(fields{"a": integer(3)})}, []string{"m.a"},
		fields{"m": mapOf(fields{"a": integer(3), "b": integer(2)})}),
	masked("a path removes a key of a map",
		fields{"m": mapOf(fields{"a": integer(1), "b": integer(2)})}, nil, []string{"m.a"}, fields{"m": mapOf(fields{"b": integer(2)})}),
	masked("removing the last key of a map leaves an empty map",
		fields{"m": mapOf(fields{"a": integer(1)})}, nil, []string{"m.a"}, fields{"m": mapOf(nil)}),
	masked("a map in the mask is replaced",
		fields{"m": mapOf(fields{"a": integer(1), "b": integer(2)})}, fields{"m": mapOf(fields{"c": integer(3)})}, []string{"m"},
		fields{"m": mapOf(fields{"c": integer(3)})}),
	masked("an empty map in the mask empties the map",
		fields{"m": mapOf(fields{"a": integer(1)})}, fields{"m": mapOf(nil)}, []string{"m"}, fields{"m": mapOf(nil)}),
	masked("a path makes the maps that it goes through",
		fields{"x": integer(1)}, fields{"a": mapOf(fields{"b": mapOf(fields{"c": integer(2)})})}, []string{"a.b.c"},
		fields{"x": integer(1), "a": mapOf(fields{"b": mapOf(fields{"c": integer(2)})})}),
	masked("a path through a value that is no map replaces it by a map",
		fields{"a": integer(1)}, fields{"a": mapOf(fields{"b": integer(2)})}, []string{"a.b"}, fields{"a": mapOf(fields{"b": integer(2)})}),
	masked("a path through an array replaces it by a map",
		fields{"a": array(integer(1))}, fields{"a": mapOf(fields{"0": integer(2)})}, []string{"a.`0`"}, fields{"a": mapOf(fields{"0": integer(2)})}),
	masked("removing a path through a value that is no map leaves the value",
		fields{"a": integer(1)}, nil, []string{"a.b"}, fields{"a": integer(1)}),
	masked("removing a path through a missing field makes no map", fields{"x": integer(1)}, nil, []string{"a.b"}, fields{"x": integer(1)}),
	masked("several paths into one map are all applied",
		fields{"m": mapOf(fields{"a": integer(1), "b": integer(2), "c": integer(3)})},
		fields{"m": mapOf(fields{"a": integer(4), "d": integer(5)})}, []string{"m.a", "m.b", "m.d"},
		fields{"m": mapOf(fields{"a": integer(4), "c": integer(3), "d": integer(5)})}),
	masked("one update sets, removes and leaves",
		fields{"set": integer(1), "removed": integer(2), "left": integer(3)}, fields{"set": integer(4)}, []string{"set", "removed"},
		fields{"set": integer(4), "left": integer(3)}),
	masked("a path and a path inside it may be in one mask: the value is taken whole",
		fields{"a": mapOf(fields{"x": integer(1)})}, fields{"a": mapOf(fields{"b": integer(1), "c": integer(2)})}, []string{"a", "a.b"},
		fields{"a": mapOf(fields{"b": integer(1), "c": integer(2)})}),
	masked("a path and a path around it may be in one mask: the value is taken whole",
		fields{"a": mapOf(fields{"x": integer(1)})}, fields{"a": mapOf(fields{"b": integer(1), "c": integer(2)})}, []string{"a.b", "a"},
		fields{"a": mapOf(fields{"b": integer(1), "c": integer(2)})}),
	masked("a path may appear twice in a mask", fields{"b": integer(1)}, fields{"a": integer(1)}, []string{"a", "a"}, fields{"a": integer(1), "b": integer(1)}),
	masked("a quoted field name may hold dots",
		fields{"a": mapOf(fields{"b": integer(1)})}, fields{"a.b": integer(2)}, []string{"`a.b`"},
		fields{"a": mapOf(fields{"b": integer(1)}), "a.b": integer(2)}),
	masked("backticks and backslashes are escaped in a quoted name",
		fields{"x": integer(1)}, fields{"a`b\\c": integer(2)}, []string{"`a\\`b\\\\c`"}, fields{"x": integer(1), "a`b\\c": integer(2)}),
	masked("a simple field name may be quoted", fields{"b": integer(1)}, fields{"a": integer(2)}, []string{"`a`"}, fields{"a": integer(2), "b": integer(1)}),
	masked("quoted and simple names mix in a path",
		nil, fields{"a": mapOf(fields{"b c": mapOf(fields{"d": integer(1)})})}, []string{"a.`b c`.d"},
		fields{"a": mapOf(fields{"b c": mapOf(fields{"d": integer(1)})})}),
	masked("any name may be quoted, also in another script", nil, fields{"é 🧠": integer(1)}, []string{"`é 🧠`"}, fields{"é 🧠": integer(1)}),
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
			_, err := t.tryCommit(t.merge("c/d", fields{"a": integer(1)}, "a", "__name__"))
			t.fails(codes.InvalidArgument, err)
		},
		Difference: "the path __name__ in an update's mask is ignored",
		Official: func(t *T) {
			t.commit(t.merge("c/d", fields{"a": integer(1)}, "a", "__name__"))
			t.has("c/d", fields{"a": integer(1)})
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
			_, err := t.tryCommit(t.merge("c/d", fields{"a": integer(1), "b": array(array())}, "a"))
			t.fails(codes.InvalidArgument, err)
		},
	},
}

// masked is the check of what an update with a mask makes of a document; without fields before there is none.
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
			_, err := t.tryCommit(t.merge("c/d", fields{"x": integer(1)}, mask...))
			t.fails(codes.InvalidArgument, err)
		},
	}
}
