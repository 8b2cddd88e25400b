package write_test

import (
	"fmt"

	pb "cloud.google.com/go/firestore/apiv1/firestorepb"
	"google.golang.org/grpc/codes"
)

func arrayRules() []rule {
	var all []rule
	add := func(name string, c *change, old, want *pb.Value) {
		r := rule{name: fmt.Sprintf("%s: %d", name, len(all)), old: fields{"a": old}, write: legacy(c), results: []*pb.Value{null()}, kept: want == nil}
		if want != nil {
			r.want = fields{"a": want}
		}
		all = append(all, r)
	}
	x := func(v *pb.Value) *pb.Value { return mapOf(fields{"x": v}) }
	old := func() *pb.Value {
		return array(integer(1), double(1), double(2), str("a"), null(), double(nan), x(integer(1)))
	}
	with := func(v ...*pb.Value) *pb.Value { return array(append(old().GetArrayValue().Values, v...)...) }
	for _, v := range []*pb.Value{integer(1), double(1), integer(2), double(2), str("a"), null(), double(nan), x(integer(1)), x(double(1))} {
		add("what is there is not added", union("a", v), old(), nil)
	}
	add("nothing is added", union("a"), old(), nil)
	for _, v := range []*pb.Value{integer(3), str("b"), x(integer(2)), mapOf(nil), double(negativeZero), boolean(false), geo(0, 0)} {
		add("what is not there is added", union("a", v), old(), with(v))
		add("what is not there is not removed", without("a", v), old(), nil)
	}
	add("only what is missing is added", union("a", str("a"), str("b"), str("c")), old(), with(str("b"), str("c")))
	add("the first of equals is added", union("a", double(3), integer(3), double(3)), old(), with(double(3)))
	add("times are rounded before they are compared", union("a", timestamp(1, 1500), timestamp(1, 1000)), old(), with(timestamp(1, 1000)))
	add("times are rounded before they are removed", without("a", timestamp(1, 1500)), array(timestamp(1, 1000), integer(1)), array(integer(1)))
	add("zeros are equal", union("a", integer(0)), array(double(negativeZero)), nil)

	rest := func(v ...*pb.Value) *pb.Value { return array(v...) }
	add("numbers are removed whatever their type", without("a", integer(1)), old(), rest(double(2), str("a"), null(), double(nan), x(integer(1))))
	add("numbers are removed whatever their type", without("a", double(1)), old(), rest(double(2), str("a"), null(), double(nan), x(integer(1))))
	add("null is removed", without("a", null()), old(), rest(integer(1), double(1), double(2), str("a"), double(nan), x(integer(1))))
	add("NaN is removed", without("a", double(nan)), old(), rest(integer(1), double(1), double(2), str("a"), null(), x(integer(1))))
	add("maps are removed", without("a", x(double(1))), old(), rest(integer(1), double(1), double(2), str("a"), null(), double(nan)))
	add("several are removed", without("a", str("a"), str("b"), integer(1), null()), old(), rest(double(2), double(nan), x(integer(1))))
	add("every zero is removed", without("a", integer(0)), array(double(negativeZero), integer(0), double(0)), array())
	add("great numbers are compared exactly", without("a", double(1<<53)), array(integer(1<<53), integer(1<<53+1), double(1<<53)), array(integer(1<<53+1)))
	add("nothing is removed", without("a"), old(), nil)
	add("an array in an array is not there to be removed", without("a", array(integer(1))), old(), nil)

	for _, v := range []*pb.Value{integer(1), str("a"), null(), mapOf(nil), vector(1)} {
		add("what is no array becomes one", union("a", integer(1)), v, array(integer(1)))
		add("what is no array becomes empty", without("a", integer(1)), v, array())
		add("what is no array becomes empty, with nothing to add", union("a"), v, array())
	}
	for what, bad := range map[string]*pb.Value{
		"nothing": {}, "a reserved name": x(mapOf(fields{"__y__": integer(1)})), "a bad point": geo(100, 0), "a bad reference": ref("x"), "a pipeline": {ValueType: &pb.Value_PipelineValue{}},
	} {
		all = append(all,
			rule{name: "adding " + what, old: fields{"a": array()}, write: legacy(union("a", bad)), code: codes.InvalidArgument},
			rule{name: "removing " + what, old: fields{"a": array()}, write: legacy(without("a", bad)), code: codes.InvalidArgument})
	}
	return append(all,
		rule{name: "an array directly in an array is not added", old: fields{"a": array()}, write: legacy(union("a", array())), code: codes.InvalidArgument,
			differs: "stores the array in an array, which the proto says cannot be"},
		rule{name: "a vector directly in an array is not added", old: fields{"a": array()}, write: legacy(union("a", vector(1))), code: codes.InvalidArgument,
			differs: "stores the vector in an array, which it refuses in an update"},
	)
}
