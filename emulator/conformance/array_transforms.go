package conformance

import "cloud.google.com/go/firestore/apiv1/firestorepb"

const (
	appendPage = "proto write.proto, DocumentTransform.FieldTransform.append_missing_elements"
	removePage = "proto write.proto, DocumentTransform.FieldTransform.remove_all_from_array"
)

// arrayTransforms are about adding to and removing from arrays.
var arrayTransforms = []Check{
	appends("missing elements are appended in order", array(integer(5)), array(integer(5), integer(3), integer(1)), integer(3), integer(1)),
	appends("elements that are there are not appended", array(integer(1), str("a")), array(integer(1), str("a")), str("a"), integer(1)),
	appends("an element is appended once if given twice", array(), array(integer(1)), integer(1), integer(1)),
	appends("of equal elements the first is appended", nil, array(integer(1)), integer(1), double(1)),
	appends("elements are appended to a missing field", nil, array(integer(1), null()), integer(1), null()),
	appends("elements are appended to a string by replacing it", str("x"), array(integer(1)), integer(1)),
	appends("an integer is there if an equal double is", array(double(3)), array(double(3)), integer(3)),
	appends("a double is there if an equal integer is", array(integer(3)), array(integer(3)), double(3)),
	appends("NaN is appended once", array(nan), array(nan), nan),
	appends("null is appended once", array(null()), array(null()), null()),
	appends("negative zero is there if zero is", array(integer(0)), array(integer(0)), double(negativeZero)),
	appends("maps are compared by content", array(mapOf(fields{"a": integer(1)})), array(mapOf(fields{"a": integer(1)}), mapOf(fields{"a": integer(2)})),
		mapOf(fields{"a": integer(1)}), mapOf(fields{"a": integer(2)})),
	appends("equal numbers in maps make the maps equal", array(mapOf(fields{"a": integer(1)})), array(mapOf(fields{"a": integer(1)})), mapOf(fields{"a": double(1)})),
	appends("elements that an array has twice are kept", array(integer(1), integer(1)), array(integer(1), integer(1), integer(2)), integer(2)),
	appends("a string and bytes are different elements", array(str("a")), array(str("a"), bytesOf("a")), bytesOf("a")),
	appends("appending nothing to a missing field makes an empty array", nil, array()),
	appends("timestamps are rounded down before they are compared", array(timestamp(1, 1000)), array(timestamp(1, 1000)), timestamp(1, 1999)),
	takes("all occurrences of an element are removed", array(integer(1), integer(2), integer(1)), array(integer(2)), integer(1)),
	takes("several elements are removed and the order is kept", array(str("d"), str("c"), str("b"), str("a")), array(str("d"), str("b")), str("a"), str("c")),
	takes("an element that is not there may be removed", array(integer(1)), array(integer(1)), integer(2)),
	takes("an integer removes an equal double", array(double(3), integer(3), double(3.5)), array(double(3.5)), integer(3)),
	takes("NaN removes NaN", array(nan, integer(1)), array(integer(1)), nan),
	takes("null removes null", array(null(), integer(1)), array(integer(1)), null()),
	takes("a map removes a map of the same content", array(mapOf(fields{"a": integer(1)}), mapOf(nil)), array(mapOf(nil)), mapOf(fields{"a": integer(1)})),
	takes("removing from a missing field makes an empty array", nil, array(), integer(1)),
	takes("removing from a value that is no array makes an empty array", integer(1), array(), integer(1)),
	takes("removing everything leaves an empty array", array(integer(1)), array(), integer(1)),
	loose("an array is appended to an array, which makes an array directly in an array",
		refusesOperand("appending an array", "proto document.proto, Value.array_value", appendMissing("a", array(integer(1)))), func(t *T) {
			t.commit(t.transform("c/d", appendMissing("a", array(integer(1)))))
			t.has("c/d", fields{"a": array(array(integer(1)))})
		}),
	refusesOperand("appending a value without a type", "proto document.proto, Value", appendMissing("a", &firestorepb.Value{})),
	takes("removing an array removes nothing", array(integer(1)), array(integer(1)), array(integer(1))),
}

func appends(name string, before, after *firestorepb.Value, elements ...*firestorepb.Value) Check {
	return transformed(name, appendPage, before, appendMissing("a", elements...), after, null())
}

func takes(name string, before, after *firestorepb.Value, elements ...*firestorepb.Value) Check {
	return transformed(name, removePage, before, removeAll("a", elements...), after, null())
}
