package conformance

import (
	"fmt"
	"strings"

	pb "cloud.google.com/go/firestore/apiv1/firestorepb"
	"github.com/stretchr/testify/require"
	"google.golang.org/grpc/codes"

	"hippocampus/emulator/internal/literal"
)

// longPage says that values of more than 1,500 bytes are cut in indexes.
const longPage = "firestore/quotas, indexes"

// long is n times a letter, and then an end.
func long(n int, end string) string { return strings.Repeat("a", n) + end }

// longTies checks that values that differ after a number of bytes are in the order of their names,
// and smaller ones in their own.
func longTies(name string, value func(s string) *pb.Value) Check {
	return Check{Name: name, Page: longPage, Run: func(t *T) {
		t.store(docs{"c/1": {"v": value(long(1600, "b"))}, "c/2": {"v": value(long(1600, "a"))}})
		t.finds(from("c", by("v")), "1", "2")
		t.finds(from("c", by("v desc")), "2", "1")
		t.store(docs{"d/1": {"v": value(long(1400, "b"))}, "d/2": {"v": value(long(1400, "a"))}})
		t.finds(from("d", by("v")), "2", "1")
	}}
}

// longRefused checks that a filter by a value of that many bytes is refused, and by a smaller one
// taken.
func longRefused(name string, filter func(s string) *pb.StructuredQuery_Filter) Check {
	return Check{Name: name, Run: func(t *T) {
		t.storeEach(one)
		_, err := t.query("", from("c", where(filter(long(1400, "")))))
		require.NoError(t, err)
		t.refuses(codes.InvalidArgument, from("c", where(filter(long(1600, "")))))
	}}
}

func longArray(s string) *pb.Value { return literal.Array(literal.Str(s)) }

func longMap(s string) *pb.Value { return literal.Map(fields{"x": literal.Str(s)}) }

// longValues are about values of more than 1,500 bytes in queries, and about queries of many parts.
var longValues = []Check{
	longTies("strings are ordered by their first 1,500 bytes", literal.Str),
	longTies("bytes are ordered by their first 1,500", literal.Bytes),
	longTies("an array is ordered by the first 1,500 bytes of its string", longArray),
	longTies("a map is ordered by the first 1,500 bytes of its string", longMap),
	longRefused("== with a longer string is refused", func(s string) *pb.StructuredQuery_Filter { return v("==", literal.Str(s)) }),
	longRefused("> of longer bytes is refused", func(s string) *pb.StructuredQuery_Filter { return v(">", literal.Bytes(s)) }),
	longRefused("!= with a longer string is refused", func(s string) *pb.StructuredQuery_Filter { return v("!=", literal.Str(s)) }),
	longRefused("in with a longer string is refused", func(s string) *pb.StructuredQuery_Filter { return v("in", literal.Array(one, literal.Str(s))) }),
	longRefused("array-contains of a longer string is refused", func(s string) *pb.StructuredQuery_Filter { return v("array-contains", literal.Str(s)) }),
	longRefused("== with an array of a longer string is refused", func(s string) *pb.StructuredQuery_Filter { return v("==", longArray(s)) }),
	longRefused("== with a map of a longer string is refused", func(s string) *pb.StructuredQuery_Filter { return v("==", longMap(s)) }),
	{
		Name: "a cursor of a longer string is taken",
		Run: func(t *T) {
			t.storeEach(literal.Str("a"), literal.Str("b"))
			t.finds(from("c", by("v"), startAt(literal.Str(long(1600, "")))), "1")
		},
	},
	{
		Name: "a longer string is found by what it begins with",
		Page: longPage,
		Run: func(t *T) {
			t.storeEach(literal.Str(long(5000, "")), literal.Str("b"))
			t.matches(and(v(">=", literal.Str(long(1000, ""))), v("<", literal.Str(long(1000, "b")))), "0")
		},
	},
	{
		Name: "a longer string is not equal to its beginning",
		Page: longPage,
		Run: func(t *T) {
			t.storeEach(literal.Str(long(5000, "")), literal.Str(long(1400, "")))
			t.matches(v("==", literal.Str(long(1400, ""))), "1")
		},
	},
	{
		Name: "100 filters and orders are taken and 101 refused",
		Page: filterPage,
		Run: func(t *T) {
			f := fields{}
			for i := range 101 {
				f[fmt.Sprint("f", i)] = one
			}
			t.store(docs{"c/a": f})
			t.finds(from("c", where(and(equalities(100)...))), "a")
			t.refuses(codes.InvalidArgument, from("c", where(and(equalities(101)...))))
			t.finds(from("c", where(and(equalities(99)...)), by("f100")), "a")
			t.refuses(codes.InvalidArgument, from("c", where(and(equalities(100)...)), by("f100")))
		},
	},
	{
		Name: "a parent counts among 100 filters and orders",
		Page: filterPage,
		Run: func(t *T) {
			f := fields{}
			for i := range 100 {
				f[fmt.Sprint("f", i)] = one
			}
			t.store(docs{"p/x/c/a": f})
			t.findsIn("p/x", from("c", where(and(equalities(99)...))), "a")
			_, err := t.query("p/x", from("c", where(and(equalities(100)...))))
			t.fails(codes.InvalidArgument, err)
		},
	},
}

// equalities are filters of different fields by 1.
func equalities(n int) []*pb.StructuredQuery_Filter {
	var filters []*pb.StructuredQuery_Filter
	for i := range n {
		filters = append(filters, is(fmt.Sprint("f", i), 1))
	}
	return filters
}
