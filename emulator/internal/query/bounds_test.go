package query_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"hippocampus/emulator/internal/query"
)

func TestBounds(t *testing.T) {
	show := func(b *query.Bound, inclusive, exclusive string) string {
		if b == nil {
			return "-"
		}
		v := "?"
		switch {
		case b.Value.GetStringValue() != "":
			v = b.Value.GetStringValue()
		case b.Value.GetReferenceValue() != "":
			v = b.Value.GetReferenceValue()[len(db.Root())+1:]
		default:
			v = fmt.Sprint(b.Value.GetIntegerValue(), b.Value.GetDoubleValue())
		}
		if b.Inclusive {
			return inclusive + v
		}
		return exclusive + v
	}
	above := func(v string) string { return op("a", "GREATER_THAN", v) }
	below := func(v string) string { return op("a", "LESS_THAN_OR_EQUAL", v) }
	const two, nine = "integer_value:2", "integer_value:9"
	for _, test := range []struct{ name, query, lower, upper string }{
		{"none", c(by("a", "ASCENDING")), "-", "-"},
		{"both", on(and(above(two), below(nine))), ">2 0", "<=9 0"},
		{"the tighter of two", on(and(above(one), above(two), below(nine), op("a", "LESS_THAN", nine))), ">2 0", "<9 0"},
		{"the type ends a range", on(above(two)), ">2 0", "<0 0"}, // the least timestamp
		{"the type begins a range", on(below(two)), ">=0 -Inf", "<=2 0"},
		{"an equality", on(op("a", "EQUAL", two)) + by("a", "ASCENDING"), ">=2 0", "<=2 0"},
		{"a list", on(op("a", "IN", list(nine, two, `string_value:"x"`))) + by("a", "DESCENDING"), ">=2 0", "<=x"},
		{"of the first order only", on(above(two)) + by("b", "ASCENDING"), "-", "-"},
		{"not in OR", on(or(above(two), op("b", "EQUAL", one))), "-", "-"},
		{"a cursor", c(by("a", "ASCENDING")) + "start_at{" + values(two) + "} end_at{" + values(nine) + "}", ">2 0", "<=9 0"},
		{"a cursor before", c(by("a", "ASCENDING")) + "start_at{" + values(two) + " before:true} end_at{" + values(nine) + " before:true}", ">=2 0", "<9 0"},
		{"a cursor when descending", c(by("a", "DESCENDING")) + "start_at{" + values(nine) + "} end_at{" + values(two) + "}", ">=2 0", "<9 0"},
		{"a cursor of two values", c(by("a", "ASCENDING")+by("b", "ASCENDING")) + "start_at{" + values(two, one) + "} end_at{" + values(nine, one) + " before:true}", ">=2 0", "<=9 0"},
		{"a cursor without values", c(by("a", "ASCENDING")) + "start_at{}", "-", "-"},
		{"a cursor and a filter", on(and(above(one), below(nine))) + by("a", "ASCENDING") + "start_at{" + values(two) + "}", ">2 0", "<=9 0"},
		{"names", on(and(op("__name__", "GREATER_THAN", ref), op("__name__", "LESS_THAN_OR_EQUAL", `reference_value:"ROOT/c/e"`))), ">c/d", "<=c/e"},
		{"a name", on(op("__name__", "EQUAL", ref)), ">=c/d", "<=c/d"},
		{"names of a list", on(op("__name__", "IN", list(`reference_value:"ROOT/c/e"`, ref))), ">=c/d", "<=c/e"},
	} {
		t.Run(test.name, func(t *testing.T) {
			q := compile(t, test.query)
			require.Equal(t, test.lower, show(q.Lower, ">=", ">"))
			require.Equal(t, test.upper, show(q.Upper, "<=", "<"))
		})
	}
}

func TestEqualities(t *testing.T) {
	for _, test := range []struct{ name, filter, want string }{
		{"one", op("a", "EQUAL", one), "a"},
		{"several", and(op("a", "EQUAL", one), and(op("b.c", "IN", list(one)), is("d", "IS_NULL"), is("e", "IS_NAN"))), "a b.c d e"},
		{"one beside OR", and(op("a", "EQUAL", one), or(op("b", "EQUAL", one), op("c", "EQUAL", one))), "a"},
		{"an OR of one", or(op("a", "EQUAL", one)), "a"},
		{"none in OR", or(op("a", "EQUAL", one), op("b", "EQUAL", one)), ""},
		{"none of names", op("__name__", "EQUAL", ref), ""},
		{"none of others", and(op("a", "IN", numbers(2)), op("b", "ARRAY_CONTAINS", one), op("c", "GREATER_THAN", one)), ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			got := ""
			for i, e := range compile(t, on(test.filter)).Equal {
				if i > 0 {
					got += " "
				}
				got += e.Field.String()
				require.NotNil(t, e.Value)
			}
			require.Equal(t, test.want, got)
		})
	}
}
