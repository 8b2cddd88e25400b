// Package value knows the values of documents: their order across all types, when two are the same,
// and the paths of fields. Values are the protos themselves and are never changed here: whoever
// holds one may share it.
//
// Sources: firebase.google.com/docs/firestore/manage-data/data-types, the comments of
// document.proto, and the official emulator where those leave something open.
package value

import (
	"bytes"
	"cmp"
	"math"
	"strings"

	pb "cloud.google.com/go/firestore/apiv1/firestorepb"

	"hippocampus/emulator/internal/resource"
)

// Class is the place of a value's type in the order of all values. Values of different classes are
// never equal.
type Class int

// The classes, in order. What is not a value that can be stored is None.
const (
	None Class = iota
	Null
	Bool
	NaN
	Number
	Timestamp
	String
	Bytes
	Reference
	GeoPoint
	Array
	Vector
	Map
)

// ClassOf returns the class of v. A map with the field __type__ == "__vector__" is a Vector.
func ClassOf(v *pb.Value) Class {
	switch t := v.GetValueType().(type) {
	case *pb.Value_NullValue:
		return Null
	case *pb.Value_BooleanValue:
		return Bool
	case *pb.Value_IntegerValue:
		return Number
	case *pb.Value_DoubleValue:
		if math.IsNaN(t.DoubleValue) {
			return NaN
		}
		return Number
	case *pb.Value_TimestampValue:
		return Timestamp
	case *pb.Value_StringValue:
		return String
	case *pb.Value_BytesValue:
		return Bytes
	case *pb.Value_ReferenceValue:
		return Reference
	case *pb.Value_GeoPointValue:
		return GeoPoint
	case *pb.Value_ArrayValue:
		return Array
	case *pb.Value_MapValue:
		if isVector(t.MapValue.GetFields()) {
			return Vector
		}
		return Map
	default:
		return None
	}
}

// The fields of the map that a vector is on the wire.
const (
	typeField  = "__type__"
	vectorType = "__vector__"
	valueField = "value"
)

func isVector(fields map[string]*pb.Value) bool {
	return fields[typeField].GetStringValue() == vectorType
}

// Compare returns -1, 0 or 1 for Firestore's total order of values: by class, and within it
//
//   - numbers by their exact value, whatever their type, so 1 and 1.0 are equal, as are 0, 0.0 and -0.0; NaN is before
//     all others
//   - strings and bytes byte by byte, references as resource.CompareNames
//   - points by latitude, then longitude, and -0.0 is before 0.0 in them as in vectors
//   - arrays element by element, then the shorter first; vectors by dimension, then as arrays
//   - maps by their sorted keys: the first key that only one has or whose values differ decides
//
// It allocates nothing.
func Compare(a, b *pb.Value) int { return compare(a, b, math.MaxInt) }

// CompareIndexed is Compare as indexes, and so orders of results, have it: of strings and bytes,
// wherever they are in the values, the first 1,500 bytes count. See
// https://firebase.google.com/docs/firestore/quotas#indexes .
func CompareIndexed(a, b *pb.Value) int { return compare(a, b, maxIndexed) }

// maxIndexed is how many bytes of a string or of bytes an index has.
const maxIndexed = 1500

// compare looks at so many bytes of strings and bytes.
func compare(a, b *pb.Value, most int) int {
	if a == b {
		return 0
	}
	class := ClassOf(a)
	if other := ClassOf(b); class != other {
		return cmp.Compare(class, other)
	}
	switch class {
	case Bool:
		return compareBools(a.GetBooleanValue(), b.GetBooleanValue())
	case Number:
		return compareNumbers(a, b)
	case Timestamp:
		s, t := a.GetTimestampValue(), b.GetTimestampValue()
		return cmp.Or(cmp.Compare(s.GetSeconds(), t.GetSeconds()),
			cmp.Compare(s.GetNanos(), t.GetNanos()))
	case String:
		s, t := a.GetStringValue(), b.GetStringValue()
		return strings.Compare(s[:min(len(s), most)], t[:min(len(t), most)])
	case Bytes:
		s, t := a.GetBytesValue(), b.GetBytesValue()
		return bytes.Compare(s[:min(len(s), most)], t[:min(len(t), most)])
	case Reference:
		return resource.CompareNames(a.GetReferenceValue(), b.GetReferenceValue())
	case GeoPoint:
		p, q := a.GetGeoPointValue(), b.GetGeoPointValue()
		return cmp.Or(compareSigned(p.GetLatitude(), q.GetLatitude()),
			compareSigned(p.GetLongitude(), q.GetLongitude()))
	case Array:
		return compareArrays(a.GetArrayValue().GetValues(), b.GetArrayValue().GetValues(), most)
	case Vector:
		return compareVectors(Elements(a), Elements(b))
	case Map:
		return compareMaps(a.GetMapValue().GetFields(), b.GetMapValue().GetFields(), most)
	default: // None, Null, NaN
		return 0
	}
}

// compareBools orders false before true.
func compareBools(a, b bool) int {
	switch {
	case a == b:
		return 0
	case b:
		return -1
	default:
		return 1
	}
}

func compareArrays(a, b []*pb.Value, most int) int {
	for i := range min(len(a), len(b)) {
		if c := compare(a[i], b[i], most); c != 0 {
			return c
		}
	}
	return cmp.Compare(len(a), len(b))
}

// Elements returns the numbers of a vector.
func Elements(v *pb.Value) []*pb.Value {
	return v.GetMapValue().GetFields()[valueField].GetArrayValue().GetValues()
}

func compareVectors(a, b []*pb.Value) int {
	if c := cmp.Compare(len(a), len(b)); c != 0 {
		return c
	}
	for i := range a {
		if c := compareSigned(a[i].GetDoubleValue(), b[i].GetDoubleValue()); c != 0 {
			return c
		}
	}
	return 0
}

// compareMaps finds the least key that only one of the maps has, or whose values differ: up to it
// both are the same. That needs no sorted keys.
func compareMaps(a, b map[string]*pb.Value, most int) int {
	var key string
	order, found := 0, false
	for k, v := range a {
		if found && k >= key {
			continue
		}
		w, ok := b[k]
		if !ok {
			// a's next key is k and b's is greater, unless b has no more keys.
			key, order, found = k, 2, true
		} else if c := compare(v, w, most); c != 0 {
			key, order, found = k, c, true
		}
	}
	for k := range b {
		if found && k >= key {
			continue
		}
		if _, ok := a[k]; !ok {
			key, order, found = k, -2, true
		}
	}
	switch order {
	case 2:
		if hasAfter(b, key) {
			return -1
		}
		return 1
	case -2:
		if hasAfter(a, key) {
			return 1
		}
		return -1
	default:
		return order
	}
}

// hasAfter reports whether a map has a key greater than the given one.
func hasAfter(m map[string]*pb.Value, key string) bool {
	for k := range m {
		if k > key {
			return true
		}
	}
	return false
}
