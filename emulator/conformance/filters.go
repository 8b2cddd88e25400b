package conformance

import (
	"math"

	pb "cloud.google.com/go/firestore/apiv1/firestorepb"
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
	filterCheck("== finds what is equal", list{integer(1), integer(2), str("1"), array(integer(1)), null(), integer(1)}, v("==", integer(1)), "0", "5"),
	filterCheck("== finds an integer as the double of its value", list{integer(1), double(1), double(1.5)}, v("==", double(1)), "0", "1"),
	filterCheck("== does not round integers beyond 2^53", list{integer(1 << 53), integer(1<<53 + 1), double(1 << 53)}, v("==", integer(1<<53+1)), "1"),
	filterCheck("== takes zero and negative zero as one", list{double(0), double(negativeZero), integer(0), integer(1)}, v("==", double(negativeZero)), "0", "1", "2"),
	filterCheck("== sees case, accents and spaces", list{str("a"), str("A"), str("á"), str("a "), str("")}, v("==", str("a")), "0"),
	filterCheck("== finds strings but not the same bytes", list{str("a"), bytesOf("a")}, v("==", bytesOf("a")), "1"),
	filterCheck("== of an array wants all elements in order",
		list{array(integer(1), integer(2)), array(integer(2), integer(1)), array(integer(1)), array(double(1), double(2))},
		v("==", array(integer(1), integer(2))), "0", "3"),
	filterCheck("== of a map wants all keys",
		list{mapOf(fields{"a": integer(1)}), mapOf(fields{"a": integer(1), "b": integer(2)}), mapOf(nil), mapOf(fields{"a": double(1)})},
		v("==", mapOf(fields{"a": integer(1)})), "0", "3"),
	filterCheck("== of a timestamp sees microseconds", list{timestamp(5, 1_000), timestamp(5, 2_000), timestamp(5, 0)}, v("==", timestamp(5, 1_000)), "0"),
	filterCheck("== of a point wants both coordinates", list{geo(1, 2), geo(2, 1), geo(1, 2.5)}, v("==", geo(1, 2)), "0"),
	filterCheck("== of a vector finds vectors only", list{vector(1, 2), array(double(1), double(2)), vector(1, 2, 3)}, v("==", vector(1, 2)), "0"),
	{
		Name: "== of a reference wants the whole name",
		Page: filterPage,
		Run: func(t *T) {
			t.storeEach(reference(t.Name("a/b")), reference(t.Name("a/b/c/d")), reference(t.Name("b/b")), str(t.Name("a/b")))
			t.matches(v("==", reference(t.Name("a/b"))), "0")
		},
	},
	filterCheck("< and <= differ in the value itself", list{integer(1), integer(2), double(2), double(2.5)}, and(v("<=", integer(2)), v("<", double(2))), "0"),
	filterCheck("> and >= differ in the value itself", list{integer(1), integer(2), double(2), double(2.5)}, v(">=", integer(2)), "1", "2", "3"),
	filterCheck("> leaves out the value itself", list{integer(1), integer(2), double(2), double(2.5)}, v(">", integer(2)), "3"),
	filterCheck("a range has two ends", list{integer(1), integer(2), integer(3), integer(4)}, and(v(">", integer(1)), v("<=", integer(3))), "1", "2"),
	filterCheck("a range that is empty finds nothing", list{integer(1), integer(2)}, and(v(">", integer(2)), v("<", integer(1)))),
	filterCheck("< of a number finds no other types and no NaN",
		list{null(), boolean(false), double(math.NaN()), double(math.Inf(-1)), integer(1), str(""), mapOf(nil)}, v("<", integer(5)), "3", "4"),
	filterCheck("> of a number finds no other types",
		list{null(), boolean(true), double(math.Inf(1)), integer(9), timestamp(9, 0), str("9"), array(integer(9)), mapOf(nil)}, v(">", integer(5)), "2", "3"),
	filterCheck("> of a string finds strings only", list{integer(9), str("a"), str("b"), bytesOf("z"), array(str("z"))}, v(">", str("a")), "2"),
	filterCheck(">= of false finds both booleans and nothing else", list{null(), boolean(false), boolean(true), integer(1)}, v(">=", boolean(false)), "1", "2"),
	filterCheck("< of bytes finds bytes only", list{str("a"), bytesOf("a"), bytesOf("\xff"), timestamp(0, 0)}, v("<", bytesOf("\xff")), "1"),
	filterCheck("> of a timestamp finds timestamps only", list{integer(9), timestamp(1, 0), timestamp(2, 0), str("")}, v(">", timestamp(1, 0)), "2"),
	filterCheck("< of a point finds points only", list{reference("projects/p/databases/d/documents/a/b"), geo(-1, 0), geo(1, 0), array()}, v("<", geo(0, 0)), "1"),
	filterCheck("> of an array finds arrays only", list{array(integer(1)), array(integer(2)), array(str("")), mapOf(nil), vector(1)}, v(">", array(integer(1))), "1", "2"),
	filterCheck("> of a map finds maps only", list{array(), vector(9), mapOf(nil), mapOf(fields{"a": integer(1)})}, v(">", mapOf(nil)), "3"),
	filterCheck("> of a vector finds vectors only", list{array(), vector(1), vector(2), vector(0, 0), mapOf(fields{"a": integer(1)})}, v(">", vector(1)), "2", "3"),
	filterCheck("a range of strings finds a prefix", list{str("ab"), str("abc"), str("ac"), str("b"), str("a")}, and(v(">=", str("ab")), v("<", str("ac"))), "0", "1"),
}
