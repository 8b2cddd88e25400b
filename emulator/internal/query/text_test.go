package query_test

import (
	"fmt"
	"strings"
	"testing"

	pb "cloud.google.com/go/firestore/apiv1/firestorepb"
	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/encoding/prototext"

	"hippocampus/emulator/internal/resource"
)

// Queries in text format. ROOT is the name of the database's root.

// c is a query on collection c.
func c(rest string) string { return `from{collection_id:"c"} ` + rest }

// on is a query on collection c with a filter.
func on(filter string) string { return c("where{" + filter + "} ") }

func op(path, op, v string) string {
	return fmt.Sprintf("field_filter{field{field_path:%q} op:%s value{%s}}", path, op, v)
}

func is(path, op string) string {
	return fmt.Sprintf("unary_filter{field{field_path:%q} op:%s}", path, op)
}

func and(filters ...string) string { return compositeText("AND", filters) }
func or(filters ...string) string  { return compositeText("OR", filters) }

func compositeText(op string, filters []string) string {
	return "composite_filter{op:" + op + " filters{" + strings.Join(filters, "} filters{") + "}}"
}

func by(path, direction string) string {
	return fmt.Sprintf("order_by{field{field_path:%q} direction:%s} ", path, direction)
}

func values(v ...string) string { return "values{" + strings.Join(v, "} values{") + "}" }
func list(v ...string) string   { return "array_value{" + values(v...) + "}" }

// numbers is a list of n different values.
func numbers(n int) string {
	v := make([]string, n)
	for i := range v {
		v[i] = fmt.Sprintf("integer_value:%d", i)
	}
	return list(v...)
}

// filters are n on different fields.
func filters(n int, o string) []string {
	f := make([]string, n)
	for i := range f {
		f[i] = op(fmt.Sprintf("f%d", i), o, one)
	}
	return f
}

const (
	one = "integer_value:1"
	ref = `reference_value:"ROOT/c/d"`
)

func vectorText(n int, v string) string {
	return `map_value{fields{key:"__type__" value{string_value:"__vector__"}} fields{key:"value" value{array_value{` +
		strings.Repeat("values{"+v+"}", n) + "}}}}"
}

// ors are n/2 filters, each of two.
func ors(n int) []string {
	f := filters(n, "EQUAL")
	for i := range n / 2 {
		f[i] = or(f[i], f[n-1-i])
	}
	return f[:n/2]
}

func orders(n int) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(by(fmt.Sprintf("f%d", i), "ASCENDING"))
	}
	return b.String()
}

func parse(t *testing.T, db resource.Database, text string) *pb.StructuredQuery {
	q := &pb.StructuredQuery{}
	require.NoError(t, prototext.Unmarshal([]byte(strings.ReplaceAll(text, "ROOT", db.Root())), q))
	return q
}
