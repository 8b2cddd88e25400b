package limit

import (
	"strings"

	pb "cloud.google.com/go/firestore/apiv1/firestorepb"

	"hippocampus/emulator/internal/resource"
	"hippocampus/emulator/internal/value"
)

const (
	nameExtra = 16 // bytes of a name beside its ids
	extra     = 32 // bytes of a document, map or index entry beside what is in it
)

// documentSize returns the size of a document in bytes, of which there may be 1,048,576:
// storage-size#document-size. It is also what storage is billed by.
func documentSize(p resource.Path, doc *pb.Document) int {
	return nameSize(p) + fieldsSize(doc.GetFields()) + extra
}

// nameSize: storage-size#document-name-size.
func nameSize(p resource.Path) int {
	if p == "" {
		return nameExtra
	}
	n := nameExtra
	for rest, more := string(p), true; more; {
		var id string
		id, rest, more = strings.Cut(rest, "/")
		n += idSize(id)
	}
	return n
}

// idSize is 8 for a number, which a document of a former Datastore may have:
// storage-size#document-id-size.
func idSize(id string) int {
	if resource.Numbered(id) {
		return 8
	}
	return stringSize(id)
}

// stringSize: storage-size#string-size.
func stringSize(s string) int { return len(s) + 1 }

// fieldsSize is the size of the names and values of fields.
func fieldsSize(fields map[string]*pb.Value) int {
	n := 0
	for name, v := range fields {
		n += stringSize(name) + valueSize(v)
	}
	return n
}

// valueSize: storage-size#field-size.
func valueSize(v *pb.Value) int {
	switch t := v.GetValueType().(type) {
	case *pb.Value_StringValue:
		return stringSize(t.StringValue)
	case *pb.Value_BytesValue:
		return len(t.BytesValue)
	case *pb.Value_IntegerValue, *pb.Value_DoubleValue, *pb.Value_TimestampValue:
		return 8
	case *pb.Value_GeoPointValue:
		return 16
	case *pb.Value_ReferenceValue:
		_, p, _ := resource.Parse(t.ReferenceValue)
		return nameSize(p)
	case *pb.Value_ArrayValue:
		n := 0
		for _, element := range t.ArrayValue.GetValues() {
			n += valueSize(element)
		}
		return n
	case *pb.Value_MapValue:
		if value.ClassOf(v) == value.Vector {
			return 8 * len(value.Elements(v))
		}
		return fieldsSize(t.MapValue.GetFields()) + extra
	default: // null and booleans
		return 1
	}
}
