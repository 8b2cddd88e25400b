package write_test

import (
	"math"
	"strings"

	pb "cloud.google.com/go/firestore/apiv1/firestorepb"
	"google.golang.org/grpc/codes"

	"hippocampus/emulator/internal/literal"
)

func valueRules() []rule {
	var all []rule
	for name, v := range map[string]*pb.Value{
		"null": literal.Null(), "a boolean": literal.Bool(true), "an integer": literal.Int(math.MinInt64), "a double": literal.Double(infinity),
		"minus zero": literal.Double(negativeZero), "a string": literal.Str("a\x00é"), "the first time": literal.Time(-62135596800, 0),
		"the last time": literal.Time(253402300799, 999999000), "a point": literal.Geo(90, -180), "an empty array": literal.Array(), "an empty map": literal.Map(nil),
		"an array in a map in an array": literal.Array(literal.Map(fields{"a": literal.Array(literal.Array().GetArrayValue().GetValues()...)})),
		"a reference":                   literal.Ref(root + "a/b"), "a reference of another project": literal.Ref("projects/q/databases/(default)/documents/a/b"),
		"a reference of another database": literal.Ref("projects/demo-p/databases/x/documents/a/b"), "a reference of a numbered document": literal.Ref(root + "a/__id5__"),
		"a vector": literal.Vector(1, infinity, negativeZero), "a vector of 2,048": literal.Vector(make([]float64, 2048)...),
		"a vector in a map": literal.Map(fields{"a": literal.Vector(1)}), "a vector in a map in an array": literal.Array(literal.Map(fields{"a": literal.Vector(1)})),
		"names of all characters": literal.Map(fields{"a.b": literal.Null(), "`": literal.Null(), "\\": literal.Null(), "*": literal.Null(), "é": literal.Null(), "1": literal.Null(), "__a_": literal.Null(), "___": literal.Null()}),
		"20 maps in each other":   deep(20),
	} {
		all = append(all, rule{name: name + " is stored", write: update(fields{"v": v}), want: fields{"v": v}})
	}
	for name, v := range map[string]*pb.Value{
		"nothing": {}, "an array in an array": literal.Array(literal.Array()), "nothing in an array": literal.Array(&pb.Value{}), "nothing in a map": literal.Map(fields{"a": {}}),
		"a time too early": literal.Time(-62135596801, 999999999), "a time too late": literal.Time(253402300800, 0),
		"negative nanoseconds": literal.Time(0, -1), "a second of nanoseconds": literal.Time(0, 1000000000),
		"a latitude": literal.Geo(90.1, 0), "a low latitude": literal.Geo(-90.1, 0), "a longitude": literal.Geo(0, 180.1), "a low longitude": literal.Geo(0, -180.1),
		"NaN as latitude": literal.Geo(nan, 0), "NaN as longitude": literal.Geo(0, nan), "an infinite longitude": literal.Geo(0, infinity),
		"an empty reference": literal.Ref(""), "a reference of the root": literal.Ref(strings.TrimSuffix(root, "/")), "a reference of a collection": literal.Ref(root + "a"),
		"a reference of a database": literal.Ref("projects/demo-p/databases/(default)"), "text as reference": literal.Ref("abc"), "a reserved reference": literal.Ref(root + "a/__x__"),
		"a reference with a slash too many": literal.Ref(root + "a/b/"),
		"a field reference":                 {ValueType: &pb.Value_FieldReferenceValue{FieldReferenceValue: "a"}},
		"a variable reference":              {ValueType: &pb.Value_VariableReferenceValue{VariableReferenceValue: "a"}},
		"a function":                        {ValueType: &pb.Value_FunctionValue{FunctionValue: &pb.Function{Name: "x"}}},
		"a pipeline":                        {ValueType: &pb.Value_PipelineValue{PipelineValue: &pb.Pipeline{}}},
		"a vector with NaN":                 literal.Vector(nan), "an empty vector": literal.Vector(), "a vector of 2,049": literal.Vector(make([]float64, 2049)...),
		"a vector in an array": literal.Array(literal.Vector(1)), "a vector of integers": typed(literal.Str("__vector__"), literal.Array(literal.Int(1))),
		"a vector without value": typed(literal.Str("__vector__"), nil), "a vector of one number": typed(literal.Str("__vector__"), literal.Double(1)),
		"a vector with more": literal.Map(fields{"__type__": literal.Str("__vector__"), "value": literal.Array(literal.Double(1)), "x": literal.Int(1)}),
		"another type":       typed(literal.Str("x"), nil), "a type that is null": typed(literal.Null(), nil), "a type that is a number": typed(literal.Int(1), nil),
		"a reserved name in a map": literal.Map(fields{"a": literal.Map(fields{"__x__": literal.Int(1)})}), "a reserved name in an array": literal.Array(literal.Map(fields{"__x__": literal.Int(1)})),
		"an empty name in a map": literal.Map(fields{"": literal.Int(1)}), "an empty name in an array": literal.Array(literal.Map(fields{"": literal.Int(1)})),
	} {
		all = append(all, rule{name: name + " is not stored", write: update(fields{"v": v}), code: codes.InvalidArgument})
	}
	return append(all,
		rule{name: "a timestamp is rounded down to microseconds", write: update(fields{"v": literal.Time(-1, 1999)}), want: fields{"v": literal.Time(-1, 1000)}},
		rule{name: "a timestamp in an array in a map", write: update(fields{"v": literal.Map(fields{"a": literal.Array(literal.Time(1, 999)), "b": literal.Null()})}),
			want: fields{"v": literal.Map(fields{"a": literal.Array(literal.Time(1, 0)), "b": literal.Null()})}},
		rule{name: "a timestamp that is the same when rounded", old: fields{"v": literal.Time(1, 1000)}, write: update(fields{"v": literal.Time(1, 1999)}), kept: true},
		rule{name: "a timestamp of a mask is rounded", write: merge(fields{"v": literal.Time(1, 1999), "w": literal.Null()}, paths("v")), want: fields{"v": literal.Time(1, 1000)}},
		rule{name: "NaN of other bits is the same", old: fields{"v": literal.Double(nan)}, write: update(fields{"v": literal.Double(math.Float64frombits(0xfff8000000000001))}), kept: true},
		rule{name: "minus zero is a change of zero", old: fields{"v": literal.Double(0)}, write: update(fields{"v": literal.Double(negativeZero)}), want: fields{"v": literal.Double(negativeZero)}},
		rule{name: "an empty field name", write: update(fields{"": literal.Null()}), code: codes.InvalidArgument},
		rule{name: "a reserved field name", write: update(fields{"__x__": literal.Null()}), code: codes.InvalidArgument},
		rule{name: "a reserved field name of five", write: update(fields{"_____": literal.Null()}), code: codes.InvalidArgument},
		rule{name: "the shortest reserved field name", write: update(fields{"____": literal.Null()}), code: codes.InvalidArgument,
			differs: "takes ____, which matches the documented __.*__"},
		rule{name: "a document that is a vector", write: update(fields{"__type__": literal.Str("__vector__"), "value": literal.Array(literal.Double(1))}), code: codes.InvalidArgument},
		rule{name: "a bad value that the mask does not cover", write: merge(fields{"v": literal.Array(literal.Array())}, paths("w")), code: codes.InvalidArgument},
		rule{name: "a bad value and a precondition that is not met", write: ifExists(update(fields{"v": literal.Array(literal.Array())}), true), code: codes.InvalidArgument},
	)
}

// deep is a map in a map, so often.
func deep(n int) *pb.Value {
	v := literal.Int(1)
	for range n {
		v = literal.Map(fields{"a": v})
	}
	return v
}
