package conformance

import "hippocampus/emulator/build"

// orderNested are about the order of values that consist of others.
var orderNested = []Check{
	ascends("points ascend by latitude and then by longitude", given(
		build.Geo(-90, 180), build.Geo(-1, 0), build.Geo(0, -180), build.Geo(0, 0), build.Geo(0, 0.5), build.Geo(0, 180), build.Geo(90, -180))),
	undocumented(ascends("a point of negative zero precedes that of zero", given(build.Geo(negativeZero, 0), build.Geo(0, negativeZero), build.Geo(0, 0)))),
	ascends("arrays ascend by their first different element", given(
		build.Array(build.Int(1), build.Int(9)), build.Array(build.Int(2)), build.Array(build.Int(2), build.Int(1)), build.Array(build.Int(2), build.Int(2)), build.Array(build.Int(3)))),
	ascends("an array precedes those that begin with it", given(build.Array(), build.Array(build.Int(1)), build.Array(build.Int(1), build.Null()), build.Array(build.Int(1), build.Int(1)))),
	ascends("elements of arrays ascend by type and then by value", given(
		build.Array(build.Null()), build.Array(build.Bool(true)), build.Array(build.Int(1)), build.Array(build.Str("")), build.Array(build.Map(nil)))),
	ties("arrays of equal numbers of different types are equal", build.Array(build.Int(1), build.Double(2)), build.Array(build.Double(1), build.Int(2))),
	ascends("maps ascend by their first key", given(
		build.Map(fields{"a": build.Int(9)}), build.Map(fields{"aa": build.Int(1)}), build.Map(fields{"b": build.Int(0)}))),
	ascends("maps of one key ascend by its value", given(
		build.Map(fields{"a": build.Null()}), build.Map(fields{"a": build.Int(1)}), build.Map(fields{"a": build.Str("")}), build.Map(fields{"a": build.Map(nil)}))),
	ascends("the value of a map's first key precedes its second key", given(
		build.Map(fields{"a": build.Int(1), "z": build.Int(0)}), build.Map(fields{"a": build.Int(2), "b": build.Int(0)}))),
	ascends("a map precedes those that begin with it", given(
		build.Map(nil), build.Map(fields{"a": build.Int(1)}), build.Map(fields{"a": build.Int(1), "b": build.Int(0)}), build.Map(fields{"a": build.Int(2)}))),
	ascends("keys of maps ascend by UTF-8", given(
		build.Map(fields{"\uffff": build.Int(1)}), build.Map(fields{"\U0001f600": build.Int(0)}))),
	ascends("maps in maps ascend like maps", given(
		build.Map(fields{"a": build.Map(fields{"b": build.Int(1)})}), build.Map(fields{"a": build.Map(fields{"b": build.Int(2)})}),
		build.Map(fields{"a": build.Map(fields{"c": build.Int(0)})}))),
	ties("maps of equal numbers of different types are equal", build.Map(fields{"a": build.Int(1)}), build.Map(fields{"a": build.Double(1)})),
	ascends("vectors ascend by dimension before their numbers", given(build.Vector(9), build.Vector(1, 1), build.Vector(1, 2), build.Vector(0, 0, 0))),
	ascends("timestamps ascend by time, before 1970 and after", given(
		build.Time(-1, 0), build.Time(-1, 999_999_000), build.Time(0, 0), build.Time(0, 1_000), build.Time(1, 0))),
}
