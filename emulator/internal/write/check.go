package write

import (
	"maps"
	"math"

	pb "cloud.google.com/go/firestore/apiv1/firestorepb"

	"hippocampus/emulator/internal/resource"
	"hippocampus/emulator/internal/value"
)

const (
	// The times that can be stored are 0001-01-01 to 9999-12-31, as proto timestamp.proto says.
	minSeconds, maxSeconds = -62135596800, 253402300799
	// maxDimensions of a vector: firebase.google.com/docs/firestore/vector-search#limitations
	maxDimensions = 2048

	typeField  = "__type__"
	vectorType = "__vector__"
	valueField = "value"
)

// checkFields returns a document's fields as they are stored, or says why they cannot be. Those
// that no mask covers are checked, too.
func checkFields(fields map[string]*pb.Value) (map[string]*pb.Value, error) {
	stored, copied := fields, false
	for name, v := range fields {
		if err := checkName(name); err != nil {
			return nil, err
		}
		if err := checkValue(name, v); err != nil {
			return nil, err
		}
		if t := value.Truncate(v); t != v {
			if !copied {
				stored, copied = maps.Clone(fields), true
			}
			stored[name] = t
		}
	}
	return stored, nil
}

func checkName(name string) error {
	switch {
	case name == "":
		return invalid("a field has an empty name")
	case value.Reserved(name):
		return invalid("the field name %q is reserved: names must not begin and end with two underscores", name)
	default:
		return nil
	}
}

// checkValue says why the value of a field cannot be stored.
func checkValue(field string, v *pb.Value) error {
	switch t := v.GetValueType().(type) {
	case *pb.Value_NullValue, *pb.Value_BooleanValue, *pb.Value_IntegerValue, *pb.Value_DoubleValue,
		*pb.Value_StringValue, *pb.Value_BytesValue:
		return nil
	case *pb.Value_TimestampValue:
		if s := t.TimestampValue.GetSeconds(); s < minSeconds || s > maxSeconds {
			return invalid("the timestamp of field %q is not between the years 1 and 9999", field)
		}
		if n := t.TimestampValue.GetNanos(); n < 0 || n > 999_999_999 {
			return invalid("the timestamp of field %q has %d nanoseconds: they must be 0 to 999,999,999", field, n)
		}
		return nil
	case *pb.Value_ReferenceValue:
		_, p, err := resource.Parse(t.ReferenceValue)
		if err != nil {
			return err
		}
		if p == "" {
			return invalid("the reference of field %q names a database, not a document: %q", field,
				t.ReferenceValue)
		}
		return nil
	case *pb.Value_GeoPointValue:
		if l := t.GeoPointValue.GetLatitude(); !(l >= -90 && l <= 90) {
			return invalid("the point of field %q has the latitude %v: it must be -90 to 90", field, l)
		}
		if l := t.GeoPointValue.GetLongitude(); !(l >= -180 && l <= 180) {
			return invalid("the point of field %q has the longitude %v: it must be -180 to 180",
				field, l)
		}
		return nil
	case *pb.Value_ArrayValue:
		for _, element := range t.ArrayValue.GetValues() {
			if err := checkElement(field, element); err != nil {
				return err
			}
		}
		return nil
	case *pb.Value_MapValue:
		return checkMap(field, t.MapValue.GetFields())
	case nil:
		return invalid("the value of field %q has no type: set one of value_type, or leave the field out", field)
	default:
		return invalid("the value of field %q is a %T, which is for pipelines and cannot be stored",
			field, t)
	}
}

// checkElement says why a value cannot be stored in an array.
func checkElement(field string, v *pb.Value) error {
	switch value.ClassOf(v) {
	case value.Array:
		return invalid("field %q has an array directly in an array: put a map between them", field)
	case value.Vector:
		return invalid("field %q has a vector directly in an array: put a map between them", field)
	default:
		return checkValue(field, v)
	}
}

func checkMap(field string, fields map[string]*pb.Value) error {
	if kind, ok := fields[typeField]; ok {
		if kind.GetStringValue() != vectorType {
			return invalid("field %q has a map with %s: it is reserved, and may only be the string %q, of a vector", field, typeField, vectorType)
		}
		return checkVector(field, fields)
	}
	for name, v := range fields {
		if err := checkName(name); err != nil {
			return err
		}
		if err := checkValue(field, v); err != nil {
			return err
		}
	}
	return nil
}

func checkVector(field string, fields map[string]*pb.Value) error {
	list, ok := fields[valueField].GetValueType().(*pb.Value_ArrayValue)
	if !ok || len(fields) != 2 {
		return invalid("field %q has a vector that is not made of %s and an array %q alone", field,
			typeField, valueField)
	}
	values := list.ArrayValue.GetValues()
	if n := len(values); n == 0 || n > maxDimensions {
		return invalid("field %q has a vector of %d dimensions: there must be 1 to %d", field, n,
			maxDimensions)
	}
	for _, v := range values {
		number, ok := v.GetValueType().(*pb.Value_DoubleValue)
		if !ok || math.IsNaN(number.DoubleValue) {
			return invalid("field %q has a vector with something else in it than doubles that are numbers", field)
		}
	}
	return nil
}
