package value_test

import (
	"math"
	"testing"

	pb "cloud.google.com/go/firestore/apiv1/firestorepb"
	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/proto"
	"pgregory.net/rapid"

	"hippocampus/emulator/value"
)

// ordered are values in Firestore's order, those of a row equal, as the official emulator returned them.
var ordered = [][]*pb.Value{
	{nil, {}, {ValueType: &pb.Value_FieldReferenceValue{FieldReferenceValue: "a"}}},
	{null()},
	{boolean(false)},
	{boolean(true)},
	{double(math.NaN()), double(math.Float64frombits(0xfff8000000000001))},
	{double(math.Inf(-1))},
	{double(-9.3e18)},
	{integer(math.MinInt64), double(math.MinInt64)},
	{integer(math.MinInt64 + 1)},
	{double(-1.5)},
	{double(-1), integer(-1)},
	{double(-0.5)},
	{double(-5e-324)},
	{integer(0), double(0), double(negativeZero)},
	{double(5e-324)},
	{double(0.5)},
	{integer(1), double(1)},
	{double(1.5)},
	{integer(1<<53 - 1), double(1<<53 - 1)},
	{integer(1 << 53), double(1 << 53)},
	{integer(1<<53 + 1)},
	{integer(1<<53 + 2), double(1<<53 + 2)},
	{integer(math.MaxInt64 - 1)},
	{integer(math.MaxInt64)},
	{double(math.MaxInt64)}, // 2^63
	{double(math.Inf(1))},
	{timestamp(-1, 999999000)},
	{timestamp(0, 0)},
	{timestamp(0, 1000)},
	{timestamp(1, 0)},
	{str("")},
	{str("B")},
	{str("a")},
	{str("é")},
	{str("\uffff")},
	{str("\U0001F600")}, // after, by UTF-8, though before by UTF-16
	{bytesOf("")},
	{bytesOf("a")},
	{bytesOf("aa")},
	{bytesOf("\xff")},
	{ref("a/__id9__")},
	{ref("a/__id10__")},
	{ref("a/b")},
	{ref("a/b/c/d")},
	{ref("a/b!")},
	{ref("a!/b")},
	{geo(-1, 5)},
	{geo(negativeZero, 0)},
	{geo(0, -1)},
	{geo(0, negativeZero)},
	{geo(0, 0)},
	{geo(1, 1)},
	{array()},
	{array(null())},
	{array(integer(1)), array(double(1))},
	{array(integer(1), integer(2))},
	{array(integer(1), integer(2), integer(3))},
	{array(integer(2))},
	{array(mapOf(fields{"a": array(integer(1))}))},
	{vector(negativeZero)},
	{vector(0)},
	{vector(3)},
	{vector(1, 2)},
	{vector(2, 0)},
	{vector(1, 1, 1)},
	{mapOf(nil), mapOf(fields{})},
	{mapOf(fields{"a": integer(1)}), mapOf(fields{"a": double(1)})},
	{mapOf(fields{"a": integer(1), "b": integer(0)})},
	{mapOf(fields{"a": integer(1), "b": integer(0), "c": integer(0)})},
	{mapOf(fields{"a": integer(1), "b": integer(1)})},
	{mapOf(fields{"a": integer(1), "c": integer(0)})},
	{mapOf(fields{"a": integer(2)})},
	{mapOf(fields{"aa": integer(0)})},
	{mapOf(fields{"b": integer(0)})},
	{mapOf(fields{"x": mapOf(fields{"a": integer(1)})})},
	{mapOf(fields{"x": mapOf(fields{"b": integer(1)})})},
	{mapOf(fields{"\uffff": integer(0)})},
	{mapOf(fields{"\U0001F600": integer(0)})},
}

func TestOrderOfValues(t *testing.T) {
	for i, row := range ordered {
		for j, other := range ordered {
			want := min(max(i-j, -1), 1)
			for _, a := range row {
				for _, b := range other {
					require.Equal(t, want, value.Compare(a, b), "%v and %v", a, b)
				}
			}
		}
	}
}

func TestClasses(t *testing.T) {
	for want, v := range []*pb.Value{
		{}, null(), boolean(true), double(math.NaN()), integer(1), timestamp(0, 0), str(""), bytesOf(""), ref("a/b"), geo(0, 0),
		array(), vector(1), mapOf(nil),
	} {
		require.Equal(t, value.Class(want), value.ClassOf(v))
	}
	require.Equal(t, value.Number, value.ClassOf(double(1)))
}

func TestComparisonIsAnOrder(t *testing.T) {
	v := anyValue(2)
	rapid.Check(t, func(t *rapid.T) {
		a, b, c := v.Draw(t, "a"), v.Draw(t, "b"), v.Draw(t, "c")
		ab, bc, ac := value.Compare(a, b), value.Compare(b, c), value.Compare(a, c)
		require.Zero(t, value.Compare(a, &pb.Value{ValueType: a.ValueType}))
		require.Equal(t, -ab, value.Compare(b, a))
		if ab <= 0 && bc <= 0 {
			require.LessOrEqual(t, ac, 0)
			if ab < 0 || bc < 0 {
				require.Negative(t, ac)
			}
		}
		if value.Identical(a, b) {
			require.Zero(t, ab)
		}
	})
}

func TestComparingAllocatesNothing(t *testing.T) {
	for _, row := range ordered {
		for _, v := range row {
			other := proto.CloneOf(v)
			require.Zero(t, testing.AllocsPerRun(10, func() { value.Compare(v, other) }), "%v", v)
		}
	}
}

func BenchmarkCompare(b *testing.B) {
	for name, v := range map[string]*pb.Value{
		"integer": integer(1), "string": str("a string of some length"), "reference": ref("tenants/t/memories/m"),
		"map": mapOf(fields{"a": integer(1), "b": str("b"), "c": array(integer(1))}),
	} {
		b.Run(name, func(b *testing.B) {
			other := proto.CloneOf(v)
			b.ReportAllocs()
			for b.Loop() {
				value.Compare(v, other)
			}
		})
	}
}
