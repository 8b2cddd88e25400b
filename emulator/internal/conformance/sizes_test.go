package conformance

import (
	"fmt"
	"maps"
	"strings"

	"cloud.google.com/go/firestore/apiv1/firestorepb"
	"github.com/stretchr/testify/require"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"hippocampus/emulator/internal/literal"
)

// sizes are about the sizes of whole documents, as they are counted, and of commits.
var sizes = []Check{
	sized("strings", fields{"a": literal.Str("é"), "bcd": literal.Str("")}, 2+3+4+1),
	sized("null, booleans and numbers", fields{"a": literal.Null(), "b": literal.Bool(true), "c": literal.Int(1), "d": literal.Double(1)}, 4*2+1+1+8+8),
	sized("timestamps and points", fields{"a": literal.Time(1, 0), "b": literal.Geo(1, 1)}, 2*2+8+16),
	sized("bytes", fields{"a": literal.Bytes("abc")}, 2+3),
	sized("arrays", fields{"a": literal.Array(literal.Int(1), literal.Str("ab"), literal.Null())}, 2+8+3+1),
	{
		Name: "a document that grows beyond 1,048,576 bytes by a masked update is refused",
		Page: quotasPage + ": maximum size for a document",
		Run: func(t *T) {
			t.commit(t.set("c/d", fields{"a": literal.Str(strings.Repeat("a", 1_000_000))}))
			_, err := t.tryCommit(t.merge("c/d", fields{"b": literal.Str(strings.Repeat("b", 50_000))}, "b"))
			t.fails(codes.InvalidArgument, err)
		},
	},
	{
		Name: "a document that grows beyond 1,048,576 bytes by a transform is refused",
		Page: quotasPage + ": maximum size for a document",
		Run: func(t *T) {
			t.commit(t.set("c/d", fields{"a": literal.Str(strings.Repeat("a", 1_000_000))}))
			_, err := t.tryCommit(t.transform("c/d", literal.Append("b", literal.Str(strings.Repeat("b", 50_000)))))
			t.fails(codes.InvalidArgument, err)
		},
	},
	fits("a document with fewer than 40,000 index entries", "firestore/quotas, indexes", func(t *T) *firestorepb.Write {
		return t.set("c/d", fields{"m": literal.Map(many(19_000))})
	}),
	unlimited("a document of 20,001 fields, which make two index entries each", "firestore/quotas, indexes: maximum number of index entries for each document",
		func(t *T) *firestorepb.Write { return t.set("c/d", many(20_001)) }),
	unlimited("a map of 20,001 keys, which make two index entries each", "firestore/quotas, indexes: maximum number of index entries for each document",
		func(t *T) *firestorepb.Write { return t.set("c/d", fields{"m": literal.Map(many(20_001))}) }),
	unlimited("an array of 40,001 elements, which make an index entry each", "firestore/quotas, indexes: maximum number of index entries for each document",
		func(t *T) *firestorepb.Write {
			var elements []*firestorepb.Value
			for n := range int64(40_001) {
				elements = append(elements, literal.Int(n))
			}
			return t.set("c/d", fields{"a": literal.Array(elements...)})
		}),
	fits("500 transforms of a document", "firestore/quotas, writes and transactions", func(t *T) *firestorepb.Write { return t.transform("c/d", additions(500)...) }),
	unlimited("a write with 501 transforms of a document", "firestore/quotas, writes and transactions: field transformations on a single document",
		func(t *T) *firestorepb.Write { return t.transform("c/d", additions(501)...) }),
	loose("any number of transforms is taken", Check{
		Name: "501 transforms of a document in two writes of a commit are refused",
		Page: "firestore/quotas, writes and transactions: field transformations on a single document in a commit",
		Run: func(t *T) {
			_, err := t.tryCommit(t.transform("c/d", additions(300)...), t.transform("c/d", additions(201)...))
			t.fails(codes.InvalidArgument, err)
			require.Nil(t, t.get("c/d"))
		},
	}, func(t *T) { t.commit(t.transform("c/d", additions(300)...), t.transform("c/d", additions(201)...)) }),
	{
		Name: "more than 500 transforms of several documents may be in a commit",
		Page: "firestore/quotas, writes and transactions: on a single document",
		Run:  func(t *T) { t.commit(t.transform("c/d", additions(300)...), t.transform("c/e", additions(300)...)) },
	},
	loose("a request of more than 4 MiB is refused with RESOURCE_EXHAUSTED", Check{
		Name: "a commit of 9 MiB fits",
		Page: "firestore/quotas, writes and transactions: maximum API request size 10 MiB",
		Run:  func(t *T) { t.commit(t.megabytes(9)...) },
	}, func(t *T) {
		t.commit(t.megabytes(3)...)
		_, err := t.tryCommit(t.megabytes(9)...)
		t.fails(codes.ResourceExhausted, err)
	}),
	{
		Name: "a commit of 12 MiB is refused",
		Page: "firestore/quotas, writes and transactions: maximum API request size 10 MiB",
		Run: func(t *T) {
			_, err := t.tryCommit(t.megabytes(12)...)
			require.Contains(t, []codes.Code{codes.InvalidArgument, codes.ResourceExhausted}, status.Code(err), "%v", err)
			require.Nil(t, t.get("c/d00000"))
		},
	},
}

// many are n fields.
func many(n int) fields {
	f := fields{}
	for i := range n {
		f[fmt.Sprint("f", i)] = literal.Int(int64(i))
	}
	return f
}

// additions are n transforms of different fields.
func additions(n int) []*fieldTransform {
	var transforms []*fieldTransform
	for i := range n {
		transforms = append(transforms, literal.Increment(fmt.Sprint("f", i), literal.Int(1)))
	}
	return transforms
}

// megabytes are n writes of about 1 MiB each.
func (t *T) megabytes(n int) []*firestorepb.Write {
	var writes []*firestorepb.Write
	for i := range n {
		writes = append(writes, t.set("c/"+autoID(i), fields{"a": literal.Bytes(strings.Repeat("a", 1<<20-200))}))
	}
	return writes
}

// sized is the check that a document of these fields and some text has 1,048,576 bytes if the
// fields have size bytes, and may not have one more.
func sized(what string, f fields, size int) Check {
	return Check{
		Name: what + " count as documented towards a document's 1,048,576 bytes",
		Page: "firestore/storage-size",
		Run: func(t *T) {
			// The name c/d has 2+2+16 bytes, the document 32 of its own, the fields x and y 2 each
			// and their strings 1 each.
			rest := 1_048_576 - (2 + 2 + 16) - 32 - size - 2*(2+1)
			full := func(n int) fields {
				with := fields{"x": literal.Str(strings.Repeat("x", 1_000_000)), "y": literal.Str(strings.Repeat("y", n-1_000_000))}
				maps.Copy(with, f)
				return with
			}
			_, err := t.tryCommit(t.set("c/d", full(rest+1)))
			t.fails(codes.InvalidArgument, err)
			t.commit(t.set("c/d", full(rest)))
		},
	}
}
