package conformance

import (
	"math"

	pb "cloud.google.com/go/firestore/apiv1/firestorepb"

	"hippocampus/emulator/build"
)

// filterPage is where the operators are documented.
const filterPage = "firestore/query-data/queries"

// filterCheck stores values as c/0, c/1, … and says which of them a filter of the field v matches.
func filterCheck(name string, values []*pb.Value, filter *pb.StructuredQuery_Filter, want ...string) Check {
	return Check{Name: name, Page: filterPage, Run: func(t *T) {
		t.storeEach(values...)
		t.matches(filter, want...)
	}}
}

type list = []*pb.Value

// comparisons are about filters that compare a field with one value.
var comparisons = []Check{
	filterCheck("== finds what is equal", list{build.Int(1), build.Int(2), build.Str("1"), build.Array(build.Int(1)), build.Null(), build.Int(1)}, v("==", build.Int(1)), "0", "5"),
	filterCheck("== finds an integer as the double of its value", list{build.Int(1), build.Double(1), build.Double(1.5)}, v("==", build.Double(1)), "0", "1"),
	filterCheck("== does not round integers beyond 2^53", list{build.Int(1 << 53), build.Int(1<<53 + 1), build.Double(1 << 53)}, v("==", build.Int(1<<53+1)), "1"),
	filterCheck("== takes zero and negative zero as one", list{build.Double(0), build.Double(negativeZero), build.Int(0), build.Int(1)}, v("==", build.Double(negativeZero)), "0", "1", "2"),
	filterCheck("== sees case, accents and spaces", list{build.Str("a"), build.Str("A"), build.Str("á"), build.Str("a "), build.Str("")}, v("==", build.Str("a")), "0"),
	filterCheck("== finds strings but not the same bytes", list{build.Str("a"), build.Bytes("a")}, v("==", build.Bytes("a")), "1"),
	filterCheck("== of an array wants all elements in order",
		list{build.Array(build.Int(1), build.Int(2)), build.Array(build.Int(2), build.Int(1)), build.Array(build.Int(1)), build.Array(build.Double(1), build.Double(2))},
		v("==", build.Array(build.Int(1), build.Int(2))), "0", "3"),
	filterCheck("== of a map wants all keys",
		list{build.Map(fields{"a": build.Int(1)}), build.Map(fields{"a": build.Int(1), "b": build.Int(2)}), build.Map(nil), build.Map(fields{"a": build.Double(1)})},
		v("==", build.Map(fields{"a": build.Int(1)})), "0", "3"),
	filterCheck("== of a timestamp sees microseconds", list{build.Time(5, 1_000), build.Time(5, 2_000), build.Time(5, 0)}, v("==", build.Time(5, 1_000)), "0"),
	filterCheck("== of a point wants both coordinates", list{build.Geo(1, 2), build.Geo(2, 1), build.Geo(1, 2.5)}, v("==", build.Geo(1, 2)), "0"),
	filterCheck("== of a vector finds vectors only", list{build.Vector(1, 2), build.Array(build.Double(1), build.Double(2)), build.Vector(1, 2, 3)}, v("==", build.Vector(1, 2)), "0"),
	{
		Name: "== of a reference wants the whole name",
		Page: filterPage,
		Run: func(t *T) {
			t.storeEach(build.Ref(t.Name("a/b")), build.Ref(t.Name("a/b/c/d")), build.Ref(t.Name("b/b")), build.Str(t.Name("a/b")))
			t.matches(v("==", build.Ref(t.Name("a/b"))), "0")
		},
	},
	filterCheck("< and <= differ in the value itself", list{build.Int(1), build.Int(2), build.Double(2), build.Double(2.5)}, and(v("<=", build.Int(2)), v("<", build.Double(2))), "0"),
	filterCheck("> and >= differ in the value itself", list{build.Int(1), build.Int(2), build.Double(2), build.Double(2.5)}, v(">=", build.Int(2)), "1", "2", "3"),
	filterCheck("> leaves out the value itself", list{build.Int(1), build.Int(2), build.Double(2), build.Double(2.5)}, v(">", build.Int(2)), "3"),
	filterCheck("a range has two ends", list{build.Int(1), build.Int(2), build.Int(3), build.Int(4)}, and(v(">", build.Int(1)), v("<=", build.Int(3))), "1", "2"),
	filterCheck("a range that is empty finds nothing", list{build.Int(1), build.Int(2)}, and(v(">", build.Int(2)), v("<", build.Int(1)))),
	filterCheck("< of a number finds no other types and no NaN",
		list{build.Null(), build.Bool(false), build.Double(math.NaN()), build.Double(math.Inf(-1)), build.Int(1), build.Str(""), build.Map(nil)}, v("<", build.Int(5)), "3", "4"),
	filterCheck("> of a number finds no other types",
		list{build.Null(), build.Bool(true), build.Double(math.Inf(1)), build.Int(9), build.Time(9, 0), build.Str("9"), build.Array(build.Int(9)), build.Map(nil)}, v(">", build.Int(5)), "2", "3"),
	filterCheck("> of a string finds strings only", list{build.Int(9), build.Str("a"), build.Str("b"), build.Bytes("z"), build.Array(build.Str("z"))}, v(">", build.Str("a")), "2"),
	filterCheck(">= of false finds both booleans and nothing else", list{build.Null(), build.Bool(false), build.Bool(true), build.Int(1)}, v(">=", build.Bool(false)), "1", "2"),
	filterCheck("< of bytes finds bytes only", list{build.Str("a"), build.Bytes("a"), build.Bytes("\xff"), build.Time(0, 0)}, v("<", build.Bytes("\xff")), "1"),
	filterCheck("> of a timestamp finds timestamps only", list{build.Int(9), build.Time(1, 0), build.Time(2, 0), build.Str("")}, v(">", build.Time(1, 0)), "2"),
	filterCheck("< of a point finds points only", list{build.Ref("projects/p/databases/d/documents/a/b"), build.Geo(-1, 0), build.Geo(1, 0), build.Array()}, v("<", build.Geo(0, 0)), "1"),
	filterCheck("> of an array finds arrays only", list{build.Array(build.Int(1)), build.Array(build.Int(2)), build.Array(build.Str("")), build.Map(nil), build.Vector(1)}, v(">", build.Array(build.Int(1))), "1", "2"),
	filterCheck("> of a map finds maps only", list{build.Array(), build.Vector(9), build.Map(nil), build.Map(fields{"a": build.Int(1)})}, v(">", build.Map(nil)), "3"),
	filterCheck("> of a vector finds vectors only", list{build.Array(), build.Vector(1), build.Vector(2), build.Vector(0, 0), build.Map(fields{"a": build.Int(1)})}, v(">", build.Vector(1)), "2", "3"),
	filterCheck("a range of strings finds a prefix", list{build.Str("ab"), build.Str("abc"), build.Str("ac"), build.Str("b"), build.Str("a")}, and(v(">=", build.Str("ab")), v("<", build.Str("ac"))), "0", "1"),
}
