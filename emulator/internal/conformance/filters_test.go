package conformance

import (
	"math"

	pb "cloud.google.com/go/firestore/apiv1/firestorepb"

	"hippocampus/emulator/internal/literal"
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
	filterCheck("== finds what is equal", list{literal.Int(1), literal.Int(2), literal.Str("1"), literal.Array(literal.Int(1)), literal.Null(), literal.Int(1)}, v("==", literal.Int(1)), "0", "5"),
	filterCheck("== finds an integer as the double of its value", list{literal.Int(1), literal.Double(1), literal.Double(1.5)}, v("==", literal.Double(1)), "0", "1"),
	filterCheck("== does not round integers beyond 2^53", list{literal.Int(1 << 53), literal.Int(1<<53 + 1), literal.Double(1 << 53)}, v("==", literal.Int(1<<53+1)), "1"),
	filterCheck("== takes zero and negative zero as one", list{literal.Double(0), literal.Double(negativeZero), literal.Int(0), literal.Int(1)}, v("==", literal.Double(negativeZero)), "0", "1", "2"),
	filterCheck("== sees case, accents and spaces", list{literal.Str("a"), literal.Str("A"), literal.Str("á"), literal.Str("a "), literal.Str("")}, v("==", literal.Str("a")), "0"),
	filterCheck("== finds strings but not the same bytes", list{literal.Str("a"), literal.Bytes("a")}, v("==", literal.Bytes("a")), "1"),
	filterCheck("== of an array wants all elements in order",
		list{literal.Array(literal.Int(1), literal.Int(2)), literal.Array(literal.Int(2), literal.Int(1)), literal.Array(literal.Int(1)), literal.Array(literal.Double(1), literal.Double(2))},
		v("==", literal.Array(literal.Int(1), literal.Int(2))), "0", "3"),
	filterCheck("== of a map wants all keys",
		list{literal.Map(fields{"a": literal.Int(1)}), literal.Map(fields{"a": literal.Int(1), "b": literal.Int(2)}), literal.Map(nil), literal.Map(fields{"a": literal.Double(1)})},
		v("==", literal.Map(fields{"a": literal.Int(1)})), "0", "3"),
	filterCheck("== of a timestamp sees microseconds", list{literal.Time(5, 1_000), literal.Time(5, 2_000), literal.Time(5, 0)}, v("==", literal.Time(5, 1_000)), "0"),
	filterCheck("== of a point wants both coordinates", list{literal.Geo(1, 2), literal.Geo(2, 1), literal.Geo(1, 2.5)}, v("==", literal.Geo(1, 2)), "0"),
	filterCheck("== of a vector finds vectors only", list{literal.Vector(1, 2), literal.Array(literal.Double(1), literal.Double(2)), literal.Vector(1, 2, 3)}, v("==", literal.Vector(1, 2)), "0"),
	{
		Name: "== of a reference wants the whole name",
		Page: filterPage,
		Run: func(t *T) {
			t.storeEach(literal.Ref(t.Name("a/b")), literal.Ref(t.Name("a/b/c/d")), literal.Ref(t.Name("b/b")), literal.Str(t.Name("a/b")))
			t.matches(v("==", literal.Ref(t.Name("a/b"))), "0")
		},
	},
	filterCheck("< and <= differ in the value itself", list{literal.Int(1), literal.Int(2), literal.Double(2), literal.Double(2.5)}, and(v("<=", literal.Int(2)), v("<", literal.Double(2))), "0"),
	filterCheck("> and >= differ in the value itself", list{literal.Int(1), literal.Int(2), literal.Double(2), literal.Double(2.5)}, v(">=", literal.Int(2)), "1", "2", "3"),
	filterCheck("> leaves out the value itself", list{literal.Int(1), literal.Int(2), literal.Double(2), literal.Double(2.5)}, v(">", literal.Int(2)), "3"),
	filterCheck("a range has two ends", list{literal.Int(1), literal.Int(2), literal.Int(3), literal.Int(4)}, and(v(">", literal.Int(1)), v("<=", literal.Int(3))), "1", "2"),
	filterCheck("a range that is empty finds nothing", list{literal.Int(1), literal.Int(2)}, and(v(">", literal.Int(2)), v("<", literal.Int(1)))),
	filterCheck("< of a number finds no other types and no NaN",
		list{literal.Null(), literal.Bool(false), literal.Double(math.NaN()), literal.Double(math.Inf(-1)), literal.Int(1), literal.Str(""), literal.Map(nil)}, v("<", literal.Int(5)), "3", "4"),
	filterCheck("> of a number finds no other types",
		list{literal.Null(), literal.Bool(true), literal.Double(math.Inf(1)), literal.Int(9), literal.Time(9, 0), literal.Str("9"), literal.Array(literal.Int(9)), literal.Map(nil)}, v(">", literal.Int(5)), "2", "3"),
	filterCheck("> of a string finds strings only", list{literal.Int(9), literal.Str("a"), literal.Str("b"), literal.Bytes("z"), literal.Array(literal.Str("z"))}, v(">", literal.Str("a")), "2"),
	filterCheck(">= of false finds both booleans and nothing else", list{literal.Null(), literal.Bool(false), literal.Bool(true), literal.Int(1)}, v(">=", literal.Bool(false)), "1", "2"),
	filterCheck("< of bytes finds bytes only", list{literal.Str("a"), literal.Bytes("a"), literal.Bytes("\xff"), literal.Time(0, 0)}, v("<", literal.Bytes("\xff")), "1"),
	filterCheck("> of a timestamp finds timestamps only", list{literal.Int(9), literal.Time(1, 0), literal.Time(2, 0), literal.Str("")}, v(">", literal.Time(1, 0)), "2"),
	filterCheck("< of a point finds points only", list{literal.Ref("projects/p/databases/d/documents/a/b"), literal.Geo(-1, 0), literal.Geo(1, 0), literal.Array()}, v("<", literal.Geo(0, 0)), "1"),
	filterCheck("> of an array finds arrays only", list{literal.Array(literal.Int(1)), literal.Array(literal.Int(2)), literal.Array(literal.Str("")), literal.Map(nil), literal.Vector(1)}, v(">", literal.Array(literal.Int(1))), "1", "2"),
	filterCheck("> of a map finds maps only", list{literal.Array(), literal.Vector(9), literal.Map(nil), literal.Map(fields{"a": literal.Int(1)})}, v(">", literal.Map(nil)), "3"),
	filterCheck("> of a vector finds vectors only", list{literal.Array(), literal.Vector(1), literal.Vector(2), literal.Vector(0, 0), literal.Map(fields{"a": literal.Int(1)})}, v(">", literal.Vector(1)), "2", "3"),
	filterCheck("a range of strings finds a prefix", list{literal.Str("ab"), literal.Str("abc"), literal.Str("ac"), literal.Str("b"), literal.Str("a")}, and(v(">=", literal.Str("ab")), v("<", literal.Str("ac"))), "0", "1"),
}
