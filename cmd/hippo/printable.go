package main

import (
	"math"
	"strconv"

	"cloud.google.com/go/firestore"
	"google.golang.org/genproto/googleapis/type/latlng"
)

// printable returns a value of Firestore as JSON can show it.
func printable(value any) any {
	switch v := value.(type) {
	case map[string]any:
		fields := make(map[string]any, len(v))
		for name, field := range v {
			fields[name] = printable(field)
		}
		return fields
	case []any:
		elements := make([]any, len(v))
		for i, element := range v {
			elements[i] = printable(element)
		}
		return elements
	case float64:
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return strconv.FormatFloat(v, 'g', -1, 64)
		}
	case *firestore.DocumentRef:
		if v != nil {
			return v.Path
		}
		return nil
	case *latlng.LatLng:
		return map[string]any{"latitude": v.GetLatitude(), "longitude": v.GetLongitude()}
	}
	return value
}
