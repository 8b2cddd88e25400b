package conformance

import (
	"cloud.google.com/go/firestore/apiv1/firestorepb"

	"hippocampus/emulator/build"
)

const (
	appendPage = "proto write.proto, DocumentTransform.FieldTransform.append_missing_elements"
	removePage = "proto write.proto, DocumentTransform.FieldTransform.remove_all_from_array"
)

// arrayTransforms are about adding to and removing from arrays.
var arrayTransforms = []Check{
	appends("missing elements are appended in order", build.Array(build.Int(5)), build.Array(build.Int(5), build.Int(3), build.Int(1)), build.Int(3), build.Int(1)),
	appends("elements that are there are not appended", build.Array(build.Int(1), build.Str("a")), build.Array(build.Int(1), build.Str("a")), build.Str("a"), build.Int(1)),
	appends("an element is appended once if given twice", build.Array(), build.Array(build.Int(1)), build.Int(1), build.Int(1)),
	appends("of equal elements the first is appended", nil, build.Array(build.Int(1)), build.Int(1), build.Double(1)),
	appends("elements are appended to a missing field", nil, build.Array(build.Int(1), build.Null()), build.Int(1), build.Null()),
	appends("elements are appended to a string by replacing it", build.Str("x"), build.Array(build.Int(1)), build.Int(1)),
	appends("an integer is there if an equal double is", build.Array(build.Double(3)), build.Array(build.Double(3)), build.Int(3)),
	appends("a double is there if an equal integer is", build.Array(build.Int(3)), build.Array(build.Int(3)), build.Double(3)),
	appends("NaN is appended once", build.Array(nan), build.Array(nan), nan),
	appends("null is appended once", build.Array(build.Null()), build.Array(build.Null()), build.Null()),
	appends("negative zero is there if zero is", build.Array(build.Int(0)), build.Array(build.Int(0)), build.Double(negativeZero)),
	appends("maps are compared by content", build.Array(build.Map(fields{"a": build.Int(1)})), build.Array(build.Map(fields{"a": build.Int(1)}), build.Map(fields{"a": build.Int(2)})),
		build.Map(fields{"a": build.Int(1)}), build.Map(fields{"a": build.Int(2)})),
	appends("equal numbers in maps make the maps equal", build.Array(build.Map(fields{"a": build.Int(1)})), build.Array(build.Map(fields{"a": build.Int(1)})), build.Map(fields{"a": build.Double(1)})),
	appends("elements that an array has twice are kept", build.Array(build.Int(1), build.Int(1)), build.Array(build.Int(1), build.Int(1), build.Int(2)), build.Int(2)),
	appends("a string and bytes are different elements", build.Array(build.Str("a")), build.Array(build.Str("a"), build.Bytes("a")), build.Bytes("a")),
	appends("appending nothing to a missing field makes an empty array", nil, build.Array()),
	appends("timestamps are rounded down before they are compared", build.Array(build.Time(1, 1000)), build.Array(build.Time(1, 1000)), build.Time(1, 1999)),
	takes("all occurrences of an element are removed", build.Array(build.Int(1), build.Int(2), build.Int(1)), build.Array(build.Int(2)), build.Int(1)),
	takes("several elements are removed and the order is kept", build.Array(build.Str("d"), build.Str("c"), build.Str("b"), build.Str("a")), build.Array(build.Str("d"), build.Str("b")), build.Str("a"), build.Str("c")),
	takes("an element that is not there may be removed", build.Array(build.Int(1)), build.Array(build.Int(1)), build.Int(2)),
	takes("an integer removes an equal double", build.Array(build.Double(3), build.Int(3), build.Double(3.5)), build.Array(build.Double(3.5)), build.Int(3)),
	takes("NaN removes NaN", build.Array(nan, build.Int(1)), build.Array(build.Int(1)), nan),
	takes("null removes null", build.Array(build.Null(), build.Int(1)), build.Array(build.Int(1)), build.Null()),
	takes("a map removes a map of the same content", build.Array(build.Map(fields{"a": build.Int(1)}), build.Map(nil)), build.Array(build.Map(nil)), build.Map(fields{"a": build.Int(1)})),
	takes("removing from a missing field makes an empty array", nil, build.Array(), build.Int(1)),
	takes("removing from a value that is no array makes an empty array", build.Int(1), build.Array(), build.Int(1)),
	takes("removing everything leaves an empty array", build.Array(build.Int(1)), build.Array(), build.Int(1)),
	loose("an array is appended to an array, which makes an array directly in an array",
		refusesOperand("appending an array", "proto document.proto, Value.array_value", build.Append("a", build.Array(build.Int(1)))), func(t *T) {
			t.commit(t.transform("c/d", build.Append("a", build.Array(build.Int(1)))))
			t.has("c/d", fields{"a": build.Array(build.Array(build.Int(1)))})
		}),
	refusesOperand("appending a value without a type", "proto document.proto, Value", build.Append("a", &firestorepb.Value{})),
	takes("removing an array removes nothing", build.Array(build.Int(1)), build.Array(build.Int(1)), build.Array(build.Int(1))),
}

func appends(name string, before, after *firestorepb.Value, elements ...*firestorepb.Value) Check {
	return transformed(name, appendPage, before, build.Append("a", elements...), after, build.Null())
}

func takes(name string, before, after *firestorepb.Value, elements ...*firestorepb.Value) Check {
	return transformed(name, removePage, before, build.RemoveAll("a", elements...), after, build.Null())
}
