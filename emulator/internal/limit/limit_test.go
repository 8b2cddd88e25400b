package limit_test

import (
	"fmt"
	"strings"
	"testing"

	pb "cloud.google.com/go/firestore/apiv1/firestorepb"
	"github.com/stretchr/testify/require"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"

	"hippocampus/emulator/internal/limit"
	"hippocampus/emulator/internal/literal"
	"hippocampus/emulator/internal/resource"
)

func x(n int) string { return strings.Repeat("x", n) }

// refused checks that err says what is over its limit, and the limit.
func refused(t *testing.T, err error, says string) {
	t.Helper()
	require.Equal(t, codes.InvalidArgument, status.Code(err), "%v", err)
	require.Contains(t, err.Error(), says)
	require.Less(t, len(err.Error()), 400)
}

func TestPaths(t *testing.T) {
	long := x(1500)
	for _, p := range []string{
		"c/d", "c/" + long, long + "/d", strings.TrimSuffix(strings.Repeat("a/b/", 100), "/"),
		long + "/" + long + "/" + long + "/" + long + "/a/" + x(6144-16-4*1501-2-1), // 6 KiB in all
	} {
		require.NoError(t, limit.CheckPath(resource.Path(p)))
	}
	refused(t, limit.CheckPath(resource.Path("c/"+long+"x")), "1500")
	refused(t, limit.CheckPath(resource.Path("c/é"+x(1499))), "1500")
	refused(t, limit.CheckPath(resource.Path(long+"x/d")), "1500")
	refused(t, limit.CheckPath(resource.Path(strings.TrimSuffix(strings.Repeat("a/b/", 101), "/"))), "100")
	refused(t, limit.CheckPath(resource.Path(long+"/"+long+"/"+long+"/"+long+"/a/"+x(6144-16-4*1501-2))), "6144")
}

// boundaries are documents that are just within a limit, and just over it. The official emulator
// draws the same line.
func boundaries() map[string]struct {
	within, over fields
	says         string
} {
	field := func(name string, v *pb.Value) fields { return fields{name: v} }
	ints := func(n int) *pb.Value {
		values := make([]*pb.Value, n)
		for i := range values {
			values[i] = literal.Int(1)
		}
		return literal.Array(values...)
	}
	mixed := func(n int) fields {
		return fields{
			"n": literal.Null(), "b": literal.Bool(true), "i": literal.Int(1), "d": literal.Double(1), "t": literal.Time(1, 0), "s": literal.Str("é"), "y": literal.Bytes("abc"), "r": ref("a/b/c/d"),
			"g": literal.Geo(1, 0), "a": literal.Array(literal.Str("ab"), literal.Int(1)), "v": literal.Vector(1, 2, 3),
			"S": literal.Str(x(1 << 19)), "z": literal.Bytes(x(n)),
		}
	}
	// The sizes of mixed's names and values, but for those of S and z.
	const name, values, rest = 2 + 2 + 16, 1 + 1 + 8 + 8 + 8 + 3 + 3 + (16 + 8) + 16 + (3 + 8) + 24, 13*2 + 32
	room := 1<<20 - name - values - rest - (1<<19 + 1)
	return map[string]struct {
		within, over fields
		says         string
	}{
		"a field's name":           {field(x(1500), literal.Null()), field(x(1501), literal.Null()), "1500"},
		"a path":                   {field("m", literal.Map(fields{x(1498): literal.Null()})), field("m", literal.Map(fields{x(1499): literal.Null()})), "1500"},
		"a path that needs quotes": {field("m", literal.Map(fields{"-" + x(1497): literal.Null()})), field("m", literal.Map(fields{"-" + x(1498): literal.Null()})), "1500"},
		"a deep path":              {field("m", literal.Map(fields{x(500): literal.Map(fields{x(997): literal.Null()})})), field("m", literal.Map(fields{x(500): literal.Map(fields{x(998): literal.Null()})})), "1500"},
		"a path in an array":       {field("m", literal.Array(literal.Map(fields{x(1498): literal.Null()}))), field("m", literal.Array(literal.Map(fields{x(1499): literal.Null()}))), "1500"},
		"maps in each other":       {field("v", deep(20, literal.Null())), field("v", deep(21, literal.Null())), "20"},
		"maps with an array":       {field("v", deep(19, literal.Array(literal.Null()))), field("v", deep(20, literal.Array(literal.Null()))), "20"},
		"maps with an empty map":   {field("v", deep(19, literal.Map(nil))), field("v", deep(20, literal.Map(nil))), "20"},
		"maps with a vector":       {field("v", deep(20, literal.Vector(1))), field("v", deep(21, literal.Vector(1))), "20"},
		"maps with an empty array": {field("v", deep(20, literal.Array())), field("v", deep(21, literal.Array())), "20"},
		"a string":                 {field("v", literal.Str(x(1048487))), field("v", literal.Str(x(1048488))), "1048487"},
		"bytes":                    {field("v", literal.Bytes(x(1048487))), field("v", literal.Bytes(x(1048488))), "1048487"},
		"a string in a map":        {field("v", literal.Map(fields{"a": literal.Str(x(1048487))})), field("v", literal.Map(fields{"a": literal.Str(x(1048488))})), "1048487"},
		"a string in an array":     {field("v", literal.Array(literal.Str(x(1048487)))), field("v", literal.Array(literal.Str(x(1048488)))), "1048487"},
		"a reference's id":         {field("v", ref("c/"+x(1500))), field("v", ref("c/"+x(1501))), "1500"},
		"a document of integers":   {field("v", ints(131065)), field("v", ints(131066)), "1048576"},
		"a document of every type": {mixed(room), mixed(room + 1), "1048576"},
	}
}

// exempt has no indexes, so that only other limits count.
func exempt(t *testing.T) *limit.Indexes {
	ix, err := limit.ParseIndexes([]byte(`{"fieldOverrides": [{"collectionGroup": "c", "fieldPath": "*", "indexes": []}]}`))
	require.NoError(t, err)
	return ix
}

func TestDocuments(t *testing.T) {
	for name, b := range boundaries() {
		t.Run(name, func(t *testing.T) {
			require.NoError(t, limit.CheckDocument("c/d", document(b.within), exempt(t)))
			refused(t, limit.CheckDocument("c/d", document(b.over), exempt(t)), b.says)
		})
	}
}

// The examples of firebase.google.com/docs/firestore/storage-size.
func TestSizesOfTheDocumentation(t *testing.T) {
	const task = "users/jeff/tasks/my_task_id"
	require.Equal(t, 44+32, limit.DocumentSize(task, document(nil)))
	require.Equal(t, 147, limit.DocumentSize(task, document(fields{
		"type": literal.Str("Personal"), "done": literal.Bool(false), "priority": literal.Int(1), "description": literal.Str("Learn Cloud Firestore"),
	})))
	require.Equal(t, 5+8+16+32, limit.DocumentSize("Task/__id5629499534213120__", document(nil)))
}

func TestSizesOfValues(t *testing.T) {
	empty := limit.DocumentSize("c/d", document(nil))
	for want, values := range map[int][]*pb.Value{
		0:           {literal.Array(), literal.Bytes("")},
		1:           {literal.Null(), literal.Bool(true), literal.Str(""), literal.Bytes("x"), literal.Array(literal.Null())},
		3:           {literal.Str("é"), literal.Bytes("abc"), literal.Array(literal.Null(), literal.Str("a"))},
		8:           {literal.Int(1), literal.Double(1), literal.Time(1, 0), literal.Vector(1)},
		16:          {literal.Geo(1, 0), literal.Array(literal.Int(1), literal.Int(2)), literal.Vector(1, 2)},
		16 + 4:      {ref("a/b")},
		16 + 8:      {ref("a/b/c/d"), literal.Vector(1, 2, 3)},
		16 + 2 + 8:  {ref("a/__id5__")},
		32:          {literal.Map(nil)},
		32 + 2 + 1:  {literal.Map(fields{"a": literal.Null()})},
		32 + 34 + 8: {literal.Map(fields{"a": literal.Map(nil), "é": literal.Str("abcd")})},
	} {
		for _, v := range values {
			require.Equal(t, want, limit.DocumentSize("c/d", document(fields{"a": v}))-empty-2, "%v", v)
		}
	}
}

func TestCommits(t *testing.T) {
	increment := func(n int) []*pb.DocumentTransform_FieldTransform {
		list := make([]*pb.DocumentTransform_FieldTransform, n)
		for i := range list {
			list[i] = literal.Increment(fmt.Sprintf("f%d", i), literal.Int(1))
		}
		return list
	}
	update := func(name string, n int) *pb.Write {
		return &pb.Write{Operation: &pb.Write_Update{Update: &pb.Document{Name: name}}, UpdateTransforms: increment(n)}
	}
	legacy := func(name string, n int) *pb.Write {
		return &pb.Write{Operation: &pb.Write_Transform{Transform: &pb.DocumentTransform{Document: name, FieldTransforms: increment(n)}}}
	}
	commit := func(writes ...*pb.Write) error { return limit.CheckCommit(&pb.CommitRequest{Writes: writes}) }
	require.NoError(t, commit())
	require.NoError(t, commit(update("a", 500), update("b", 500), legacy("c", 500)))
	require.NoError(t, commit(update("a", 300), legacy("a", 200), &pb.Write{Operation: &pb.Write_Delete{Delete: "a"}}))
	refused(t, commit(update("a", 501)), "500")
	refused(t, commit(legacy("a", 501)), "500")
	refused(t, commit(update("a", 300), update("b", 1), legacy("a", 201)), "500")

	masked := func(path string) *pb.Write {
		return &pb.Write{Operation: &pb.Write_Update{Update: &pb.Document{}}, UpdateMask: &pb.DocumentMask{FieldPaths: []string{path}}}
	}
	require.NoError(t, commit(masked(x(1498)+".b"), masked("`"+x(1497)+"\\``.`b`")), "quotes do not count")
	refused(t, commit(masked(x(1499)+".b")), "1501")
	refused(t, commit(masked("`"+x(1498)+"\\``.`b`")), "1501")

	request := func(n int) *pb.CommitRequest { return &pb.CommitRequest{Transaction: []byte(x(n))} }
	around := 10<<20 - (proto.Size(request(10<<20)) - 10<<20)
	require.NoError(t, limit.CheckCommit(request(around)))
	refused(t, limit.CheckCommit(request(around+1)), "10485760")
}

func BenchmarkCheckDocument(b *testing.B) {
	f := fields{}
	for i := range 100 {
		f[fmt.Sprintf("field%03d", i)] = literal.Map(fields{"a": literal.Int(1), "b": literal.Str("text"), "c": literal.Array(literal.Str("a"), literal.Str("b"))})
	}
	doc := document(f)
	b.ReportAllocs()
	for b.Loop() {
		require.NoError(b, limit.CheckDocument("c/d", doc, nil))
	}
}
