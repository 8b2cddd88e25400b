package query

import (
	"slices"

	pb "cloud.google.com/go/firestore/apiv1/firestorepb"

	"hippocampus/emulator/internal/resource"
	"hippocampus/emulator/internal/value"
)

// Limits of the lists of operators
// (firebase.google.com/docs/firestore/query-data/queries#limits_on_or_queries and
// #query_limitations).
const (
	maxList    = 30 // of IN and ARRAY_CONTAINS_ANY
	maxNotList = 10 // of NOT_IN
)

var fieldOperators = map[pb.StructuredQuery_FieldFilter_Operator]operator{
	pb.StructuredQuery_FieldFilter_EQUAL:                 equal,
	pb.StructuredQuery_FieldFilter_NOT_EQUAL:             notEqual,
	pb.StructuredQuery_FieldFilter_LESS_THAN:             less,
	pb.StructuredQuery_FieldFilter_LESS_THAN_OR_EQUAL:    lessOrEqual,
	pb.StructuredQuery_FieldFilter_GREATER_THAN:          greater,
	pb.StructuredQuery_FieldFilter_GREATER_THAN_OR_EQUAL: greaterOrEqual,
	pb.StructuredQuery_FieldFilter_IN:                    in,
	pb.StructuredQuery_FieldFilter_NOT_IN:                notIn,
	pb.StructuredQuery_FieldFilter_ARRAY_CONTAINS:        contains,
	pb.StructuredQuery_FieldFilter_ARRAY_CONTAINS_ANY:    containsAny,
}

var unaryOperators = map[pb.StructuredQuery_UnaryFilter_Operator]operator{
	pb.StructuredQuery_UnaryFilter_IS_NULL:     isNull,
	pb.StructuredQuery_UnaryFilter_IS_NAN:      isNaN,
	pb.StructuredQuery_UnaryFilter_IS_NOT_NULL: isNotNull,
	pb.StructuredQuery_UnaryFilter_IS_NOT_NAN:  isNotNaN,
}

// readFilter reads a query's filter; nil is none.
func readFilter(db resource.Database, f *pb.StructuredQuery_Filter) (*tree, error) {
	if f == nil {
		return nil, nil
	}
	return readTree(db, f)
}

func readTree(db resource.Database, f *pb.StructuredQuery_Filter) (*tree, error) {
	var c *condition
	var err error
	switch t := f.GetFilterType().(type) {
	case *pb.StructuredQuery_Filter_CompositeFilter:
		return readComposite(db, t.CompositeFilter)
	case *pb.StructuredQuery_Filter_FieldFilter:
		c, err = readCondition(db, t.FieldFilter)
	case *pb.StructuredQuery_Filter_UnaryFilter:
		c, err = readUnary(t.UnaryFilter)
	default:
		err = invalid("a filter is empty: set its composite_filter, field_filter or unary_filter")
	}
	if err != nil {
		return nil, err
	}
	return &tree{condition: c}, nil
}

func readComposite(db resource.Database, f *pb.StructuredQuery_CompositeFilter) (*tree, error) {
	t := &tree{children: make([]*tree, 0, len(f.GetFilters()))}
	switch f.GetOp() {
	case pb.StructuredQuery_CompositeFilter_AND:
		t.kind = allOf
	case pb.StructuredQuery_CompositeFilter_OR:
		t.kind = anyOf
	default:
		return nil, invalid("a composite filter has the operator %s: use AND or OR", f.GetOp())
	}
	if len(f.GetFilters()) == 0 {
		return nil, invalid("a composite filter is empty: it needs at least one filter; leave it out to filter nothing")
	}
	for _, sub := range f.GetFilters() {
		child, err := readTree(db, sub)
		if err != nil {
			return nil, err
		}
		t.children = append(t.children, child)
	}
	return t, nil
}

func readUnary(f *pb.StructuredQuery_UnaryFilter) (*condition, error) {
	o, ok := unaryOperators[f.GetOp()]
	if !ok {
		return nil, invalid("a unary filter has the operator %s: use IS_NULL, IS_NAN, IS_NOT_NULL or IS_NOT_NAN", f.GetOp())
	}
	path, name, err := readField(f.GetField())
	if err != nil {
		return nil, err
	}
	if name {
		return nil, invalid("the filter %s is on __name__, which is never null or NaN: leave it out", o)
	}
	return &condition{path: path, operator: o}, nil
}

func readCondition(db resource.Database, f *pb.StructuredQuery_FieldFilter) (*condition, error) {
	o, ok := fieldOperators[f.GetOp()]
	if !ok {
		return nil, invalid("a field filter has the operator %s: use one that query.proto defines",
			f.GetOp())
	}
	path, name, err := readField(f.GetField())
	if err != nil {
		return nil, err
	}
	if err := checkOperand(f.GetValue()); err != nil {
		return nil, err
	}
	operand := stored(f.GetValue())
	c := &condition{path: path, name: name, operator: o, values: []*pb.Value{operand}}
	switch o {
	case in, containsAny:
		err = c.readList(operand, maxList)
	case notIn:
		err = c.readList(operand, maxNotList)
	}
	if err != nil {
		return nil, err
	}
	if name {
		return c, c.readNames(db)
	}
	if len(c.values) == 1 {
		c.class = value.ClassOf(c.values[0])
	}
	c.never = o.negative() && slices.ContainsFunc(c.values, func(v *pb.Value) bool { return value.ClassOf(v) == value.Null })
	for _, v := range c.values {
		if n := size(v); n > maxOperandBytes {
			return nil, invalid("the filter %s on %s compares with a value of %d bytes: queries can compare with at most %d", o, path, n, maxOperandBytes)
		}
	}
	return c, nil
}

func (c *condition) readList(v *pb.Value, most int) error {
	list, ok := v.GetValueType().(*pb.Value_ArrayValue)
	if !ok {
		return invalid("the filter %s compares with %s: it needs an array of the values",
			c.operator, kindOf(v))
	}
	c.values = list.ArrayValue.GetValues()
	if n := len(c.values); n == 0 || n > most {
		return invalid("the filter %s has %d values: it needs 1 to %d", c.operator, n, most)
	}
	return nil
}

func (c *condition) readNames(db resource.Database) error {
	if c.operator == contains || c.operator == containsAny {
		return invalid("the filter %s is on __name__, which is no array: use EQUAL or IN",
			c.operator)
	}
	for _, v := range c.values {
		name, err := readName(db, "the filter "+c.operator.String(), v)
		if err != nil {
			return err
		}
		c.names = append(c.names, name)
	}
	return nil
}
