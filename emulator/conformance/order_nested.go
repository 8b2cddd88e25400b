package conformance

// orderNested are about the order of values that consist of others.
var orderNested = []Check{
	ascends("points ascend by latitude and then by longitude", given(
		geo(-90, 180), geo(-1, 0), geo(0, -180), geo(0, 0), geo(0, 0.5), geo(0, 180), geo(90, -180))),
	undocumented(ascends("a point of negative zero precedes that of zero", given(geo(negativeZero, 0), geo(0, negativeZero), geo(0, 0)))),
	ascends("arrays ascend by their first different element", given(
		array(integer(1), integer(9)), array(integer(2)), array(integer(2), integer(1)), array(integer(2), integer(2)), array(integer(3)))),
	ascends("an array precedes those that begin with it", given(array(), array(integer(1)), array(integer(1), null()), array(integer(1), integer(1)))),
	ascends("elements of arrays ascend by type and then by value", given(
		array(null()), array(boolean(true)), array(integer(1)), array(str("")), array(mapOf(nil)))),
	ties("arrays of equal numbers of different types are equal", array(integer(1), double(2)), array(double(1), integer(2))),
	ascends("maps ascend by their first key", given(
		mapOf(fields{"a": integer(9)}), mapOf(fields{"aa": integer(1)}), mapOf(fields{"b": integer(0)}))),
	ascends("maps of one key ascend by its value", given(
		mapOf(fields{"a": null()}), mapOf(fields{"a": integer(1)}), mapOf(fields{"a": str("")}), mapOf(fields{"a": mapOf(nil)}))),
	ascends("the value of a map's first key precedes its second key", given(
		mapOf(fields{"a": integer(1), "z": integer(0)}), mapOf(fields{"a": integer(2), "b": integer(0)}))),
	ascends("a map precedes those that begin with it", given(
		mapOf(nil), mapOf(fields{"a": integer(1)}), mapOf(fields{"a": integer(1), "b": integer(0)}), mapOf(fields{"a": integer(2)}))),
	ascends("keys of maps ascend by UTF-8", given(
		mapOf(fields{"\uffff": integer(1)}), mapOf(fields{"\U0001f600": integer(0)}))),
	ascends("maps in maps ascend like maps", given(
		mapOf(fields{"a": mapOf(fields{"b": integer(1)})}), mapOf(fields{"a": mapOf(fields{"b": integer(2)})}),
		mapOf(fields{"a": mapOf(fields{"c": integer(0)})}))),
	ties("maps of equal numbers of different types are equal", mapOf(fields{"a": integer(1)}), mapOf(fields{"a": double(1)})),
	ascends("vectors ascend by dimension before their numbers", given(vector(9), vector(1, 1), vector(1, 2), vector(0, 0, 0))),
	ascends("timestamps ascend by time, before 1970 and after", given(
		timestamp(-1, 0), timestamp(-1, 999_999_000), timestamp(0, 0), timestamp(0, 1_000), timestamp(1, 0))),
}
