package conformance

import (
	"math"

	"cloud.google.com/go/firestore/apiv1/firestorepb"

	"hippocampus/emulator/internal/literal"
)

const (
	incrementPage = "proto write.proto, DocumentTransform.FieldTransform.increment"
	maximumPage   = "proto write.proto, DocumentTransform.FieldTransform.maximum"
	minimumPage   = "proto write.proto, DocumentTransform.FieldTransform.minimum"
)

// increments are about adding to a field.
var increments = []Check{
	increases("an integer added to an integer is an integer", literal.Int(2), literal.Int(3), literal.Int(5)),
	increases("an increment may be negative", literal.Int(2), literal.Int(-3), literal.Int(-1)),
	increases("a double added to an integer is a double", literal.Int(2), literal.Double(1), literal.Double(3)),
	increases("an integer added to a double is a double", literal.Double(2.5), literal.Int(1), literal.Double(3.5)),
	increases("a double added to a double is a double", literal.Double(0.1), literal.Double(0.2), literal.Double(0.30000000000000004)),
	increases("an increment of a missing field sets it", nil, literal.Double(1.5), literal.Double(1.5)),
	increases("an increment of a string replaces it", literal.Str("1"), literal.Int(1), literal.Int(1)),
	increases("an increment of null replaces it", literal.Null(), literal.Int(1), literal.Int(1)),
	increases("an increment of a map replaces it", literal.Map(fields{"a": literal.Int(1)}), literal.Int(1), literal.Int(1)),
	increases("an increment of a timestamp replaces it", literal.Time(5, 0), literal.Int(1), literal.Int(1)),
	increases("an increment stops at the largest integer", literal.Int(math.MaxInt64-1), literal.Int(5), literal.Int(math.MaxInt64)),
	increases("an increment stops at the smallest integer", literal.Int(math.MinInt64+1), literal.Int(-5), literal.Int(math.MinInt64)),
	increases("an increment up to the largest integer is exact", literal.Int(math.MaxInt64-5), literal.Int(5), literal.Int(math.MaxInt64)),
	increases("an increment of doubles beyond the largest is infinite", literal.Double(math.MaxFloat64), literal.Double(math.MaxFloat64), literal.Double(math.Inf(1))),
	increases("an increment of infinity by its opposite is not a number", literal.Double(math.Inf(1)), literal.Double(math.Inf(-1)), nan),
	increases("an increment by NaN is NaN", literal.Int(1), nan, nan),
	increases("an increment of NaN is NaN", nan, literal.Int(1), nan),
	increases("an integer beyond 53 bits is rounded when a double is added", literal.Int(1<<53+1), literal.Double(0), literal.Double(1<<53)),
	increases("an increment by zero changes an integer to a double if the zero is one", literal.Int(1), literal.Double(0), literal.Double(1)),
	refusesOperand("an increment by a string", incrementPage, literal.Increment("a", literal.Str("1"))),
	refusesOperand("an increment by null", incrementPage, literal.Increment("a", literal.Null())),
	refusesOperand("an increment by a timestamp", incrementPage, literal.Increment("a", literal.Time(1, 0))),
	refusesOperand("an increment by a value without a type", incrementPage, literal.Increment("a", &firestorepb.Value{})),
}

// maxima are about setting a field to the larger of two numbers.
var maxima = []Check{
	raises("a maximum takes the larger of two integers", literal.Int(2), literal.Int(3), literal.Int(3)),
	raises("a maximum keeps a field that is larger", literal.Int(4), literal.Int(3), literal.Int(4)),
	raises("a maximum takes the type of the larger number: a double", literal.Int(2), literal.Double(2.5), literal.Double(2.5)),
	raises("a maximum takes the type of the larger number: an integer", literal.Double(2.5), literal.Int(3), literal.Int(3)),
	raises("a maximum keeps an integer that equals a double", literal.Int(3), literal.Double(3), literal.Int(3)),
	raises("a maximum keeps a double that equals an integer", literal.Double(3), literal.Int(3), literal.Double(3)),
	raises("a maximum of zeros keeps the stored one", literal.Double(negativeZero), literal.Int(0), literal.Double(negativeZero)),
	raises("a maximum with NaN is NaN", literal.Int(1), nan, nan),
	raises("a maximum of NaN is NaN", nan, literal.Int(1), nan),
	raises("a maximum of a missing field sets it", nil, literal.Int(-1), literal.Int(-1)),
	raises("a maximum of a string replaces it", literal.Str("z"), literal.Int(-1), literal.Int(-1)),
	raises("a maximum of null replaces it", literal.Null(), literal.Double(-1), literal.Double(-1)),
	raises("a maximum compares an integer beyond 53 bits exactly", literal.Int(1<<53+1), literal.Double(1<<53), literal.Int(1<<53+1)),
	raises("a maximum with infinity is infinite", literal.Int(math.MaxInt64), literal.Double(math.Inf(1)), literal.Double(math.Inf(1))),
	refusesOperand("a maximum with a string", maximumPage, literal.Maximum("a", literal.Str("1"))),
	refusesOperand("a maximum with a timestamp", maximumPage, literal.Maximum("a", literal.Time(1, 0))),
}

// minima are about setting a field to the smaller of two numbers.
var minima = []Check{
	lowers("a minimum takes the smaller of two integers", literal.Int(3), literal.Int(2), literal.Int(2)),
	lowers("a minimum keeps a field that is smaller", literal.Int(1), literal.Int(2), literal.Int(1)),
	lowers("a minimum takes the type of the smaller number: a double", literal.Int(3), literal.Double(2.5), literal.Double(2.5)),
	lowers("a minimum takes the type of the smaller number: an integer", literal.Double(2.5), literal.Int(2), literal.Int(2)),
	lowers("a minimum keeps an integer that equals a double", literal.Int(3), literal.Double(3), literal.Int(3)),
	lowers("a minimum keeps a double that equals an integer", literal.Double(3), literal.Int(3), literal.Double(3)),
	lowers("a minimum of zeros keeps the stored one", literal.Int(0), literal.Double(negativeZero), literal.Int(0)),
	lowers("a minimum with NaN is NaN", literal.Int(1), nan, nan),
	lowers("a minimum of NaN is NaN", nan, literal.Int(1), nan),
	lowers("a minimum of a missing field sets it", nil, literal.Int(1), literal.Int(1)),
	lowers("a minimum of a boolean replaces it", literal.Bool(false), literal.Int(1), literal.Int(1)),
	lowers("a minimum with negative infinity is that", literal.Int(math.MinInt64), literal.Double(math.Inf(-1)), literal.Double(math.Inf(-1))),
	refusesOperand("a minimum with null", minimumPage, literal.Minimum("a", literal.Null())),
	refusesOperand("a minimum with an array", minimumPage, literal.Minimum("a", literal.Array(literal.Int(1)))),
}

func increases(name string, before, by, after *firestorepb.Value) Check {
	return transformed(name, incrementPage, before, literal.Increment("a", by), after, after)
}

func raises(name string, before, with, after *firestorepb.Value) Check {
	return transformed(name, maximumPage, before, literal.Maximum("a", with), after, after)
}

func lowers(name string, before, with, after *firestorepb.Value) Check {
	return transformed(name, minimumPage, before, literal.Minimum("a", with), after, after)
}

// transformed is the check of what a transform makes of field a, and of its result. Without a value
// before, the field is missing.
func transformed(name, page string, before *firestorepb.Value, transform *fieldTransform, after, result *firestorepb.Value) Check {
	return Check{
		Name: name,
		Page: page,
		Run: func(t *T) {
			f := fields{"b": literal.Int(1)}
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
