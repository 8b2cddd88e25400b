package conformance

import (
	"math"

	"hippocampus/emulator/build"
)

// orderNumbers are about the order of numbers.
var orderNumbers = []Check{
	ascends("integers ascend by value and not by digits", given(
		build.Int(math.MinInt64), build.Int(-10), build.Int(-9), build.Int(0), build.Int(9), build.Int(10), build.Int(math.MaxInt64))),
	ascends("doubles ascend by value", given(
		build.Double(-math.MaxFloat64), build.Double(-1.5), build.Double(-math.SmallestNonzeroFloat64), build.Double(0),
		build.Double(math.SmallestNonzeroFloat64), build.Double(1.5), build.Double(math.MaxFloat64))),
	ascends("integers and doubles are one order", given(
		build.Double(-1.5), build.Int(-1), build.Double(-0.5), build.Int(0), build.Double(0.5), build.Int(1), build.Double(1.5), build.Int(2))),
	ascends("NaN precedes every other number", given(build.Double(math.NaN()), build.Double(math.Inf(-1)), build.Int(math.MinInt64), build.Int(0))),
	ascends("infinities lie beyond all integers and doubles", given(
		build.Double(math.Inf(-1)), build.Double(-math.MaxFloat64), build.Int(math.MinInt64), build.Int(math.MaxInt64), build.Double(math.MaxFloat64), build.Double(math.Inf(1)))),
	ascends("an integer beyond 2^53 is not rounded to be compared with a double", given(
		build.Int(1<<53-1), build.Double(1<<53), build.Int(1<<53+1), build.Double(1<<53+2), build.Int(1<<53+3))),
	ascends("the largest integer is less than the double 2^63", given(build.Int(math.MaxInt64-1), build.Int(math.MaxInt64), build.Double(1<<63))),
	ties("an integer and the double of the same value are equal", build.Int(7), build.Double(7)),
	ties("zero and negative zero are equal", build.Double(0), build.Double(math.Copysign(0, -1))),
	ties("the integer zero and the double negative zero are equal", build.Int(0), build.Double(math.Copysign(0, -1))),
	ties("NaN is equal to NaN of other bits", build.Double(math.NaN()), build.Double(math.Float64frombits(0xfff8000000000123))),
	ties("the smallest integer and the double -2^63 are equal", build.Int(math.MinInt64), build.Double(-(1 << 63))),
}
