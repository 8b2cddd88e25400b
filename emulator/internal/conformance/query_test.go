package conformance

import (
	"strings"

	pb "cloud.google.com/go/firestore/apiv1/firestorepb"
	"google.golang.org/protobuf/types/known/wrapperspb"

	"hippocampus/emulator/internal/literal"
)

// part is one clause of a query.
type part func(q *pb.StructuredQuery)

// from returns a query of a collection of its parent.
func from(collection string, parts ...part) *pb.StructuredQuery {
	return selecting(literal.From(collection, false), parts)
}

// group returns a query of every collection with an id below its parent, or of every document there
// if the id is "".
func group(collection string, parts ...part) *pb.StructuredQuery {
	return selecting(literal.From(collection, true), parts)
}

func selecting(from []*pb.StructuredQuery_CollectionSelector, parts []part) *pb.StructuredQuery {
	q := &pb.StructuredQuery{From: from}
	for _, p := range parts {
		p(q)
	}
	return q
}

// where filters a query.
func where(f *pb.StructuredQuery_Filter) part {
	return func(q *pb.StructuredQuery) { q.Where = f }
}

// operators are those of fields with a value.
var operators = map[string]pb.StructuredQuery_FieldFilter_Operator{
	"?":                  pb.StructuredQuery_FieldFilter_OPERATOR_UNSPECIFIED,
	"<":                  pb.StructuredQuery_FieldFilter_LESS_THAN,
	"<=":                 pb.StructuredQuery_FieldFilter_LESS_THAN_OR_EQUAL,
	">":                  pb.StructuredQuery_FieldFilter_GREATER_THAN,
	">=":                 pb.StructuredQuery_FieldFilter_GREATER_THAN_OR_EQUAL,
	"==":                 pb.StructuredQuery_FieldFilter_EQUAL,
	"!=":                 pb.StructuredQuery_FieldFilter_NOT_EQUAL,
	"in":                 pb.StructuredQuery_FieldFilter_IN,
	"not-in":             pb.StructuredQuery_FieldFilter_NOT_IN,
	"array-contains":     pb.StructuredQuery_FieldFilter_ARRAY_CONTAINS,
	"array-contains-any": pb.StructuredQuery_FieldFilter_ARRAY_CONTAINS_ANY,
}

// unary are the operators of fields without a value.
var unary = map[string]pb.StructuredQuery_UnaryFilter_Operator{
	"?":           pb.StructuredQuery_UnaryFilter_OPERATOR_UNSPECIFIED,
	"is null":     pb.StructuredQuery_UnaryFilter_IS_NULL,
	"is not null": pb.StructuredQuery_UnaryFilter_IS_NOT_NULL,
	"is nan":      pb.StructuredQuery_UnaryFilter_IS_NAN,
	"is not nan":  pb.StructuredQuery_UnaryFilter_IS_NOT_NAN,
}

// field is the filter of a field by one of operators and its value, or by one of unary and none.
func field(name, op string, value ...*pb.Value) *pb.StructuredQuery_Filter {
	if len(value) == 0 {
		u, ok := unary[op]
		if !ok {
			panic("no unary operator " + op)
		}
		return &pb.StructuredQuery_Filter{FilterType: &pb.StructuredQuery_Filter_UnaryFilter{UnaryFilter: &pb.StructuredQuery_UnaryFilter{
			Op: u, OperandType: &pb.StructuredQuery_UnaryFilter_Field{Field: literal.Field(name)},
		}}}
	}
	o, ok := operators[op]
	if !ok {
		panic("no operator " + op)
	}
	return &pb.StructuredQuery_Filter{FilterType: &pb.StructuredQuery_Filter_FieldFilter{FieldFilter: &pb.StructuredQuery_FieldFilter{
		Field: literal.Field(name), Op: o, Value: value[0],
	}}}
}

// v is the filter of the field v.
func v(op string, value ...*pb.Value) *pb.StructuredQuery_Filter { return field("v", op, value...) }

func and(filters ...*pb.StructuredQuery_Filter) *pb.StructuredQuery_Filter {
	return combined(pb.StructuredQuery_CompositeFilter_AND, filters)
}

func or(filters ...*pb.StructuredQuery_Filter) *pb.StructuredQuery_Filter {
	return combined(pb.StructuredQuery_CompositeFilter_OR, filters)
}

func combined(op pb.StructuredQuery_CompositeFilter_Operator, filters []*pb.StructuredQuery_Filter) *pb.StructuredQuery_Filter {
	return &pb.StructuredQuery_Filter{FilterType: &pb.StructuredQuery_Filter_CompositeFilter{
		CompositeFilter: &pb.StructuredQuery_CompositeFilter{Op: op, Filters: filters},
	}}
}

// by adds orders, ascending by a field: "a", or descending: "a desc".
func by(orders ...string) part {
	return func(q *pb.StructuredQuery) {
		for _, o := range orders {
			name, desc := strings.CutSuffix(o, " desc")
			direction := pb.StructuredQuery_ASCENDING
			if desc {
				direction = pb.StructuredQuery_DESCENDING
			}
			q.OrderBy = append(q.OrderBy, &pb.StructuredQuery_Order{Field: literal.Field(name), Direction: direction})
		}
	}
}

// cursors: startAt and endBefore are before their position, startAfter and endAt are not.
func startAt(values ...*pb.Value) part {
	return func(q *pb.StructuredQuery) { q.StartAt = &pb.Cursor{Values: values, Before: true} }
}

func startAfter(values ...*pb.Value) part {
	return func(q *pb.StructuredQuery) { q.StartAt = &pb.Cursor{Values: values} }
}

func endAt(values ...*pb.Value) part {
	return func(q *pb.StructuredQuery) { q.EndAt = &pb.Cursor{Values: values} }
}

func endBefore(values ...*pb.Value) part {
	return func(q *pb.StructuredQuery) { q.EndAt = &pb.Cursor{Values: values, Before: true} }
}

// limitTo limits the results.
func limitTo(n int32) part {
	return func(q *pb.StructuredQuery) { q.Limit = wrapperspb.Int32(n) }
}

// skip skips the first results.
func skip(n int32) part {
	return func(q *pb.StructuredQuery) { q.Offset = n }
}

// only selects fields; none selects an empty list of them.
func only(names ...string) part {
	return func(q *pb.StructuredQuery) {
		q.Select = &pb.StructuredQuery_Projection{}
		for _, n := range names {
			q.Select.Fields = append(q.Select.Fields, literal.Field(n))
		}
	}
}
