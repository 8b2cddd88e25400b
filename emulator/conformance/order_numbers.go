package conformance

import "math"

// orderNumbers are about the order of numbers.
var orderNumbers = []Check{
	ascends("integers ascend by value and not by digits", given(
		integer(math.MinInt64), integer(-10), integer(-9), integer(0), integer(9), integer(10), integer(math.MaxInt64))),
	ascends("doubles ascend by value", given(
		double(-math.MaxFloat64), double(-1.5), double(-math.SmallestNonzeroFloat64), double(0),
		double(math.SmallestNonzeroFloat64), double(1.5), double(math.MaxFloat64))),
	ascends("integers and doubles are one order", given(
		double(-1.5), integer(-1), double(-0.5), integer(0), double(0.5), integer(1), double(1.5), integer(2))),
	ascends("NaN precedes every other number", given(double(math.NaN()), double(math.Inf(-1)), integer(math.MinInt64), integer(0))),
	ascends("infinities lie beyond all integers and doubles", given(
		double(math.Inf(-1)), double(-math.MaxFloat64), integer(math.MinInt64), integer(math.MaxInt64), double(math.MaxFloat64), double(math.Inf(1)))),
	ascends("an integer beyond 2^53 is not rounded to be compared with a double", given(
		integer(1<<53-1), double(1<<53), integer(1<<53+1), double(1<<53+2), integer(1<<53+3))),
	ascends("the largest integer is less than the double 2^63", given(integer(math.MaxInt64-1), integer(math.MaxInt64), double(1<<63))),
	ties("an integer and the double of the same value are equal", integer(7), double(7)),
	ties("zero and negative zero are equal", double(0), double(math.Copysign(0, -1))),
	ties("the integer zero and the double negative zero are equal", integer(0), double(math.Copysign(0, -1))),
	ties("NaN is equal to NaN of other bits", double(math.NaN()), double(math.Float64frombits(0xfff8000000000123))),
	ties("the smallest integer and the double -2^63 are equal", integer(math.MinInt64), double(-(1 << 63))),
}
