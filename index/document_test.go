package index_test

import (
	"fmt"
	"strings"
	"time"

	pb "cloud.google.com/go/firestore/apiv1/firestorepb"
	"google.golang.org/protobuf/types/known/timestamppb"

	"hippocampus/index"
)

// toDocument returns a document as Firestore's API has it.
func toDocument(path string, fields map[string]any) *pb.Document {
	return &pb.Document{Name: "projects/p/databases/(default)/documents/" + path, Fields: toValue(fields).GetMapValue().Fields}
}

// fromDocument returns a document as the client gives it to the reader.
func fromDocument(doc *pb.Document) index.Doc {
	fields := fromValue(&pb.Value{ValueType: &pb.Value_MapValue{MapValue: &pb.MapValue{Fields: doc.Fields}}}).(map[string]any)
	d := index.Doc{ID: doc.Name[strings.LastIndexByte(doc.Name, '/')+1:], Fields: fields}
	if doc.UpdateTime != nil {
		d.UpdateTime = doc.UpdateTime.AsTime()
	}
	return d
}

func toValue(value any) *pb.Value {
	switch v := value.(type) {
	case nil:
		return &pb.Value{ValueType: &pb.Value_NullValue{}}
	case int64:
		return &pb.Value{ValueType: &pb.Value_IntegerValue{IntegerValue: v}}
	case string:
		return &pb.Value{ValueType: &pb.Value_StringValue{StringValue: v}}
	case []byte:
		return &pb.Value{ValueType: &pb.Value_BytesValue{BytesValue: v}}
	case time.Time:
		return &pb.Value{ValueType: &pb.Value_TimestampValue{TimestampValue: timestamppb.New(v)}}
	case map[string]any:
		m := make(map[string]*pb.Value, len(v))
		for k, element := range v {
			m[k] = toValue(element)
		}
		return &pb.Value{ValueType: &pb.Value_MapValue{MapValue: &pb.MapValue{Fields: m}}}
	}
	panic(fmt.Sprintf("no value for %T", value))
}

// fromValue converts as createFromProtoValue of the client does.
func fromValue(value *pb.Value) any {
	switch v := value.ValueType.(type) {
	case *pb.Value_NullValue:
		return nil
	case *pb.Value_IntegerValue:
		return v.IntegerValue
	case *pb.Value_StringValue:
		return v.StringValue
	case *pb.Value_BytesValue:
		return v.BytesValue
	case *pb.Value_TimestampValue:
		return v.TimestampValue.AsTime()
	case *pb.Value_MapValue:
		m := make(map[string]any, len(v.MapValue.Fields))
		for k, element := range v.MapValue.Fields {
			m[k] = fromValue(element)
		}
		return m
	}
	panic(fmt.Sprintf("no value of %T", value.ValueType))
}
