package query

import (
	"slices"

	pb "cloud.google.com/go/firestore/apiv1/firestorepb"

	"hippocampus/emulator/internal/resource"
	"hippocampus/emulator/internal/value"
)

// tree is a filter: all or any of others, or a condition.
type tree struct {
	kind      kind
	children  []*tree
	condition *condition // of a leaf
}

type kind byte

const (
	leaf kind = iota
	allOf
	anyOf
)

// operator of a condition, of field filters and unary ones.
type operator byte

const (
	equal operator = iota + 1
	notEqual
	less
	lessOrEqual
	greater
	greaterOrEqual
	in
	notIn
	contains
	containsAny
	isNull
	isNaN
	isNotNull
	isNotNaN
)

// String is the operator's name in query.proto.
func (o operator) String() string {
	return [...]string{
		equal: "EQUAL", notEqual: "NOT_EQUAL", less: "LESS_THAN", lessOrEqual: "LESS_THAN_OR_EQUAL",
		greater:        "GREATER_THAN",
		greaterOrEqual: "GREATER_THAN_OR_EQUAL", in: "IN", notIn: "NOT_IN",
		contains:    "ARRAY_CONTAINS",
		containsAny: "ARRAY_CONTAINS_ANY", isNull: "IS_NULL", isNaN: "IS_NAN",
		isNotNull: "IS_NOT_NULL", isNotNaN: "IS_NOT_NAN",
	}[o]
}

// negative reports whether o is one of those of which a query can have one.
func (o operator) negative() bool {
	return o == notEqual || o == notIn || o == isNotNull || o == isNotNaN
}

// ranges reports whether o is <, <=, > or >=.
func (o operator) ranges() bool { return less <= o && o <= greaterOrEqual }

// condition compares one field, or the name.
type condition struct {
	path     value.Path
	name     bool
	operator operator
	values   []*pb.Value // one, but for lists; none for unary operators
	names    []string    // the same as values, relative to the root, if name
	class    value.Class // of the one value
	never    bool        // unequal to null
}

// inequality reports whether the results are ordered by the condition's field. Those that no field
// satisfies do not count: a range of null or NaN, and what is unequal to null.
func (c *condition) inequality() bool {
	if c.operator.ranges() {
		return c.class != value.Null && c.class != value.NaN
	}
	notNull := func(v *pb.Value) bool { return value.ClassOf(v) != value.Null }
	return c.operator.negative() && (len(c.values) == 0 || slices.ContainsFunc(c.values, notNull))
}

func (t *tree) matches(p resource.Path, doc *pb.Document) bool {
	switch t.kind {
	case allOf:
		for _, child := range t.children {
			if !child.matches(p, doc) {
				return false
			}
		}
		return true
	case anyOf:
		for _, child := range t.children {
			if child.matches(p, doc) {
				return true
			}
		}
		return false
	}
	if t.condition.name {
		return t.condition.matchesName(string(p))
	}
	v, ok := value.Get(doc.GetFields(), t.condition.path)
	return ok && t.condition.matchesValue(v)
}

// matchesValue applies the condition to a field's value. Null and NaN are equal to no value, not
// even themselves: there are unary operators for them. Null is unequal to none, too, while NaN is
// unequal to all but null.
func (c *condition) matchesValue(v *pb.Value) bool {
	switch c.operator {
	case equal, in:
		return equalsAny(v, c.values)
	case notEqual, notIn:
		return !c.never && value.ClassOf(v) != value.Null && !equalsAny(v, c.values)
	case contains, containsAny:
		for _, element := range v.GetArrayValue().GetValues() {
			if equalsAny(element, c.values) {
				return true
			}
		}
		return false
	case isNull:
		return value.ClassOf(v) == value.Null
	case isNaN:
		return value.ClassOf(v) == value.NaN
	case isNotNull:
		return value.ClassOf(v) != value.Null
	case isNotNaN:
		class := value.ClassOf(v)
		return class != value.Null && class != value.NaN
	default: // a range, which is only of values of the same class
		return value.ClassOf(v) == c.class && c.class != value.Null && c.class != value.NaN &&
			inRange(c.operator, value.Compare(v, c.values[0]))
	}
}

func equalsAny(v *pb.Value, values []*pb.Value) bool {
	class := value.ClassOf(v)
	if class == value.Null || class == value.NaN {
		return false
	}
	for _, w := range values {
		if value.Compare(v, w) == 0 {
			return true
		}
	}
	return false
}

func (c *condition) matchesName(name string) bool {
	switch c.operator {
	case equal, in:
		return slices.Contains(c.names, name)
	case notEqual, notIn:
		return !slices.Contains(c.names, name)
	default:
		return inRange(c.operator, resource.CompareNames(name, c.names[0]))
	}
}

// inRange reports whether what compares so with an operator's value satisfies it.
func inRange(o operator, comparison int) bool {
	switch o {
	case less:
		return comparison < 0
	case lessOrEqual:
		return comparison <= 0
	case greater:
		return comparison > 0
	default:
		return comparison >= 0
	}
}

// each calls f with every condition of the filter, which may be nil.
func (t *tree) each(f func(*condition)) {
	if t == nil {
		return
	}
	if t.kind == leaf {
		f(t.condition)
	}
	for _, child := range t.children {
		child.each(f)
	}
}

// required calls f with conditions that every result satisfies: those that are only under alls.
func (t *tree) required(f func(*condition)) {
	switch {
	case t == nil || t.kind == anyOf && len(t.children) > 1:
	case t.kind == leaf:
		f(t.condition)
	default:
		for _, child := range t.children {
			child.required(f)
		}
	}
}
