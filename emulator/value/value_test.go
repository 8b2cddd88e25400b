package value_test

import (
	"math"

	pb "cloud.google.com/go/firestore/apiv1/firestorepb"
	"google.golang.org/genproto/googleapis/type/latlng"
	"google.golang.org/protobuf/types/known/timestamppb"
	"pgregory.net/rapid"
)

type fields = map[string]*pb.Value

const root = "projects/p/databases/(default)/documents/"

var negativeZero = math.Copysign(0, -1)

func null() *pb.Value           { return &pb.Value{ValueType: &pb.Value_NullValue{}} }
func boolean(b bool) *pb.Value  { return &pb.Value{ValueType: &pb.Value_BooleanValue{BooleanValue: b}} }
func integer(n int64) *pb.Value { return &pb.Value{ValueType: &pb.Value_IntegerValue{IntegerValue: n}} }
func double(f float64) *pb.Value {
	return &pb.Value{ValueType: &pb.Value_DoubleValue{DoubleValue: f}}
}
func str(s string) *pb.Value { return &pb.Value{ValueType: &pb.Value_StringValue{StringValue: s}} }
func bytesOf(s string) *pb.Value {
	return &pb.Value{ValueType: &pb.Value_BytesValue{BytesValue: []byte(s)}}
}
func ref(path string) *pb.Value {
	return &pb.Value{ValueType: &pb.Value_ReferenceValue{ReferenceValue: root + path}}
}
func timestamp(seconds int64, nanos int32) *pb.Value {
	return &pb.Value{ValueType: &pb.Value_TimestampValue{TimestampValue: &timestamppb.Timestamp{Seconds: seconds, Nanos: nanos}}}
}
func geo(latitude, longitude float64) *pb.Value {
	return &pb.Value{ValueType: &pb.Value_GeoPointValue{GeoPointValue: &latlng.LatLng{Latitude: latitude, Longitude: longitude}}}
}
func array(values ...*pb.Value) *pb.Value {
	return &pb.Value{ValueType: &pb.Value_ArrayValue{ArrayValue: &pb.ArrayValue{Values: values}}}
}
func mapOf(f fields) *pb.Value {
	return &pb.Value{ValueType: &pb.Value_MapValue{MapValue: &pb.MapValue{Fields: f}}}
}
func vector(numbers ...float64) *pb.Value {
	var values []*pb.Value
	for _, f := range numbers {
		values = append(values, double(f))
	}
	return mapOf(fields{"__type__": str("__vector__"), "value": array(values...)})
}

// anyValue draws values with many near misses of each other.
func anyValue(depth int) *rapid.Generator[*pb.Value] {
	number := rapid.SampledFrom([]float64{math.Inf(-1), -math.Pow(2, 63), -1.5, -1, negativeZero, 0, 0.5, 1, 1 << 53, math.Pow(2, 63), math.Inf(1), math.NaN()})
	text := rapid.SampledFrom([]string{"", "a", "b", "aa", "\uffff", "\U0001F600"})
	all := []*rapid.Generator[*pb.Value]{
		rapid.Just(null()),
		rapid.Map(rapid.Bool(), boolean),
		rapid.Map(rapid.SampledFrom([]int64{math.MinInt64, -1, 0, 1, 1 << 53, 1<<53 + 1, math.MaxInt64 - 1, math.MaxInt64}), integer),
		rapid.Map(number, double),
		rapid.Map(text, str),
		rapid.Map(text, bytesOf),
		rapid.Map(rapid.SampledFrom([]string{"a/b", "a/b/c/d", "a/__id9__", "a/__id10__", "a!/b"}), ref),
		rapid.Map(rapid.Int64Range(-1, 1), func(n int64) *pb.Value { return timestamp(n, int32(n*n)*1000) }),
		rapid.Map(rapid.SampledFrom([]float64{-1, negativeZero, 0, 1}), func(f float64) *pb.Value { return geo(f, -f) }),
		rapid.Map(rapid.SliceOfN(rapid.SampledFrom([]float64{-1, negativeZero, 0, 1}), 1, 3), func(f []float64) *pb.Value { return vector(f...) }),
	}
	if depth > 0 {
		all = append(all,
			rapid.Map(rapid.SliceOfN(anyValue(depth-1), 0, 3), func(v []*pb.Value) *pb.Value { return array(v...) }),
			rapid.Map(rapid.MapOfN(text, anyValue(depth-1), 0, 3), mapOf))
	}
	return rapid.OneOf(all...)
}
