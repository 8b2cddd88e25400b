// Package nearest finds the documents whose vectors are nearest to a given one, by looking at all
// of them.
//
// The rules are those of query.proto, StructuredQuery.FindNearest, and of
// firebase.google.com/docs/firestore/vector-search: it applies after filters, order, offset and
// limit; documents whose field is no vector of the same dimension are left out.
package nearest

import (
	"cmp"
	"math"
	"slices"

	"cloud.google.com/go/firestore/apiv1/firestorepb"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"hippocampus/emulator/internal/literal"
	"hippocampus/emulator/internal/value"
)

// The limits of a search: https://firebase.google.com/docs/firestore/vector-search#limitations
const (
	maxDimension = 2048
	maxLimit     = 1000
)

// Search is a search for nearest vectors.
type Search struct {
	// Field is that of the vectors.
	Field value.Path

	vector    []float64
	measure   firestorepb.StructuredQuery_FindNearest_DistanceMeasure
	limit     int
	result    value.Path // where to put the distance; nil: nowhere
	threshold *float64
}

// Compile reads a search. The error is INVALID_ARGUMENT.
func Compile(f *firestorepb.StructuredQuery_FindNearest) (*Search, error) {
	s := &Search{measure: f.GetDistanceMeasure(), limit: int(f.GetLimit().GetValue())}
	var err error
	if s.Field, err = value.ParsePath(f.GetVectorField().GetFieldPath()); err != nil {
		return nil, err
	}
	if value.ClassOf(f.GetQueryVector()) != value.Vector {
		return nil, invalid("query_vector is no vector; give a map of __type__ and value, as clients make of vectors")
	}
	s.vector = numbers(f.GetQueryVector())
	if n := len(s.vector); n == 0 || n > maxDimension {
		return nil, invalid("query_vector has %d dimensions; give 1 to %d", n, maxDimension)
	}
	if s.limit < 1 || s.limit > maxLimit {
		return nil, invalid("the limit of find_nearest is %d; give 1 to %d", s.limit, maxLimit)
	}
	switch s.measure {
	case firestorepb.StructuredQuery_FindNearest_EUCLIDEAN, firestorepb.StructuredQuery_FindNearest_COSINE, firestorepb.StructuredQuery_FindNearest_DOT_PRODUCT:
	default:
		return nil, invalid("find_nearest has no distance_measure; give EUCLIDEAN, COSINE or DOT_PRODUCT")
	}
	if name := f.GetDistanceResultField(); name != "" {
		if s.result, err = value.ParsePath(name); err != nil {
			return nil, err
		}
	}
	if t := f.GetDistanceThreshold(); t != nil {
		threshold := t.GetValue()
		s.threshold = &threshold
	}
	return s, nil
}

// Rank returns the documents that are nearest, the nearest first, with their distances if they are
// asked for.
func (s *Search) Rank(docs []*firestorepb.Document) []*firestorepb.Document {
	type ranked struct {
		doc      *firestorepb.Document
		distance float64
	}
	var all []ranked
	for _, doc := range docs {
		v, _ := value.Get(doc.GetFields(), s.Field)
		if value.ClassOf(v) != value.Vector {
			continue
		}
		vector := numbers(v)
		if len(vector) != len(s.vector) {
			continue
		}
		distance := s.distance(vector)
		if math.IsNaN(distance) || s.threshold != nil && s.farther(distance, *s.threshold) {
			continue
		}
		all = append(all, ranked{doc, distance})
	}
	slices.SortStableFunc(all, func(a, b ranked) int {
		if s.measure == firestorepb.StructuredQuery_FindNearest_DOT_PRODUCT {
			a, b = b, a
		}
		return cmp.Compare(a.distance, b.distance)
	})
	all = all[:min(len(all), s.limit)]
	nearest := make([]*firestorepb.Document, len(all))
	for i, r := range all {
		nearest[i] = r.doc
		if s.result != nil {
			nearest[i] = &firestorepb.Document{
				Name: r.doc.GetName(), CreateTime: r.doc.GetCreateTime(),
				UpdateTime: r.doc.GetUpdateTime(),
				Fields:     value.Set(r.doc.GetFields(), s.result, literal.Double(r.distance)),
			}
		}
	}
	return nearest
}

// farther reports whether a is farther than b: of dot products the greater is the nearer.
func (s *Search) farther(a, b float64) bool {
	if s.measure == firestorepb.StructuredQuery_FindNearest_DOT_PRODUCT {
		return a < b
	}
	return a > b
}

func (s *Search) distance(v []float64) float64 {
	var dot, squares, own, others float64
	for i, x := range s.vector {
		dot += x * v[i]
		squares += (x - v[i]) * (x - v[i])
		own += x * x
		others += v[i] * v[i]
	}
	switch s.measure {
	case firestorepb.StructuredQuery_FindNearest_EUCLIDEAN:
		return math.Sqrt(squares)
	case firestorepb.StructuredQuery_FindNearest_COSINE:
		return 1 - dot/(math.Sqrt(own)*math.Sqrt(others))
	}
	return dot
}

// numbers are those of a vector.
func numbers(vector *firestorepb.Value) []float64 {
	values := value.Elements(vector)
	all := make([]float64, len(values))
	for i, v := range values {
		switch n := v.GetValueType().(type) {
		case *firestorepb.Value_DoubleValue:
			all[i] = n.DoubleValue
		case *firestorepb.Value_IntegerValue:
			all[i] = float64(n.IntegerValue)
		}
	}
	return all
}

func invalid(format string, args ...any) error {
	return status.Errorf(codes.InvalidArgument, format, args...)
}
