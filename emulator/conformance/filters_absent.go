package conformance

import (
	"math"

	pb "cloud.google.com/go/firestore/apiv1/firestorepb"

	"hippocampus/emulator/build"
)

var nan = build.Double(math.NaN())

// absence are about filters of null, NaN and fields that a document has not, and about what is not equal.
var absence = []Check{
	filterCheck("is null finds null", list{build.Null(), build.Int(0), build.Str(""), nan, build.Array(build.Null())}, v("is null"), "0"),
	filterCheck("== null finds nothing: null is not equal to null", list{build.Null(), build.Int(0), build.Str(""), nan}, v("==", build.Null())),
	filterCheck("is nan finds NaN", list{build.Null(), build.Int(0), nan, build.Double(math.Inf(1))}, v("is nan"), "2"),
	filterCheck("== NaN finds nothing: NaN is not equal to NaN", list{build.Null(), build.Int(0), nan, build.Double(math.Inf(1))}, v("==", nan)),
	filterCheck("is not null finds all other values", list{build.Null(), build.Bool(false), build.Int(0), nan, build.Str(""), build.Array(), build.Map(nil)}, v("is not null"), "1", "2", "3", "4", "5", "6"),
	filterCheck("!= null finds nothing, for it is undefined", list{build.Null(), build.Bool(false), nan, build.Str("")}, v("!=", build.Null())),
	filterCheck("is not nan finds all values but NaN and null", list{build.Null(), build.Bool(false), nan, build.Int(0), build.Str("")}, v("is not nan"), "1", "3", "4"),
	filterCheck("!= NaN finds all values but null, NaN too", list{build.Null(), build.Bool(false), nan, build.Int(0), build.Str("")}, v("!=", nan), "1", "2", "3", "4"),
	filterCheck("!= finds other values of every type but not null", list{build.Int(1), build.Double(1), build.Int(2), build.Null(), nan, build.Str("1"), build.Array(build.Int(1)), build.Map(nil)},
		v("!=", build.Int(1)), "2", "4", "5", "6", "7"),
	filterCheck("not-in finds other values of every type but not null", list{build.Int(1), build.Str("a"), build.Int(2), build.Null(), nan, build.Bool(false)},
		v("not-in", build.Array(build.Int(1), build.Str("a"))), "2", "4", "5"),
	filterCheck("not-in with NaN does not leave NaN out", list{nan, build.Int(1), build.Null()}, v("not-in", build.Array(nan)), "0", "1"),
	filterCheck("not-in with null finds nothing", list{build.Int(1), build.Null(), build.Str("")}, v("not-in", build.Array(build.Null(), build.Int(5)))),
	filterCheck("in with null does not find null", list{build.Int(1), build.Null(), build.Int(2)}, v("in", build.Array(build.Null(), build.Int(1))), "0"),
	filterCheck("in with NaN does not find NaN", list{build.Int(1), nan, build.Int(2)}, v("in", build.Array(nan, build.Int(1))), "0"),
	missing("== does not find documents without the field", v("==", build.Str(""))),
	missing("is null does not find documents without the field", v("is null")),
	missing("!= does not find documents without the field", v("!=", build.Str("other"))),
	missing("not-in does not find documents without the field", v("not-in", build.Array(build.Str("other")))),
	missing("is not null does not find documents without the field", v("is not null")),
	missing("a range does not find documents without the field", v("<", build.Int(100))),
	filterCheck("> null finds nothing", list{build.Null(), build.Bool(false), build.Int(1)}, v(">", build.Null())),
	filterCheck("<= null finds nothing", list{build.Null(), build.Bool(false), build.Int(1)}, v("<=", build.Null())),
	filterCheck(">= NaN finds nothing", list{build.Null(), nan, build.Int(1)}, v(">=", nan)),
	filterCheck("== of an array with null finds its equal", list{build.Array(build.Null()), build.Array(), build.Array(build.Int(0)), build.Array(build.Null(), build.Null())}, v("==", build.Array(build.Null())), "0"),
	filterCheck("== of an array with NaN finds its equal", list{build.Array(nan), build.Array(), build.Array(build.Int(0))}, v("==", build.Array(nan)), "0"),
	filterCheck("== of a map with null finds its equal", list{build.Map(fields{"a": build.Null()}), build.Map(nil), build.Map(fields{"b": build.Null()})}, v("==", build.Map(fields{"a": build.Null()})), "0"),
	filterCheck("array-contains-any with NaN or null does not find them", list{build.Array(nan), build.Array(build.Null()), build.Array(build.Int(1))}, v("array-contains-any", build.Array(nan, build.Null(), build.Int(1))), "2"),
	filterCheck("array-contains of NaN finds nothing", list{build.Array(nan), nan}, v("array-contains", nan)),
	filterCheck("< NaN finds nothing", list{build.Null(), nan, build.Int(1), build.Double(math.Inf(-1))}, v("<", nan)),
}

// missing checks that a filter does not find a document without the field that it is about.
func missing(name string, filter *pb.StructuredQuery_Filter) Check {
	return Check{Name: name, Page: filterPage, Run: func(t *T) {
		t.store(docs{"c/none": nil, "c/other": {"w": build.Null()}, "c/nested": {"m": build.Map(fields{"v": build.Null()})}})
		t.matches(filter)
	}}
}
