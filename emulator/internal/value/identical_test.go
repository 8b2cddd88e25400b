package value_test

import (
	"math"
	"testing"

	pb "cloud.google.com/go/firestore/apiv1/firestorepb"
	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/testing/protocmp"
	"pgregory.net/rapid"

	"hippocampus/emulator/internal/literal"
	"hippocampus/emulator/internal/value"
)

// identity says whether writing b over a changes nothing.
type identity struct {
	name      string
	a, b      *pb.Value
	identical bool
}

func identities() []identity {
	return []identity{
		{"integers", literal.Int(1), literal.Int(1), true},
		{"different integers", literal.Int(1), literal.Int(2), false},
		{"an integer and a double", literal.Int(1), literal.Double(1), false},
		{"doubles", literal.Double(1.5), literal.Double(1.5), true},
		{"different doubles", literal.Double(1.5), literal.Double(2.5), false},
		{"zero and minus zero", literal.Double(0), literal.Double(negativeZero), false},
		{"integer zero and minus zero", literal.Int(0), literal.Double(negativeZero), false},
		{"NaN of any bits", literal.Double(math.NaN()), literal.Double(math.Float64frombits(0xfff8000000000001)), true},
		{"strings", literal.Str("a"), literal.Str("a"), true},
		{"different strings", literal.Str("a"), literal.Str("b"), false},
		{"a string and bytes", literal.Str("a"), literal.Bytes("a"), false},
		{"bytes", literal.Bytes("a"), literal.Bytes("a"), true},
		{"different bytes", literal.Bytes("a"), literal.Bytes("b"), false},
		{"strings that look the same", literal.Str("é"), literal.Str("e\u0301"), false},
		{"null", literal.Null(), literal.Null(), true},
		{"null and false", literal.Null(), literal.Bool(false), false},
		{"null and nothing", literal.Null(), nil, false},
		{"booleans", literal.Bool(true), literal.Bool(true), true},
		{"different booleans", literal.Bool(true), literal.Bool(false), false},
		{"timestamps", literal.Time(1, 2000), literal.Time(1, 2000), true},
		{"timestamps of other seconds", literal.Time(1, 2000), literal.Time(2, 2000), false},
		{"timestamps of other microseconds", literal.Time(1, 2000), literal.Time(1, 3000), false},
		{"references", ref("a/b"), ref("a/b"), true},
		{"different references", ref("a/b"), ref("a/c"), false},
		{"a reference and its text", ref("a/b"), literal.Str(root + "a/b"), false},
		{"points", literal.Geo(1, 2), literal.Geo(1, 2), true},
		{"points of other latitudes", literal.Geo(1, 2), literal.Geo(2, 2), false},
		{"points of other longitudes", literal.Geo(1, 2), literal.Geo(1, 3), false},
		{"points of zero and minus zero", literal.Geo(0, 0), literal.Geo(negativeZero, 0), false},
		{"arrays", literal.Array(literal.Int(1), literal.Null()), literal.Array(literal.Int(1), literal.Null()), true},
		{"arrays of equal numbers", literal.Array(literal.Int(1)), literal.Array(literal.Double(1)), false},
		{"arrays of other lengths", literal.Array(literal.Int(1)), literal.Array(literal.Int(1), literal.Int(1)), false},
		{"empty arrays", literal.Array(), literal.Array(), true},
		{"an empty array and an empty map", literal.Array(), literal.Map(nil), false},
		{"vectors", literal.Vector(1, 2), literal.Vector(1, 2), true},
		{"vectors of zero and minus zero", literal.Vector(0), literal.Vector(negativeZero), false},
		{"maps", literal.Map(fields{"a": literal.Int(1), "b": literal.Null()}), literal.Map(fields{"b": literal.Null(), "a": literal.Int(1)}), true},
		{"maps of equal numbers", literal.Map(fields{"a": literal.Int(1)}), literal.Map(fields{"a": literal.Double(1)}), false},
		{"maps of other keys", literal.Map(fields{"a": literal.Int(1)}), literal.Map(fields{"b": literal.Int(1)}), false},
		{"a map and a larger one", literal.Map(fields{"a": literal.Int(1)}), literal.Map(fields{"a": literal.Int(1), "b": literal.Null()}), false},
		{"empty maps", literal.Map(nil), literal.Map(fields{}), true},
	}
}

func TestIdenticalIsWhatChangesNothing(t *testing.T) {
	for _, c := range identities() {
		t.Run(c.name, func(t *testing.T) {
			require.Equal(t, c.identical, value.Identical(c.a, c.b))
			require.Equal(t, c.identical, value.Identical(c.b, c.a))
			require.Equal(t, c.identical, value.IdenticalFields(fields{"v": c.a}, fields{"v": c.b}))
		})
	}
}

func TestFieldsAreIdentical(t *testing.T) {
	require.True(t, value.IdenticalFields(nil, fields{}))
	require.False(t, value.IdenticalFields(fields{"a": nil}, fields{"b": nil}))
	require.False(t, value.IdenticalFields(fields{"a": literal.Null()}, fields{}))
}

func TestTruncate(t *testing.T) {
	rounded := literal.Time(-5, 123456000)
	for _, c := range []struct {
		name       string
		v, rounded *pb.Value
	}{
		{"a timestamp", literal.Time(-5, 123456789), rounded},
		{"in an array", literal.Array(literal.Int(1), literal.Time(-5, 123456789)), literal.Array(literal.Int(1), rounded)},
		{"in a map", literal.Map(fields{"a": literal.Null(), "b": literal.Time(-5, 123456789), "c": literal.Time(-5, 123456001)}), literal.Map(fields{"a": literal.Null(), "b": rounded, "c": rounded})},
		{"deeper", literal.Array(literal.Map(fields{"a": literal.Array(literal.Time(-5, 123456789))})), literal.Array(literal.Map(fields{"a": literal.Array(rounded)}))},
	} {
		t.Run(c.name, func(t *testing.T) {
			before := proto.CloneOf(c.v)
			require.Empty(t, cmp.Diff(c.rounded, value.Truncate(c.v), protocmp.Transform()))
			require.Empty(t, cmp.Diff(before, c.v, protocmp.Transform()), "the argument stays")
		})
	}
	stored := value.Truncate(literal.Double(math.Float64frombits(0xfff8000000000001)))
	require.Equal(t, uint64(0x7ff8000000000000), math.Float64bits(stored.GetDoubleValue()))
	require.Same(t, stored, value.Truncate(stored))
}

func TestTruncateKeepsWhatIsStoredAlready(t *testing.T) {
	for _, row := range ordered {
		v := value.Truncate(row[0])
		require.Same(t, v, value.Truncate(v))
	}
	rapid.Check(t, func(t *rapid.T) {
		v := anyValue(2).Draw(t, "v")
		require.Zero(t, value.Compare(v, value.Truncate(v)))
		require.True(t, value.Identical(v, value.Truncate(v)))
	})
}
