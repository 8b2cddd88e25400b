package value

import (
	"cmp"
	"math"

	pb "cloud.google.com/go/firestore/apiv1/firestorepb"
)

// compareNumbers compares integers and doubles, neither NaN, by their exact values. Converting an
// integer to double would make neighbours above 2^53 equal.
func compareNumbers(a, b *pb.Value) int {
	x, xInt := a.GetValueType().(*pb.Value_IntegerValue)
	y, yInt := b.GetValueType().(*pb.Value_IntegerValue)
	switch {
	case xInt && yInt:
		return cmp.Compare(x.IntegerValue, y.IntegerValue)
	case xInt:
		return compareMixed(x.IntegerValue, b.GetDoubleValue())
	case yInt:
		return -compareMixed(y.IntegerValue, a.GetDoubleValue())
	default:
		return cmp.Compare(a.GetDoubleValue(), b.GetDoubleValue())
	}
}

// compareMixed compares an integer with a double that is not NaN.
func compareMixed(n int64, f float64) int {
	const limit = 1 << 63 // the first double above all integers
	switch {
	case f >= limit:
		return -1
	case f < -limit:
		return 1
	}
	whole := int64(f) // toward zero, exact
	if c := cmp.Compare(n, whole); c != 0 {
		return c
	}
	// A double with a fraction is below 2^53, so that the difference is exact, too.
	return cmp.Compare(0, f-float64(whole))
}

// compareSigned compares doubles as IEEE 754 orders all of them: -0.0 before 0.0. NaN is before all
// others.
func compareSigned(a, b float64) int {
	if a == 0 && b == 0 {
		return compareBools(!math.Signbit(a), !math.Signbit(b))
	}
	return cmp.Compare(a, b)
}
