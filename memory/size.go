package memory

import (
	"reflect"
	"strings"
	"time"

	"google.golang.org/genproto/googleapis/type/latlng"

	"cloud.google.com/go/firestore"
)

// DocumentSize returns the size of a document in bytes as Firestore counts it
// against its limit of 1 MiB and as `Storage size calculations` in Firestore's
// documentation defines it. path is relative to the database. Fields as the
// client returns them are counted exactly; other Go values that the client
// takes are counted as it stores them, structs by the Go names of their fields.
func DocumentSize(path string, fields map[string]any) int {
	return nameSize(path) + mapSize(fields) + 32
}

func nameSize(path string) int {
	size := 16
	for segment := range strings.SplitSeq(path, "/") {
		size += len(segment) + 1
	}
	return size
}

func mapSize(fields map[string]any) int {
	size := 0
	for name, value := range fields {
		size += len(name) + 1 + valueSize(value)
	}
	return size
}

func valueSize(value any) int {
	switch v := value.(type) {
	case nil, bool:
		return 1
	case string:
		return len(v) + 1
	case []byte:
		return len(v)
	case time.Time, int64, float64:
		return 8
	case *latlng.LatLng:
		return 16
	case *firestore.DocumentRef:
		if v == nil {
			return 1
		}
		_, path, _ := strings.Cut(v.Path, "/documents/")
		return nameSize(path)
	case map[string]any:
		return 32 + mapSize(v)
	case []any:
		size := 0
		for _, element := range v {
			size += valueSize(element)
		}
		return size
	case firestore.Vector64:
		return 8 * len(v)
	case firestore.Vector32:
		return 8 * len(v)
	}
	return reflectedSize(reflect.ValueOf(value))
}

// reflectedSize counts values of types that the client takes and never returns.
func reflectedSize(v reflect.Value) int {
	size := 0
	switch v.Kind() {
	case reflect.String:
		return v.Len() + 1
	case reflect.Slice, reflect.Array:
		for i := range v.Len() {
			size += valueSize(v.Index(i).Interface())
		}
		return size
	case reflect.Map:
		for entries := v.MapRange(); entries.Next(); {
			size += len(entries.Key().String()) + 1 + valueSize(entries.Value().Interface())
		}
		return 32 + size
	case reflect.Struct:
		for i := range v.NumField() {
			if field := v.Type().Field(i); field.IsExported() {
				size += len(field.Name) + 1 + valueSize(v.Field(i).Interface())
			}
		}
		return 32 + size
	case reflect.Pointer:
		if v.IsNil() {
			return 1
		}
		return valueSize(v.Elem().Interface())
	}
	return 8
}
