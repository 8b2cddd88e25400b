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

	"hippocampus/emulator/build"
	"hippocampus/emulator/limit"
	"hippocampus/emulator/resource"
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

// boundaries are documents that are just within a limit, and just over it. The official emulator draws the same line.
func boundaries() map[string]struct {
	within, over fields
	says         string
} {
	field := func(name string, v *pb.Value) fields { return fields{name: v} }
	ints := func(n int) *pb.Value {
		values := make([]*pb.Value, n)
		for i := range values {
			values[i] = build.Int(1)
		}
		return build.Array(values...)
	}
	mixed := func(n int) fields {
		return fields{
			"n": build.Null(), "b": build.Bool(true), "i": build.Int(1), "d": build.Double(1), "t": build.Time(1, 0), "s": build.Str("é"), "y": build.Bytes("abc"), "r": ref("a/b/c/d"),
			"g": build.Geo(1, 0), "a": build.Array(build.Str("ab"), build.Int(1)), "v": build.Vector(1, 2, 3),
			"S": build.Str(x(1 << 19)), "z": build.Bytes(x(n)),
		}
	}
	// The sizes of mixed's names and values, but for those of S and z.
	const name, values, rest = 2 + 2 + 16, 1 + 1 + 8 + 8 + 8 + 3 + 3 + (16 + 8) + 16 + (3 + 8) + 24, 13*2 + 32
	room := 1<<20 - name - values - rest - (1<<19 + 1)
	return map[string]struct {
		within, over fields
		says         string
	}{
		"a field's name":           {field(x(1500), build.Null()), field(x(1501), build.Null()), "1500"},
		"a path":                   {field("m", build.Map(fields{x(1498): build.Null()})), field("m", build.Map(fields{x(1499): build.Null()})), "1500"},
		"a path that needs quotes": {field("m", build.Map(fields{"-" + x(1497): build.Null()})), field("m", build.Map(fields{"-" + x(1498): build.Null()})), "1500"},
		"a deep path":              {field("m", build.Map(fields{x(500): build.Map(fields{x(997): build.Null()})})), field("m", build.Map(fields{x(500): build.Map(fields{x(998): build.Null()})})), "1500"},
		"a path in an array":       {field("m", build.Array(build.Map(fields{x(1498): build.Null()}))), field("m", build.Array(build.Map(fields{x(1499): build.Null()}))), "1500"},
		"maps in each other":       {field("v", deep(20, build.Null())), field("v", deep(21, build.Null())), "20"},
		"maps with an array":       {field("v", deep(19, build.Array(build.Null()))), field("v", deep(20, build.Array(build.Null()))), "20"},
		"maps with an empty map":   {field("v", deep(19, build.Map(nil))), field("v", deep(20, build.Map(nil))), "20"},
		"maps with a vector":       {field("v", deep(20, build.Vector(1))), field("v", deep(21, build.Vector(1))), "20"},
		"maps with an empty array": {field("v", deep(20, build.Array())), field("v", deep(21, build.Array())), "20"},
		"a string":                 {field("v", build.Str(x(1048487))), field("v", build.Str(x(1048488))), "1048487"},
		"bytes":                    {field("v", build.Bytes(x(1048487))), field("v", build.Bytes(x(1048488))), "1048487"},
		"a string in a map":        {field("v", build.Map(fields{"a": build.Str(x(1048487))})), field("v", build.Map(fields{"a": build.Str(x(1048488))})), "1048487"},
		"a string in an array":     {field("v", build.Array(build.Str(x(1048487)))), field("v", build.Array(build.Str(x(1048488)))), "1048487"},
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
		"type": build.Str("Personal"), "done": build.Bool(false), "priority": build.Int(1), "description": build.Str("Learn Cloud Firestore"),
	})))
	require.Equal(t, 5+8+16+32, limit.DocumentSize("Task/__id5629499534213120__", document(nil)))
}

func TestSizesOfValues(t *testing.T) {
	empty := limit.DocumentSize("c/d", document(nil))
	for want, values := range map[int][]*pb.Value{
		0:           {build.Array(), build.Bytes("")},
		1:           {build.Null(), build.Bool(true), build.Str(""), build.Bytes("x"), build.Array(build.Null())},
		3:           {build.Str("é"), build.Bytes("abc"), build.Array(build.Null(), build.Str("a"))},
		8:           {build.Int(1), build.Double(1), build.Time(1, 0), build.Vector(1)},
		16:          {build.Geo(1, 0), build.Array(build.Int(1), build.Int(2)), build.Vector(1, 2)},
		16 + 4:      {ref("a/b")},
		16 + 8:      {ref("a/b/c/d"), build.Vector(1, 2, 3)},
		16 + 2 + 8:  {ref("a/__id5__")},
		32:          {build.Map(nil)},
		32 + 2 + 1:  {build.Map(fields{"a": build.Null()})},
		32 + 34 + 8: {build.Map(fields{"a": build.Map(nil), "é": build.Str("abcd")})},
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
			list[i] = build.Increment(fmt.Sprintf("f%d", i), build.Int(1))
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
		f[fmt.Sprintf("field%03d", i)] = build.Map(fields{"a": build.Int(1), "b": build.Str("text"), "c": build.Array(build.Str("a"), build.Str("b"))})
	}
	doc := document(f)
	b.ReportAllocs()
	for b.Loop() {
		require.NoError(b, limit.CheckDocument("c/d", doc, nil))
	}
}
