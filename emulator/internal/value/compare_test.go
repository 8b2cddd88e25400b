package value_test

import (
	"math"
	"testing"

	pb "cloud.google.com/go/firestore/apiv1/firestorepb"
	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/proto"
	"pgregory.net/rapid"

	"hippocampus/emulator/internal/literal"
	"hippocampus/emulator/internal/value"
)

// ordered are values in Firestore's order, those of a row equal, as the official emulator returned
// them.
var ordered = [][]*pb.Value{
	{nil, {}, {ValueType: &pb.Value_FieldReferenceValue{FieldReferenceValue: "a"}}},
	{literal.Null()},
	{literal.Bool(false)},
	{literal.Bool(true)},
	{literal.Double(math.NaN()), literal.Double(math.Float64frombits(0xfff8000000000001))},
	{literal.Double(math.Inf(-1))},
	{literal.Double(-9.3e18)},
	{literal.Int(math.MinInt64), literal.Double(math.MinInt64)},
	{literal.Int(math.MinInt64 + 1)},
	{literal.Double(-1.5)},
	{literal.Double(-1), literal.Int(-1)},
	{literal.Double(-0.5)},
	{literal.Double(-5e-324)},
	{literal.Int(0), literal.Double(0), literal.Double(negativeZero)},
	{literal.Double(5e-324)},
	{literal.Double(0.5)},
	{literal.Int(1), literal.Double(1)},
	{literal.Double(1.5)},
	{literal.Int(1<<53 - 1), literal.Double(1<<53 - 1)},
	{literal.Int(1 << 53), literal.Double(1 << 53)},
	{literal.Int(1<<53 + 1)},
	{literal.Int(1<<53 + 2), literal.Double(1<<53 + 2)},
	{literal.Int(math.MaxInt64 - 1)},
	{literal.Int(math.MaxInt64)},
	{literal.Double(math.MaxInt64)}, // 2^63
	{literal.Double(math.Inf(1))},
	{literal.Time(-1, 999999000)},
	{literal.Time(0, 0)},
	{literal.Time(0, 1000)},
	{literal.Time(1, 0)},
	{literal.Str("")},
	{literal.Str("B")},
	{literal.Str("a")},
	{literal.Str("é")},
	{literal.Str("\uffff")},
	{literal.Str("\U0001F600")}, // after, by UTF-8, though before by UTF-16
	{literal.Bytes("")},
	{literal.Bytes("a")},
	{literal.Bytes("aa")},
	{literal.Bytes("\xff")},
	{ref("a/__id9__")},
	{ref("a/__id10__")},
	{ref("a/b")},
	{ref("a/b/c/d")},
	{ref("a/b!")},
	{ref("a!/b")},
	{literal.Geo(-1, 5)},
	{literal.Geo(negativeZero, 0)},
	{literal.Geo(0, -1)},
	{literal.Geo(0, negativeZero)},
	{literal.Geo(0, 0)},
	{literal.Geo(1, 1)},
	{literal.Array()},
	{literal.Array(literal.Null())},
	{literal.Array(literal.Int(1)), literal.Array(literal.Double(1))},
	{literal.Array(literal.Int(1), literal.Int(2))},
	{literal.Array(literal.Int(1), literal.Int(2), literal.Int(3))},
	{literal.Array(literal.Int(2))},
	{literal.Array(literal.Map(fields{"a": literal.Array(literal.Int(1))}))},
	{literal.Vector(negativeZero)},
	{literal.Vector(0)},
	{literal.Vector(3)},
	{literal.Vector(1, 2)},
	{literal.Vector(2, 0)},
	{literal.Vector(1, 1, 1)},
	{literal.Map(nil), literal.Map(fields{})},
	{literal.Map(fields{"a": literal.Int(1)}), literal.Map(fields{"a": literal.Double(1)})},
	{literal.Map(fields{"a": literal.Int(1), "b": literal.Int(0)})},
	{literal.Map(fields{"a": literal.Int(1), "b": literal.Int(0), "c": literal.Int(0)})},
	{literal.Map(fields{"a": literal.Int(1), "b": literal.Int(1)})},
	{literal.Map(fields{"a": literal.Int(1), "c": literal.Int(0)})},
	{literal.Map(fields{"a": literal.Int(2)})},
	{literal.Map(fields{"aa": literal.Int(0)})},
	{literal.Map(fields{"b": literal.Int(0)})},
	{literal.Map(fields{"x": literal.Map(fields{"a": literal.Int(1)})})},
	{literal.Map(fields{"x": literal.Map(fields{"b": literal.Int(1)})})},
	{literal.Map(fields{"\uffff": literal.Int(0)})},
	{literal.Map(fields{"\U0001F600": literal.Int(0)})},
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
		{}, literal.Null(), literal.Bool(true), literal.Double(math.NaN()), literal.Int(1), literal.Time(0, 0), literal.Str(""), literal.Bytes(""), ref("a/b"), literal.Geo(0, 0),
		literal.Array(), literal.Vector(1), literal.Map(nil),
	} {
		require.Equal(t, value.Class(want), value.ClassOf(v))
	}
	require.Equal(t, value.Number, value.ClassOf(literal.Double(1)))
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
		"integer": literal.Int(1), "string": literal.Str("a string of some length"), "reference": ref("tenants/t/memories/m"),
		"map": literal.Map(fields{"a": literal.Int(1), "b": literal.Str("b"), "c": literal.Array(literal.Int(1))}),
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
