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
		{"integers", integer(1), integer(1), true},
		{"different integers", integer(1), integer(2), false},
		{"an integer and a double", integer(1), double(1), false},
		{"doubles", double(1.5), double(1.5), true},
		{"different doubles", double(1.5), double(2.5), false},
		{"zero and minus zero", double(0), double(negativeZero), false},
		{"integer zero and minus zero", integer(0), double(negativeZero), false},
		{"NaN of any bits", double(math.NaN()), double(math.Float64frombits(0xfff8000000000001)), true},
		{"strings", str("a"), str("a"), true},
		{"different strings", str("a"), str("b"), false},
		{"a string and bytes", str("a"), bytesOf("a"), false},
		{"bytes", bytesOf("a"), bytesOf("a"), true},
		{"different bytes", bytesOf("a"), bytesOf("b"), false},
		{"strings that look the same", str("é"), str("e\u0301"), false},
		{"null", null(), null(), true},
		{"null and false", null(), boolean(false), false},
		{"null and nothing", null(), nil, false},
		{"booleans", boolean(true), boolean(true), true},
		{"different booleans", boolean(true), boolean(false), false},
		{"timestamps", timestamp(1, 2000), timestamp(1, 2000), true},
		{"timestamps of other seconds", timestamp(1, 2000), timestamp(2, 2000), false},
		{"timestamps of other microseconds", timestamp(1, 2000), timestamp(1, 3000), false},
		{"references", ref("a/b"), ref("a/b"), true},
		{"different references", ref("a/b"), ref("a/c"), false},
		{"a reference and its text", ref("a/b"), str(root + "a/b"), false},
		{"points", geo(1, 2), geo(1, 2), true},
		{"points of other latitudes", geo(1, 2), geo(2, 2), false},
		{"points of other longitudes", geo(1, 2), geo(1, 3), false},
		{"points of zero and minus zero", geo(0, 0), geo(negativeZero, 0), false},
		{"arrays", array(integer(1), null()), array(integer(1), null()), true},
		{"arrays of equal numbers", array(integer(1)), array(double(1)), false},
		{"arrays of other lengths", array(integer(1)), array(integer(1), integer(1)), false},
		{"empty arrays", array(), array(), true},
		{"an empty array and an empty map", array(), mapOf(nil), false},
		{"vectors", vector(1, 2), vector(1, 2), true},
		{"vectors of zero and minus zero", vector(0), vector(negativeZero), false},
		{"maps", mapOf(fields{"a": integer(1), "b": null()}), mapOf(fields{"b": null(), "a": integer(1)}), true},
		{"maps of equal numbers", mapOf(fields{"a": integer(1)}), mapOf(fields{"a": double(1)}), false},
		{"maps of other keys", mapOf(fields{"a": integer(1)}), mapOf(fields{"b": integer(1)}), false},
		{"a map and a larger one", mapOf(fields{"a": integer(1)}), mapOf(fields{"a": integer(1), "b": null()}), false},
		{"empty maps", mapOf(nil), mapOf(fields{}), true},
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
	require.False(t, value.IdenticalFields(fields{"a": null()}, fields{}))
}

func TestTruncate(t *testing.T) {
	rounded := timestamp(-5, 123456000)
	for _, c := range []struct {
		name       string
		v, rounded *pb.Value
	}{
		{"a timestamp", timestamp(-5, 123456789), rounded},
		{"in an array", array(integer(1), timestamp(-5, 123456789)), array(integer(1), rounded)},
		{"in a map", mapOf(fields{"a": null(), "b": timestamp(-5, 123456789), "c": timestamp(-5, 123456001)}), mapOf(fields{"a": null(), "b": rounded, "c": rounded})},
		{"deeper", array(mapOf(fields{"a": array(timestamp(-5, 123456789))})), array(mapOf(fields{"a": array(rounded)}))},
	} {
		t.Run(c.name, func(t *testing.T) {
			before := proto.CloneOf(c.v)
			require.Empty(t, cmp.Diff(c.rounded, value.Truncate(c.v), protocmp.Transform()))
			require.Empty(t, cmp.Diff(before, c.v, protocmp.Transform()), "the argument stays")
		})
	}
	stored := value.Truncate(double(math.Float64frombits(0xfff8000000000001)))
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
