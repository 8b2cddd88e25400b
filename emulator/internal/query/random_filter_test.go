package query_test

import (
	"fmt"
	"math"

	pb "cloud.google.com/go/firestore/apiv1/firestorepb"

	"hippocampus/emulator/internal/literal"
)

// operand is a value to compare with: often one that documents have, now and then one that none can
// have.
func (r *random) operand() *pb.Value {
	if r.oneIn(100) {
		return pick(r, &pb.Value{}, literal.Time(1, -1), literal.Time(1<<60, 0), literal.Geo(91, 0), literal.Geo(0, -181), literal.Geo(math.NaN(), 0), literal.Array(&pb.Value{}),
			literal.Ref("x"), literal.Ref(r.db.Name("c")), literal.Ref(r.db.Root()), literal.Map(map[string]*pb.Value{"__x__": literal.Null()}), literal.Vector(),
			literal.Map(map[string]*pb.Value{"__type__": literal.Str("__vector__")}), literal.Map(map[string]*pb.Value{"__type__": literal.Int(1)}),
			&pb.Value{ValueType: &pb.Value_FieldReferenceValue{FieldReferenceValue: "a"}}, literal.Str(fmt.Sprintf("%1500d", 1)))
	}
	if r.oneIn(2) {
		return literal.Int(r.Int64N(3))
	}
	return r.value(2)
}

func (r *random) list() *pb.Value {
	n := 1 + r.IntN(3)
	switch {
	case r.oneIn(40):
		return pick(r, literal.Array(), literal.Null(), literal.Int(1))
	case r.oneIn(10):
		n = 9 + r.IntN(3)
	case r.oneIn(10):
		n = 29 + r.IntN(3)
	}
	values := make([]*pb.Value, n)
	for i := range values {
		if n > 5 {
			values[i] = literal.Int(int64(i))
		} else {
			values[i] = r.operand()
		}
	}
	return literal.Array(values...)
}

func (r *random) names() *pb.Value {
	values := make([]*pb.Value, 1+r.IntN(3))
	for i := range values {
		values[i] = literal.Ref(r.name())
	}
	return literal.Array(values...)
}

// wide is a filter near the limits of what a query can have.
func (r *random) wide() *pb.StructuredQuery_Filter {
	list := func(most int) *pb.StructuredQuery_Filter {
		values := make([]*pb.Value, 1+r.IntN(most))
		for i := range values {
			values[i] = literal.Int(int64(r.IntN(most)))
		}
		return where(pick(r, "a", "a", "b", "arr"), pick(r, pb.StructuredQuery_FieldFilter_IN, pb.StructuredQuery_FieldFilter_IN,
			pb.StructuredQuery_FieldFilter_ARRAY_CONTAINS_ANY), literal.Array(values...))
	}
	var filters []*pb.StructuredQuery_Filter
	op := pick(r, pb.StructuredQuery_CompositeFilter_AND, pb.StructuredQuery_CompositeFilter_OR)
	switch r.IntN(3) {
	case 0: // disjunctions
		for range 2 + r.IntN(3) {
			filters = append(filters, list(8))
		}
		filters[0] = composite(pick(r, pb.StructuredQuery_CompositeFilter_AND, pb.StructuredQuery_CompositeFilter_OR), filters[0], list(8))
	case 1: // many of them
		for range 2 + r.IntN(2) {
			filters = append(filters, list(20))
		}
	default: // filters
		for range 96 + r.IntN(6) {
			filters = append(filters, where(fmt.Sprintf("f%d", r.IntN(1000)), pb.StructuredQuery_FieldFilter_EQUAL, literal.Int(1)))
		}
		filters, op = append(filters, list(3)), pb.StructuredQuery_CompositeFilter_AND
	}
	return composite(op, filters...)
}

func (r *random) filter(depth int) *pb.StructuredQuery_Filter {
	switch {
	case depth < 3 && r.oneIn(3), depth == 0 && r.oneIn(3):
		op := pick(r, pb.StructuredQuery_CompositeFilter_AND, pb.StructuredQuery_CompositeFilter_OR)
		filters := []*pb.StructuredQuery_Filter{r.filter(depth + 1)}
		for r.oneIn(2) {
			filters = append(filters, r.filter(depth+1))
		}
		if r.oneIn(8) {
			filters = append(filters, filters[r.IntN(len(filters))])
		}
		if r.oneIn(200) {
			op = pb.StructuredQuery_CompositeFilter_OPERATOR_UNSPECIFIED
		}
		if r.oneIn(200) {
			op, filters = pb.StructuredQuery_CompositeFilter_OR, nil
		}
		return composite(op, filters...)
	case r.oneIn(8):
		return unary(pick(r, fieldNames...), pb.StructuredQuery_UnaryFilter_Operator(pick(r, 2, 2, 2, 3, 3, 3, 4, 5)))
	case r.oneIn(300):
		return &pb.StructuredQuery_Filter{}
	}
	path := r.fieldPath()
	op := pick(r, pb.StructuredQuery_FieldFilter_EQUAL, pb.StructuredQuery_FieldFilter_EQUAL, pb.StructuredQuery_FieldFilter_EQUAL,
		pb.StructuredQuery_FieldFilter_LESS_THAN, pb.StructuredQuery_FieldFilter_LESS_THAN_OR_EQUAL,
		pb.StructuredQuery_FieldFilter_GREATER_THAN, pb.StructuredQuery_FieldFilter_GREATER_THAN_OR_EQUAL, pb.StructuredQuery_FieldFilter_NOT_EQUAL,
		pb.StructuredQuery_FieldFilter_IN, pb.StructuredQuery_FieldFilter_IN)
	if r.oneIn(15) {
		op = pb.StructuredQuery_FieldFilter_NOT_IN
	}
	if r.oneIn(6) {
		path, op = "arr", pick(r, pb.StructuredQuery_FieldFilter_ARRAY_CONTAINS, pb.StructuredQuery_FieldFilter_ARRAY_CONTAINS_ANY)
	}
	if r.oneIn(60) {
		op = pb.StructuredQuery_FieldFilter_Operator(1 + r.IntN(10))
	}
	list := op >= pb.StructuredQuery_FieldFilter_IN
	v := r.operand()
	switch {
	case path == "__name__" && list:
		v = r.names()
	case path == "__name__" && !r.oneIn(30):
		v = literal.Ref(r.name())
	case list:
		v = r.list()
	}
	return where(path, op, v)
}
