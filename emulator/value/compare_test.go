package value_test

import (
	"math"
	"testing"

	pb "cloud.google.com/go/firestore/apiv1/firestorepb"
	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/proto"
	"pgregory.net/rapid"

	"hippocampus/emulator/build"
	"hippocampus/emulator/value"
)

// ordered are values in Firestore's order, those of a row equal, as the official emulator returned them.
var ordered = [][]*pb.Value{
	{nil, {}, {ValueType: &pb.Value_FieldReferenceValue{FieldReferenceValue: "a"}}},
	{build.Null()},
	{build.Bool(false)},
	{build.Bool(true)},
	{build.Double(math.NaN()), build.Double(math.Float64frombits(0xfff8000000000001))},
	{build.Double(math.Inf(-1))},
	{build.Double(-9.3e18)},
	{build.Int(math.MinInt64), build.Double(math.MinInt64)},
	{build.Int(math.MinInt64 + 1)},
	{build.Double(-1.5)},
	{build.Double(-1), build.Int(-1)},
	{build.Double(-0.5)},
	{build.Double(-5e-324)},
	{build.Int(0), build.Double(0), build.Double(negativeZero)},
	{build.Double(5e-324)},
	{build.Double(0.5)},
	{build.Int(1), build.Double(1)},
	{build.Double(1.5)},
	{build.Int(1<<53 - 1), build.Double(1<<53 - 1)},
	{build.Int(1 << 53), build.Double(1 << 53)},
	{build.Int(1<<53 + 1)},
	{build.Int(1<<53 + 2), build.Double(1<<53 + 2)},
	{build.Int(math.MaxInt64 - 1)},
	{build.Int(math.MaxInt64)},
	{build.Double(math.MaxInt64)}, // 2^63
	{build.Double(math.Inf(1))},
	{build.Time(-1, 999999000)},
	{build.Time(0, 0)},
	{build.Time(0, 1000)},
	{build.Time(1, 0)},
	{build.Str("")},
	{build.Str("B")},
	{build.Str("a")},
	{build.Str("é")},
	{build.Str("\uffff")},
	{build.Str("\U0001F600")}, // after, by UTF-8, though before by UTF-16
	{build.Bytes("")},
	{build.Bytes("a")},
	{build.Bytes("aa")},
	{build.Bytes("\xff")},
	{ref("a/__id9__")},
	{ref("a/__id10__")},
	{ref("a/b")},
	{ref("a/b/c/d")},
	{ref("a/b!")},
	{ref("a!/b")},
	{build.Geo(-1, 5)},
	{build.Geo(negativeZero, 0)},
	{build.Geo(0, -1)},
	{build.Geo(0, negativeZero)},
	{build.Geo(0, 0)},
	{build.Geo(1, 1)},
	{build.Array()},
	{build.Array(build.Null())},
	{build.Array(build.Int(1)), build.Array(build.Double(1))},
	{build.Array(build.Int(1), build.Int(2))},
	{build.Array(build.Int(1), build.Int(2), build.Int(3))},
	{build.Array(build.Int(2))},
	{build.Array(build.Map(fields{"a": build.Array(build.Int(1))}))},
	{build.Vector(negativeZero)},
	{build.Vector(0)},
	{build.Vector(3)},
	{build.Vector(1, 2)},
	{build.Vector(2, 0)},
	{build.Vector(1, 1, 1)},
	{build.Map(nil), build.Map(fields{})},
	{build.Map(fields{"a": build.Int(1)}), build.Map(fields{"a": build.Double(1)})},
	{build.Map(fields{"a": build.Int(1), "b": build.Int(0)})},
	{build.Map(fields{"a": build.Int(1), "b": build.Int(0), "c": build.Int(0)})},
	{build.Map(fields{"a": build.Int(1), "b": build.Int(1)})},
	{build.Map(fields{"a": build.Int(1), "c": build.Int(0)})},
	{build.Map(fields{"a": build.Int(2)})},
	{build.Map(fields{"aa": build.Int(0)})},
	{build.Map(fields{"b": build.Int(0)})},
	{build.Map(fields{"x": build.Map(fields{"a": build.Int(1)})})},
	{build.Map(fields{"x": build.Map(fields{"b": build.Int(1)})})},
	{build.Map(fields{"\uffff": build.Int(0)})},
	{build.Map(fields{"\U0001F600": build.Int(0)})},
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
		{}, build.Null(), build.Bool(true), build.Double(math.NaN()), build.Int(1), build.Time(0, 0), build.Str(""), build.Bytes(""), ref("a/b"), build.Geo(0, 0),
		build.Array(), build.Vector(1), build.Map(nil),
	} {
		require.Equal(t, value.Class(want), value.ClassOf(v))
	}
	require.Equal(t, value.Number, value.ClassOf(build.Double(1)))
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
		"integer": build.Int(1), "string": build.Str("a string of some length"), "reference": ref("tenants/t/memories/m"),
		"map": build.Map(fields{"a": build.Int(1), "b": build.Str("b"), "c": build.Array(build.Int(1))}),
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
