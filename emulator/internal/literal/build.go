// Package literal makes values, field transforms and references of fields in one expression each,
// where the protos need several lines.
package literal

import (
	pb "cloud.google.com/go/firestore/apiv1/firestorepb"
	"google.golang.org/genproto/googleapis/type/latlng"
	"google.golang.org/protobuf/types/known/timestamppb"
)

func Null() *pb.Value { return &pb.Value{ValueType: &pb.Value_NullValue{}} }

func Bool(b bool) *pb.Value { return &pb.Value{ValueType: &pb.Value_BooleanValue{BooleanValue: b}} }

func Int(n int64) *pb.Value { return &pb.Value{ValueType: &pb.Value_IntegerValue{IntegerValue: n}} }

func Double(
	f float64) *pb.Value {
	return &pb.Value{ValueType: &pb.Value_DoubleValue{DoubleValue: f}}
}

func Str(s string) *pb.Value { return &pb.Value{ValueType: &pb.Value_StringValue{StringValue: s}} }

func Bytes(s string) *pb.Value {
	return &pb.Value{ValueType: &pb.Value_BytesValue{BytesValue: []byte(s)}}
}

// Ref is a reference to the document of that full name.
func Ref(name string) *pb.Value {
	return &pb.Value{ValueType: &pb.Value_ReferenceValue{ReferenceValue: name}}
}

// Time is a number of seconds and nanoseconds since 1970.
func Time(seconds int64, nanos int32) *pb.Value {
	return &pb.Value{ValueType: &pb.Value_TimestampValue{TimestampValue: &timestamppb.Timestamp{Seconds: seconds, Nanos: nanos}}}
}

func Geo(latitude, longitude float64) *pb.Value {
	return &pb.Value{ValueType: &pb.Value_GeoPointValue{GeoPointValue: &latlng.LatLng{Latitude: latitude, Longitude: longitude}}}
}

func Array(values ...*pb.Value) *pb.Value {
	return &pb.Value{ValueType: &pb.Value_ArrayValue{ArrayValue: &pb.ArrayValue{Values: values}}}
}

func Map(fields map[string]*pb.Value) *pb.Value {
	return &pb.Value{ValueType: &pb.Value_MapValue{MapValue: &pb.MapValue{Fields: fields}}}
}

// Vector is a map of the kind that clients store embeddings in.
func Vector(numbers ...float64) *pb.Value {
	values := make([]*pb.Value, len(numbers))
	for i, n := range numbers {
		values[i] = Double(n)
	}
	return Map(map[string]*pb.Value{"__type__": Str("__vector__"), "value": Array(values...)})
}

// Field refers to a field in a query.
func Field(path string) *pb.StructuredQuery_FieldReference {
	return &pb.StructuredQuery_FieldReference{FieldPath: path}
}

// From is what a query is of: a collection, or with descendants every collection of that id.
func From(collection string, descendants bool) []*pb.StructuredQuery_CollectionSelector {
	return []*pb.StructuredQuery_CollectionSelector{{CollectionId: collection,
		AllDescendants: descendants}}
}
