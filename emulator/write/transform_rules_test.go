package write_test

import (
	pb "cloud.google.com/go/firestore/apiv1/firestorepb"
	"google.golang.org/grpc/codes"

	"hippocampus/emulator/build"
)

func transformRules() []rule {
	old := func() fields { return fields{"a": build.Int(1), "b": build.Int(2)} }
	m := func() fields { return fields{"m": build.Map(fields{"b": build.Int(5), "c": build.Int(6)})} }
	one := []*pb.Value{build.Int(1)}
	silent := []*pb.Value{build.Null()}
	var all []rule
	for name, c := range map[string]struct {
		change  *change
		results []*pb.Value
		made    *pb.Value
	}{
		"increment": {build.Increment("x", build.Int(1)), one, build.Int(1)},
		"maximum":   {build.Maximum("x", build.Int(1)), one, build.Int(1)},
		"minimum":   {build.Minimum("x", build.Int(1)), one, build.Int(1)},
		"union":     {build.Append("x", build.Int(1), build.Double(1)), silent, build.Array(build.Int(1))},
		"without":   {build.RemoveAll("x", build.Int(1)), silent, build.Array()},
	} {
		with := old()
		with["x"] = c.made
		all = append(all,
			rule{name: name + " of a missing document", write: legacy(c.change), want: fields{"x": c.made}, results: c.results},
			rule{name: name + " of a missing field", old: old(), write: legacy(c.change), want: with, results: c.results},
			rule{name: name + " after an update", old: old(), write: update(fields{"y": build.Null()}, c.change), want: fields{"x": c.made, "y": build.Null()}, results: c.results},
			rule{name: name + " after a merge", old: old(), write: merge(fields{"y": build.Null()}, nil, c.change), want: with, results: c.results},
			rule{name: name + " after an update of its field", old: fields{"x": build.Str("s")}, write: update(fields{"x": build.Null()}, c.change), want: fields{"x": c.made}, results: c.results},
		)
	}
	return append(all,
		rule{name: "a field twice, in order", old: old(), write: legacy(build.Increment("a", build.Int(1)), build.Increment("a", build.Int(10))), want: fields{"a": build.Int(12), "b": build.Int(2)}, results: []*pb.Value{build.Int(2), build.Int(12)}},
		rule{name: "a field by two transforms", old: old(), write: legacy(build.Increment("a", build.Int(1)), build.Maximum("a", build.Int(10))), want: fields{"a": build.Int(10), "b": build.Int(2)}, results: []*pb.Value{build.Int(2), build.Int(10)}},
		rule{name: "a field twice, back to what it was", old: old(), write: legacy(build.Increment("a", build.Int(1)), build.Increment("a", build.Int(-1))), kept: true, results: []*pb.Value{build.Int(2), build.Int(1)}},
		rule{name: "results are in the order of transforms", old: old(), write: legacy(build.Append("c"), build.Increment("b", build.Int(1)), build.RemoveAll("d"), build.Increment("a", build.Int(1))),
			want: fields{"a": build.Int(2), "b": build.Int(3), "c": build.Array(), "d": build.Array()}, results: []*pb.Value{build.Null(), build.Int(3), build.Null(), build.Int(2)}},
		rule{name: "fields beside each other in a map", old: old(), write: legacy(build.Increment("a.b", build.Int(1)), build.Increment("a.c", build.Int(2))),
			want: fields{"a": build.Map(fields{"b": build.Int(1), "c": build.Int(2)}), "b": build.Int(2)}, results: []*pb.Value{build.Int(1), build.Int(2)}},
		rule{name: "a nested field", old: m(), write: legacy(build.Increment("m.b", build.Int(1))), want: fields{"m": build.Map(fields{"b": build.Int(6), "c": build.Int(6)})}, results: []*pb.Value{build.Int(6)}},
		rule{name: "a nested field below nothing", old: m(), write: legacy(build.Increment("m.x.y", build.Int(1))), want: fields{"m": build.Map(fields{"b": build.Int(5), "c": build.Int(6), "x": build.Map(fields{"y": build.Int(1)})})}, results: one},
		rule{name: "a field in a vector", old: fields{"v": build.Vector(1)}, write: legacy(build.Increment("v.value", build.Int(1))), want: fields{"v": build.Map(fields{"value": build.Int(1)})}, results: one},
		rule{name: "a field and one in it", old: old(), write: legacy(build.Increment("a", build.Int(1)), build.Increment("a.b", build.Int(1))), code: codes.InvalidArgument},
		rule{name: "a field and one it is in", old: old(), write: legacy(build.Increment("a.b.c", build.Int(1)), build.Increment("a", build.Int(1))), code: codes.InvalidArgument},
		rule{name: "a field and one in it, after an update", old: old(), write: update(nil, build.Increment("`a`", build.Int(1)), build.Increment("a.b", build.Int(1))), code: codes.InvalidArgument},
		rule{name: "a quoted field beside one that looks like it", old: old(), write: legacy(build.Increment("`a.b`", build.Int(1)), build.Increment("a", build.Int(1))),
			want: fields{"a": build.Int(2), "a.b": build.Int(1), "b": build.Int(2)}, results: []*pb.Value{build.Int(1), build.Int(2)}},
		rule{name: "of a field that is updated", old: old(), write: update(fields{"a": build.Int(5)}, build.Increment("a", build.Int(1))), want: fields{"a": build.Int(6)}, results: []*pb.Value{build.Int(6)}},
		rule{name: "of a field that is replaced", old: old(), write: update(fields{"a": build.Int(5)}, build.Increment("b", build.Int(1))), want: fields{"a": build.Int(5), "b": build.Int(1)}, results: one},
		rule{name: "of a field that is merged", old: old(), write: merge(fields{"a": build.Int(5)}, paths("a"), build.Increment("a", build.Int(1))), want: fields{"a": build.Int(6), "b": build.Int(2)}, results: []*pb.Value{build.Int(6)}},
		rule{name: "of a field beside the mask", old: old(), write: merge(fields{"a": build.Int(5)}, paths("a"), build.Increment("b", build.Int(1))), want: fields{"a": build.Int(5), "b": build.Int(3)}, results: []*pb.Value{build.Int(3)}},
		rule{name: "of a field that the mask does not cover", old: old(), write: merge(fields{"a": build.Int(5)}, paths("b"), build.Increment("a", build.Int(1))), want: fields{"a": build.Int(2)}, results: []*pb.Value{build.Int(2)}},
		rule{name: "of a field that the mask deletes", old: old(), write: merge(nil, paths("b"), build.Increment("b", build.Int(1))), want: fields{"a": build.Int(1), "b": build.Int(1)}, results: one},
		rule{name: "of a field in a merged map", old: old(), write: merge(fields{"m": build.Map(fields{"x": build.Int(1)})}, paths("m"), build.Increment("m.y", build.Int(1))),
			want: fields{"a": build.Int(1), "b": build.Int(2), "m": build.Map(fields{"x": build.Int(1), "y": build.Int(1)})}, results: one},
		rule{name: "a merge and a transform that change nothing", old: old(), write: merge(fields{"a": build.Int(1)}, paths("a"), build.Increment("b", build.Int(0))), kept: true, results: []*pb.Value{build.Int(2)}},
		rule{name: "no transforms", old: old(), write: legacy(), code: codes.InvalidArgument},
		rule{name: "no transforms of a missing document", write: legacy(), code: codes.InvalidArgument},
		rule{name: "a transform without a type", old: old(), write: legacy(&change{FieldPath: "a"}), code: codes.InvalidArgument},
		rule{name: "a server value that is not given", old: old(), write: legacy(&change{FieldPath: "a", TransformType: &pb.DocumentTransform_FieldTransform_SetToServerValue{}}), code: codes.InvalidArgument},
		rule{name: "a server value that nobody knows", old: old(), write: legacy(&change{FieldPath: "a", TransformType: &pb.DocumentTransform_FieldTransform_SetToServerValue{SetToServerValue: 7}}), code: codes.InvalidArgument},
		rule{name: "an empty field path", old: old(), write: legacy(build.Increment("", build.Int(1))), code: codes.InvalidArgument},
		rule{name: "a reserved field path", old: old(), write: legacy(build.Increment("__x__", build.Int(1))), code: codes.InvalidArgument},
		rule{name: "a transform of the name", old: old(), write: legacy(build.Increment("__name__", build.Int(1))), code: codes.InvalidArgument,
			differs: "adds a field __key__, which no client can read by its name"},
		rule{name: "a transform of a reserved field in a map", old: old(), write: legacy(build.Increment("a.__type__", build.Int(1))), code: codes.InvalidArgument,
			differs: "stores a map with a number as its __type__, which it refuses in an update"},
		rule{name: "a bad transform and a precondition that is not met", write: ifExists(update(nil, build.Increment("a", build.Str("x"))), true), code: codes.InvalidArgument},
	)
}
