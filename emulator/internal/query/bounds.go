package query

import (
	"math"

	pb "cloud.google.com/go/firestore/apiv1/firestorepb"

	"hippocampus/emulator/internal/literal"
	"hippocampus/emulator/internal/value"
)

// enclose sets Equal, Lower and Upper from what every result satisfies.
func (q *Query) enclose() {
	first := &q.Orders[0]
	q.filter.required(func(c *condition) {
		if v := c.equality(); v != nil && !c.name {
			q.Equal = append(q.Equal, Equality{Field: c.path, Value: v})
		}
		if c.name == first.Name && (c.name || c.path.String() == first.Field.String()) {
			q.encloseBy(c)
		}
	})
	q.encloseByCursor(q.start, !first.Descending)
	q.encloseByCursor(q.end, first.Descending)
}

// equality returns the value that the condition asks for, or nil if it is not about one value.
func (c *condition) equality() *pb.Value {
	switch c.operator {
	case isNull:
		return null
	case isNaN:
		return nan
	case equal, in:
		if len(c.values) == 1 {
			return c.values[0]
		}
	}
	return nil
}

func (q *Query) encloseBy(c *condition) {
	if v := c.equality(); v != nil {
		q.raise(v, true)
		q.lower(v, true)
		return
	}
	switch c.operator {
	case less, lessOrEqual:
		q.lower(c.values[0], c.operator == lessOrEqual)
		q.raise(leasts[c.class], true)
	case greater, greaterOrEqual:
		q.raise(c.values[0], c.operator == greaterOrEqual)
		q.lower(leasts[c.class+1], false)
	case in:
		low, high := c.values[0], c.values[0]
		for _, v := range c.values[1:] {
			if value.Compare(v, low) < 0 {
				low = v
			}
			if value.Compare(v, high) > 0 {
				high = v
			}
		}
		q.raise(low, true)
		q.lower(high, true)
	case notEqual, notIn, isNotNull, isNotNaN:
		if !c.name {
			q.raise(null, false)
		}
	}
}

func (q *Query) encloseByCursor(c *cursor, raises bool) {
	if c == nil || len(c.values) == 0 {
		return
	}
	// A cursor with more values is within those that are equal to the first.
	inclusive := len(c.values) > 1 || c.before == (c == q.start)
	if raises {
		q.raise(c.values[0], inclusive)
	} else {
		q.lower(c.values[0], inclusive)
	}
}

// raise raises the lower bound to v, if it is below.
func (q *Query) raise(v *pb.Value, inclusive bool) {
	if v == nil {
		return
	}
	if q.Lower != nil {
		c := value.Compare(v, q.Lower.Value)
		if c < 0 || c == 0 && !q.Lower.Inclusive {
			return
		}
	}
	q.Lower = &Bound{Value: v, Inclusive: inclusive}
}

// lower lowers the upper bound to v, if it is above.
func (q *Query) lower(v *pb.Value, inclusive bool) {
	if v == nil {
		return
	}
	if q.Upper != nil {
		c := value.Compare(v, q.Upper.Value)
		if c > 0 || c == 0 && !q.Upper.Inclusive {
			return
		}
	}
	q.Upper = &Bound{Value: v, Inclusive: inclusive}
}

var (
	null = literal.Null()
	nan  = literal.Double(math.NaN())
)

// leasts are the least values of the classes that have ranges; raise and lower leave it at none for
// the others.
var leasts = map[value.Class]*pb.Value{
	value.Bool:      literal.Bool(false),
	value.NaN:       nan,
	value.Number:    literal.Double(math.Inf(-1)),
	value.Timestamp: literal.Time(minSeconds, 0),
	value.String:    literal.Str(""),
	value.Bytes:     literal.Bytes(""),
	value.Reference: literal.Ref(""),
	value.GeoPoint:  literal.Geo(-90, -180),
	value.Array:     literal.Array(),
	value.Vector:    literal.Vector(),
	value.Map:       literal.Map(nil),
}
