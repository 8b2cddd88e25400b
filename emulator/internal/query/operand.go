package query

import (
	pb "cloud.google.com/go/firestore/apiv1/firestorepb"

	"hippocampus/emulator/internal/resource"
	"hippocampus/emulator/internal/value"
)

// Limits of values that queries compare with.
const (
	// maxOperandBytes is how much of a field's value is in an index, and so the most that a filter
	// can compare with (firebase.google.com/docs/firestore/quotas#indexes).
	maxOperandBytes = 1500
	// maxDimensions of a vector (firebase.google.com/docs/firestore/vector-search).
	maxDimensions = 2048

	minSeconds = -62135596800 // 0001-01-01T00:00:00Z
	maxSeconds = 253402300799 // 9999-12-31T23:59:59Z
)

// checkOperand refuses what cannot be a document's value, and so cannot be compared with one.
func checkOperand(v *pb.Value) error {
	switch t := v.GetValueType().(type) {
	case nil:
		return invalid("a value has no type: set one of its fields, null_value for null")
	case *pb.Value_TimestampValue:
		s, n := t.TimestampValue.GetSeconds(), t.TimestampValue.GetNanos()
		if s < minSeconds || s > maxSeconds || n < 0 || n > 999_999_999 {
			return invalid("the timestamp of %d seconds and %d nanoseconds is out of range: timestamps are from the year 1 to 9999, with 0 to 999,999,999 nanoseconds", s, n)
		}
	case *pb.Value_ReferenceValue:
		_, p, err := resource.Parse(t.ReferenceValue)
		if err != nil {
			return err
		}
		if p == "" {
			return invalid("the reference value %q is no document: add a collection and a document id", t.ReferenceValue)
		}
	case *pb.Value_GeoPointValue:
		lat, long := t.GeoPointValue.GetLatitude(), t.GeoPointValue.GetLongitude()
		if !(lat >= -90 && lat <= 90 && long >= -180 && long <= 180) {
			return invalid("the point at latitude %v, longitude %v is not on the globe: latitudes are from -90 to 90, longitudes from -180 to 180", lat, long)
		}
	case *pb.Value_ArrayValue:
		for _, element := range t.ArrayValue.GetValues() {
			if err := checkOperand(element); err != nil {
				return err
			}
		}
	case *pb.Value_MapValue:
		return checkMap(v, t.MapValue.GetFields())
	case *pb.Value_NullValue, *pb.Value_BooleanValue, *pb.Value_IntegerValue, *pb.Value_DoubleValue, *pb.Value_StringValue, *pb.Value_BytesValue:
	default:
		return invalid("%s cannot be compared with: give a value that a document can have",
			kindOf(v))
	}
	return nil
}

// stored is an operand as documents have it: timestamps in microseconds. Only one that is itself a
// timestamp is compared as it is.
func stored(v *pb.Value) *pb.Value {
	if value.ClassOf(v) == value.Timestamp {
		return v
	}
	return value.Truncate(v)
}

const typeField = "__type__" // marks maps that are values of another type

func checkMap(v *pb.Value, fields map[string]*pb.Value) error {
	for name, field := range fields {
		if name == typeField {
			if _, ok := field.GetValueType().(*pb.Value_StringValue); !ok {
				return invalid("a map's field %s is %s: it can only be the string that marks a vector", typeField, kindOf(field))
			}
			continue
		}
		if value.Reserved(name) {
			return invalid("a map has the reserved name %q: names must not begin and end with two underscores", name)
		}
		if err := checkOperand(field); err != nil {
			return err
		}
	}
	if value.ClassOf(v) == value.Vector {
		return checkVector(fields)
	}
	return nil
}

func checkVector(fields map[string]*pb.Value) error {
	array, ok := fields["value"].GetValueType().(*pb.Value_ArrayValue)
	if !ok || len(fields) != 2 {
		return invalid("a vector is a map of %s and the array value, and nothing else", typeField)
	}
	numbers := array.ArrayValue.GetValues()
	if len(numbers) == 0 || len(numbers) > maxDimensions {
		return invalid("a vector has %d dimensions: it can have 1 to %d", len(numbers),
			maxDimensions)
	}
	for _, n := range numbers {
		if _, ok := n.GetValueType().(*pb.Value_DoubleValue); !ok {
			return invalid("a vector has %s among its numbers: they must all be doubles", kindOf(n))
		}
	}
	return nil
}

// size returns the bytes of a value as firebase.google.com/docs/firestore/storage-size counts them,
// but as the official emulator does without the 32 of each map itself and with the ids of numbered
// documents as text.
func size(v *pb.Value) int {
	switch t := v.GetValueType().(type) {
	case *pb.Value_IntegerValue, *pb.Value_DoubleValue, *pb.Value_TimestampValue:
		return 8
	case *pb.Value_StringValue:
		return len(t.StringValue) + 1
	case *pb.Value_BytesValue:
		return len(t.BytesValue)
	case *pb.Value_ReferenceValue:
		_, p, _ := resource.Parse(t.ReferenceValue)
		return len(p) + 1 + 16
	case *pb.Value_GeoPointValue:
		return 16
	case *pb.Value_ArrayValue:
		n := 0
		for _, element := range t.ArrayValue.GetValues() {
			n += size(element)
		}
		return n
	case *pb.Value_MapValue:
		n := 0
		for name, field := range t.MapValue.GetFields() {
			n += len(name) + 1 + size(field)
		}
		return n
	default: // null and booleans
		return 1
	}
}

// kindOf names a value's type in an error.
func kindOf(v *pb.Value) string {
	switch v.GetValueType().(type) {
	case *pb.Value_FieldReferenceValue:
		return "a field reference"
	case *pb.Value_FunctionValue:
		return "a function"
	case *pb.Value_PipelineValue:
		return "a pipeline"
	case *pb.Value_BooleanValue:
		return "a boolean"
	case *pb.Value_IntegerValue, *pb.Value_DoubleValue:
		return "a number"
	}
	switch value.ClassOf(v) {
	case value.Null:
		return "null"
	case value.Timestamp:
		return "a timestamp"
	case value.String:
		return "a string"
	case value.Bytes:
		return "bytes"
	case value.Reference:
		return "a reference"
	case value.GeoPoint:
		return "a point"
	case value.Array:
		return "an array"
	case value.Vector:
		return "a vector"
	case value.Map:
		return "a map"
	default:
		return "a value without a type"
	}
}
