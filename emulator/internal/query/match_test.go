package query_test

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"testing"

	pb "cloud.google.com/go/firestore/apiv1/firestorepb"
	"github.com/stretchr/testify/require"

	"hippocampus/emulator/internal/literal"
	"hippocampus/emulator/internal/query"
	"hippocampus/emulator/internal/resource"
)

var db = resource.Database{Project: "p", ID: "(default)"}

// compile compiles a query on the root that must be right.
func compile(t *testing.T, text string) *query.Query {
	t.Helper()
	q, err := query.Compile(db, db.Root(), parse(t, db, text))
	require.NoError(t, err)
	return q
}

// values of the field a of the documents of a database, by their ids; "none" has no a.
var kinds = map[string]*pb.Value{
	"none": nil, "null": literal.Null(), "false": literal.Bool(false), "true": literal.Bool(true), "nan": literal.Double(math.NaN()), "0": literal.Int(0),
	"-0.0": literal.Double(math.Copysign(0, -1)), "1": literal.Int(1), "1.0": literal.Double(1), "2": literal.Int(2), "time": literal.Time(1, 0), "x": literal.Str("x"),
	"bytes": literal.Bytes("x"), "ref": literal.Ref(db.Name("c/x")), "point": literal.Geo(1, 1), "[]": literal.Array(), "[1]": literal.Array(literal.Int(1)),
	"[nan,null]": literal.Array(literal.Double(math.NaN()), literal.Null()), "vector": literal.Vector(1), "{}": literal.Map(nil), "{b:1}": literal.Map(map[string]*pb.Value{"b": literal.Int(1)}),
}

// found returns the ids of the documents that a query finds, sorted.
func found(t *testing.T, text string) string {
	t.Helper()
	q := compile(t, text)
	var ids []string
	for _, id := range slices.Sorted(maps.Keys(kinds)) {
		doc := &pb.Document{Name: db.Name("c") + "/" + id, Fields: map[string]*pb.Value{"z": literal.Int(1)}}
		if kinds[id] != nil {
			doc.Fields["a"] = kinds[id]
		}
		if q.Matches(resource.Path("c/"+id), doc) {
			ids = append(ids, id)
		}
	}
	return strings.Join(ids, " ")
}

// The official emulator finds the same: TestOfficial looks at many more.
func TestOperators(t *testing.T) {
	const notNull = "-0.0 0 1 1.0 2 [1] [] [nan,null] bytes false nan point ref time true vector x {b:1} {}"
	without := func(ids ...string) string {
		return strings.Join(slices.DeleteFunc(strings.Fields(notNull), func(id string) bool { return slices.Contains(ids, id) }), " ")
	}
	for _, test := range []struct{ name, filter, want string }{
		{"numbers are equal whatever their type", op("a", "EQUAL", one), "1 1.0"},
		{"zero has no sign", op("a", "EQUAL", "integer_value:0"), "-0.0 0"},
		{"null equals nothing", op("a", "EQUAL", "null_value:NULL_VALUE"), ""},
		{"NaN equals nothing", op("a", "EQUAL", "double_value:nan"), ""},
		{"null and NaN are equal in arrays", op("a", "EQUAL", list("double_value:nan", "null_value:NULL_VALUE")), "[nan,null]"},
		{"maps are compared whole", op("a", "EQUAL", `map_value{fields{key:"b" value{double_value:1}}}`), "{b:1}"},
		{"a field of a map", op("a.b", "EQUAL", one), "{b:1}"},
		{"a vector has no fields", op("a.value", "EQUAL", list("double_value:1")), ""},
		{"a vector", op("a", "EQUAL", vectorText(1, "double_value:1")), "vector"},
		{"unequal needs a value that is not null", op("a", "NOT_EQUAL", one), without("1", "1.0")},
		{"unequal to null is nothing", op("a", "NOT_EQUAL", "null_value:NULL_VALUE"), ""},
		{"unequal to NaN is all but null", op("a", "NOT_EQUAL", "double_value:nan"), notNull},
		{"less is of the same type", op("a", "LESS_THAN", "integer_value:2"), "-0.0 0 1 1.0"},
		{"less or equal", op("a", "LESS_THAN_OR_EQUAL", "integer_value:1"), "-0.0 0 1 1.0"},
		{"greater is of the same type", op("a", "GREATER_THAN", "double_value:1.0"), "2"},
		{"greater or equal", op("a", "GREATER_THAN_OR_EQUAL", "double_value:1.0"), "1 1.0 2"},
		{"greater than the least string", op("a", "GREATER_THAN_OR_EQUAL", `string_value:""`), "x"},
		{"booleans", op("a", "GREATER_THAN", "boolean_value:false"), "true"},
		{"arrays", op("a", "GREATER_THAN", "array_value{}"), "[1] [nan,null]"},
		{"maps are not vectors", op("a", "GREATER_THAN_OR_EQUAL", "map_value{}"), "{b:1} {}"},
		{"no range of null", op("a", "GREATER_THAN_OR_EQUAL", "null_value:NULL_VALUE"), ""},
		{"no range of NaN", op("a", "LESS_THAN_OR_EQUAL", "double_value:nan"), ""},
		{"in", op("a", "IN", list("double_value:0", `string_value:"x"`, "null_value:NULL_VALUE", "double_value:nan")), "-0.0 0 x"},
		{"not in", op("a", "NOT_IN", list("double_value:0", `string_value:"x"`, "double_value:nan")), without("-0.0", "0", "x")},
		{"not in a list with null is nothing", op("a", "NOT_IN", list(one, "null_value:NULL_VALUE")), ""},
		{"contains", op("a", "ARRAY_CONTAINS", "double_value:1"), "[1]"},
		{"contains no null", op("a", "ARRAY_CONTAINS", "null_value:NULL_VALUE"), ""},
		{"contains no NaN", op("a", "ARRAY_CONTAINS", "double_value:nan"), ""},
		{"contains any", op("a", "ARRAY_CONTAINS_ANY", numbers(2)), "[1]"},
		{"is null", is("a", "IS_NULL"), "null"},
		{"is NaN", is("a", "IS_NAN"), "nan"},
		{"is not null", is("a", "IS_NOT_NULL"), notNull},
		{"is not NaN", is("a", "IS_NOT_NAN"), without("nan")},
		{"and", and(op("a", "GREATER_THAN", "integer_value:0"), op("a", "LESS_THAN", "integer_value:2")), "1 1.0"},
		{"ranges of two types", and(op("a", "GREATER_THAN", "integer_value:0"), op("a", "LESS_THAN", `string_value:"z"`)), ""},
		{"or", or(is("a", "IS_NULL"), op("a", "EQUAL", "boolean_value:true")), "null true"},
		{"or of and", or(and(op("a", "EQUAL", one), op("z", "EQUAL", "integer_value:2")), and(is("a", "IS_NULL"), op("z", "EQUAL", one))), "null"},
		{"and of or", and(or(op("a", "EQUAL", one), is("a", "IS_NULL")), or(op("z", "EQUAL", "integer_value:2"), is("a", "IS_NAN"), op("a", "IN", numbers(2)))), "1 1.0"},
		{"an inequality in OR orders all", or(op("a", "GREATER_THAN", `string_value:""`), op("z", "EQUAL", one)), "-0.0 0 1 1.0 2 [1] [] [nan,null] bytes false nan null point ref time true vector x {b:1} {}"},
		{"name", op("__name__", "EQUAL", `reference_value:"ROOT/c/true"`), "true"},
		{"names less", op("__name__", "LESS_THAN", `reference_value:"ROOT/c/1"`), "-0.0 0"},
		{"names less than a deeper one", op("__name__", "LESS_THAN", `reference_value:"ROOT/c/1/a/b"`), "-0.0 0 1"},
		{"names from another collection", op("__name__", "GREATER_THAN", `reference_value:"ROOT/d/1"`), ""},
		{"names in", op("__name__", "IN", list(`reference_value:"ROOT/c/true"`, `reference_value:"ROOT/d/x"`)), "true"},
		{"names not in", and(op("__name__", "NOT_IN", list(`reference_value:"ROOT/c/x"`)), op("__name__", "GREATER_THAN", `reference_value:"ROOT/c/vector"`)), "{b:1} {}"},
		{"another name", and(op("__name__", "NOT_EQUAL", `reference_value:"ROOT/c/x"`), op("__name__", "GREATER_THAN", `reference_value:"ROOT/c/vector"`)), "{b:1} {}"},
	} {
		t.Run(test.name, func(t *testing.T) { require.Equal(t, test.want, found(t, on(test.filter))) })
	}
}

func TestOrderedFieldsMustExist(t *testing.T) {
	require.Equal(t, "{b:1}", found(t, c(by("a.b", "ASCENDING"))))
	require.Equal(t, "", found(t, c(by("z", "ASCENDING")+by("y", "ASCENDING"))))
	require.Equal(t, "", found(t, c(by("a.value", "ASCENDING"))), "a vector has no fields")
}

func TestMatchingAllocatesNothing(t *testing.T) {
	q := compile(t, on(and(op("a", "GREATER_THAN", one), or(op("m.b", "IN", numbers(3)), op("arr", "ARRAY_CONTAINS", one), is("z", "IS_NULL")),
		op("__name__", "GREATER_THAN", ref)))+by("a", "DESCENDING")+by("m.b", "ASCENDING")+
		by("__name__", "ASCENDING")+"start_at{"+values("integer_value:9", one, ref)+"} end_at{"+values(one)+"}")
	doc := func(id string) *pb.Document {
		return &pb.Document{Name: db.Name("c") + "/" + id, Fields: map[string]*pb.Value{
			"a": literal.Int(5), "m": literal.Map(map[string]*pb.Value{"b": literal.Int(2)}), "arr": literal.Array(literal.Int(7)),
		}}
	}
	x, y := doc("x"), doc("y")
	require.True(t, q.Matches("c/x", x))
	require.Equal(t, -1, q.Compare(x, y))
	require.Zero(t, testing.AllocsPerRun(100, func() {
		q.In("c/x")
		q.Matches("c/x", x)
		q.Compare(x, y)
	}))
}

func TestIn(t *testing.T) {
	for _, test := range []struct {
		parent, from string
		in, out      []resource.Path
	}{
		{"", `from{collection_id:"c"}`, []resource.Path{"c/x"}, []resource.Path{"d/x", "c/x/c/y", "d/x/c/y"}},
		{"", `from{collection_id:"c" all_descendants:true}`, []resource.Path{"c/x", "c/x/c/y", "d/x/c/y"}, []resource.Path{"d/x", "c/x/d/y"}},
		{"", "", []resource.Path{"c/x", "d/x"}, []resource.Path{"c/x/c/y"}},
		{"", "from{}", []resource.Path{"c/x", "d/x"}, []resource.Path{"c/x/c/y"}},
		{"", "from{all_descendants:true}", []resource.Path{"c/x", "d/x/c/y/e/z"}, nil},
		{"c/x", `from{collection_id:"c"}`, []resource.Path{"c/x/c/y"}, []resource.Path{"c/x", "c/xx/c/y", "c/x/c/y/c/z", "c/x/d/y"}},
		{"c/x", `from{collection_id:"c" all_descendants:true}`, []resource.Path{"c/x/c/y", "c/x/d/y/c/z"}, []resource.Path{"c/x", "c/xx/c/y", "d/x/c/y"}},
		{"c/x", "from{all_descendants:true}", []resource.Path{"c/x/c/y", "c/x/d/y/c/z"}, []resource.Path{"c/x", "c/xx/c/y"}},
	} {
		q, err := query.Compile(db, db.Name(resource.Path(test.parent)), parse(t, db, test.from))
		require.NoError(t, err)
		for _, p := range test.in {
			require.True(t, q.In(p), fmt.Sprint(test, p))
		}
		for _, p := range test.out {
			require.False(t, q.In(p), fmt.Sprint(test, p))
		}
	}
}
