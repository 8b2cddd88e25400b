package write_test

import (
	"fmt"

	pb "cloud.google.com/go/firestore/apiv1/firestorepb"
	"google.golang.org/grpc/codes"

	"hippocampus/emulator/internal/literal"
)

func arrayRules() []rule {
	var all []rule
	add := func(name string, c *change, old, want *pb.Value) {
		r := rule{name: fmt.Sprintf("%s: %d", name, len(all)), old: fields{"a": old}, write: legacy(c), results: []*pb.Value{literal.Null()}, kept: want == nil}
		if want != nil {
			r.want = fields{"a": want}
		}
		all = append(all, r)
	}
	x := func(v *pb.Value) *pb.Value { return literal.Map(fields{"x": v}) }
	old := func() *pb.Value {
		return literal.Array(literal.Int(1), literal.Double(1), literal.Double(2), literal.Str("a"), literal.Null(), literal.Double(nan), x(literal.Int(1)))
	}
	with := func(v ...*pb.Value) *pb.Value { return literal.Array(append(old().GetArrayValue().Values, v...)...) }
	for _, v := range []*pb.Value{literal.Int(1), literal.Double(1), literal.Int(2), literal.Double(2), literal.Str("a"), literal.Null(), literal.Double(nan), x(literal.Int(1)), x(literal.Double(1))} {
		add("what is there is not added", literal.Append("a", v), old(), nil)
	}
	add("nothing is added", literal.Append("a"), old(), nil)
	for _, v := range []*pb.Value{literal.Int(3), literal.Str("b"), x(literal.Int(2)), literal.Map(nil), literal.Double(negativeZero), literal.Bool(false), literal.Geo(0, 0)} {
		add("what is not there is added", literal.Append("a", v), old(), with(v))
		add("what is not there is not removed", literal.RemoveAll("a", v), old(), nil)
	}
	add("only what is missing is added", literal.Append("a", literal.Str("a"), literal.Str("b"), literal.Str("c")), old(), with(literal.Str("b"), literal.Str("c")))
	add("the first of equals is added", literal.Append("a", literal.Double(3), literal.Int(3), literal.Double(3)), old(), with(literal.Double(3)))
	add("times are rounded before they are compared", literal.Append("a", literal.Time(1, 1500), literal.Time(1, 1000)), old(), with(literal.Time(1, 1000)))
	add("times are rounded before they are removed", literal.RemoveAll("a", literal.Time(1, 1500)), literal.Array(literal.Time(1, 1000), literal.Int(1)), literal.Array(literal.Int(1)))
	add("zeros are equal", literal.Append("a", literal.Int(0)), literal.Array(literal.Double(negativeZero)), nil)

	rest := func(v ...*pb.Value) *pb.Value { return literal.Array(v...) }
	add("numbers are removed whatever their type", literal.RemoveAll("a", literal.Int(1)), old(), rest(literal.Double(2), literal.Str("a"), literal.Null(), literal.Double(nan), x(literal.Int(1))))
	add("numbers are removed whatever their type", literal.RemoveAll("a", literal.Double(1)), old(), rest(literal.Double(2), literal.Str("a"), literal.Null(), literal.Double(nan), x(literal.Int(1))))
	add("null is removed", literal.RemoveAll("a", literal.Null()), old(), rest(literal.Int(1), literal.Double(1), literal.Double(2), literal.Str("a"), literal.Double(nan), x(literal.Int(1))))
	add("NaN is removed", literal.RemoveAll("a", literal.Double(nan)), old(), rest(literal.Int(1), literal.Double(1), literal.Double(2), literal.Str("a"), literal.Null(), x(literal.Int(1))))
	add("maps are removed", literal.RemoveAll("a", x(literal.Double(1))), old(), rest(literal.Int(1), literal.Double(1), literal.Double(2), literal.Str("a"), literal.Null(), literal.Double(nan)))
	add("several are removed", literal.RemoveAll("a", literal.Str("a"), literal.Str("b"), literal.Int(1), literal.Null()), old(), rest(literal.Double(2), literal.Double(nan), x(literal.Int(1))))
	add("every zero is removed", literal.RemoveAll("a", literal.Int(0)), literal.Array(literal.Double(negativeZero), literal.Int(0), literal.Double(0)), literal.Array())
	add("great numbers are compared exactly", literal.RemoveAll("a", literal.Double(1<<53)), literal.Array(literal.Int(1<<53), literal.Int(1<<53+1), literal.Double(1<<53)), literal.Array(literal.Int(1<<53+1)))
	add("nothing is removed", literal.RemoveAll("a"), old(), nil)
	add("an array in an array is not there to be removed", literal.RemoveAll("a", literal.Array(literal.Int(1))), old(), nil)

	for _, v := range []*pb.Value{literal.Int(1), literal.Str("a"), literal.Null(), literal.Map(nil), literal.Vector(1)} {
		add("what is no array becomes one", literal.Append("a", literal.Int(1)), v, literal.Array(literal.Int(1)))
		add("what is no array becomes empty", literal.RemoveAll("a", literal.Int(1)), v, literal.Array())
		add("what is no array becomes empty, with nothing to add", literal.Append("a"), v, literal.Array())
	}
	for what, bad := range map[string]*pb.Value{
		"nothing": {}, "a reserved name": x(literal.Map(fields{"__y__": literal.Int(1)})), "a bad point": literal.Geo(100, 0), "a bad reference": literal.Ref("x"), "a pipeline": {ValueType: &pb.Value_PipelineValue{}},
	} {
		all = append(all,
			rule{name: "adding " + what, old: fields{"a": literal.Array()}, write: legacy(literal.Append("a", bad)), code: codes.InvalidArgument},
			rule{name: "removing " + what, old: fields{"a": literal.Array()}, write: legacy(literal.RemoveAll("a", bad)), code: codes.InvalidArgument})
	}
	return append(all,
		rule{name: "an array directly in an array is not added", old: fields{"a": literal.Array()}, write: legacy(literal.Append("a", literal.Array())), code: codes.InvalidArgument,
			differs: "stores the array in an array, which the proto says cannot be"},
		rule{name: "a vector directly in an array is not added", old: fields{"a": literal.Array()}, write: legacy(literal.Append("a", literal.Vector(1))), code: codes.InvalidArgument,
			differs: "stores the vector in an array, which it refuses in an update"},
	)
}
