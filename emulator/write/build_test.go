package write_test

import (
	"math"

	pb "cloud.google.com/go/firestore/apiv1/firestorepb"
	"github.com/google/go-cmp/cmp"
	"google.golang.org/genproto/googleapis/type/latlng"
	"google.golang.org/protobuf/testing/protocmp"
	"google.golang.org/protobuf/types/known/timestamppb"
)

const root = "projects/demo-p/databases/(default)/documents/"

type (
	fields = map[string]*pb.Value
	change = pb.DocumentTransform_FieldTransform
)

var (
	negativeZero = math.Copysign(0, -1)
	infinity     = math.Inf(1)
	nan          = math.NaN()
)

// exactly compares messages with zero and minus zero different and every NaN the same.
var exactly = cmp.Options{protocmp.Transform(), cmp.Comparer(func(a, b float64) bool {
	return math.Float64bits(a) == math.Float64bits(b) || math.IsNaN(a) && math.IsNaN(b)
})}

func null() *pb.Value           { return &pb.Value{ValueType: &pb.Value_NullValue{}} }
func boolean(b bool) *pb.Value  { return &pb.Value{ValueType: &pb.Value_BooleanValue{BooleanValue: b}} }
func integer(n int64) *pb.Value { return &pb.Value{ValueType: &pb.Value_IntegerValue{IntegerValue: n}} }
func double(f float64) *pb.Value {
	return &pb.Value{ValueType: &pb.Value_DoubleValue{DoubleValue: f}}
}
func str(s string) *pb.Value { return &pb.Value{ValueType: &pb.Value_StringValue{StringValue: s}} }
func ref(name string) *pb.Value {
	return &pb.Value{ValueType: &pb.Value_ReferenceValue{ReferenceValue: name}}
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
	return typed(str("__vector__"), array(values...))
}

// typed is a map with __type__.
func typed(kind, v *pb.Value) *pb.Value {
	f := fields{"__type__": kind}
	if v != nil {
		f["value"] = v
	}
	return mapOf(f)
}

// update replaces the document.
func update(f fields, changes ...*change) *pb.Write {
	return &pb.Write{Operation: &pb.Write_Update{Update: &pb.Document{Fields: f}}, UpdateTransforms: changes}
}

// merge writes the fields of the mask.
func merge(f fields, mask []string, changes ...*change) *pb.Write {
	w := update(f, changes...)
	w.UpdateMask = &pb.DocumentMask{FieldPaths: mask}
	return w
}

// paths is a mask.
func paths(p ...string) []string { return p }

func remove() *pb.Write { return &pb.Write{Operation: &pb.Write_Delete{}} }

// legacy is a write that only transforms.
func legacy(changes ...*change) *pb.Write {
	return &pb.Write{Operation: &pb.Write_Transform{Transform: &pb.DocumentTransform{FieldTransforms: changes}}}
}

func ifExists(w *pb.Write, exists bool) *pb.Write {
	w.CurrentDocument = &pb.Precondition{ConditionType: &pb.Precondition_Exists{Exists: exists}}
	return w
}

func ifUpdated(w *pb.Write, at *timestamppb.Timestamp) *pb.Write {
	w.CurrentDocument = &pb.Precondition{ConditionType: &pb.Precondition_UpdateTime{UpdateTime: at}}
	return w
}

func serverTime(path string) *change {
	return &change{FieldPath: path, TransformType: &pb.DocumentTransform_FieldTransform_SetToServerValue{
		SetToServerValue: pb.DocumentTransform_FieldTransform_REQUEST_TIME,
	}}
}
func increment(path string, v *pb.Value) *change {
	return &change{FieldPath: path, TransformType: &pb.DocumentTransform_FieldTransform_Increment{Increment: v}}
}
func maximum(path string, v *pb.Value) *change {
	return &change{FieldPath: path, TransformType: &pb.DocumentTransform_FieldTransform_Maximum{Maximum: v}}
}
func minimum(path string, v *pb.Value) *change {
	return &change{FieldPath: path, TransformType: &pb.DocumentTransform_FieldTransform_Minimum{Minimum: v}}
}
func union(path string, v ...*pb.Value) *change {
	return &change{FieldPath: path, TransformType: &pb.DocumentTransform_FieldTransform_AppendMissingElements{AppendMissingElements: &pb.ArrayValue{Values: v}}}
}
func without(path string, v ...*pb.Value) *change {
	return &change{FieldPath: path, TransformType: &pb.DocumentTransform_FieldTransform_RemoveAllFromArray{RemoveAllFromArray: &pb.ArrayValue{Values: v}}}
}

// named returns w as a write of the document of that name.
func named(w *pb.Write, name string) *pb.Write {
	switch o := w.Operation.(type) {
	case *pb.Write_Update:
		o.Update.Name = name
	case *pb.Write_Delete:
		o.Delete = name
	case *pb.Write_Transform:
		o.Transform.Document = name
	}
	return w
}
