package write_test

import (
	pb "cloud.google.com/go/firestore/apiv1/firestorepb"
	"google.golang.org/grpc/codes"
)

func transformRules() []rule {
	old := func() fields { return fields{"a": integer(1), "b": integer(2)} }
	m := func() fields { return fields{"m": mapOf(fields{"b": integer(5), "c": integer(6)})} }
	one := []*pb.Value{integer(1)}
	silent := []*pb.Value{null()}
	var all []rule
	for name, c := range map[string]struct {
		change  *change
		results []*pb.Value
		made    *pb.Value
	}{
		"increment": {increment("x", integer(1)), one, integer(1)},
		"maximum":   {maximum("x", integer(1)), one, integer(1)},
		"minimum":   {minimum("x", integer(1)), one, integer(1)},
		"union":     {union("x", integer(1), double(1)), silent, array(integer(1))},
		"without":   {without("x", integer(1)), silent, array()},
	} {
		with := old()
		with["x"] = c.made
		all = append(all,
			rule{name: name + " of a missing document", write: legacy(c.change), want: fields{"x": c.made}, results: c.results},
			rule{name: name + " of a missing field", old: old(), write: legacy(c.change), want: with, results: c.results},
			rule{name: name + " after an update", old: old(), write: update(fields{"y": null()}, c.change), want: fields{"x": c.made, "y": null()}, results: c.results},
			rule{name: name + " after a merge", old: old(), write: merge(fields{"y": null()}, nil, c.change), want: with, results: c.results},
			rule{name: name + " after an update of its field", old: fields{"x": str("s")}, write: update(fields{"x": null()}, c.change), want: fields{"x": c.made}, results: c.results},
		)
	}
	return append(all,
		rule{name: "a field twice, in order", old: old(), write: legacy(increment("a", integer(1)), increment("a", integer(10))), want: fields{"a": integer(12), "b": integer(2)}, results: []*pb.Value{integer(2), integer(12)}},
		rule{name: "a field by two transforms", old: old(), write: legacy(increment("a", integer(1)), maximum("a", integer(10))), want: fields{"a": integer(10), "b": integer(2)}, results: []*pb.Value{integer(2), integer(10)}},
		rule{name: "a field twice, back to what it was", old: old(), write: legacy(increment("a", integer(1)), increment("a", integer(-1))), kept: true, results: []*pb.Value{integer(2), integer(1)}},
		rule{name: "results are in the order of transforms", old: old(), write: legacy(union("c"), increment("b", integer(1)), without("d"), increment("a", integer(1))),
			want: fields{"a": integer(2), "b": integer(3), "c": array(), "d": array()}, results: []*pb.Value{null(), integer(3), null(), integer(2)}},
		rule{name: "fields beside each other in a map", old: old(), write: legacy(increment("a.b", integer(1)), increment("a.c", integer(2))),
			want: fields{"a": mapOf(fields{"b": integer(1), "c": integer(2)}), "b": integer(2)}, results: []*pb.Value{integer(1), integer(2)}},
		rule{name: "a nested field", old: m(), write: legacy(increment("m.b", integer(1))), want: fields{"m": mapOf(fields{"b": integer(6), "c": integer(6)})}, results: []*pb.Value{integer(6)}},
		rule{name: "a nested field below nothing", old: m(), write: legacy(increment("m.x.y", integer(1))), want: fields{"m": mapOf(fields{"b": integer(5), "c": integer(6), "x": mapOf(fields{"y": integer(1)})})}, results: one},
		rule{name: "a field in a vector", old: fields{"v": vector(1)}, write: legacy(increment("v.value", integer(1))), want: fields{"v": mapOf(fields{"value": integer(1)})}, results: one},
		rule{name: "a field and one in it", old: old(), write: legacy(increment("a", integer(1)), increment("a.b", integer(1))), code: codes.InvalidArgument},
		rule{name: "a field and one it is in", old: old(), write: legacy(increment("a.b.c", integer(1)), increment("a", integer(1))), code: codes.InvalidArgument},
		rule{name: "a field and one in it, after an update", old: old(), write: update(nil, increment("`a`", integer(1)), increment("a.b", integer(1))), code: codes.InvalidArgument},
		rule{name: "a quoted field beside one that looks like it", old: old(), write: legacy(increment("`a.b`", integer(1)), increment("a", integer(1))),
			want: fields{"a": integer(2), "a.b": integer(1), "b": integer(2)}, results: []*pb.Value{integer(1), integer(2)}},
		rule{name: "of a field that is updated", old: old(), write: update(fields{"a": integer(5)}, increment("a", integer(1))), want: fields{"a": integer(6)}, results: []*pb.Value{integer(6)}},
		rule{name: "of a field that is replaced", old: old(), write: update(fields{"a": integer(5)}, increment("b", integer(1))), want: fields{"a": integer(5), "b": integer(1)}, results: one},
		rule{name: "of a field that is merged", old: old(), write: merge(fields{"a": integer(5)}, paths("a"), increment("a", integer(1))), want: fields{"a": integer(6), "b": integer(2)}, results: []*pb.Value{integer(6)}},
		rule{name: "of a field beside the mask", old: old(), write: merge(fields{"a": integer(5)}, paths("a"), increment("b", integer(1))), want: fields{"a": integer(5), "b": integer(3)}, results: []*pb.Value{integer(3)}},
		rule{name: "of a field that the mask does not cover", old: old(), write: merge(fields{"a": integer(5)}, paths("b"), increment("a", integer(1))), want: fields{"a": integer(2)}, results: []*pb.Value{integer(2)}},
		rule{name: "of a field that the mask deletes", old: old(), write: merge(nil, paths("b"), increment("b", integer(1))), want: fields{"a": integer(1), "b": integer(1)}, results: one},
		rule{name: "of a field in a merged map", old: old(), write: merge(fields{"m": mapOf(fields{"x": integer(1)})}, paths("m"), increment("m.y", integer(1))),
			want: fields{"a": integer(1), "b": integer(2), "m": mapOf(fields{"x": integer(1), "y": integer(1)})}, results: one},
		rule{name: "a merge and a transform that change nothing", old: old(), write: merge(fields{"a": integer(1)}, paths("a"), increment("b", integer(0))), kept: true, results: []*pb.Value{integer(2)}},
		rule{name: "no transforms", old: old(), write: legacy(), code: codes.InvalidArgument},
		rule{name: "no transforms of a missing document", write: legacy(), code: codes.InvalidArgument},
		rule{name: "a transform without a type", old: old(), write: legacy(&change{FieldPath: "a"}), code: codes.InvalidArgument},
		rule{name: "a server value that is not given", old: old(), write: legacy(&change{FieldPath: "a", TransformType: &pb.DocumentTransform_FieldTransform_SetToServerValue{}}), code: codes.InvalidArgument},
		rule{name: "a server value that nobody knows", old: old(), write: legacy(&change{FieldPath: "a", TransformType: &pb.DocumentTransform_FieldTransform_SetToServerValue{SetToServerValue: 7}}), code: codes.InvalidArgument},
		rule{name: "an empty field path", old: old(), write: legacy(increment("", integer(1))), code: codes.InvalidArgument},
		rule{name: "a reserved field path", old: old(), write: legacy(increment("__x__", integer(1))), code: codes.InvalidArgument},
		rule{name: "a transform of the name", old: old(), write: legacy(increment("__name__", integer(1))), code: codes.InvalidArgument,
			differs: "adds a field __key__, which no client can read by its name"},
		rule{name: "a transform of a reserved field in a map", old: old(), write: legacy(increment("a.__type__", integer(1))), code: codes.InvalidArgument,
			differs: "stores a map with a number as its __type__, which it refuses in an update"},
		rule{name: "a bad transform and a precondition that is not met", write: ifExists(update(nil, increment("a", str("x"))), true), code: codes.InvalidArgument},
	)
}
