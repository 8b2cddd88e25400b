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

	"hippocampus/emulator/build"
	"hippocampus/emulator/value"
)

// identity says whether writing b over a changes nothing.
type identity struct {
	name      string
	a, b      *pb.Value
	identical bool
}

func identities() []identity {
	return []identity{
		{"integers", build.Int(1), build.Int(1), true},
		{"different integers", build.Int(1), build.Int(2), false},
		{"an integer and a double", build.Int(1), build.Double(1), false},
		{"doubles", build.Double(1.5), build.Double(1.5), true},
		{"different doubles", build.Double(1.5), build.Double(2.5), false},
		{"zero and minus zero", build.Double(0), build.Double(negativeZero), false},
		{"integer zero and minus zero", build.Int(0), build.Double(negativeZero), false},
		{"NaN of any bits", build.Double(math.NaN()), build.Double(math.Float64frombits(0xfff8000000000001)), true},
		{"strings", build.Str("a"), build.Str("a"), true},
		{"different strings", build.Str("a"), build.Str("b"), false},
		{"a string and bytes", build.Str("a"), build.Bytes("a"), false},
		{"bytes", build.Bytes("a"), build.Bytes("a"), true},
		{"different bytes", build.Bytes("a"), build.Bytes("b"), false},
		{"strings that look the same", build.Str("é"), build.Str("e\u0301"), false},
		{"null", build.Null(), build.Null(), true},
		{"null and false", build.Null(), build.Bool(false), false},
		{"null and nothing", build.Null(), nil, false},
		{"booleans", build.Bool(true), build.Bool(true), true},
		{"different booleans", build.Bool(true), build.Bool(false), false},
		{"timestamps", build.Time(1, 2000), build.Time(1, 2000), true},
		{"timestamps of other seconds", build.Time(1, 2000), build.Time(2, 2000), false},
		{"timestamps of other microseconds", build.Time(1, 2000), build.Time(1, 3000), false},
		{"references", ref("a/b"), ref("a/b"), true},
		{"different references", ref("a/b"), ref("a/c"), false},
		{"a reference and its text", ref("a/b"), build.Str(root + "a/b"), false},
		{"points", build.Geo(1, 2), build.Geo(1, 2), true},
		{"points of other latitudes", build.Geo(1, 2), build.Geo(2, 2), false},
		{"points of other longitudes", build.Geo(1, 2), build.Geo(1, 3), false},
		{"points of zero and minus zero", build.Geo(0, 0), build.Geo(negativeZero, 0), false},
		{"arrays", build.Array(build.Int(1), build.Null()), build.Array(build.Int(1), build.Null()), true},
		{"arrays of equal numbers", build.Array(build.Int(1)), build.Array(build.Double(1)), false},
		{"arrays of other lengths", build.Array(build.Int(1)), build.Array(build.Int(1), build.Int(1)), false},
		{"empty arrays", build.Array(), build.Array(), true},
		{"an empty array and an empty map", build.Array(), build.Map(nil), false},
		{"vectors", build.Vector(1, 2), build.Vector(1, 2), true},
		{"vectors of zero and minus zero", build.Vector(0), build.Vector(negativeZero), false},
		{"maps", build.Map(fields{"a": build.Int(1), "b": build.Null()}), build.Map(fields{"b": build.Null(), "a": build.Int(1)}), true},
		{"maps of equal numbers", build.Map(fields{"a": build.Int(1)}), build.Map(fields{"a": build.Double(1)}), false},
		{"maps of other keys", build.Map(fields{"a": build.Int(1)}), build.Map(fields{"b": build.Int(1)}), false},
		{"a map and a larger one", build.Map(fields{"a": build.Int(1)}), build.Map(fields{"a": build.Int(1), "b": build.Null()}), false},
		{"empty maps", build.Map(nil), build.Map(fields{}), true},
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
	require.False(t, value.IdenticalFields(fields{"a": build.Null()}, fields{}))
}

func TestTruncate(t *testing.T) {
	rounded := build.Time(-5, 123456000)
	for _, c := range []struct {
		name       string
		v, rounded *pb.Value
	}{
		{"a timestamp", build.Time(-5, 123456789), rounded},
		{"in an array", build.Array(build.Int(1), build.Time(-5, 123456789)), build.Array(build.Int(1), rounded)},
		{"in a map", build.Map(fields{"a": build.Null(), "b": build.Time(-5, 123456789), "c": build.Time(-5, 123456001)}), build.Map(fields{"a": build.Null(), "b": rounded, "c": rounded})},
		{"deeper", build.Array(build.Map(fields{"a": build.Array(build.Time(-5, 123456789))})), build.Array(build.Map(fields{"a": build.Array(rounded)}))},
	} {
		t.Run(c.name, func(t *testing.T) {
			before := proto.CloneOf(c.v)
			require.Empty(t, cmp.Diff(c.rounded, value.Truncate(c.v), protocmp.Transform()))
			require.Empty(t, cmp.Diff(before, c.v, protocmp.Transform()), "the argument stays")
		})
	}
	stored := value.Truncate(build.Double(math.Float64frombits(0xfff8000000000001)))
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
