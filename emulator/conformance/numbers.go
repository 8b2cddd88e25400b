package conformance

import (
	"math"

	"cloud.google.com/go/firestore/apiv1/firestorepb"
)

const (
	incrementPage = "proto write.proto, DocumentTransform.FieldTransform.increment"
	maximumPage   = "proto write.proto, DocumentTransform.FieldTransform.maximum"
	minimumPage   = "proto write.proto, DocumentTransform.FieldTransform.minimum"
)

// increments are about adding to a field.
var increments = []Check{
	increases("an integer added to an integer is an integer", integer(2), integer(3), integer(5)),
	increases("an increment may be negative", integer(2), integer(-3), integer(-1)),
	increases("a double added to an integer is a double", integer(2), double(1), double(3)),
	increases("an integer added to a double is a double", double(2.5), integer(1), double(3.5)),
	increases("a double added to a double is a double", double(0.1), double(0.2), double(0.30000000000000004)),
	increases("an increment of a missing field sets it", nil, double(1.5), double(1.5)),
	increases("an increment of a string replaces it", str("1"), integer(1), integer(1)),
	increases("an increment of null replaces it", null(), integer(1), integer(1)),
	increases("an increment of a map replaces it", mapOf(fields{"a": integer(1)}), integer(1), integer(1)),
	increases("an increment of a timestamp replaces it", timestamp(5, 0), integer(1), integer(1)),
	increases("an increment stops at the largest integer", integer(math.MaxInt64-1), integer(5), integer(math.MaxInt64)),
	increases("an increment stops at the smallest integer", integer(math.MinInt64+1), integer(-5), integer(math.MinInt64)),
	increases("an increment up to the largest integer is exact", integer(math.MaxInt64-5), integer(5), integer(math.MaxInt64)),
	increases("an increment of doubles beyond the largest is infinite", double(math.MaxFloat64), double(math.MaxFloat64), double(math.Inf(1))),
	increases("an increment of infinity by its opposite is not a number", double(math.Inf(1)), double(math.Inf(-1)), nan),
	increases("an increment by NaN is NaN", integer(1), nan, nan),
	increases("an increment of NaN is NaN", nan, integer(1), nan),
	increases("an integer beyond 53 bits is rounded when a double is added", integer(1<<53+1), double(0), double(1<<53)),
	increases("an increment by zero changes an integer to a double if the zero is one", integer(1), double(0), double(1)),
	refusesOperand("an increment by a string", incrementPage, increment("a", str("1"))),
	refusesOperand("an increment by null", incrementPage, increment("a", null())),
	refusesOperand("an increment by a timestamp", incrementPage, increment("a", timestamp(1, 0))),
	refusesOperand("an increment by a value without a type", incrementPage, increment("a", &firestorepb.Value{})),
}

// maxima are about setting a field to the larger of two numbers.
var maxima = []Check{
	raises("a maximum takes the larger of two integers", integer(2), integer(3), integer(3)),
	raises("a maximum keeps a field that is larger", integer(4), integer(3), integer(4)),
	raises("a maximum takes the type of the larger number: a double", integer(2), double(2.5), double(2.5)),
	raises("a maximum takes the type of the larger number: an integer", double(2.5), integer(3), integer(3)),
	raises("a maximum keeps an integer that equals a double", integer(3), double(3), integer(3)),
	raises("a maximum keeps a double that equals an integer", double(3), integer(3), double(3)),
	raises("a maximum of zeros keeps the stored one", double(negativeZero), integer(0), double(negativeZero)),
	raises("a maximum with NaN is NaN", integer(1), nan, nan),
	raises("a maximum of NaN is NaN", nan, integer(1), nan),
	raises("a maximum of a missing field sets it", nil, integer(-1), integer(-1)),
	raises("a maximum of a string replaces it", str("z"), integer(-1), integer(-1)),
	raises("a maximum of null replaces it", null(), double(-1), double(-1)),
	raises("a maximum compares an integer beyond 53 bits exactly", integer(1<<53+1), double(1<<53), integer(1<<53+1)),
	raises("a maximum with infinity is infinite", integer(math.MaxInt64), double(math.Inf(1)), double(math.Inf(1))),
	refusesOperand("a maximum with a string", maximumPage, maximum("a", str("1"))),
	refusesOperand("a maximum with a timestamp", maximumPage, maximum("a", timestamp(1, 0))),
}

// minima are about setting a field to the smaller of two numbers.
var minima = []Check{
	lowers("a minimum takes the smaller of two integers", integer(3), integer(2), integer(2)),
	lowers("a minimum keeps a field that is smaller", integer(1), integer(2), integer(1)),
	lowers("a minimum takes the type of the smaller number: a double", integer(3), double(2.5), double(2.5)),
	lowers("a minimum takes the type of the smaller number: an integer", double(2.5), integer(2), integer(2)),
	lowers("a minimum keeps an integer that equals a double", integer(3), double(3), integer(3)),
	lowers("a minimum keeps a double that equals an integer", double(3), integer(3), double(3)),
	lowers("a minimum of zeros keeps the stored one", integer(0), double(negativeZero), integer(0)),
	lowers("a minimum with NaN is NaN", integer(1), nan, nan),
	lowers("a minimum of NaN is NaN", nan, integer(1), nan),
	lowers("a minimum of a missing field sets it", nil, integer(1), integer(1)),
	lowers("a minimum of a boolean replaces it", boolean(false), integer(1), integer(1)),
	lowers("a minimum with negative infinity is that", integer(math.MinInt64), double(math.Inf(-1)), double(math.Inf(-1))),
	refusesOperand("a minimum with null", minimumPage, minimum("a", null())),
	refusesOperand("a minimum with an array", minimumPage, minimum("a", array(integer(1)))),
}

func increases(name string, before, by, after *firestorepb.Value) Check {
	return transformed(name, incrementPage, before, increment("a", by), after, after)
}

func raises(name string, before, with, after *firestorepb.Value) Check {
	return transformed(name, maximumPage, before, maximum("a", with), after, after)
}

func lowers(name string, before, with, after *firestorepb.Value) Check {
	return transformed(name, minimumPage, before, minimum("a", with), after, after)
}

// transformed is the check of what a transform makes of field a, and of its result. Without a value before, the field
// is missing.
func transformed(name, page string, before *firestorepb.Value, transform *fieldTransform, after, result *firestorepb.Value) Check {
	return Check{
		Name: name,
		Page: page,
		Run: func(t *T) {
			f := fields{"b": integer(1)}
			if before != nil {
				f["a"] = before
			}
			t.commit(t.set("c/d", f))
			res := t.commit(t.transform("c/d", transform))
			t.is(after, t.get("c/d").GetFields()["a"])
			t.is(result, res.WriteResults[0].TransformResults[0])
		},
	}
}

func refusesOperand(what, page string, transform *fieldTransform) Check {
	return refusesTransform(what, page, func(t *T) *firestorepb.Write { return t.transform("c/d", transform) })
}
