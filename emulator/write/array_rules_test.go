package write_test

import (
	"fmt"

	pb "cloud.google.com/go/firestore/apiv1/firestorepb"
	"google.golang.org/grpc/codes"

	"hippocampus/emulator/build"
)

func arrayRules() []rule {
	var all []rule
	add := func(name string, c *change, old, want *pb.Value) {
		r := rule{name: fmt.Sprintf("%s: %d", name, len(all)), old: fields{"a": old}, write: legacy(c), results: []*pb.Value{build.Null()}, kept: want == nil}
		if want != nil {
			r.want = fields{"a": want}
		}
		all = append(all, r)
	}
	x := func(v *pb.Value) *pb.Value { return build.Map(fields{"x": v}) }
	old := func() *pb.Value {
		return build.Array(build.Int(1), build.Double(1), build.Double(2), build.Str("a"), build.Null(), build.Double(nan), x(build.Int(1)))
	}
	with := func(v ...*pb.Value) *pb.Value { return build.Array(append(old().GetArrayValue().Values, v...)...) }
	for _, v := range []*pb.Value{build.Int(1), build.Double(1), build.Int(2), build.Double(2), build.Str("a"), build.Null(), build.Double(nan), x(build.Int(1)), x(build.Double(1))} {
		add("what is there is not added", build.Append("a", v), old(), nil)
	}
	add("nothing is added", build.Append("a"), old(), nil)
	for _, v := range []*pb.Value{build.Int(3), build.Str("b"), x(build.Int(2)), build.Map(nil), build.Double(negativeZero), build.Bool(false), build.Geo(0, 0)} {
		add("what is not there is added", build.Append("a", v), old(), with(v))
		add("what is not there is not removed", build.RemoveAll("a", v), old(), nil)
	}
	add("only what is missing is added", build.Append("a", build.Str("a"), build.Str("b"), build.Str("c")), old(), with(build.Str("b"), build.Str("c")))
	add("the first of equals is added", build.Append("a", build.Double(3), build.Int(3), build.Double(3)), old(), with(build.Double(3)))
	add("times are rounded before they are compared", build.Append("a", build.Time(1, 1500), build.Time(1, 1000)), old(), with(build.Time(1, 1000)))
	add("times are rounded before they are removed", build.RemoveAll("a", build.Time(1, 1500)), build.Array(build.Time(1, 1000), build.Int(1)), build.Array(build.Int(1)))
	add("zeros are equal", build.Append("a", build.Int(0)), build.Array(build.Double(negativeZero)), nil)

	rest := func(v ...*pb.Value) *pb.Value { return build.Array(v...) }
	add("numbers are removed whatever their type", build.RemoveAll("a", build.Int(1)), old(), rest(build.Double(2), build.Str("a"), build.Null(), build.Double(nan), x(build.Int(1))))
	add("numbers are removed whatever their type", build.RemoveAll("a", build.Double(1)), old(), rest(build.Double(2), build.Str("a"), build.Null(), build.Double(nan), x(build.Int(1))))
	add("null is removed", build.RemoveAll("a", build.Null()), old(), rest(build.Int(1), build.Double(1), build.Double(2), build.Str("a"), build.Double(nan), x(build.Int(1))))
	add("NaN is removed", build.RemoveAll("a", build.Double(nan)), old(), rest(build.Int(1), build.Double(1), build.Double(2), build.Str("a"), build.Null(), x(build.Int(1))))
	add("maps are removed", build.RemoveAll("a", x(build.Double(1))), old(), rest(build.Int(1), build.Double(1), build.Double(2), build.Str("a"), build.Null(), build.Double(nan)))
	add("several are removed", build.RemoveAll("a", build.Str("a"), build.Str("b"), build.Int(1), build.Null()), old(), rest(build.Double(2), build.Double(nan), x(build.Int(1))))
	add("every zero is removed", build.RemoveAll("a", build.Int(0)), build.Array(build.Double(negativeZero), build.Int(0), build.Double(0)), build.Array())
	add("great numbers are compared exactly", build.RemoveAll("a", build.Double(1<<53)), build.Array(build.Int(1<<53), build.Int(1<<53+1), build.Double(1<<53)), build.Array(build.Int(1<<53+1)))
	add("nothing is removed", build.RemoveAll("a"), old(), nil)
	add("an array in an array is not there to be removed", build.RemoveAll("a", build.Array(build.Int(1))), old(), nil)

	for _, v := range []*pb.Value{build.Int(1), build.Str("a"), build.Null(), build.Map(nil), build.Vector(1)} {
		add("what is no array becomes one", build.Append("a", build.Int(1)), v, build.Array(build.Int(1)))
		add("what is no array becomes empty", build.RemoveAll("a", build.Int(1)), v, build.Array())
		add("what is no array becomes empty, with nothing to add", build.Append("a"), v, build.Array())
	}
	for what, bad := range map[string]*pb.Value{
		"nothing": {}, "a reserved name": x(build.Map(fields{"__y__": build.Int(1)})), "a bad point": build.Geo(100, 0), "a bad reference": build.Ref("x"), "a pipeline": {ValueType: &pb.Value_PipelineValue{}},
	} {
		all = append(all,
			rule{name: "adding " + what, old: fields{"a": build.Array()}, write: legacy(build.Append("a", bad)), code: codes.InvalidArgument},
			rule{name: "removing " + what, old: fields{"a": build.Array()}, write: legacy(build.RemoveAll("a", bad)), code: codes.InvalidArgument})
	}
	return append(all,
		rule{name: "an array directly in an array is not added", old: fields{"a": build.Array()}, write: legacy(build.Append("a", build.Array())), code: codes.InvalidArgument,
			differs: "stores the array in an array, which the proto says cannot be"},
		rule{name: "a vector directly in an array is not added", old: fields{"a": build.Array()}, write: legacy(build.Append("a", build.Vector(1))), code: codes.InvalidArgument,
			differs: "stores the vector in an array, which it refuses in an update"},
	)
}
