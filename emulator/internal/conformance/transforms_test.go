package conformance

import (
	"cloud.google.com/go/firestore/apiv1/firestorepb"
	"github.com/stretchr/testify/require"
	"google.golang.org/grpc/codes"

	"hippocampus/emulator/internal/literal"
)

// transforms are about what all kinds of transforms share.
var transforms = []Check{
	{
		Name: "a transform on a missing document creates it",
		Run: func(t *T) {
			t.commit(t.transform("c/d", literal.Increment("a", literal.Int(1))))
			t.has("c/d", fields{"a": literal.Int(1)})
		},
	},
	{
		Name: "a transform leaves other fields as they are",
		Run: func(t *T) {
			t.commit(t.set("c/d", fields{"a": literal.Int(1), "b": literal.Int(2)}))
			t.commit(t.transform("c/d", literal.Increment("a", literal.Int(1))))
			t.has("c/d", fields{"a": literal.Int(2), "b": literal.Int(2)})
		},
	},
	{
		Name: "transforms come after the update",
		Page: "proto write.proto, Write.update_transforms: after update",
		Run: func(t *T) {
			t.commit(t.set("c/d", fields{"a": literal.Int(10), "b": literal.Int(1)}))
			t.commit(then(t.set("c/d", fields{"a": literal.Int(1)}), literal.Increment("a", literal.Int(5)), literal.Increment("b", literal.Int(5))))
			t.has("c/d", fields{"a": literal.Int(6), "b": literal.Int(5)})
		},
	},
	{
		Name: "an update with a mask and transforms does both",
		Page: "proto write.proto, Write.update_transforms",
		Run: func(t *T) {
			t.commit(t.set("c/d", fields{"a": literal.Int(10), "b": literal.Int(1), "c": literal.Int(3)}))
			t.commit(then(t.merge("c/d", fields{"b": literal.Int(2)}, "b"), literal.Increment("a", literal.Int(5))))
			t.has("c/d", fields{"a": literal.Int(15), "b": literal.Int(2), "c": literal.Int(3)})
		},
	},
	{
		Name: "a transform of a field that the mask removes begins anew",
		Page: "proto write.proto, Write.update_transforms: in order",
		Run: func(t *T) {
			t.commit(t.set("c/d", fields{"a": literal.Int(10)}))
			t.commit(then(t.merge("c/d", nil, "a"), literal.Increment("a", literal.Int(5))))
			t.has("c/d", fields{"a": literal.Int(5)})
		},
	},
	{
		Name: "transforms of one field apply in order",
		Page: "proto write.proto, DocumentTransform.field_transforms: in order",
		Run: func(t *T) {
			res := t.commit(t.transform("c/d", literal.Increment("a", literal.Int(1)), literal.Maximum("a", literal.Int(10)), literal.Increment("a", literal.Double(0.5))))
			t.has("c/d", fields{"a": literal.Double(10.5)})
			t.same(&firestorepb.ArrayValue{Values: []*firestorepb.Value{literal.Int(1), literal.Int(10), literal.Double(10.5)}},
				&firestorepb.ArrayValue{Values: res.WriteResults[0].TransformResults})
		},
	},
	{
		Name: "results come in the order of the transforms",
		Page: "proto write.proto, WriteResult.transform_results: in the same order",
		Run: func(t *T) {
			t.commit(t.set("c/d", fields{"z": literal.Int(1), "a": literal.Int(5)}))
			res := t.commit(t.transform("c/d", literal.Increment("z", literal.Int(1)), literal.Append("m", literal.Int(1)), literal.Increment("a", literal.Int(1))))
			t.same(&firestorepb.ArrayValue{Values: []*firestorepb.Value{literal.Int(2), literal.Null(), literal.Int(6)}},
				&firestorepb.ArrayValue{Values: res.WriteResults[0].TransformResults})
		},
	},
	{
		Name: "a write without transforms has no transform results",
		Page: "proto write.proto, WriteResult.transform_results",
		Run: func(t *T) {
			require.Empty(t, t.commit(t.set("c/d", nil)).WriteResults[0].TransformResults)
		},
	},
	{
		Name: "a transform of a path makes the maps that it goes through",
		Run: func(t *T) {
			t.commit(t.transform("c/d", literal.Increment("a.b.`c d`", literal.Int(1))))
			t.has("c/d", fields{"a": literal.Map(fields{"b": literal.Map(fields{"c d": literal.Int(1)})})})
		},
	},
	{
		Name: "a transform of a key leaves the map's other keys",
		Run: func(t *T) {
			t.commit(t.set("c/d", fields{"m": literal.Map(fields{"a": literal.Int(1), "b": literal.Int(2)})}))
			t.commit(t.transform("c/d", literal.Increment("m.a", literal.Int(1))))
			t.has("c/d", fields{"m": literal.Map(fields{"a": literal.Int(2), "b": literal.Int(2)})})
		},
	},
	{
		Name: "a transform through a value that is no map replaces it by a map",
		Run: func(t *T) {
			t.commit(t.set("c/d", fields{"a": literal.Str("x")}))
			t.commit(t.transform("c/d", literal.Increment("a.b", literal.Int(1))))
			t.has("c/d", fields{"a": literal.Map(fields{"b": literal.Int(1)})})
		},
	},
	{
		Name: "a write that has only transforms creates and changes documents",
		Page: "proto write.proto, Write.transform",
		Run: func(t *T) {
			for n := range int64(2) {
				res := t.commit(t.oldTransform("c/d", literal.Increment("a", literal.Int(1)), literal.Append("b", literal.Int(n))))
				t.is(literal.Int(n+1), res.WriteResults[0].TransformResults[0])
				t.is(literal.Null(), res.WriteResults[0].TransformResults[1])
			}
			t.has("c/d", fields{"a": literal.Int(2), "b": literal.Array(literal.Int(0), literal.Int(1))})
		},
	},
	{
		Name: "a write that has only transforms may require that the document exists",
		Page: "proto write.proto, Write.current_document",
		Run: func(t *T) {
			_, err := t.tryCommit(onlyIf(true, t.oldTransform("c/d", literal.Increment("a", literal.Int(1)))))
			t.fails(codes.NotFound, err)
		},
	},
	{
		Name: "a later write of a commit sees an earlier write's transforms",
		Page: "proto firestore.proto, CommitRequest.writes: in order",
		Run: func(t *T) {
			res := t.commit(t.transform("c/d", literal.Increment("a", literal.Int(1))), t.transform("c/d", literal.Increment("a", literal.Int(2))))
			t.is(literal.Int(1), res.WriteResults[0].TransformResults[0])
			t.is(literal.Int(3), res.WriteResults[1].TransformResults[0])
			t.has("c/d", fields{"a": literal.Int(3)})
		},
	},
	{
		Name: "a transform after a deletion in the same commit begins anew",
		Page: "proto firestore.proto, CommitRequest.writes: in order",
		Run: func(t *T) {
			t.commit(t.set("c/d", fields{"a": literal.Int(5), "b": literal.Int(1)}))
			t.commit(t.remove("c/d"), t.transform("c/d", literal.Increment("a", literal.Int(1))))
			t.has("c/d", fields{"a": literal.Int(1)})
		},
	},
	refusesTransform("an empty write of only transforms", "proto write.proto, DocumentTransform.field_transforms: must not be empty",
		func(t *T) *firestorepb.Write { return t.oldTransform("c/d") }),
	refusesTransform("a transform without a kind", "", func(t *T) *firestorepb.Write { return t.transform("c/d", &fieldTransform{FieldPath: "a"}) }),
	refusesTransform("a transform without a path", "", func(t *T) *firestorepb.Write { return t.transform("c/d", literal.Increment("", literal.Int(1))) }),
	refusesTransform("a transform of a path that is none", "", func(t *T) *firestorepb.Write { return t.transform("c/d", literal.Increment("a..b", literal.Int(1))) }),
	refusesTransform("a transform of a reserved field", "", func(t *T) *firestorepb.Write { return t.transform("c/d", literal.Increment("__a__", literal.Int(1))) }),
	refusesTransform("a transform of a path and of a path inside it", "",
		func(t *T) *firestorepb.Write {
			return t.transform("c/d", literal.Increment("a", literal.Int(1)), literal.Increment("a.b", literal.Int(1)))
		}),
	refusesTransform("a deletion with transforms", "proto write.proto, Write.update_transforms: only when the operation is update",
		func(t *T) *firestorepb.Write { return then(t.remove("c/d"), literal.Increment("a", literal.Int(1))) }),
}

// refusesTransform is the check that a write cannot be made.
func refusesTransform(what, page string, w func(t *T) *firestorepb.Write) Check {
	return Check{
		Name: what + " is refused",
		Page: page,
		Run: func(t *T) {
			_, err := t.tryCommit(w(t))
			t.fails(codes.InvalidArgument, err)
			require.Nil(t, t.get("c/d"))
		},
	}
}
