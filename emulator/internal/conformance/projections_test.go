package conformance

import (
	pb "cloud.google.com/go/firestore/apiv1/firestorepb"
	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/testing/protocmp"

	"hippocampus/emulator/internal/literal"
)

const projectionProto = queryProto + ".Projection"

// projectionCheck says which fields of a document a projection leaves.
func projectionCheck(name string, projection part, want fields) Check {
	return Check{Name: name, Page: projectionProto, Run: func(t *T) {
		t.store(docs{"c/a": projected()})
		found := t.results("", from("c", projection))
		require.Len(t, found, 1)
		require.Empty(t, cmp.Diff(want, found[0].GetFields(), protocmp.Transform()))
		require.Equal(t, t.Name("c/a"), found[0].GetName())
		full := t.get("c/a")
		require.Empty(t, cmp.Diff(full.GetUpdateTime(), found[0].GetUpdateTime(), protocmp.Transform()))
		require.Empty(t, cmp.Diff(full.GetCreateTime(), found[0].GetCreateTime(), protocmp.Transform()))
	}}
}

func projected() fields {
	return fields{
		"a": one, "b": literal.Array(literal.Map(fields{"x": one})), "m": literal.Map(fields{"x": one, "y": literal.Int(2), "n": literal.Map(fields{"z": one, "w": one})}),
		"m.x": literal.Int(9), "null": literal.Null(),
	}
}

// projections are about the fields that a query returns.
var projections = []Check{
	projectionCheck("a projection leaves its fields, the name and the times", only("a"), fields{"a": one}),
	projectionCheck("a projection of several fields", only("a", "null"), fields{"a": one, "null": literal.Null()}),
	differs(projectionCheck("a projection of nothing leaves everything", only(), projected()),
		"a projection of nothing leaves the name and the times", projectionCheck("", only(), nil).Run),
	projectionCheck("a projection of the name leaves no field", only("__name__"), nil),
	projectionCheck("a projection of the name and a field leaves the field", only("__name__", "a"), fields{"a": one}),
	projectionCheck("a projection of an absent field leaves no field", only("absent"), nil),
	projectionCheck("a projection goes into maps", only("m.x"), fields{"m": literal.Map(fields{"x": one})}),
	projectionCheck("projections of one map join", only("m.x", "m.n.z"), fields{"m": literal.Map(fields{"x": one, "n": literal.Map(fields{"z": one})})}),
	projectionCheck("a projection of a map leaves all of it", only("m"), fields{"m": projected()["m"]}),
	projectionCheck("a projection of an absent key leaves no map", only("m.absent"), nil),
	projectionCheck("a projection does not go into arrays", only("b.x"), nil),
	projectionCheck("a projection of a quoted field means the key as it is quoted", only("`m.x`"), fields{"m.x": literal.Int(9)}),
	projectionCheck("a projection of a field twice is one of it", only("a", "a"), fields{"a": one}),
	projectionCheck("a projection of a map and of its key is one of the map", only("m", "m.x"), fields{"m": projected()["m"]}),
	{
		Name: "a projection does not choose documents",
		Page: projectionProto,
		Run: func(t *T) {
			t.store(docs{"c/a": {"v": one}, "c/b": {"w": one}, "c/c": nil})
			t.finds(from("c", only("v")), "a", "b", "c")
		},
	},
	{
		Name: "a filter, an order and a cursor see fields that a projection drops",
		Page: queryProto,
		Run: func(t *T) {
			t.storeEach(one, literal.Int(3), literal.Int(2))
			t.finds(from("c", only("w"), where(v(">", one)), by("v desc"), startAfter(literal.Int(3))), "2")
		},
	},
	{
		Name: "a null projection leaves everything",
		Page: projectionProto,
		Run: func(t *T) {
			t.storeEach(one)
			q := from("c", func(q *pb.StructuredQuery) { q.Select = nil })
			found := t.results("", q)
			require.Len(t, found, 1)
			require.Len(t, found[0].GetFields(), 1)
		},
	},
}
