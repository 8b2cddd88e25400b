package write

import (
	"math"
	"time"

	pb "cloud.google.com/go/firestore/apiv1/firestorepb"

	"hippocampus/emulator/internal/literal"
	"hippocampus/emulator/internal/value"
)

// numeric makes a transform of an operand that must be a number and a function of two numbers. A
// field that is none, or is not there, gets the operand.
func numeric(path value.Path, operand *pb.Value,
	f func(old, operand *pb.Value) *pb.Value) (func(*pb.Value, time.Time) *pb.Value, error) {
	if !isNumber(operand) {
		return nil, invalid("the operand of field %s's transform is not a number: give an integer or a double", path)
	}
	operand = value.Truncate(operand)
	return func(old *pb.Value, _ time.Time) *pb.Value {
		if !isNumber(old) {
			return operand
		}
		return f(old, operand)
	}, nil
}

// isNumber includes NaN.
func isNumber(v *pb.Value) bool {
	class := value.ClassOf(v)
	return class == value.Number || class == value.NaN
}

// increment adds. Integers stop at the greatest and the least one; with a double, both become
// doubles.
func increment(old, operand *pb.Value) *pb.Value {
	a, aInt := old.GetValueType().(*pb.Value_IntegerValue)
	b, bInt := operand.GetValueType().(*pb.Value_IntegerValue)
	if aInt && bInt {
		return literal.Int(saturated(a.IntegerValue, b.IntegerValue))
	}
	sum := asDouble(old) + asDouble(operand)
	return value.Truncate(literal.Double(sum))
}

func saturated(a, b int64) int64 {
	sum := a + b
	switch {
	case a > 0 && b > 0 && sum < 0:
		return math.MaxInt64
	case a < 0 && b < 0 && sum >= 0:
		return math.MinInt64
	default:
		return sum
	}
}

func asDouble(v *pb.Value) float64 {
	if n, ok := v.GetValueType().(*pb.Value_IntegerValue); ok {
		return float64(n.IntegerValue)
	}
	return v.GetDoubleValue()
}

// maximum returns the greater number with its type, old if they are equal, and NaN if either is.
func maximum(old, operand *pb.Value) *pb.Value {
	if value.ClassOf(operand) == value.NaN ||
		value.ClassOf(old) != value.NaN && value.Compare(operand, old) > 0 {
		return operand
	}
	return old
}

// minimum returns the lesser number with its type, old if they are equal, and NaN if either is: NaN
// is before all others.
func minimum(old, operand *pb.Value) *pb.Value {
	if value.Compare(operand, old) < 0 {
		return operand
	}
	return old
}
