package value_test

import (
	"math"

	pb "cloud.google.com/go/firestore/apiv1/firestorepb"
	"pgregory.net/rapid"

	"hippocampus/emulator/internal/literal"
)

type fields = map[string]*pb.Value

const root = "projects/p/databases/(default)/documents/"

var negativeZero = math.Copysign(0, -1)

func ref(path string) *pb.Value {
	return literal.Ref(root + path)
}

// anyValue draws values with many near misses of each other.
func anyValue(depth int) *rapid.Generator[*pb.Value] {
	number := rapid.SampledFrom([]float64{math.Inf(-1), -math.Pow(2, 63), -1.5, -1, negativeZero, 0, 0.5, 1, 1 << 53, math.Pow(2, 63), math.Inf(1), math.NaN()})
	text := rapid.SampledFrom([]string{"", "a", "b", "aa", "\uffff", "\U0001F600"})
	all := []*rapid.Generator[*pb.Value]{
		rapid.Just(literal.Null()),
		rapid.Map(rapid.Bool(), literal.Bool),
		rapid.Map(rapid.SampledFrom([]int64{math.MinInt64, -1, 0, 1, 1 << 53, 1<<53 + 1, math.MaxInt64 - 1, math.MaxInt64}), literal.Int),
		rapid.Map(number, literal.Double),
		rapid.Map(text, literal.Str),
		rapid.Map(text, literal.Bytes),
		rapid.Map(rapid.SampledFrom([]string{"a/b", "a/b/c/d", "a/__id9__", "a/__id10__", "a!/b"}), ref),
		rapid.Map(rapid.Int64Range(-1, 1), func(n int64) *pb.Value { return literal.Time(n, int32(n*n)*1000) }),
		rapid.Map(rapid.SampledFrom([]float64{-1, negativeZero, 0, 1}), func(f float64) *pb.Value { return literal.Geo(f, -f) }),
		rapid.Map(rapid.SliceOfN(rapid.SampledFrom([]float64{-1, negativeZero, 0, 1}), 1, 3), func(f []float64) *pb.Value { return literal.Vector(f...) }),
	}
	if depth > 0 {
		all = append(all,
			rapid.Map(rapid.SliceOfN(anyValue(depth-1), 0, 3), func(v []*pb.Value) *pb.Value { return literal.Array(v...) }),
			rapid.Map(rapid.MapOfN(text, anyValue(depth-1), 0, 3), literal.Map))
	}
	return rapid.OneOf(all...)
}
