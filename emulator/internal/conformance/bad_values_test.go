package conformance

import (
	"math"

	"cloud.google.com/go/firestore/apiv1/firestorepb"
	"google.golang.org/grpc/codes"

	"hippocampus/emulator/internal/literal"
)

// badValues are about values that are refused.
var badValues = []Check{
	refusesValue("an array directly in an array", "proto document.proto, Value.array_value", literal.Array(literal.Array(literal.Int(1)))),
	refusesValue("an empty array directly in an array", "proto document.proto, Value.array_value", literal.Array(literal.Array())),
	refusesValue("an array directly in an array inside a map", "proto document.proto, Value.array_value", literal.Map(fields{"a": literal.Array(literal.Array(literal.Int(1)))})),
	refusesValue("a value without a type", "proto document.proto, Value: must have a value set", &firestorepb.Value{}),
	refusesValue("a value without a type in an array", "proto document.proto, Value: must have a value set", literal.Array(&firestorepb.Value{})),
	refusesValue("a value without a type in a map", "proto document.proto, Value: must have a value set", literal.Map(fields{"a": {}})),
	refusesValue("a reference to a field", "proto document.proto, Value.field_reference_value",
		&firestorepb.Value{ValueType: &firestorepb.Value_FieldReferenceValue{FieldReferenceValue: "a"}}),
	refusesValue("a function", "proto document.proto, Value.function_value",
		&firestorepb.Value{ValueType: &firestorepb.Value_FunctionValue{FunctionValue: &firestorepb.Function{Name: "rand"}}}),
	refusesValue("a pipeline", "proto document.proto, Value.pipeline_value",
		&firestorepb.Value{ValueType: &firestorepb.Value_PipelineValue{PipelineValue: &firestorepb.Pipeline{}}}),
	refusesValue("a timestamp after the year 9999", "proto google/protobuf/timestamp.proto", literal.Time(253402300800, 0)),
	refusesValue("a timestamp before the year 1", "proto google/protobuf/timestamp.proto", literal.Time(-62135596801, 0)),
	refusesValue("a timestamp with negative nanoseconds", "proto google/protobuf/timestamp.proto", literal.Time(0, -1)),
	refusesValue("a timestamp with a whole second of nanoseconds", "proto google/protobuf/timestamp.proto", literal.Time(0, 1_000_000_000)),
	refusesValue("a latitude above 90", "proto google/type/latlng.proto", literal.Geo(90.5, 0)),
	refusesValue("a latitude below -90", "proto google/type/latlng.proto", literal.Geo(-90.5, 0)),
	refusesValue("a longitude above 180", "proto google/type/latlng.proto", literal.Geo(0, 180.5)),
	refusesValue("a longitude below -180", "proto google/type/latlng.proto", literal.Geo(0, -180.5)),
	refusesValue("a latitude that is not a number", "proto google/type/latlng.proto", literal.Geo(math.NaN(), 0)),
	refusesValue("an empty reference", "proto document.proto, Value.reference_value", literal.Ref("")),
	refusesValue("a reference that is no name", "proto document.proto, Value.reference_value", literal.Ref("c/d")),
	refusesValue("a reference to a collection", "proto document.proto, Value.reference_value", literal.Ref("projects/p/databases/(default)/documents/c")),
	refusesValue("a reference to a database", "proto document.proto, Value.reference_value", literal.Ref("projects/p/databases/(default)/documents")),
	refusesValue("a map with an empty key", "proto document.proto, MapValue.fields", literal.Map(fields{"": literal.Int(1)})),
	refusesValue("a map with a reserved key", "proto document.proto, MapValue.fields", literal.Map(fields{"__a__": literal.Int(1)})),
	refusesFields("an empty field name", "proto document.proto, Document.fields", fields{"": literal.Int(1)}),
	refusesFields("a reserved field name", "proto document.proto, Document.fields", fields{"__a__": literal.Int(1)}),
	accepts("the name ____ can be written as a field", refusesFields("the field name ____", "proto document.proto, Document.fields", fields{"____": literal.Int(1)}), fields{"____": literal.Int(1)}),
	refusesValue("a map whose __type__ is none", "proto document.proto, MapValue.fields", literal.Map(fields{"__type__": literal.Str("x")})),
	refusesValue("a vector without numbers", "firestore/vector-search", literal.Map(fields{"__type__": literal.Str("__vector__")})),
	refusesValue("a vector of strings", "firestore/vector-search", literal.Map(fields{"__type__": literal.Str("__vector__"), "value": literal.Array(literal.Str("a"))})),
	refusesValue("a vector of integers", "firestore/vector-search", literal.Map(fields{"__type__": literal.Str("__vector__"), "value": literal.Array(literal.Int(1))})),
	refusesValue("an empty vector", "firestore/vector-search", literal.Vector()),
	refusesValue("a vector with another key", "firestore/vector-search", literal.Map(fields{"__type__": literal.Str("__vector__"), "value": literal.Array(literal.Double(1)), "x": literal.Int(1)})),
	refusesFields("the field name __name__", "proto document.proto, Document.fields", fields{"__name__": literal.Str("d")}),
}

func refusesValue(what, page string, v *firestorepb.Value) Check {
	return refusesFields(what, page, fields{"v": v})
}

// refusesFields is the check that a document with such fields cannot be written.
func refusesFields(what, page string, f fields) Check {
	return Check{
		Name: what + " is refused",
		Page: page,
		Run: func(t *T) {
			_, err := t.tryCommit(t.set("c/d", f))
			t.fails(codes.InvalidArgument, err)
			t.same((*firestorepb.Document)(nil), t.get("c/d"))
		},
	}
}

// accepts is a check of fields that the official emulator does not refuse but stores.
func accepts(difference string, c Check, f fields) Check {
	return loose(difference, c, func(t *T) {
		t.commit(t.set("c/d", f))
		t.has("c/d", f)
	})
}
