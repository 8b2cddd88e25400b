package conformance

import (
	"math"

	"cloud.google.com/go/firestore/apiv1/firestorepb"

	"hippocampus/emulator/build"
)

const (
	incrementPage = "proto write.proto, DocumentTransform.FieldTransform.increment"
	maximumPage   = "proto write.proto, DocumentTransform.FieldTransform.maximum"
	minimumPage   = "proto write.proto, DocumentTransform.FieldTransform.minimum"
)

// increments are about adding to a field.
var increments = []Check{
	increases("an integer added to an integer is an integer", build.Int(2), build.Int(3), build.Int(5)),
	increases("an increment may be negative", build.Int(2), build.Int(-3), build.Int(-1)),
	increases("a double added to an integer is a double", build.Int(2), build.Double(1), build.Double(3)),
	increases("an integer added to a double is a double", build.Double(2.5), build.Int(1), build.Double(3.5)),
	increases("a double added to a double is a double", build.Double(0.1), build.Double(0.2), build.Double(0.30000000000000004)),
	increases("an increment of a missing field sets it", nil, build.Double(1.5), build.Double(1.5)),
	increases("an increment of a string replaces it", build.Str("1"), build.Int(1), build.Int(1)),
	increases("an increment of null replaces it", build.Null(), build.Int(1), build.Int(1)),
	increases("an increment of a map replaces it", build.Map(fields{"a": build.Int(1)}), build.Int(1), build.Int(1)),
	increases("an increment of a timestamp replaces it", build.Time(5, 0), build.Int(1), build.Int(1)),
	increases("an increment stops at the largest integer", build.Int(math.MaxInt64-1), build.Int(5), build.Int(math.MaxInt64)),
	increases("an increment stops at the smallest integer", build.Int(math.MinInt64+1), build.Int(-5), build.Int(math.MinInt64)),
	increases("an increment up to the largest integer is exact", build.Int(math.MaxInt64-5), build.Int(5), build.Int(math.MaxInt64)),
	increases("an increment of doubles beyond the largest is infinite", build.Double(math.MaxFloat64), build.Double(math.MaxFloat64), build.Double(math.Inf(1))),
	increases("an increment of infinity by its opposite is not a number", build.Double(math.Inf(1)), build.Double(math.Inf(-1)), nan),
	increases("an increment by NaN is NaN", build.Int(1), nan, nan),
	increases("an increment of NaN is NaN", nan, build.Int(1), nan),
	increases("an integer beyond 53 bits is rounded when a double is added", build.Int(1<<53+1), build.Double(0), build.Double(1<<53)),
	increases("an increment by zero changes an integer to a double if the zero is one", build.Int(1), build.Double(0), build.Double(1)),
	refusesOperand("an increment by a string", incrementPage, build.Increment("a", build.Str("1"))),
	refusesOperand("an increment by null", incrementPage, build.Increment("a", build.Null())),
	refusesOperand("an increment by a timestamp", incrementPage, build.Increment("a", build.Time(1, 0))),
	refusesOperand("an increment by a value without a type", incrementPage, build.Increment("a", &firestorepb.Value{})),
}

// maxima are about setting a field to the larger of two numbers.
var maxima = []Check{
	raises("a maximum takes the larger of two integers", build.Int(2), build.Int(3), build.Int(3)),
	raises("a maximum keeps a field that is larger", build.Int(4), build.Int(3), build.Int(4)),
	raises("a maximum takes the type of the larger number: a double", build.Int(2), build.Double(2.5), build.Double(2.5)),
	raises("a maximum takes the type of the larger number: an integer", build.Double(2.5), build.Int(3), build.Int(3)),
	raises("a maximum keeps an integer that equals a double", build.Int(3), build.Double(3), build.Int(3)),
	raises("a maximum keeps a double that equals an integer", build.Double(3), build.Int(3), build.Double(3)),
	raises("a maximum of zeros keeps the stored one", build.Double(negativeZero), build.Int(0), build.Double(negativeZero)),
	raises("a maximum with NaN is NaN", build.Int(1), nan, nan),
	raises("a maximum of NaN is NaN", nan, build.Int(1), nan),
	raises("a maximum of a missing field sets it", nil, build.Int(-1), build.Int(-1)),
	raises("a maximum of a string replaces it", build.Str("z"), build.Int(-1), build.Int(-1)),
	raises("a maximum of null replaces it", build.Null(), build.Double(-1), build.Double(-1)),
	raises("a maximum compares an integer beyond 53 bits exactly", build.Int(1<<53+1), build.Double(1<<53), build.Int(1<<53+1)),
	raises("a maximum with infinity is infinite", build.Int(math.MaxInt64), build.Double(math.Inf(1)), build.Double(math.Inf(1))),
	refusesOperand("a maximum with a string", maximumPage, build.Maximum("a", build.Str("1"))),
	refusesOperand("a maximum with a timestamp", maximumPage, build.Maximum("a", build.Time(1, 0))),
}

// minima are about setting a field to the smaller of two numbers.
var minima = []Check{
	lowers("a minimum takes the smaller of two integers", build.Int(3), build.Int(2), build.Int(2)),
	lowers("a minimum keeps a field that is smaller", build.Int(1), build.Int(2), build.Int(1)),
	lowers("a minimum takes the type of the smaller number: a double", build.Int(3), build.Double(2.5), build.Double(2.5)),
	lowers("a minimum takes the type of the smaller number: an integer", build.Double(2.5), build.Int(2), build.Int(2)),
	lowers("a minimum keeps an integer that equals a double", build.Int(3), build.Double(3), build.Int(3)),
	lowers("a minimum keeps a double that equals an integer", build.Double(3), build.Int(3), build.Double(3)),
	lowers("a minimum of zeros keeps the stored one", build.Int(0), build.Double(negativeZero), build.Int(0)),
	lowers("a minimum with NaN is NaN", build.Int(1), nan, nan),
	lowers("a minimum of NaN is NaN", nan, build.Int(1), nan),
	lowers("a minimum of a missing field sets it", nil, build.Int(1), build.Int(1)),
	lowers("a minimum of a boolean replaces it", build.Bool(false), build.Int(1), build.Int(1)),
	lowers("a minimum with negative infinity is that", build.Int(math.MinInt64), build.Double(math.Inf(-1)), build.Double(math.Inf(-1))),
	refusesOperand("a minimum with null", minimumPage, build.Minimum("a", build.Null())),
	refusesOperand("a minimum with an array", minimumPage, build.Minimum("a", build.Array(build.Int(1)))),
}

func increases(name string, before, by, after *firestorepb.Value) Check {
	return transformed(name, incrementPage, before, build.Increment("a", by), after, after)
}

func raises(name string, before, with, after *firestorepb.Value) Check {
	return transformed(name, maximumPage, before, build.Maximum("a", with), after, after)
}

func lowers(name string, before, with, after *firestorepb.Value) Check {
	return transformed(name, minimumPage, before, build.Minimum("a", with), after, after)
}

// transformed is the check of what a transform makes of field a, and of its result. Without a value before, the field
// is missing.
func transformed(name, page string, before *firestorepb.Value, transform *fieldTransform, after, result *firestorepb.Value) Check {
	return Check{
		Name: name,
		Page: page,
		Run: func(t *T) {
			f := fields{"b": build.Int(1)}
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
