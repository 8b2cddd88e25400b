package nearest_test

import (
	"testing"

	"cloud.google.com/go/firestore/apiv1/firestorepb"
	"github.com/stretchr/testify/require"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/types/known/wrapperspb"

	"hippocampus/emulator/internal/literal"
	"hippocampus/emulator/internal/nearest"
)

type find = firestorepb.StructuredQuery_FindNearest

const (
	euclidean = firestorepb.StructuredQuery_FindNearest_EUCLIDEAN
	cosine    = firestorepb.StructuredQuery_FindNearest_COSINE
	product   = firestorepb.StructuredQuery_FindNearest_DOT_PRODUCT
)

func search(measure firestorepb.StructuredQuery_FindNearest_DistanceMeasure, limit int32) *find {
	return &find{
		VectorField: literal.Field("v"), QueryVector: literal.Vector(3, 4),
		DistanceMeasure: measure, Limit: wrapperspb.Int32(limit), DistanceResultField: "distance",
	}
}

func TestRanks(t *testing.T) {
	docs := []*firestorepb.Document{}
	for name, v := range map[string]*firestorepb.Value{
		"same": literal.Vector(3, 4), "double": literal.Vector(6, 8), "opposite": literal.Vector(-3, -4), "right": literal.Vector(4, -3),
		"short": literal.Vector(3), "text": literal.Str("x"), "zero": literal.Vector(0, 0),
	} {
		docs = append(docs, &firestorepb.Document{Name: name, Fields: map[string]*firestorepb.Value{"v": v}})
	}
	docs = append(docs, &firestorepb.Document{Name: "without"})
	type hit struct {
		name     string
		distance float64
	}
	threshold := func(f *find, t float64) *find {
		f.DistanceThreshold = wrapperspb.Double(t)
		return f
	}
	for name, tt := range map[string]struct {
		find *find
		want []hit
	}{
		"euclidean":        {search(euclidean, 3), []hit{{"same", 0}, {"zero", 5}, {"double", 5}}},
		"within":           {threshold(search(euclidean, 9), 0), []hit{{"same", 0}}},
		"cosine":           {search(cosine, 9), []hit{{"same", 0}, {"double", 0}, {"right", 1}, {"opposite", 2}}},
		"product":          {search(product, 2), []hit{{"double", 50}, {"same", 25}}},
		"product at least": {threshold(search(product, 9), 25), []hit{{"double", 50}, {"same", 25}}},
	} {
		t.Run(name, func(t *testing.T) {
			s, err := nearest.Compile(tt.find)
			require.NoError(t, err)
			var got []hit
			for _, doc := range s.Rank(docs) {
				got = append(got, hit{doc.GetName(), doc.GetFields()["distance"].GetDoubleValue()})
			}
			require.ElementsMatch(t, tt.want, got)
			for i := range got {
				require.InDelta(t, tt.want[i].distance, got[i].distance, 1e-12, "in order")
			}
		})
	}
	require.NotContains(t, docs[0].GetFields(), "distance", "documents are not changed")
}

func TestWrongSearches(t *testing.T) {
	for name, change := range map[string]func(*find){
		"no field":     func(f *find) { f.VectorField = nil },
		"no vector":    func(f *find) { f.QueryVector = literal.Str("x") },
		"no dimension": func(f *find) { f.QueryVector = literal.Vector() },
		"too many":     func(f *find) { f.QueryVector = literal.Vector(make([]float64, 2049)...) },
		"no limit":     func(f *find) { f.Limit = nil },
		"much":         func(f *find) { f.Limit.Value = 1001 },
		"no measure":   func(f *find) { f.DistanceMeasure = 0 },
		"result field": func(f *find) { f.DistanceResultField = "a..b" },
	} {
		t.Run(name, func(t *testing.T) {
			f := search(euclidean, 1)
			change(f)
			_, err := nearest.Compile(f)
			require.Equal(t, codes.InvalidArgument, status.Code(err), "%v", err)
		})
	}
	_, err := nearest.Compile(search(euclidean, 1000))
	require.NoError(t, err)
}
