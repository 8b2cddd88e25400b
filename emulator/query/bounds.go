package query

import (
	"math"

	pb "cloud.google.com/go/firestore/apiv1/firestorepb"
	"google.golang.org/genproto/googleapis/type/latlng"
	"google.golang.org/protobuf/types/known/timestamppb"

	"hippocampus/emulator/build"
	"hippocampus/emulator/value"
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
		q.raise(least(c.class), true)
	case greater, greaterOrEqual:
		q.raise(c.values[0], c.operator == greaterOrEqual)
		q.lower(least(c.class+1), false)
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
	null = build.Null()
	nan  = build.Double(math.NaN())
)

// leasts are the least values of the classes that have ranges.
var leasts = map[value.Class]*pb.Value{
	value.Bool:      {ValueType: &pb.Value_BooleanValue{BooleanValue: false}},
	value.NaN:       nan,
	value.Number:    build.Double(math.Inf(-1)),
	value.Timestamp: {ValueType: &pb.Value_TimestampValue{TimestampValue: &timestamppb.Timestamp{Seconds: minSeconds}}},
	value.String:    {ValueType: &pb.Value_StringValue{}},
	value.Bytes:     {ValueType: &pb.Value_BytesValue{}},
	value.Reference: {ValueType: &pb.Value_ReferenceValue{}},
	value.GeoPoint:  {ValueType: &pb.Value_GeoPointValue{GeoPointValue: &latlng.LatLng{Latitude: -90, Longitude: -180}}},
	value.Array:     {ValueType: &pb.Value_ArrayValue{ArrayValue: &pb.ArrayValue{}}},
	value.Vector: {ValueType: &pb.Value_MapValue{MapValue: &pb.MapValue{Fields: map[string]*pb.Value{
		typeField: {ValueType: &pb.Value_StringValue{StringValue: "__vector__"}},
		"value":   {ValueType: &pb.Value_ArrayValue{ArrayValue: &pb.ArrayValue{}}},
	}}}},
	value.Map: {ValueType: &pb.Value_MapValue{MapValue: &pb.MapValue{}}},
}

// least returns the least value of a class, or nil.
func least(c value.Class) *pb.Value { return leasts[c] }
