package conformance

import (
	"math"

	pb "cloud.google.com/go/firestore/apiv1/firestorepb"

	"hippocampus/emulator/internal/literal"
)

var nan = literal.Double(math.NaN())

// absence are about filters of null, NaN and fields that a document has not, and about what is not
// equal.
var absence = []Check{
	filterCheck("is null finds null", list{literal.Null(), literal.Int(0), literal.Str(""), nan, literal.Array(literal.Null())}, v("is null"), "0"),
	filterCheck("== null finds nothing: null is not equal to null", list{literal.Null(), literal.Int(0), literal.Str(""), nan}, v("==", literal.Null())),
	filterCheck("is nan finds NaN", list{literal.Null(), literal.Int(0), nan, literal.Double(math.Inf(1))}, v("is nan"), "2"),
	filterCheck("== NaN finds nothing: NaN is not equal to NaN", list{literal.Null(), literal.Int(0), nan, literal.Double(math.Inf(1))}, v("==", nan)),
	filterCheck("is not null finds all other values", list{literal.Null(), literal.Bool(false), literal.Int(0), nan, literal.Str(""), literal.Array(), literal.Map(nil)}, v("is not null"), "1", "2", "3", "4", "5", "6"),
	filterCheck("!= null finds nothing, for it is undefined", list{literal.Null(), literal.Bool(false), nan, literal.Str("")}, v("!=", literal.Null())),
	filterCheck("is not nan finds all values but NaN and null", list{literal.Null(), literal.Bool(false), nan, literal.Int(0), literal.Str("")}, v("is not nan"), "1", "3", "4"),
	filterCheck("!= NaN finds all values but null, NaN too", list{literal.Null(), literal.Bool(false), nan, literal.Int(0), literal.Str("")}, v("!=", nan), "1", "2", "3", "4"),
	filterCheck("!= finds other values of every type but not null", list{literal.Int(1), literal.Double(1), literal.Int(2), literal.Null(), nan, literal.Str("1"), literal.Array(literal.Int(1)), literal.Map(nil)},
		v("!=", literal.Int(1)), "2", "4", "5", "6", "7"),
	filterCheck("not-in finds other values of every type but not null", list{literal.Int(1), literal.Str("a"), literal.Int(2), literal.Null(), nan, literal.Bool(false)},
		v("not-in", literal.Array(literal.Int(1), literal.Str("a"))), "2", "4", "5"),
	filterCheck("not-in with NaN does not leave NaN out", list{nan, literal.Int(1), literal.Null()}, v("not-in", literal.Array(nan)), "0", "1"),
	filterCheck("not-in with null finds nothing", list{literal.Int(1), literal.Null(), literal.Str("")}, v("not-in", literal.Array(literal.Null(), literal.Int(5)))),
	filterCheck("in with null does not find null", list{literal.Int(1), literal.Null(), literal.Int(2)}, v("in", literal.Array(literal.Null(), literal.Int(1))), "0"),
	filterCheck("in with NaN does not find NaN", list{literal.Int(1), nan, literal.Int(2)}, v("in", literal.Array(nan, literal.Int(1))), "0"),
	missing("== does not find documents without the field", v("==", literal.Str(""))),
	missing("is null does not find documents without the field", v("is null")),
	missing("!= does not find documents without the field", v("!=", literal.Str("other"))),
	missing("not-in does not find documents without the field", v("not-in", literal.Array(literal.Str("other")))),
	missing("is not null does not find documents without the field", v("is not null")),
	missing("a range does not find documents without the field", v("<", literal.Int(100))),
	filterCheck("> null finds nothing", list{literal.Null(), literal.Bool(false), literal.Int(1)}, v(">", literal.Null())),
	filterCheck("<= null finds nothing", list{literal.Null(), literal.Bool(false), literal.Int(1)}, v("<=", literal.Null())),
	filterCheck(">= NaN finds nothing", list{literal.Null(), nan, literal.Int(1)}, v(">=", nan)),
	filterCheck("== of an array with null finds its equal", list{literal.Array(literal.Null()), literal.Array(), literal.Array(literal.Int(0)), literal.Array(literal.Null(), literal.Null())}, v("==", literal.Array(literal.Null())), "0"),
	filterCheck("== of an array with NaN finds its equal", list{literal.Array(nan), literal.Array(), literal.Array(literal.Int(0))}, v("==", literal.Array(nan)), "0"),
	filterCheck("== of a map with null finds its equal", list{literal.Map(fields{"a": literal.Null()}), literal.Map(nil), literal.Map(fields{"b": literal.Null()})}, v("==", literal.Map(fields{"a": literal.Null()})), "0"),
	filterCheck("array-contains-any with NaN or null does not find them", list{literal.Array(nan), literal.Array(literal.Null()), literal.Array(literal.Int(1))}, v("array-contains-any", literal.Array(nan, literal.Null(), literal.Int(1))), "2"),
	filterCheck("array-contains of NaN finds nothing", list{literal.Array(nan), nan}, v("array-contains", nan)),
	filterCheck("< NaN finds nothing", list{literal.Null(), nan, literal.Int(1), literal.Double(math.Inf(-1))}, v("<", nan)),
}

// missing checks that a filter does not find a document without the field that it is about.
func missing(name string, filter *pb.StructuredQuery_Filter) Check {
	return Check{Name: name, Page: filterPage, Run: func(t *T) {
		t.store(docs{"c/none": nil, "c/other": {"w": literal.Null()}, "c/nested": {"m": literal.Map(fields{"v": literal.Null()})}})
		t.matches(filter)
	}}
}
