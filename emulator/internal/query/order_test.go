package query_test

import (
	"slices"
	"strings"
	"testing"

	pb "cloud.google.com/go/firestore/apiv1/firestorepb"
	"github.com/stretchr/testify/require"

	"hippocampus/emulator/internal/literal"
)

func TestImpliedOrders(t *testing.T) {
	greater := func(path string) string { return op(path, "GREATER_THAN", one) }
	named := op("__name__", "GREATER_THAN", ref)
	for _, test := range []struct{ name, query, want string }{
		{"none given", c(""), "__name__"},
		{"a field", c(by("a", "ASCENDING")), "a __name__"},
		{"the direction is ascending", c(by("a", "DIRECTION_UNSPECIFIED")), "a __name__"},
		{"the name follows the direction", c(by("a", "DESCENDING")), "-a -__name__"},
		{"the name follows the last direction", c(by("a", "DESCENDING") + by("b", "ASCENDING")), "-a b __name__"},
		{"the name is given", c(by("a", "DESCENDING") + by("__name__", "ASCENDING")), "-a __name__"},
		{"an inequality", on(greater("a")), "a __name__"},
		{"an equality implies none", on(op("a", "EQUAL", one)), "__name__"},
		{"a list implies none", on(op("a", "IN", numbers(2))), "__name__"},
		{"an array implies none", on(op("a", "ARRAY_CONTAINS", one)), "__name__"},
		{"NOT_EQUAL", on(op("a", "NOT_EQUAL", one)), "a __name__"},
		{"NOT_IN", on(op("a", "NOT_IN", numbers(2))), "a __name__"},
		{"IS_NOT_NULL", on(is("a", "IS_NOT_NULL")), "a __name__"},
		{"IS_NOT_NAN", on(is("a", "IS_NOT_NAN")), "a __name__"},
		{"IS_NULL implies none", on(is("a", "IS_NULL")), "__name__"},
		{"a range of nothing implies none", on(op("a", "LESS_THAN", "null_value:NULL_VALUE")), "__name__"},
		{"inequalities in the order of fields", on(and(greater("b"), greater("`a-b`"), greater("a.c"), greater("B"), greater("a"))), "B a a.c `a-b` b __name__"},
		{"those not given follow the given", on(and(greater("b"), greater("a"), greater("c"))) + by("b", "DESCENDING"), "-b -a -c -__name__"},
		{"given orders may be of other fields", on(greater("a")) + by("z", "DESCENDING"), "-z -a -__name__"},
		{"inequalities in OR", on(or(greater("b"), op("a", "EQUAL", one))), "b __name__"},
		{"an inequality of the name", on(named), "__name__"},
		{"inequalities of the name and a field", on(and(named, greater("a"))), "a __name__"},
	} {
		t.Run(test.name, func(t *testing.T) {
			var got []string
			for _, o := range compile(t, test.query).Orders {
				name := o.Field.String()
				if o.Name {
					require.Nil(t, o.Field)
					name = "__name__"
				}
				if o.Descending {
					name = "-" + name
				}
				got = append(got, name)
			}
			require.Equal(t, test.want, strings.Join(got, " "))
		})
	}
}

func TestCompare(t *testing.T) {
	doc := func(name string, a, b *pb.Value) *pb.Document {
		return &pb.Document{Name: db.Name("c") + "/" + name, Fields: map[string]*pb.Value{"a": a, "b": b}}
	}
	docs := []*pb.Document{
		doc("1", literal.Int(1), literal.Str("x")), doc("2", literal.Double(1), literal.Str("y")), doc("3", literal.Str("a"), literal.Null()), doc("4", literal.Int(2), literal.Str("x")),
		doc("__id10__", literal.Int(1), literal.Str("x")), doc("__id9__", literal.Int(1), literal.Str("x")),
	}
	for text, want := range map[string]string{
		c(""): "__id9__ __id10__ 1 2 3 4",
		c(by("a", "ASCENDING") + by("b", "DESCENDING")):                                "2 1 __id10__ __id9__ 4 3",
		c(by("a", "DESCENDING") + by("b", "ASCENDING")):                                "3 4 __id9__ __id10__ 1 2",
		c(by("b", "ASCENDING")):                                                        "3 __id9__ __id10__ 1 4 2",
		c(by("a", "DESCENDING") + by("b", "ASCENDING") + by("__name__", "DESCENDING")): "3 4 1 __id10__ __id9__ 2",
	} {
		got := slices.SortedFunc(slices.Values(docs), compile(t, text).Compare)
		var ids []string
		for _, d := range got {
			ids = append(ids, d.GetName()[len(db.Name("c"))+1:])
		}
		require.Equal(t, want, strings.Join(ids, " "), text)
	}
}

func TestCursors(t *testing.T) {
	at := func(what, before string, v ...string) string { return what + "{" + values(v...) + before + "} " }
	const before, after = " before:true", ""
	a := by("a", "ASCENDING")
	numbersOnly := on(op("a", "GREATER_THAN", "integer_value:-5")) + a
	for _, test := range []struct{ name, query, want string }{
		{"start at", numbersOnly + at("start_at", before, one), "1 1.0 2"},
		{"start after", numbersOnly + at("start_at", after, one), "2"},
		{"end at", numbersOnly + at("end_at", after, "double_value:1"), "-0.0 0 1 1.0"},
		{"end before", numbersOnly + at("end_at", before, one), "-0.0 0"},
		{"between", numbersOnly + at("start_at", before, one) + at("end_at", before, "integer_value:2"), "1 1.0"},
		{"from another type", c(a) + at("start_at", before, `map_value{}`), "{b:1} {}"},
		{"from null", c(a) + at("end_at", after, "null_value:NULL_VALUE"), "null"},
		{"to NaN", c(a) + at("end_at", after, "double_value:nan"), "false nan null true"},
		{"with a name", c(a+by("__name__", "ASCENDING")) + at("start_at", after, one, `reference_value:"ROOT/c/1"`) + at("end_at", after, "integer_value:2"), "1.0 2"},
		{"descending", on(op("a", "GREATER_THAN", "integer_value:-5")) + by("a", "DESCENDING") + at("start_at", after, one), "-0.0 0"},
		{"descending, ascending by name", on(op("a", "EQUAL", one)) + by("a", "DESCENDING") + by("__name__", "ASCENDING") + at("start_at", after, one, `reference_value:"ROOT/c/1"`), "1.0"},
		{"names", c(by("__name__", "ASCENDING")) + at("start_at", before, `reference_value:"ROOT/c/x"`), "x {b:1} {}"},
		{"names of a deeper document", c(by("__name__", "ASCENDING")) + at("start_at", before, `reference_value:"ROOT/c/x/a/b"`), "{b:1} {}"},
		{"names of a collection before", c(by("__name__", "ASCENDING")) + at("end_at", before, `reference_value:"ROOT/b/x"`), ""},
		{"no values, before all", numbersOnly + "start_at{before:true}", "-0.0 0 1 1.0 2"},
		{"no values, after all", numbersOnly + "start_at{}", ""},
		{"no values, ending before all", numbersOnly + "end_at{before:true}", ""},
		{"no values, ending after all", numbersOnly + "end_at{}", "-0.0 0 1 1.0 2"},
	} {
		t.Run(test.name, func(t *testing.T) { require.Equal(t, test.want, found(t, test.query)) })
	}
}

func TestOffsetAndLimit(t *testing.T) {
	q := compile(t, c(""))
	require.Equal(t, []int{0, -1}, []int{q.Offset, q.Limit})
	q = compile(t, c("offset:7 limit{}"))
	require.Equal(t, []int{7, 0}, []int{q.Offset, q.Limit})
	q = compile(t, c("limit{value:3}"))
	require.Equal(t, []int{0, 3}, []int{q.Offset, q.Limit})
}

// Fields are ordered name by name, not as text: "a.c" is before "`a-b`", though "-" is before ".".
func TestImpliedOrdersOfTheOfficialEmulator(t *testing.T) {
	o := startOfficial(t)
	doc := func(id string, inner, other int64) *pb.Document {
		return &pb.Document{Name: o.db.Name("c") + "/" + id, Fields: map[string]*pb.Value{
			"a": literal.Map(map[string]*pb.Value{"c": literal.Int(inner)}), "a-b": literal.Int(other),
		}}
	}
	docs := []*pb.Document{doc("x", 2, 1), doc("y", 1, 2)}
	o.store(t, docs)
	q := parse(t, o.db, on(and(op("`a-b`", "GREATER_THAN", "integer_value:0"), op("a.c", "GREATER_THAN", "integer_value:0"))))
	want, err := o.run(t.Context(), o.db.Root(), q)
	require.NoError(t, err)
	got, err := run(o.db, o.db.Root(), docs, q)
	require.NoError(t, err)
	for i, id := range []string{"y", "x"} {
		require.Equal(t, o.db.Name("c")+"/"+id, want[i].GetName(), "the official emulator")
		require.Equal(t, o.db.Name("c")+"/"+id, got[i].GetName())
	}
}
