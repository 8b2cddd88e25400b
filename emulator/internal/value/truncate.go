package value

import (
	"maps"
	"math"
	"slices"

	pb "cloud.google.com/go/firestore/apiv1/firestorepb"
	"google.golang.org/protobuf/types/known/timestamppb"
)

// nan is the one NaN that is stored.
const nan = 0x7ff8000000000000

// Truncate returns v as it is stored: timestamps rounded down to microseconds and every NaN the
// same, in arrays and maps, too. If there is nothing to do it is v itself; otherwise it shares with
// v what stays.
func Truncate(v *pb.Value) *pb.Value {
	switch t := v.GetValueType().(type) {
	case *pb.Value_DoubleValue:
		if math.IsNaN(t.DoubleValue) && math.Float64bits(t.DoubleValue) != nan {
			return &pb.Value{ValueType: &pb.Value_DoubleValue{DoubleValue: math.Float64frombits(nan)}}
		}
	case *pb.Value_TimestampValue:
		if nanos := t.TimestampValue.GetNanos(); nanos%1000 != 0 {
			return &pb.Value{ValueType: &pb.Value_TimestampValue{TimestampValue: &timestamppb.Timestamp{
				Seconds: t.TimestampValue.GetSeconds(), Nanos: nanos - nanos%1000,
			}}}
		}
	case *pb.Value_ArrayValue:
		values := t.ArrayValue.GetValues()
		copied := false
		for i, element := range values {
			stored := Truncate(element)
			if stored == element {
				continue
			}
			if !copied {
				values, copied = slices.Clone(values), true
			}
			values[i] = stored
		}
		if copied {
			return &pb.Value{ValueType: &pb.Value_ArrayValue{ArrayValue: &pb.ArrayValue{Values: values}}}
		}
	case *pb.Value_MapValue:
		fields := t.MapValue.GetFields()
		copied := fields
		first := true
		for name, field := range fields {
			stored := Truncate(field)
			if stored == field {
				continue
			}
			if first {
				copied, first = maps.Clone(fields), false
			}
			copied[name] = stored
		}
		if !first {
			return &pb.Value{ValueType: &pb.Value_MapValue{MapValue: &pb.MapValue{Fields: copied}}}
		}
	}
	return v
}
