package differential_test

import (
	pb "cloud.google.com/go/firestore/apiv1/firestorepb"

	"hippocampus/emulator/internal/literal"
)

const (
	equal            = pb.StructuredQuery_FieldFilter_EQUAL
	notEqual         = pb.StructuredQuery_FieldFilter_NOT_EQUAL
	less             = pb.StructuredQuery_FieldFilter_LESS_THAN
	lessOrEqual      = pb.StructuredQuery_FieldFilter_LESS_THAN_OR_EQUAL
	greater          = pb.StructuredQuery_FieldFilter_GREATER_THAN
	greaterOrEqual   = pb.StructuredQuery_FieldFilter_GREATER_THAN_OR_EQUAL
	in               = pb.StructuredQuery_FieldFilter_IN
	notIn            = pb.StructuredQuery_FieldFilter_NOT_IN
	arrayContains    = pb.StructuredQuery_FieldFilter_ARRAY_CONTAINS
	arrayContainsAny = pb.StructuredQuery_FieldFilter_ARRAY_CONTAINS_ANY
)

// operand is a value to compare with, often one that documents have.
func (r *random) operand() *pb.Value {
	if r.oneIn(150) {
		return r.unstorable()
	}
	if r.oneIn(4) {
		return literal.Int(r.Int64N(3))
	}
	return r.value(2)
}

func (r *random) filter(depth int) *pb.StructuredQuery_Filter {
	switch {
	case depth < 3 && r.oneIn(3):
		c := &pb.StructuredQuery_CompositeFilter{Op: pick(r, pb.StructuredQuery_CompositeFilter_AND, pb.StructuredQuery_CompositeFilter_OR)}
		c.Filters = append(c.Filters, r.filter(depth+1))
		for r.oneIn(2) {
			c.Filters = append(c.Filters, r.filter(depth+1))
		}
		if r.oneIn(8) {
			c.Filters = append(c.Filters, c.Filters[r.IntN(len(c.Filters))])
		}
		return &pb.StructuredQuery_Filter{FilterType: &pb.StructuredQuery_Filter_CompositeFilter{CompositeFilter: c}}
	case r.oneIn(8):
		return &pb.StructuredQuery_Filter{FilterType: &pb.StructuredQuery_Filter_UnaryFilter{UnaryFilter: &pb.StructuredQuery_UnaryFilter{
			Op:          pb.StructuredQuery_UnaryFilter_Operator(pick(r, 2, 2, 2, 3, 3, 3, 4, 5)),
			OperandType: &pb.StructuredQuery_UnaryFilter_Field{Field: literal.Field(r.queryPath())},
		}}}
	}
	path := r.queryPath()
	op := pick(r, equal, equal, equal, less, lessOrEqual, greater, greaterOrEqual, notEqual, in, in)
	if r.oneIn(15) {
		op = notIn
	}
	if r.oneIn(6) {
		path, op = "arr", pick(r, arrayContains, arrayContainsAny)
	}
	if r.oneIn(60) {
		op = pb.StructuredQuery_FieldFilter_Operator(1 + r.IntN(10))
	}
	return &pb.StructuredQuery_Filter{FilterType: &pb.StructuredQuery_Filter_FieldFilter{FieldFilter: &pb.StructuredQuery_FieldFilter{
		Field: literal.Field(path), Op: op, Value: r.compared(path == "__name__", op == in || op == notIn || op == arrayContainsAny),
	}}}
}

// compared is what a filter compares with: a name or another value, or a list of them.
func (r *random) compared(name, list bool) *pb.Value {
	one := r.operand
	if name && !r.oneIn(30) {
		one = func() *pb.Value { return literal.Ref(r.document()) }
	}
	if !list {
		return one()
	}
	if r.oneIn(60) {
		return pick(r, literal.Array(), literal.Null(), literal.Int(1))
	}
	var values []*pb.Value
	for range 1 + r.IntN(3) {
		values = append(values, one())
	}
	return literal.Array(values...)
}
