package write_test

import (
	"math"
	"strings"

	pb "cloud.google.com/go/firestore/apiv1/firestorepb"
	"google.golang.org/grpc/codes"

	"hippocampus/emulator/build"
)

func valueRules() []rule {
	var all []rule
	for name, v := range map[string]*pb.Value{
		"null": build.Null(), "a boolean": build.Bool(true), "an integer": build.Int(math.MinInt64), "a double": build.Double(infinity),
		"minus zero": build.Double(negativeZero), "a string": build.Str("a\x00é"), "the first time": build.Time(-62135596800, 0),
		"the last time": build.Time(253402300799, 999999000), "a point": build.Geo(90, -180), "an empty array": build.Array(), "an empty map": build.Map(nil),
		"an array in a map in an array": build.Array(build.Map(fields{"a": build.Array(build.Array().GetArrayValue().GetValues()...)})),
		"a reference":                   build.Ref(root + "a/b"), "a reference of another project": build.Ref("projects/q/databases/(default)/documents/a/b"),
		"a reference of another database": build.Ref("projects/demo-p/databases/x/documents/a/b"), "a reference of a numbered document": build.Ref(root + "a/__id5__"),
		"a vector": build.Vector(1, infinity, negativeZero), "a vector of 2,048": build.Vector(make([]float64, 2048)...),
		"a vector in a map": build.Map(fields{"a": build.Vector(1)}), "a vector in a map in an array": build.Array(build.Map(fields{"a": build.Vector(1)})),
		"names of all characters": build.Map(fields{"a.b": build.Null(), "`": build.Null(), "\\": build.Null(), "*": build.Null(), "é": build.Null(), "1": build.Null(), "__a_": build.Null(), "___": build.Null()}),
		"20 maps in each other":   deep(20),
	} {
		all = append(all, rule{name: name + " is stored", write: update(fields{"v": v}), want: fields{"v": v}})
	}
	for name, v := range map[string]*pb.Value{
		"nothing": {}, "an array in an array": build.Array(build.Array()), "nothing in an array": build.Array(&pb.Value{}), "nothing in a map": build.Map(fields{"a": {}}),
		"a time too early": build.Time(-62135596801, 999999999), "a time too late": build.Time(253402300800, 0),
		"negative nanoseconds": build.Time(0, -1), "a second of nanoseconds": build.Time(0, 1000000000),
		"a latitude": build.Geo(90.1, 0), "a low latitude": build.Geo(-90.1, 0), "a longitude": build.Geo(0, 180.1), "a low longitude": build.Geo(0, -180.1),
		"NaN as latitude": build.Geo(nan, 0), "NaN as longitude": build.Geo(0, nan), "an infinite longitude": build.Geo(0, infinity),
		"an empty reference": build.Ref(""), "a reference of the root": build.Ref(strings.TrimSuffix(root, "/")), "a reference of a collection": build.Ref(root + "a"),
		"a reference of a database": build.Ref("projects/demo-p/databases/(default)"), "text as reference": build.Ref("abc"), "a reserved reference": build.Ref(root + "a/__x__"),
		"a reference with a slash too many": build.Ref(root + "a/b/"),
		"a field reference":                 {ValueType: &pb.Value_FieldReferenceValue{FieldReferenceValue: "a"}},
		"a variable reference":              {ValueType: &pb.Value_VariableReferenceValue{VariableReferenceValue: "a"}},
		"a function":                        {ValueType: &pb.Value_FunctionValue{FunctionValue: &pb.Function{Name: "x"}}},
		"a pipeline":                        {ValueType: &pb.Value_PipelineValue{PipelineValue: &pb.Pipeline{}}},
		"a vector with NaN":                 build.Vector(nan), "an empty vector": build.Vector(), "a vector of 2,049": build.Vector(make([]float64, 2049)...),
		"a vector in an array": build.Array(build.Vector(1)), "a vector of integers": typed(build.Str("__vector__"), build.Array(build.Int(1))),
		"a vector without value": typed(build.Str("__vector__"), nil), "a vector of one number": typed(build.Str("__vector__"), build.Double(1)),
		"a vector with more": build.Map(fields{"__type__": build.Str("__vector__"), "value": build.Array(build.Double(1)), "x": build.Int(1)}),
		"another type":       typed(build.Str("x"), nil), "a type that is null": typed(build.Null(), nil), "a type that is a number": typed(build.Int(1), nil),
		"a reserved name in a map": build.Map(fields{"a": build.Map(fields{"__x__": build.Int(1)})}), "a reserved name in an array": build.Array(build.Map(fields{"__x__": build.Int(1)})),
		"an empty name in a map": build.Map(fields{"": build.Int(1)}), "an empty name in an array": build.Array(build.Map(fields{"": build.Int(1)})),
	} {
		all = append(all, rule{name: name + " is not stored", write: update(fields{"v": v}), code: codes.InvalidArgument})
	}
	return append(all,
		rule{name: "a timestamp is rounded down to microseconds", write: update(fields{"v": build.Time(-1, 1999)}), want: fields{"v": build.Time(-1, 1000)}},
		rule{name: "a timestamp in an array in a map", write: update(fields{"v": build.Map(fields{"a": build.Array(build.Time(1, 999)), "b": build.Null()})}),
			want: fields{"v": build.Map(fields{"a": build.Array(build.Time(1, 0)), "b": build.Null()})}},
		rule{name: "a timestamp that is the same when rounded", old: fields{"v": build.Time(1, 1000)}, write: update(fields{"v": build.Time(1, 1999)}), kept: true},
		rule{name: "a timestamp of a mask is rounded", write: merge(fields{"v": build.Time(1, 1999), "w": build.Null()}, paths("v")), want: fields{"v": build.Time(1, 1000)}},
		rule{name: "NaN of other bits is the same", old: fields{"v": build.Double(nan)}, write: update(fields{"v": build.Double(math.Float64frombits(0xfff8000000000001))}), kept: true},
		rule{name: "minus zero is a change of zero", old: fields{"v": build.Double(0)}, write: update(fields{"v": build.Double(negativeZero)}), want: fields{"v": build.Double(negativeZero)}},
		rule{name: "an empty field name", write: update(fields{"": build.Null()}), code: codes.InvalidArgument},
		rule{name: "a reserved field name", write: update(fields{"__x__": build.Null()}), code: codes.InvalidArgument},
		rule{name: "a reserved field name of five", write: update(fields{"_____": build.Null()}), code: codes.InvalidArgument},
		rule{name: "the shortest reserved field name", write: update(fields{"____": build.Null()}), code: codes.InvalidArgument,
			differs: "takes ____, which matches the documented __.*__"},
		rule{name: "a document that is a vector", write: update(fields{"__type__": build.Str("__vector__"), "value": build.Array(build.Double(1))}), code: codes.InvalidArgument},
		rule{name: "a bad value that the mask does not cover", write: merge(fields{"v": build.Array(build.Array())}, paths("w")), code: codes.InvalidArgument},
		rule{name: "a bad value and a precondition that is not met", write: ifExists(update(fields{"v": build.Array(build.Array())}), true), code: codes.InvalidArgument},
	)
}

// deep is a map in a map, so often.
func deep(n int) *pb.Value {
	v := build.Int(1)
	for range n {
		v = build.Map(fields{"a": v})
	}
	return v
}
