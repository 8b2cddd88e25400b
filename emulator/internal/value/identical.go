package value

import (
	"bytes"
	"math"

	pb "cloud.google.com/go/firestore/apiv1/firestorepb"
)

// Identical reports whether a and b are the same value of the same type, so that writing one over
// the other changes nothing. 1 and 1.0 are not identical, nor are 0.0 and -0.0; all NaN are.
func Identical(a, b *pb.Value) bool {
	if a == b {
		return true
	}
	switch x := a.GetValueType().(type) {
	case *pb.Value_NullValue:
		_, ok := b.GetValueType().(*pb.Value_NullValue)
		return ok
	case *pb.Value_BooleanValue:
		y, ok := b.GetValueType().(*pb.Value_BooleanValue)
		return ok && x.BooleanValue == y.BooleanValue
	case *pb.Value_IntegerValue:
		y, ok := b.GetValueType().(*pb.Value_IntegerValue)
		return ok && x.IntegerValue == y.IntegerValue
	case *pb.Value_DoubleValue:
		y, ok := b.GetValueType().(*pb.Value_DoubleValue)
		return ok && identicalDoubles(x.DoubleValue, y.DoubleValue)
	case *pb.Value_TimestampValue:
		y, ok := b.GetValueType().(*pb.Value_TimestampValue)
		return ok && x.TimestampValue.GetSeconds() == y.TimestampValue.GetSeconds() &&
			x.TimestampValue.GetNanos() == y.TimestampValue.GetNanos()
	case *pb.Value_StringValue:
		y, ok := b.GetValueType().(*pb.Value_StringValue)
		return ok && x.StringValue == y.StringValue
	case *pb.Value_BytesValue:
		y, ok := b.GetValueType().(*pb.Value_BytesValue)
		return ok && bytes.Equal(x.BytesValue, y.BytesValue)
	case *pb.Value_ReferenceValue:
		y, ok := b.GetValueType().(*pb.Value_ReferenceValue)
		return ok && x.ReferenceValue == y.ReferenceValue
	case *pb.Value_GeoPointValue:
		y, ok := b.GetValueType().(*pb.Value_GeoPointValue)
		return ok && identicalDoubles(x.GeoPointValue.GetLatitude(),
			y.GeoPointValue.GetLatitude()) &&
			identicalDoubles(x.GeoPointValue.GetLongitude(), y.GeoPointValue.GetLongitude())
	case *pb.Value_ArrayValue:
		y, ok := b.GetValueType().(*pb.Value_ArrayValue)
		return ok && identicalArrays(x.ArrayValue.GetValues(), y.ArrayValue.GetValues())
	case *pb.Value_MapValue:
		y, ok := b.GetValueType().(*pb.Value_MapValue)
		return ok && IdenticalFields(x.MapValue.GetFields(), y.MapValue.GetFields())
	default:
		return false
	}
}

// IdenticalFields reports whether two documents or maps have the same fields with Identical values.
func IdenticalFields(a, b map[string]*pb.Value) bool {
	if len(a) != len(b) {
		return false
	}
	for name, v := range a {
		w, ok := b[name]
		if !ok || !Identical(v, w) {
			return false
		}
	}
	return true
}

func identicalArrays(a, b []*pb.Value) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if !Identical(a[i], b[i]) {
			return false
		}
	}
	return true
}

func identicalDoubles(a, b float64) bool {
	return math.Float64bits(a) == math.Float64bits(b) || math.IsNaN(a) && math.IsNaN(b)
}
