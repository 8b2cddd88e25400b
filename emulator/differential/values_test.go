package differential_test

import (
	"math"
	"math/rand/v2"

	pb "cloud.google.com/go/firestore/apiv1/firestorepb"
	"google.golang.org/genproto/googleapis/type/latlng"
	"google.golang.org/protobuf/types/known/structpb"
	"google.golang.org/protobuf/types/known/timestamppb"
)

// random makes what programs are made of. Everything is of few different ones, so that steps meet.
type random struct {
	*rand.Rand
	database string      // projects/P/databases/(default)
	theme    []*pb.Value // of most values
	names    []string    // of most fields
	paths    []string    // of most documents

	given map[string]fields // what paths were given last
}

func pick[T any](r *random, of ...T) T { return of[r.IntN(len(of))] }

// oneIn is true once in n times.
func (r *random) oneIn(n int) bool { return r.IntN(n) == 0 }

func (r *random) root() string { return r.database + "/documents" }

func (r *random) name(path string) string { return r.root() + "/" + path }

type fields = map[string]*pb.Value

func null() *pb.Value {
	return &pb.Value{ValueType: &pb.Value_NullValue{NullValue: structpb.NullValue_NULL_VALUE}}
}

func integer(n int64) *pb.Value {
	return &pb.Value{ValueType: &pb.Value_IntegerValue{IntegerValue: n}}
}

func double(f float64) *pb.Value { return &pb.Value{ValueType: &pb.Value_DoubleValue{DoubleValue: f}} }

func str(s string) *pb.Value { return &pb.Value{ValueType: &pb.Value_StringValue{StringValue: s}} }

func reference(name string) *pb.Value {
	return &pb.Value{ValueType: &pb.Value_ReferenceValue{ReferenceValue: name}}
}

func timestamp(seconds int64, nanos int32) *pb.Value {
	return &pb.Value{ValueType: &pb.Value_TimestampValue{TimestampValue: &timestamppb.Timestamp{Seconds: seconds, Nanos: nanos}}}
}

func point(latitude, longitude float64) *pb.Value {
	return &pb.Value{ValueType: &pb.Value_GeoPointValue{GeoPointValue: &latlng.LatLng{Latitude: latitude, Longitude: longitude}}}
}

func array(values ...*pb.Value) *pb.Value {
	return &pb.Value{ValueType: &pb.Value_ArrayValue{ArrayValue: &pb.ArrayValue{Values: values}}}
}

func mapOf(f fields) *pb.Value {
	return &pb.Value{ValueType: &pb.Value_MapValue{MapValue: &pb.MapValue{Fields: f}}}
}

func vector(numbers ...float64) *pb.Value {
	values := make([]*pb.Value, len(numbers))
	for i, n := range numbers {
		values[i] = double(n)
	}
	return mapOf(fields{"__type__": str("__vector__"), "value": array(values...)})
}

var negativeZero = math.Copysign(0, -1)

// themes are values that are nearly the same. A program has much of one or two of them.
func themes(r *random) [][]*pb.Value {
	x := func(v *pb.Value) *pb.Value { return mapOf(fields{"x": v}) }
	return [][]*pb.Value{
		{integer(0), double(0), double(negativeZero), double(math.NaN()), null()},
		{integer(1), double(1), double(1.5), integer(2), double(2), integer(3)},
		{integer(1 << 53), integer(1<<53 + 1), double(1 << 53), integer(1<<53 - 1), double(1<<53 + 2)},
		{integer(math.MaxInt64), double(1 << 63), integer(math.MinInt64), double(-1 << 63), integer(math.MaxInt64 - 1), double(math.Inf(1))},
		{vector(1), vector(2), vector(1, 2), vector(0, 0), vector(-1, negativeZero), mapOf(fields{"value": array(double(1))})},
		{str(""), str("a"), str("a\x00"), str("B"), str("é"), str("e\u0301"), str("\U0001f600"), str("\uffee")},
		{reference(r.name("c/a")), reference(r.name("c/b")), reference(r.name("c/__id7__")), reference(r.name("c/__id12__")), reference(r.name("c/a/c/a"))},
		{timestamp(1, 0), timestamp(1, 1000), timestamp(1, 1999), timestamp(0, 999_999_999), timestamp(-1, 0)},
		{point(0, 0), point(0, 1), point(1, 0), point(1, negativeZero), point(negativeZero, 0)},
		{mapOf(nil), x(integer(1)), x(double(1)), x(null()), x(array(integer(1))), mapOf(fields{"x": integer(1), "y": null()}), mapOf(fields{"y": integer(0)})},
	}
}

// value is one that can be stored, in maps and arrays of at most a depth.
func (r *random) value(depth int) *pb.Value {
	if len(r.theme) > 0 && !r.oneIn(3) {
		return pick(r, r.theme...)
	}
	kinds := 17
	if depth > 0 {
		kinds = 22
	}
	switch r.IntN(kinds) {
	case 0:
		return null()
	case 1:
		return &pb.Value{ValueType: &pb.Value_BooleanValue{BooleanValue: r.oneIn(2)}}
	case 2:
		return double(math.NaN())
	case 3, 4:
		return double(pick(r, 0, negativeZero, 1, 1.5, 2, math.Inf(-1), math.Inf(1), 1<<53, 1<<63, -1<<63, 5e-324))
	case 5, 6, 7:
		return integer(pick[int64](r, 0, 1, 2, 3, -1, 1<<53, 1<<53+1, math.MaxInt64, math.MinInt64))
	case 8:
		return timestamp(r.Int64N(3), pick[int32](r, 0, 1000, 1999, 999_999_999))
	case 9, 10, 11:
		return str(pick(r, "", "a", "b", "B", "é", "e\u0301", "a\x00", "\U0001f600", "\uffee"))
	case 12:
		return &pb.Value{ValueType: &pb.Value_BytesValue{BytesValue: []byte(pick(r, "", "a", "\xff", "a\x00"))}}
	case 13, 14:
		return reference(r.document())
	case 15:
		return point(float64(r.IntN(2)), pick(r, 0, 1, negativeZero))
	case 16:
		return vector(pick(r, []float64{1}, []float64{2}, []float64{1, 2}, []float64{-1, negativeZero}, []float64{0, 0})...)
	case 17, 18:
		return r.array(depth)
	default:
		return mapOf(r.fields(depth-1, []string{"x", "y", "value", "m-x", "é"}))
	}
}

// array is one whose elements are no arrays.
func (r *random) array(depth int) *pb.Value {
	var values []*pb.Value
	for range r.IntN(4) {
		values = append(values, r.element(depth-1))
	}
	return array(values...)
}

func (r *random) element(depth int) *pb.Value {
	for {
		v := r.value(depth)
		if _, is := v.GetValueType().(*pb.Value_ArrayValue); !is && v.GetMapValue().GetFields()["__type__"] == nil {
			return v
		}
	}
}

func (r *random) fields(depth int, names []string) fields {
	f := fields{}
	for _, name := range names {
		if r.oneIn(2) {
			f[name] = r.value(depth)
		}
	}
	return f
}

// unstorable is a value that no document can have.
func (r *random) unstorable() *pb.Value {
	return pick(r, &pb.Value{}, point(91, 0), point(0, -181), point(math.NaN(), 0), reference("x"), reference(r.name("c")), vector(),
		mapOf(fields{"__x__": null()}), timestamp(0, -1), timestamp(1<<40, 0), array(array()), array(vector(1)),
		mapOf(fields{"__type__": str("__vector__")}), mapOf(fields{"x": mapOf(fields{"__y__": integer(1)})}))
}
