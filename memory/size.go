package memory

import (
	"strings"
	"time"

	"google.golang.org/genproto/googleapis/type/latlng"

	"cloud.google.com/go/firestore"
)

// DocumentSize returns the size of a document in bytes as Firestore counts it
// against its limit of 1 MiB and as `Storage size calculations` in Firestore's
// documentation defines it. path is relative to the database; fields are as
// the client returns them.
func DocumentSize(path string, fields map[string]any) int {
	size := 16 + 32
	for segment := range strings.SplitSeq(path, "/") {
		size += len(segment) + 1
	}
	return size + mapSize(fields)
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
		size := 16
		for segment := range strings.SplitSeq(v.Path, "/") {
			size += len(segment) + 1
		}
		return size
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
	return 8
}
