package query_test

import (
	pb "cloud.google.com/go/firestore/apiv1/firestorepb"

	"hippocampus/emulator/internal/literal"
)

func where(path string, op pb.StructuredQuery_FieldFilter_Operator, v *pb.Value) *pb.StructuredQuery_Filter {
	return &pb.StructuredQuery_Filter{FilterType: &pb.StructuredQuery_Filter_FieldFilter{
		FieldFilter: &pb.StructuredQuery_FieldFilter{Field: literal.Field(path), Op: op, Value: v},
	}}
}

func unary(path string, op pb.StructuredQuery_UnaryFilter_Operator) *pb.StructuredQuery_Filter {
	return &pb.StructuredQuery_Filter{FilterType: &pb.StructuredQuery_Filter_UnaryFilter{
		UnaryFilter: &pb.StructuredQuery_UnaryFilter{OperandType: &pb.StructuredQuery_UnaryFilter_Field{Field: literal.Field(path)}, Op: op},
	}}
}

func composite(op pb.StructuredQuery_CompositeFilter_Operator, filters ...*pb.StructuredQuery_Filter) *pb.StructuredQuery_Filter {
	return &pb.StructuredQuery_Filter{FilterType: &pb.StructuredQuery_Filter_CompositeFilter{
		CompositeFilter: &pb.StructuredQuery_CompositeFilter{Op: op, Filters: filters},
	}}
}
