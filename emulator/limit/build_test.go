package limit_test

import (
	pb "cloud.google.com/go/firestore/apiv1/firestorepb"
	"google.golang.org/genproto/googleapis/type/latlng"
	"google.golang.org/protobuf/types/known/timestamppb"
)

type fields = map[string]*pb.Value

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
	return &pb.Value{ValueType: &pb.Value_ReferenceValue{ReferenceValue: "projects/p/databases/(default)/documents/" + path}}
}
func timestamp() *pb.Value {
	return &pb.Value{ValueType: &pb.Value_TimestampValue{TimestampValue: &timestamppb.Timestamp{Seconds: 1}}}
}
func geo() *pb.Value {
	return &pb.Value{ValueType: &pb.Value_GeoPointValue{GeoPointValue: &latlng.LatLng{Latitude: 1}}}
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

func document(f fields) *pb.Document { return &pb.Document{Fields: f} }

// deep is v in a map, in a map, so often.
func deep(n int, v *pb.Value) *pb.Value {
	for range n {
		v = mapOf(fields{"a": v})
	}
	return v
}
