package conformance

import (
	"math"

	pb "cloud.google.com/go/firestore/apiv1/firestorepb"
)

var nan = double(math.NaN())

// absence are about filters of null, NaN and fields that a document has not, and about what is not equal.
var absence = []Check{
	filterCheck("is null finds null", list{null(), integer(0), str(""), nan, array(null())}, v("is null"), "0"),
	filterCheck("== null finds nothing: null is not equal to null", list{null(), integer(0), str(""), nan}, v("==", null())),
	filterCheck("is nan finds NaN", list{null(), integer(0), nan, double(math.Inf(1))}, v("is nan"), "2"),
	filterCheck("== NaN finds nothing: NaN is not equal to NaN", list{null(), integer(0), nan, double(math.Inf(1))}, v("==", nan)),
	filterCheck("is not null finds all other values", list{null(), boolean(false), integer(0), nan, str(""), array(), mapOf(nil)}, v("is not null"), "1", "2", "3", "4", "5", "6"),
	filterCheck("!= null finds nothing, for it is undefined", list{null(), boolean(false), nan, str("")}, v("!=", null())),
	filterCheck("is not nan finds all values but NaN and null", list{null(), boolean(false), nan, integer(0), str("")}, v("is not nan"), "1", "3", "4"),
	filterCheck("!= NaN finds all values but null, NaN too", list{null(), boolean(false), nan, integer(0), str("")}, v("!=", nan), "1", "2", "3", "4"),
	filterCheck("!= finds other values of every type but not null", list{integer(1), double(1), integer(2), null(), nan, str("1"), array(integer(1)), mapOf(nil)},
		v("!=", integer(1)), "2", "4", "5", "6", "7"),
	filterCheck("not-in finds other values of every type but not null", list{integer(1), str("a"), integer(2), null(), nan, boolean(false)},
		v("not-in", array(integer(1), str("a"))), "2", "4", "5"),
	filterCheck("not-in with NaN does not leave NaN out", list{nan, integer(1), null()}, v("not-in", array(nan)), "0", "1"),
	filterCheck("not-in with null finds nothing", list{integer(1), null(), str("")}, v("not-in", array(null(), integer(5)))),
	filterCheck("in with null does not find null", list{integer(1), null(), integer(2)}, v("in", array(null(), integer(1))), "0"),
	filterCheck("in with NaN does not find NaN", list{integer(1), nan, integer(2)}, v("in", array(nan, integer(1))), "0"),
	missing("== does not find documents without the field", v("==", str(""))),
	missing("is null does not find documents without the field", v("is null")),
	missing("!= does not find documents without the field", v("!=", str("other"))),
	missing("not-in does not find documents without the field", v("not-in", array(str("other")))),
	missing("is not null does not find documents without the field", v("is not null")),
	missing("a range does not find documents without the field", v("<", integer(100))),
	filterCheck("> null finds nothing", list{null(), boolean(false), integer(1)}, v(">", null())),
	filterCheck("<= null finds nothing", list{null(), boolean(false), integer(1)}, v("<=", null())),
	filterCheck(">= NaN finds nothing", list{null(), nan, integer(1)}, v(">=", nan)),
	filterCheck("== of an array with null finds its equal", list{array(null()), array(), array(integer(0)), array(null(), null())}, v("==", array(null())), "0"),
	filterCheck("== of an array with NaN finds its equal", list{array(nan), array(), array(integer(0))}, v("==", array(nan)), "0"),
	filterCheck("== of a map with null finds its equal", list{mapOf(fields{"a": null()}), mapOf(nil), mapOf(fields{"b": null()})}, v("==", mapOf(fields{"a": null()})), "0"),
	filterCheck("array-contains-any with NaN or null does not find them", list{array(nan), array(null()), array(integer(1))}, v("array-contains-any", array(nan, null(), integer(1))), "2"),
	filterCheck("array-contains of NaN finds nothing", list{array(nan), nan}, v("array-contains", nan)),
	filterCheck("< NaN finds nothing", list{null(), nan, integer(1), double(math.Inf(-1))}, v("<", nan)),
}

// missing checks that a filter does not find a document without the field that it is about.
func missing(name string, filter *pb.StructuredQuery_Filter) Check {
	return Check{Name: name, Page: filterPage, Run: func(t *T) {
		t.store(docs{"c/none": nil, "c/other": {"w": null()}, "c/nested": {"m": mapOf(fields{"v": null()})}})
		t.matches(filter)
	}}
}
