package write_test

import (
	pb "cloud.google.com/go/firestore/apiv1/firestorepb"
	"google.golang.org/grpc/codes"

	"hippocampus/emulator/internal/literal"
)

func transformRules() []rule {
	old := func() fields { return fields{"a": literal.Int(1), "b": literal.Int(2)} }
	m := func() fields { return fields{"m": literal.Map(fields{"b": literal.Int(5), "c": literal.Int(6)})} }
	one := []*pb.Value{literal.Int(1)}
	silent := []*pb.Value{literal.Null()}
	var all []rule
	for name, c := range map[string]struct {
		change  *change
		results []*pb.Value
		made    *pb.Value
	}{
		"increment": {literal.Increment("x", literal.Int(1)), one, literal.Int(1)},
		"maximum":   {literal.Maximum("x", literal.Int(1)), one, literal.Int(1)},
		"minimum":   {literal.Minimum("x", literal.Int(1)), one, literal.Int(1)},
		"union":     {literal.Append("x", literal.Int(1), literal.Double(1)), silent, literal.Array(literal.Int(1))},
		"without":   {literal.RemoveAll("x", literal.Int(1)), silent, literal.Array()},
	} {
		with := old()
		with["x"] = c.made
		all = append(all,
			rule{name: name + " of a missing document", write: legacy(c.change), want: fields{"x": c.made}, results: c.results},
			rule{name: name + " of a missing field", old: old(), write: legacy(c.change), want: with, results: c.results},
			rule{name: name + " after an update", old: old(), write: update(fields{"y": literal.Null()}, c.change), want: fields{"x": c.made, "y": literal.Null()}, results: c.results},
			rule{name: name + " after a merge", old: old(), write: merge(fields{"y": literal.Null()}, nil, c.change), want: with, results: c.results},
			rule{name: name + " after an update of its field", old: fields{"x": literal.Str("s")}, write: update(fields{"x": literal.Null()}, c.change), want: fields{"x": c.made}, results: c.results},
		)
	}
	return append(all,
		rule{name: "a field twice, in order", old: old(), write: legacy(literal.Increment("a", literal.Int(1)), literal.Increment("a", literal.Int(10))), want: fields{"a": literal.Int(12), "b": literal.Int(2)}, results: []*pb.Value{literal.Int(2), literal.Int(12)}},
		rule{name: "a field by two transforms", old: old(), write: legacy(literal.Increment("a", literal.Int(1)), literal.Maximum("a", literal.Int(10))), want: fields{"a": literal.Int(10), "b": literal.Int(2)}, results: []*pb.Value{literal.Int(2), literal.Int(10)}},
		rule{name: "a field twice, back to what it was", old: old(), write: legacy(literal.Increment("a", literal.Int(1)), literal.Increment("a", literal.Int(-1))), kept: true, results: []*pb.Value{literal.Int(2), literal.Int(1)}},
		rule{name: "results are in the order of transforms", old: old(), write: legacy(literal.Append("c"), literal.Increment("b", literal.Int(1)), literal.RemoveAll("d"), literal.Increment("a", literal.Int(1))),
			want: fields{"a": literal.Int(2), "b": literal.Int(3), "c": literal.Array(), "d": literal.Array()}, results: []*pb.Value{literal.Null(), literal.Int(3), literal.Null(), literal.Int(2)}},
		rule{name: "fields beside each other in a map", old: old(), write: legacy(literal.Increment("a.b", literal.Int(1)), literal.Increment("a.c", literal.Int(2))),
			want: fields{"a": literal.Map(fields{"b": literal.Int(1), "c": literal.Int(2)}), "b": literal.Int(2)}, results: []*pb.Value{literal.Int(1), literal.Int(2)}},
		rule{name: "a nested field", old: m(), write: legacy(literal.Increment("m.b", literal.Int(1))), want: fields{"m": literal.Map(fields{"b": literal.Int(6), "c": literal.Int(6)})}, results: []*pb.Value{literal.Int(6)}},
		rule{name: "a nested field below nothing", old: m(), write: legacy(literal.Increment("m.x.y", literal.Int(1))), want: fields{"m": literal.Map(fields{"b": literal.Int(5), "c": literal.Int(6), "x": literal.Map(fields{"y": literal.Int(1)})})}, results: one},
		rule{name: "a field in a vector", old: fields{"v": literal.Vector(1)}, write: legacy(literal.Increment("v.value", literal.Int(1))), want: fields{"v": literal.Map(fields{"value": literal.Int(1)})}, results: one},
		rule{name: "a field and one in it", old: old(), write: legacy(literal.Increment("a", literal.Int(1)), literal.Increment("a.b", literal.Int(1))), code: codes.InvalidArgument},
		rule{name: "a field and one it is in", old: old(), write: legacy(literal.Increment("a.b.c", literal.Int(1)), literal.Increment("a", literal.Int(1))), code: codes.InvalidArgument},
		rule{name: "a field and one in it, after an update", old: old(), write: update(nil, literal.Increment("`a`", literal.Int(1)), literal.Increment("a.b", literal.Int(1))), code: codes.InvalidArgument},
		rule{name: "a quoted field beside one that looks like it", old: old(), write: legacy(literal.Increment("`a.b`", literal.Int(1)), literal.Increment("a", literal.Int(1))),
			want: fields{"a": literal.Int(2), "a.b": literal.Int(1), "b": literal.Int(2)}, results: []*pb.Value{literal.Int(1), literal.Int(2)}},
		rule{name: "of a field that is updated", old: old(), write: update(fields{"a": literal.Int(5)}, literal.Increment("a", literal.Int(1))), want: fields{"a": literal.Int(6)}, results: []*pb.Value{literal.Int(6)}},
		rule{name: "of a field that is replaced", old: old(), write: update(fields{"a": literal.Int(5)}, literal.Increment("b", literal.Int(1))), want: fields{"a": literal.Int(5), "b": literal.Int(1)}, results: one},
		rule{name: "of a field that is merged", old: old(), write: merge(fields{"a": literal.Int(5)}, paths("a"), literal.Increment("a", literal.Int(1))), want: fields{"a": literal.Int(6), "b": literal.Int(2)}, results: []*pb.Value{literal.Int(6)}},
		rule{name: "of a field beside the mask", old: old(), write: merge(fields{"a": literal.Int(5)}, paths("a"), literal.Increment("b", literal.Int(1))), want: fields{"a": literal.Int(5), "b": literal.Int(3)}, results: []*pb.Value{literal.Int(3)}},
		rule{name: "of a field that the mask does not cover", old: old(), write: merge(fields{"a": literal.Int(5)}, paths("b"), literal.Increment("a", literal.Int(1))), want: fields{"a": literal.Int(2)}, results: []*pb.Value{literal.Int(2)}},
		rule{name: "of a field that the mask deletes", old: old(), write: merge(nil, paths("b"), literal.Increment("b", literal.Int(1))), want: fields{"a": literal.Int(1), "b": literal.Int(1)}, results: one},
		rule{name: "of a field in a merged map", old: old(), write: merge(fields{"m": literal.Map(fields{"x": literal.Int(1)})}, paths("m"), literal.Increment("m.y", literal.Int(1))),
			want: fields{"a": literal.Int(1), "b": literal.Int(2), "m": literal.Map(fields{"x": literal.Int(1), "y": literal.Int(1)})}, results: one},
		rule{name: "a merge and a transform that change nothing", old: old(), write: merge(fields{"a": literal.Int(1)}, paths("a"), literal.Increment("b", literal.Int(0))), kept: true, results: []*pb.Value{literal.Int(2)}},
		rule{name: "no transforms", old: old(), write: legacy(), code: codes.InvalidArgument},
		rule{name: "no transforms of a missing document", write: legacy(), code: codes.InvalidArgument},
		rule{name: "a transform without a type", old: old(), write: legacy(&change{FieldPath: "a"}), code: codes.InvalidArgument},
		rule{name: "a server value that is not given", old: old(), write: legacy(&change{FieldPath: "a", TransformType: &pb.DocumentTransform_FieldTransform_SetToServerValue{}}), code: codes.InvalidArgument},
		rule{name: "a server value that nobody knows", old: old(), write: legacy(&change{FieldPath: "a", TransformType: &pb.DocumentTransform_FieldTransform_SetToServerValue{SetToServerValue: 7}}), code: codes.InvalidArgument},
		rule{name: "an empty field path", old: old(), write: legacy(literal.Increment("", literal.Int(1))), code: codes.InvalidArgument},
		rule{name: "a reserved field path", old: old(), write: legacy(literal.Increment("__x__", literal.Int(1))), code: codes.InvalidArgument},
		rule{name: "a transform of the name", old: old(), write: legacy(literal.Increment("__name__", literal.Int(1))), code: codes.InvalidArgument,
			differs: "adds a field __key__, which no client can read by its name"},
		rule{name: "a transform of a reserved field in a map", old: old(), write: legacy(literal.Increment("a.__type__", literal.Int(1))), code: codes.InvalidArgument,
			differs: "stores a map with a number as its __type__, which it refuses in an update"},
		rule{name: "a bad transform and a precondition that is not met", write: ifExists(update(nil, literal.Increment("a", literal.Str("x"))), true), code: codes.InvalidArgument},
	)
}
