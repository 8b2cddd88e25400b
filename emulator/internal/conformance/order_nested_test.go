package conformance

import "hippocampus/emulator/internal/literal"

// orderNested are about the order of values that consist of others.
var orderNested = []Check{
	ascends("points ascend by latitude and then by longitude", given(
		literal.Geo(-90, 180), literal.Geo(-1, 0), literal.Geo(0, -180), literal.Geo(0, 0), literal.Geo(0, 0.5), literal.Geo(0, 180), literal.Geo(90, -180))),
	undocumented(ascends("a point of negative zero precedes that of zero", given(literal.Geo(negativeZero, 0), literal.Geo(0, negativeZero), literal.Geo(0, 0)))),
	ascends("arrays ascend by their first different element", given(
		literal.Array(literal.Int(1), literal.Int(9)), literal.Array(literal.Int(2)), literal.Array(literal.Int(2), literal.Int(1)), literal.Array(literal.Int(2), literal.Int(2)), literal.Array(literal.Int(3)))),
	ascends("an array precedes those that begin with it", given(literal.Array(), literal.Array(literal.Int(1)), literal.Array(literal.Int(1), literal.Null()), literal.Array(literal.Int(1), literal.Int(1)))),
	ascends("elements of arrays ascend by type and then by value", given(
		literal.Array(literal.Null()), literal.Array(literal.Bool(true)), literal.Array(literal.Int(1)), literal.Array(literal.Str("")), literal.Array(literal.Map(nil)))),
	ties("arrays of equal numbers of different types are equal", literal.Array(literal.Int(1), literal.Double(2)), literal.Array(literal.Double(1), literal.Int(2))),
	ascends("maps ascend by their first key", given(
		literal.Map(fields{"a": literal.Int(9)}), literal.Map(fields{"aa": literal.Int(1)}), literal.Map(fields{"b": literal.Int(0)}))),
	ascends("maps of one key ascend by its value", given(
		literal.Map(fields{"a": literal.Null()}), literal.Map(fields{"a": literal.Int(1)}), literal.Map(fields{"a": literal.Str("")}), literal.Map(fields{"a": literal.Map(nil)}))),
	ascends("the value of a map's first key precedes its second key", given(
		literal.Map(fields{"a": literal.Int(1), "z": literal.Int(0)}), literal.Map(fields{"a": literal.Int(2), "b": literal.Int(0)}))),
	ascends("a map precedes those that begin with it", given(
		literal.Map(nil), literal.Map(fields{"a": literal.Int(1)}), literal.Map(fields{"a": literal.Int(1), "b": literal.Int(0)}), literal.Map(fields{"a": literal.Int(2)}))),
	ascends("keys of maps ascend by UTF-8", given(
		literal.Map(fields{"\uffff": literal.Int(1)}), literal.Map(fields{"\U0001f600": literal.Int(0)}))),
	ascends("maps in maps ascend like maps", given(
		literal.Map(fields{"a": literal.Map(fields{"b": literal.Int(1)})}), literal.Map(fields{"a": literal.Map(fields{"b": literal.Int(2)})}),
		literal.Map(fields{"a": literal.Map(fields{"c": literal.Int(0)})}))),
	ties("maps of equal numbers of different types are equal", literal.Map(fields{"a": literal.Int(1)}), literal.Map(fields{"a": literal.Double(1)})),
	ascends("vectors ascend by dimension before their numbers", given(literal.Vector(9), literal.Vector(1, 1), literal.Vector(1, 2), literal.Vector(0, 0, 0))),
	ascends("timestamps ascend by time, before 1970 and after", given(
		literal.Time(-1, 0), literal.Time(-1, 999_999_000), literal.Time(0, 0), literal.Time(0, 1_000), literal.Time(1, 0))),
}
