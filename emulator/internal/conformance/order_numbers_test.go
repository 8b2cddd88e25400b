package conformance

import (
	"math"

	"hippocampus/emulator/internal/literal"
)

// orderNumbers are about the order of numbers.
var orderNumbers = []Check{
	ascends("integers ascend by value and not by digits", given(
		literal.Int(math.MinInt64), literal.Int(-10), literal.Int(-9), literal.Int(0), literal.Int(9), literal.Int(10), literal.Int(math.MaxInt64))),
	ascends("doubles ascend by value", given(
		literal.Double(-math.MaxFloat64), literal.Double(-1.5), literal.Double(-math.SmallestNonzeroFloat64), literal.Double(0),
		literal.Double(math.SmallestNonzeroFloat64), literal.Double(1.5), literal.Double(math.MaxFloat64))),
	ascends("integers and doubles are one order", given(
		literal.Double(-1.5), literal.Int(-1), literal.Double(-0.5), literal.Int(0), literal.Double(0.5), literal.Int(1), literal.Double(1.5), literal.Int(2))),
	ascends("NaN precedes every other number", given(literal.Double(math.NaN()), literal.Double(math.Inf(-1)), literal.Int(math.MinInt64), literal.Int(0))),
	ascends("infinities lie beyond all integers and doubles", given(
		literal.Double(math.Inf(-1)), literal.Double(-math.MaxFloat64), literal.Int(math.MinInt64), literal.Int(math.MaxInt64), literal.Double(math.MaxFloat64), literal.Double(math.Inf(1)))),
	ascends("an integer beyond 2^53 is not rounded to be compared with a double", given(
		literal.Int(1<<53-1), literal.Double(1<<53), literal.Int(1<<53+1), literal.Double(1<<53+2), literal.Int(1<<53+3))),
	ascends("the largest integer is less than the double 2^63", given(literal.Int(math.MaxInt64-1), literal.Int(math.MaxInt64), literal.Double(1<<63))),
	ties("an integer and the double of the same value are equal", literal.Int(7), literal.Double(7)),
	ties("zero and negative zero are equal", literal.Double(0), literal.Double(math.Copysign(0, -1))),
	ties("the integer zero and the double negative zero are equal", literal.Int(0), literal.Double(math.Copysign(0, -1))),
	ties("NaN is equal to NaN of other bits", literal.Double(math.NaN()), literal.Double(math.Float64frombits(0xfff8000000000123))),
	ties("the smallest integer and the double -2^63 are equal", literal.Int(math.MinInt64), literal.Double(-(1 << 63))),
}
