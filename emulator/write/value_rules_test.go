package write_test

import (
	"math"
	"strings"

	pb "cloud.google.com/go/firestore/apiv1/firestorepb"
	"google.golang.org/grpc/codes"
)

func valueRules() []rule {
	var all []rule
	for name, v := range map[string]*pb.Value{
		"null": null(), "a boolean": boolean(true), "an integer": integer(math.MinInt64), "a double": double(infinity),
		"minus zero": double(negativeZero), "a string": str("a\x00é"), "the first time": timestamp(-62135596800, 0),
		"the last time": timestamp(253402300799, 999999000), "a point": geo(90, -180), "an empty array": array(), "an empty map": mapOf(nil),
		"an array in a map in an array": array(mapOf(fields{"a": array(array().GetArrayValue().GetValues()...)})),
		"a reference":                   ref(root + "a/b"), "a reference of another project": ref("projects/q/databases/(default)/documents/a/b"),
		"a reference of another database": ref("projects/demo-p/databases/x/documents/a/b"), "a reference of a numbered document": ref(root + "a/__id5__"),
		"a vector": vector(1, infinity, negativeZero), "a vector of 2,048": vector(make([]float64, 2048)...),
		"a vector in a map": mapOf(fields{"a": vector(1)}), "a vector in a map in an array": array(mapOf(fields{"a": vector(1)})),
		"names of all characters": mapOf(fields{"a.b": null(), "`": null(), "\\": null(), "*": null(), "é": null(), "1": null(), "__a_": null(), "___": null()}),
		"20 maps in each other":   deep(20),
	} {
		all = append(all, rule{name: name + " is stored", write: update(fields{"v": v}), want: fields{"v": v}})
	}
	for name, v := range map[string]*pb.Value{
		"nothing": {}, "an array in an array": array(array()), "nothing in an array": array(&pb.Value{}), "nothing in a map": mapOf(fields{"a": {}}),
		"a time too early": timestamp(-62135596801, 999999999), "a time too late": timestamp(253402300800, 0),
		"negative nanoseconds": timestamp(0, -1), "a second of nanoseconds": timestamp(0, 1000000000),
		"a latitude": geo(90.1, 0), "a low latitude": geo(-90.1, 0), "a longitude": geo(0, 180.1), "a low longitude": geo(0, -180.1),
		"NaN as latitude": geo(nan, 0), "NaN as longitude": geo(0, nan), "an infinite longitude": geo(0, infinity),
		"an empty reference": ref(""), "a reference of the root": ref(strings.TrimSuffix(root, "/")), "a reference of a collection": ref(root + "a"),
		"a reference of a database": ref("projects/demo-p/databases/(default)"), "text as reference": ref("abc"), "a reserved reference": ref(root + "a/__x__"),
		"a reference with a slash too many": ref(root + "a/b/"),
		"a field reference":                 {ValueType: &pb.Value_FieldReferenceValue{FieldReferenceValue: "a"}},
		"a variable reference":              {ValueType: &pb.Value_VariableReferenceValue{VariableReferenceValue: "a"}},
		"a function":                        {ValueType: &pb.Value_FunctionValue{FunctionValue: &pb.Function{Name: "x"}}},
		"a pipeline":                        {ValueType: &pb.Value_PipelineValue{PipelineValue: &pb.Pipeline{}}},
		"a vector with NaN":                 vector(nan), "an empty vector": vector(), "a vector of 2,049": vector(make([]float64, 2049)...),
		"a vector in an array": array(vector(1)), "a vector of integers": typed(str("__vector__"), array(integer(1))),
		"a vector without value": typed(str("__vector__"), nil), "a vector of one number": typed(str("__vector__"), double(1)),
		"a vector with more": mapOf(fields{"__type__": str("__vector__"), "value": array(double(1)), "x": integer(1)}),
		"another type":       typed(str("x"), nil), "a type that is null": typed(null(), nil), "a type that is a number": typed(integer(1), nil),
		"a reserved name in a map": mapOf(fields{"a": mapOf(fields{"__x__": integer(1)})}), "a reserved name in an array": array(mapOf(fields{"__x__": integer(1)})),
		"an empty name in a map": mapOf(fields{"": integer(1)}), "an empty name in an array": array(mapOf(fields{"": integer(1)})),
	} {
		all = append(all, rule{name: name + " is not stored", write: update(fields{"v": v}), code: codes.InvalidArgument})
	}
	return append(all,
		rule{name: "a timestamp is rounded down to microseconds", write: update(fields{"v": timestamp(-1, 1999)}), want: fields{"v": timestamp(-1, 1000)}},
		rule{name: "a timestamp in an array in a map", write: update(fields{"v": mapOf(fields{"a": array(timestamp(1, 999)), "b": null()})}),
			want: fields{"v": mapOf(fields{"a": array(timestamp(1, 0)), "b": null()})}},
		rule{name: "a timestamp that is the same when rounded", old: fields{"v": timestamp(1, 1000)}, write: update(fields{"v": timestamp(1, 1999)}), kept: true},
		rule{name: "a timestamp of a mask is rounded", write: merge(fields{"v": timestamp(1, 1999), "w": null()}, paths("v")), want: fields{"v": timestamp(1, 1000)}},
		rule{name: "NaN of other bits is the same", old: fields{"v": double(nan)}, write: update(fields{"v": double(math.Float64frombits(0xfff8000000000001))}), kept: true},
		rule{name: "minus zero is a change of zero", old: fields{"v": double(0)}, write: update(fields{"v": double(negativeZero)}), want: fields{"v": double(negativeZero)}},
		rule{name: "an empty field name", write: update(fields{"": null()}), code: codes.InvalidArgument},
		rule{name: "a reserved field name", write: update(fields{"__x__": null()}), code: codes.InvalidArgument},
		rule{name: "a reserved field name of five", write: update(fields{"_____": null()}), code: codes.InvalidArgument},
		rule{name: "the shortest reserved field name", write: update(fields{"____": null()}), code: codes.InvalidArgument,
			differs: "takes ____, which matches the documented __.*__"},
		rule{name: "a document that is a vector", write: update(fields{"__type__": str("__vector__"), "value": array(double(1))}), code: codes.InvalidArgument},
		rule{name: "a bad value that the mask does not cover", write: merge(fields{"v": array(array())}, paths("w")), code: codes.InvalidArgument},
		rule{name: "a bad value and a precondition that is not met", write: ifExists(update(fields{"v": array(array())}), true), code: codes.InvalidArgument},
	)
}

// deep is a map in a map, so often.
func deep(n int) *pb.Value {
	v := integer(1)
	for range n {
		v = mapOf(fields{"a": v})
	}
	return v
}
