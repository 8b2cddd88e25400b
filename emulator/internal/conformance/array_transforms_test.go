package conformance

import (
	"cloud.google.com/go/firestore/apiv1/firestorepb"

	"hippocampus/emulator/internal/literal"
)

const (
	appendPage = "proto write.proto, DocumentTransform.FieldTransform.append_missing_elements"
	removePage = "proto write.proto, DocumentTransform.FieldTransform.remove_all_from_array"
)

// arrayTransforms are about adding to and removing from arrays.
var arrayTransforms = []Check{
	appends("missing elements are appended in order", literal.Array(literal.Int(5)), literal.Array(literal.Int(5), literal.Int(3), literal.Int(1)), literal.Int(3), literal.Int(1)),
	appends("elements that are there are not appended", literal.Array(literal.Int(1), literal.Str("a")), literal.Array(literal.Int(1), literal.Str("a")), literal.Str("a"), literal.Int(1)),
	appends("an element is appended once if given twice", literal.Array(), literal.Array(literal.Int(1)), literal.Int(1), literal.Int(1)),
	appends("of equal elements the first is appended", nil, literal.Array(literal.Int(1)), literal.Int(1), literal.Double(1)),
	appends("elements are appended to a missing field", nil, literal.Array(literal.Int(1), literal.Null()), literal.Int(1), literal.Null()),
	appends("elements are appended to a string by replacing it", literal.Str("x"), literal.Array(literal.Int(1)), literal.Int(1)),
	appends("an integer is there if an equal double is", literal.Array(literal.Double(3)), literal.Array(literal.Double(3)), literal.Int(3)),
	appends("a double is there if an equal integer is", literal.Array(literal.Int(3)), literal.Array(literal.Int(3)), literal.Double(3)),
	appends("NaN is appended once", literal.Array(nan), literal.Array(nan), nan),
	appends("null is appended once", literal.Array(literal.Null()), literal.Array(literal.Null()), literal.Null()),
	appends("negative zero is there if zero is", literal.Array(literal.Int(0)), literal.Array(literal.Int(0)), literal.Double(negativeZero)),
	appends("maps are compared by content", literal.Array(literal.Map(fields{"a": literal.Int(1)})), literal.Array(literal.Map(fields{"a": literal.Int(1)}), literal.Map(fields{"a": literal.Int(2)})),
		literal.Map(fields{"a": literal.Int(1)}), literal.Map(fields{"a": literal.Int(2)})),
	appends("equal numbers in maps make the maps equal", literal.Array(literal.Map(fields{"a": literal.Int(1)})), literal.Array(literal.Map(fields{"a": literal.Int(1)})), literal.Map(fields{"a": literal.Double(1)})),
	appends("elements that an array has twice are kept", literal.Array(literal.Int(1), literal.Int(1)), literal.Array(literal.Int(1), literal.Int(1), literal.Int(2)), literal.Int(2)),
	appends("a string and bytes are different elements", literal.Array(literal.Str("a")), literal.Array(literal.Str("a"), literal.Bytes("a")), literal.Bytes("a")),
	appends("appending nothing to a missing field makes an empty array", nil, literal.Array()),
	appends("timestamps are rounded down before they are compared", literal.Array(literal.Time(1, 1000)), literal.Array(literal.Time(1, 1000)), literal.Time(1, 1999)),
	takes("all occurrences of an element are removed", literal.Array(literal.Int(1), literal.Int(2), literal.Int(1)), literal.Array(literal.Int(2)), literal.Int(1)),
	takes("several elements are removed and the order is kept", literal.Array(literal.Str("d"), literal.Str("c"), literal.Str("b"), literal.Str("a")), literal.Array(literal.Str("d"), literal.Str("b")), literal.Str("a"), literal.Str("c")),
	takes("an element that is not there may be removed", literal.Array(literal.Int(1)), literal.Array(literal.Int(1)), literal.Int(2)),
	takes("an integer removes an equal double", literal.Array(literal.Double(3), literal.Int(3), literal.Double(3.5)), literal.Array(literal.Double(3.5)), literal.Int(3)),
	takes("NaN removes NaN", literal.Array(nan, literal.Int(1)), literal.Array(literal.Int(1)), nan),
	takes("null removes null", literal.Array(literal.Null(), literal.Int(1)), literal.Array(literal.Int(1)), literal.Null()),
	takes("a map removes a map of the same content", literal.Array(literal.Map(fields{"a": literal.Int(1)}), literal.Map(nil)), literal.Array(literal.Map(nil)), literal.Map(fields{"a": literal.Int(1)})),
	takes("removing from a missing field makes an empty array", nil, literal.Array(), literal.Int(1)),
	takes("removing from a value that is no array makes an empty array", literal.Int(1), literal.Array(), literal.Int(1)),
	takes("removing everything leaves an empty array", literal.Array(literal.Int(1)), literal.Array(), literal.Int(1)),
	loose("an array is appended to an array, which makes an array directly in an array",
		refusesOperand("appending an array", "proto document.proto, Value.array_value", literal.Append("a", literal.Array(literal.Int(1)))), func(t *T) {
			t.commit(t.transform("c/d", literal.Append("a", literal.Array(literal.Int(1)))))
			t.has("c/d", fields{"a": literal.Array(literal.Array(literal.Int(1)))})
		}),
	refusesOperand("appending a value without a type", "proto document.proto, Value", literal.Append("a", &firestorepb.Value{})),
	takes("removing an array removes nothing", literal.Array(literal.Int(1)), literal.Array(literal.Int(1)), literal.Array(literal.Int(1))),
}

func appends(name string, before, after *firestorepb.Value, elements ...*firestorepb.Value) Check {
	return transformed(name, appendPage, before, literal.Append("a", elements...), after, literal.Null())
}

func takes(name string, before, after *firestorepb.Value, elements ...*firestorepb.Value) Check {
	return transformed(name, removePage, before, literal.RemoveAll("a", elements...), after, literal.Null())
}
