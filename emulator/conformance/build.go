package conformance

import (
	"cloud.google.com/go/firestore/apiv1/firestorepb"
	"google.golang.org/genproto/googleapis/type/latlng"
	"google.golang.org/protobuf/types/known/structpb"
	"google.golang.org/protobuf/types/known/timestamppb"
)

// fields are the fields of a document or map.
type fields = map[string]*firestorepb.Value

func null() *firestorepb.Value {
	return &firestorepb.Value{ValueType: &firestorepb.Value_NullValue{NullValue: structpb.NullValue_NULL_VALUE}}
}

func boolean(b bool) *firestorepb.Value {
	return &firestorepb.Value{ValueType: &firestorepb.Value_BooleanValue{BooleanValue: b}}
}

func integer(n int64) *firestorepb.Value {
	return &firestorepb.Value{ValueType: &firestorepb.Value_IntegerValue{IntegerValue: n}}
}

func double(f float64) *firestorepb.Value {
	return &firestorepb.Value{ValueType: &firestorepb.Value_DoubleValue{DoubleValue: f}}
}

func str(s string) *firestorepb.Value {
	return &firestorepb.Value{ValueType: &firestorepb.Value_StringValue{StringValue: s}}
}

func bytesOf(s string) *firestorepb.Value {
	return &firestorepb.Value{ValueType: &firestorepb.Value_BytesValue{BytesValue: []byte(s)}}
}

func reference(name string) *firestorepb.Value {
	return &firestorepb.Value{ValueType: &firestorepb.Value_ReferenceValue{ReferenceValue: name}}
}

func array(values ...*firestorepb.Value) *firestorepb.Value {
	return &firestorepb.Value{ValueType: &firestorepb.Value_ArrayValue{ArrayValue: &firestorepb.ArrayValue{Values: values}}}
}

func mapOf(f fields) *firestorepb.Value {
	return &firestorepb.Value{ValueType: &firestorepb.Value_MapValue{MapValue: &firestorepb.MapValue{Fields: f}}}
}

// timestamp is a number of seconds and nanoseconds since 1970.
func timestamp(seconds int64, nanos int32) *firestorepb.Value {
	return &firestorepb.Value{ValueType: &firestorepb.Value_TimestampValue{TimestampValue: &timestamppb.Timestamp{Seconds: seconds, Nanos: nanos}}}
}

func geo(latitude, longitude float64) *firestorepb.Value {
	return &firestorepb.Value{ValueType: &firestorepb.Value_GeoPointValue{GeoPointValue: &latlng.LatLng{Latitude: latitude, Longitude: longitude}}}
}

// vector is a map of the kind that clients store embeddings in.
func vector(numbers ...float64) *firestorepb.Value {
	values := make([]*firestorepb.Value, len(numbers))
	for i, n := range numbers {
		values[i] = double(n)
	}
	return mapOf(fields{"__type__": str("__vector__"), "value": array(values...)})
}
