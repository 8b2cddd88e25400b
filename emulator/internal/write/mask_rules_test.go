package write_test

import (
	pb "cloud.google.com/go/firestore/apiv1/firestorepb"
	"google.golang.org/grpc/codes"

	"hippocampus/emulator/internal/literal"
)

func maskRules() []rule {
	old := func() fields {
		return fields{"a": literal.Int(1), "m": literal.Map(fields{"x": literal.Int(1), "y": literal.Map(fields{"z": literal.Int(1)})}), "v": literal.Vector(1, 2), "l": literal.Array(literal.Int(1))}
	}
	// with is old with some fields replaced, or removed if they are nil.
	with := func(f fields) fields {
		all := old()
		for name, v := range f {
			if v == nil {
				delete(all, name)
			} else {
				all[name] = v
			}
		}
		return all
	}
	one := fields{"x": literal.Int(1)}
	return []rule{
		{name: "an update without a mask replaces all", old: old(), write: update(fields{"b": literal.Int(2)}), want: fields{"b": literal.Int(2)}},
		{name: "an update without fields empties", old: old(), write: update(nil), want: fields{}},
		{name: "an update without fields creates an empty document", write: update(nil), want: fields{}},
		{name: "an update with what is there keeps it", old: old(), write: update(old()), kept: true},
		{name: "an update with an equal number of another type is a change", old: one, write: update(fields{"x": literal.Double(1)}), want: fields{"x": literal.Double(1)}},
		{name: "a mask sets a field", old: old(), write: merge(fields{"a": literal.Int(2)}, paths("a")), want: with(fields{"a": literal.Int(2)})},
		{name: "a mask adds a field", old: old(), write: merge(fields{"b": literal.Int(2)}, paths("b")), want: with(fields{"b": literal.Int(2)})},
		{name: "a mask deletes what is not given", old: old(), write: merge(nil, paths("a")), want: with(fields{"a": nil})},
		{name: "a mask with what is there keeps it", old: old(), write: merge(fields{"a": literal.Int(1)}, paths("a")), kept: true},
		{name: "a mask that deletes what is not there keeps it", old: old(), write: merge(nil, paths("b")), kept: true},
		{name: "a mask sets a nested field", old: old(), write: merge(fields{"m": literal.Map(fields{"x": literal.Int(9)})}, paths("m.x")),
			want: with(fields{"m": literal.Map(fields{"x": literal.Int(9), "y": literal.Map(fields{"z": literal.Int(1)})})})},
		{name: "a mask deletes a nested field", old: old(), write: merge(nil, paths("m.x")), want: with(fields{"m": literal.Map(fields{"y": literal.Map(fields{"z": literal.Int(1)})})})},
		{name: "the last field of a map leaves it empty", old: old(), write: merge(nil, paths("m.y.z")), want: with(fields{"m": literal.Map(fields{"x": literal.Int(1), "y": literal.Map(nil)})})},
		{name: "deleting below what is not there makes no maps", old: old(), write: merge(nil, paths("m.q.r")), kept: true},
		{name: "deleting below no field makes no maps", old: old(), write: merge(nil, paths("q.r")), kept: true},
		{name: "deleting below what is no map keeps it", old: old(), write: merge(nil, paths("a.r")), kept: true},
		{name: "deleting in an array keeps it", old: old(), write: merge(nil, paths("l.x")), kept: true},
		{name: "deleting in a vector keeps it", old: old(), write: merge(nil, paths("v.value")), kept: true},
		{name: "setting below what is no map replaces it", old: old(), write: merge(fields{"a": literal.Map(fields{"r": literal.Int(3)})}, paths("a.r")), want: with(fields{"a": literal.Map(fields{"r": literal.Int(3)})})},
		{name: "setting in an array replaces it", old: old(), write: merge(fields{"l": literal.Map(fields{"r": literal.Int(3)})}, paths("l.r")), want: with(fields{"l": literal.Map(fields{"r": literal.Int(3)})})},
		{name: "setting in a vector replaces it", old: old(), write: merge(fields{"v": literal.Map(fields{"value": literal.Int(3)})}, paths("v.value")), want: with(fields{"v": literal.Map(fields{"value": literal.Int(3)})})},
		{name: "a vector that is given is not looked into", old: old(), write: merge(fields{"v": literal.Vector(3)}, paths("v.value")), kept: true},
		{name: "an empty map wipes", old: old(), write: merge(fields{"m": literal.Map(nil)}, paths("m")), want: with(fields{"m": literal.Map(nil)})},
		{name: "a map in the mask is replaced, not merged", old: old(), write: merge(fields{"m": literal.Map(fields{"k": literal.Int(1)})}, paths("m")), want: with(fields{"m": literal.Map(fields{"k": literal.Int(1)})})},
		{name: "an empty mask of no document creates an empty one", write: merge(nil, nil), want: fields{}},
		{name: "an empty mask of no document ignores fields", write: merge(fields{"a": literal.Int(7)}, nil), want: fields{}},
		{name: "an empty mask keeps a document", old: old(), write: merge(nil, nil), kept: true},
		{name: "an empty mask ignores fields", old: old(), write: merge(fields{"a": literal.Int(7)}, nil), kept: true},
		{name: "a mask that only deletes creates an empty document", write: merge(nil, paths("a", "m.x")), want: fields{}},
		{name: "fields that the mask does not cover are ignored", old: old(), write: merge(fields{"a": literal.Int(2), "b": literal.Int(3)}, paths("a")), want: with(fields{"a": literal.Int(2)})},
		{name: "nested fields that the mask does not cover are ignored", old: old(), write: merge(fields{"m": literal.Map(fields{"x": literal.Int(2), "w": literal.Int(3)})}, paths("m.x")),
			want: with(fields{"m": literal.Map(fields{"x": literal.Int(2), "y": literal.Map(fields{"z": literal.Int(1)})})})},
		{name: "below what is given and no map a mask deletes", old: old(), write: merge(fields{"m": literal.Int(2)}, paths("m.x")), want: with(fields{"m": literal.Map(fields{"y": literal.Map(fields{"z": literal.Int(1)})})})},
		{name: "a path twice", old: old(), write: merge(fields{"a": literal.Int(2)}, paths("a", "a")), want: with(fields{"a": literal.Int(2)})},
		{name: "a path twice, once quoted", old: old(), write: merge(fields{"a": literal.Int(2)}, paths("a", "`a`")), want: with(fields{"a": literal.Int(2)})},
		{name: "a path and one below it", old: old(), write: merge(fields{"m": literal.Map(fields{"x": literal.Int(2)})}, paths("m", "m.x")), want: with(fields{"m": literal.Map(fields{"x": literal.Int(2)})})},
		{name: "a path and one above it", old: old(), write: merge(fields{"m": literal.Map(fields{"x": literal.Int(2)})}, paths("m.x", "m")), want: with(fields{"m": literal.Map(fields{"x": literal.Int(2)})})},
		{name: "a path and one far below it", old: old(), write: merge(fields{"m": literal.Map(fields{"x": literal.Int(2)})}, paths("m", "m.x.y")), want: with(fields{"m": literal.Map(fields{"x": literal.Int(2)})})},
		{name: "paths beside each other", old: old(), write: merge(fields{"m": literal.Map(fields{"x": literal.Int(2), "q": literal.Int(1)})}, paths("m.x", "m.q")),
			want: with(fields{"m": literal.Map(fields{"x": literal.Int(2), "q": literal.Int(1), "y": literal.Map(fields{"z": literal.Int(1)})})})},
		{name: "a quoted path", old: one, write: merge(fields{"q.r": literal.Int(2)}, paths("`q.r`")), want: fields{"x": literal.Int(1), "q.r": literal.Int(2)}},
		{name: "a path with a backquote", old: one, write: merge(fields{"`\\": literal.Int(2)}, paths("`\\`\\\\`")), want: fields{"x": literal.Int(1), "`\\": literal.Int(2)}},
		{name: "a quoted path in a map", old: one, write: merge(fields{"é": literal.Map(fields{"1": literal.Int(2)})}, paths("`é`.`1`")), want: fields{"x": literal.Int(1), "é": literal.Map(fields{"1": literal.Int(2)})}},
		{name: "a path that cannot be read", old: one, write: merge(fields{"a": literal.Int(2)}, paths("a..b")), code: codes.InvalidArgument},
		{name: "an empty path", old: one, write: merge(fields{"a": literal.Int(2)}, paths("")), code: codes.InvalidArgument},
		{name: "a path with a star", old: one, write: merge(fields{"a": literal.Int(2)}, paths("*")), code: codes.InvalidArgument},
		{name: "a path with a reserved name", old: one, write: merge(nil, paths("a.__b__")), code: codes.InvalidArgument},
		{name: "a path of a vector's type", old: one, write: merge(nil, paths("a.__type__")), code: codes.InvalidArgument},
		{name: "the path of the name", old: one, write: merge(nil, paths("__name__")), code: codes.InvalidArgument,
			differs: "ignores it; the proto says that a mask must not contain reserved names"},
		{name: "a delete with a mask", old: one, write: func() *pb.Write { w := remove(); w.UpdateMask = &pb.DocumentMask{}; return w }(), code: codes.InvalidArgument},
		{name: "a delete with transforms", old: one, write: func() *pb.Write {
			w := remove()
			w.UpdateTransforms = []*change{literal.Increment("a", literal.Int(1))}
			return w
		}(), code: codes.InvalidArgument},
		{name: "a transform with a mask", old: one, write: func() *pb.Write {
			w := legacy(literal.Increment("a", literal.Int(1)))
			w.UpdateMask = &pb.DocumentMask{FieldPaths: paths("a")}
			return w
		}(), code: codes.InvalidArgument},
		{name: "a transform with transforms", old: one, write: func() *pb.Write {
			w := legacy(literal.Increment("a", literal.Int(1)))
			w.UpdateTransforms = []*change{literal.Increment("a", literal.Int(1))}
			return w
		}(), code: codes.InvalidArgument},
	}
}
