package conformance

import (
	"strings"

	"cloud.google.com/go/firestore/apiv1/firestorepb"
	"github.com/stretchr/testify/require"
	"google.golang.org/grpc/codes"

	"hippocampus/emulator/internal/literal"
)

const namePage = "firestore/quotas, collections, documents, and fields"

// names are about the names of documents and databases.
var names = []Check{
	named("an id may hold spaces and punctuation", "c/a b!\"#$%&'()*+,-:;<=>?@[]^`{|}~\\"),
	named("an id may be in any script", "c/é日本語\U0001F9E0"),
	named("an id may hold dots", "c/a.b..c"),
	named("an id may begin with a dot", "c/.a"),
	named("an id may be three dots", "c/..."),
	named("an id may begin with two underscores", "c/__a"),
	named("an id may end with two underscores", "c/a__"),
	named("an id may be a number", "c/1"),
	named("an id may hold a percent sign and digits, which mean nothing", "c/a%2Fb"),
	named("an id may hold control characters", "c/a\x01\nb"),
	named("a collection's id may be what a document's may", "a.b é/d"),
	named("a name may be ten collections deep", strings.Repeat("c/d/", 9)+"c/d"),
	{
		Name: "ids differ in case and in normalization",
		Run: func(t *T) {
			t.commit(t.set("c/A", fields{"n": literal.Int(1)}), t.set("c/a", fields{"n": literal.Int(2)}),
				t.set("c/e\u0301", fields{"n": literal.Int(3)}), t.set("c/\u00e9", fields{"n": literal.Int(4)}))
			for id, n := range map[string]int64{"A": 1, "a": 2, "e\u0301": 3, "\u00e9": 4} {
				t.has("c/"+id, fields{"n": literal.Int(n)})
			}
		},
	},
	{
		Name: "an id of an imported Datastore entity, __id7__, can be written",
		Page: namePage + ": numeric entity IDs are exposed as __id[0-9]+__",
		Run: func(t *T) {
			t.commit(t.set("c/__id7__", fields{"a": literal.Int(1)}))
			t.has("c/__id7__", fields{"a": literal.Int(1)})
		},
	},
	{
		Name: "a document and a document below it have the ids in one order or the other",
		Run: func(t *T) {
			t.commit(t.set("a/b", fields{"n": literal.Int(1)}), t.set("b/a", fields{"n": literal.Int(2)}), t.set("a/b/b/a", fields{"n": literal.Int(3)}))
			t.has("a/b", fields{"n": literal.Int(1)})
			t.has("b/a", fields{"n": literal.Int(2)})
			t.has("a/b/b/a", fields{"n": literal.Int(3)})
		},
	},
	misnamed("the id .", "c/."),
	misnamed("the id ..", "c/.."),
	misnamed("a reserved id", "c/__a__"),
	loose("a document may have the id ____", misnamed("the id ____", "c/____"), func(t *T) {
		t.commit(t.set("c/____", fields{"a": literal.Int(1)}))
		t.has("c/____", fields{"a": literal.Int(1)})
	}),
	misnamed("the id __id__ without a number", "c/__id__"),
	misnamed("the id __idx__ without a number", "c/__idx__"),
	misnamed("an empty id", "c/"),
	misnamed("an empty id of a collection", "c/d//e"),
	misnamed("the collection .", "./d"),
	misnamed("the collection ..", "../d"),
	misnamed("a reserved collection", "__c__/d"),
	misnamed("a name of a collection", "c"),
	misnamed("a name of a collection below a document", "c/d/e"),
	misnamed("a name that ends with a slash", "c/d/"),
	misnamed("a name that begins with two slashes", "/c/d"),
	{
		Name: "a write of the database's root is refused",
		Run: func(t *T) {
			w := t.set("", nil)
			w.GetUpdate().Name = t.Root()
			_, err := t.tryCommit(w)
			t.fails(codes.InvalidArgument, err)
		},
	},
	strange("a name without its database", func(*T) string { return "c/d" }),
	strange("an empty name", func(*T) string { return "" }),
	strange("a name without documents", func(t *T) string { return t.Database + "/c/d" }),
	strange("a name that begins with a slash", func(t *T) string { return "/" + t.Name("c/d") }),
	elsewhere("a document of another project", func(*T) string { return "projects/demo-elsewhere/databases/(default)/documents/c/d" }),
	elsewhere("a document of another database", func(t *T) string {
		return strings.Replace(t.Name("c/d"), "(default)", "other", 1)
	}),
	{
		Name: "databases of one project are apart",
		Page: "firestore/manage-databases",
		Run: func(t *T) {
			t.commit(t.set("c/d", fields{"a": literal.Int(1)}))
			other := strings.Replace(t.Database, "(default)", "other", 1)
			_, err := t.Firestore.GetDocument(t.Ctx, &firestorepb.GetDocumentRequest{Name: other + "/documents/c/d"})
			t.fails(codes.NotFound, err)
			_, err = t.Firestore.Commit(t.Ctx, &firestorepb.CommitRequest{Database: other, Writes: []*firestorepb.Write{
				{Operation: &firestorepb.Write_Update{Update: &firestorepb.Document{Name: other + "/documents/c/d", Fields: fields{"a": literal.Int(2)}}}}}})
			require.NoError(t, err)
			t.has("c/d", fields{"a": literal.Int(1)})
		},
	},
}

// named is the check that a document of a name can be written, read and deleted, and has that name.
func named(name, path string) Check {
	return Check{
		Name: name,
		Page: namePage,
		Run: func(t *T) {
			t.commit(t.set(path, fields{"a": literal.Int(1)}))
			t.has(path, fields{"a": literal.Int(1)})
			require.Equal(t, t.Name(path), t.get(path).Name)
			t.commit(t.remove(path))
			require.Nil(t, t.get(path))
		},
	}
}

// misnamed is the check that a document of a name can be neither written, nor read, nor deleted.
func misnamed(what, path string) Check {
	return Check{
		Name: what + " is refused",
		Page: namePage,
		Run: func(t *T) {
			_, err := t.tryCommit(t.set(path, nil))
			t.fails(codes.InvalidArgument, err)
			_, err = t.tryCommit(t.remove(path))
			t.fails(codes.InvalidArgument, err)
			_, err = t.Firestore.GetDocument(t.Ctx, &firestorepb.GetDocumentRequest{Name: t.Name(path)})
			t.fails(codes.InvalidArgument, err)
		},
	}
}

// strange is the check that a name cannot be used in a commit to the database, nor in a read of many.
func strange(what string, name func(t *T) string) Check {
	return Check{
		Name: what + " is refused in a commit and in a read of many",
		Page: "proto firestore.proto, BatchGetDocumentsRequest.documents: will fail if not a child of the database",
		Run: func(t *T) {
			for _, w := range []*firestorepb.Write{
				{Operation: &firestorepb.Write_Update{Update: &firestorepb.Document{Name: name(t)}}},
				{Operation: &firestorepb.Write_Delete{Delete: name(t)}},
			} {
				_, err := t.tryCommit(w)
				t.fails(codes.InvalidArgument, err)
			}
			_, err := all(t.Firestore.BatchGetDocuments(t.Ctx, &firestorepb.BatchGetDocumentsRequest{Database: t.Database, Documents: []string{name(t)}}))
			t.fails(codes.InvalidArgument, err)
		},
	}
}

// elsewhere is strange, where the official emulator looks at the name's end only.
func elsewhere(what string, name func(t *T) string) Check {
	return loose("a name of elsewhere is taken, and the document can be read through this database only", strange(what, name), func(t *T) {
		t.commit(&firestorepb.Write{Operation: &firestorepb.Write_Update{Update: &firestorepb.Document{Name: name(t), Fields: fields{"a": literal.Int(1)}}}})
		require.Nil(t, t.get("c/d"))
		answers := t.batchGet(&firestorepb.BatchGetDocumentsRequest{Documents: []string{name(t)}})
		require.NotNil(t, answers[0].GetFound())
	})
}

// loose is a check that the official emulator does not pass.
func loose(difference string, c Check, official func(t *T)) Check {
	c.Difference, c.Official = difference, official
	return c
}
