package resource_test

import (
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"pgregory.net/rapid"

	"hippocampus/emulator/internal/resource"
)

var database = resource.Database{Project: "p", ID: "(default)"}

func refused(t *testing.T, err error) {
	t.Helper()
	require.Equal(t, codes.InvalidArgument, status.Code(err), "%v", err)
	require.NotEmpty(t, status.Convert(err).Message())
}

func TestDatabaseNames(t *testing.T) {
	for _, name := range []string{"projects/p/databases/(default)", "projects/d:example.com/databases/other"} {
		d, err := resource.ParseDatabase(name)
		require.NoError(t, err)
		require.Equal(t, name, d.String())
		require.Equal(t, name+"/documents", d.Root())
	}
	for _, name := range []string{
		"", "projects/p", "projects/p/databases", "projects/p/databases/", "projects//databases/d", "/projects/p/databases/d",
		"projects/p/databases/d/", "projects/p/databases/d/documents", "p/databases/d", "projects/p/data/d",
	} {
		t.Run("not "+name, func(t *testing.T) {
			_, err := resource.ParseDatabase(name)
			refused(t, err)
		})
	}
}

func TestNamesOfDocuments(t *testing.T) {
	for _, id := range []string{
		"b", "é", "a b", "___", "__", "__a", "a__", "...", "a\x00b", "a\nb", "__id5__", "__id-5__", "__id9223372036854775807__",
		"__id-9223372036854775808__", strings.Repeat("x", 2000),
	} {
		p, err := database.Document(database.Root() + "/c/" + id)
		require.NoError(t, err)
		require.Equal(t, resource.Path("c/"+id), p)
		require.Equal(t, database.Root()+"/c/"+id, database.Name(p))
	}
	for what, name := range map[string]string{
		"an empty name":            "",
		"a path alone":             "c/d",
		"the root":                 database.Root(),
		"the database":             database.String(),
		"a collection":             database.Root() + "/c",
		"a deep collection":        database.Root() + "/c/d/e",
		"a slash at the end":       database.Root() + "/c/d/",
		"a slash at the start":     "/" + database.Root() + "/c/d",
		"no collection id":         database.Root() + "//d",
		"no document id":           database.Root() + "/c//",
		"not documents":            database.String() + "/docs/c/d",
		"more than documents":      database.String() + "/documentsx/c/d",
		"another project":          "projects/q/databases/(default)/documents/c/d",
		"another database":         "projects/p/databases/d/documents/c/d",
		"no project":               "projects//databases/(default)/documents/c/d",
		"no database id":           "projects/p/databases//documents/c/d",
		"a dot":                    database.Root() + "/c/.",
		"two dots":                 database.Root() + "/../d",
		"a reserved document id":   database.Root() + "/c/__d__",
		"the shortest reserved id": database.Root() + "/c/____",
		"a reserved collection id": database.Root() + "/__c__/d",
		"a numbered collection":    database.Root() + "/__id5__/d",
		"a number with zeros":      database.Root() + "/c/__id007__",
		"the number zero":          database.Root() + "/c/__id0__",
		"the number minus zero":    database.Root() + "/c/__id-0__",
		"a number with a plus":     database.Root() + "/c/__id+5__",
		"no number":                database.Root() + "/c/__id__",
		"only a minus":             database.Root() + "/c/__id-__",
		"a number too great":       database.Root() + "/c/__id9223372036854775808__",
		"a line break in reserved": database.Root() + "/c/__x\n__",
		"not UTF-8":                database.Root() + "/c/\xff",
	} {
		t.Run(what, func(t *testing.T) {
			_, err := database.Document(name)
			refused(t, err)
		})
	}
}

func TestParents(t *testing.T) {
	p, err := database.Parent(database.Root())
	require.NoError(t, err)
	require.Empty(t, p)
	require.Equal(t, database.Root(), database.Name(p))
	p, err = database.Parent(database.Root() + "/a/b/c/d")
	require.NoError(t, err)
	require.Equal(t, resource.Path("a/b/c/d"), p)
	for _, name := range []string{"", database.String(), database.Root() + "/", database.Root() + "/a", "projects/q/databases/(default)/documents"} {
		_, err := database.Parent(name)
		refused(t, err)
	}
}

func TestPartsOfPaths(t *testing.T) {
	p := resource.Path("a/b/c/d")
	require.Equal(t, "d", p.ID())
	require.Equal(t, resource.Path("a/b/c"), p.Collection())
	require.Equal(t, "c", p.CollectionID())
	require.Equal(t, resource.Path("a/b"), p.Parent())
	require.Equal(t, "a", p.Parent().CollectionID())
	require.Empty(t, p.Parent().Parent())
	require.Empty(t, resource.Path("").Parent())
	require.Empty(t, resource.Path("").ID())
	require.Equal(t, "a", resource.Path("a").ID())
}

func TestCollectionIDs(t *testing.T) {
	for _, id := range []string{"c", "é", "_", "___", "a.b"} {
		require.NoError(t, resource.CheckCollectionID(id))
	}
	for _, id := range []string{"", "a/b", ".", "..", "____", "__c__", "__id5__", "\xff"} {
		refused(t, resource.CheckCollectionID(id))
	}
}

// ordered are paths in Firestore's order of names, as the official emulator returned them.
var ordered = []resource.Path{
	"", "c/__id-9223372036854775808__", "c/__id-3__", "c/__id5__", "c/__id5__/c/z", "c/__id10__", "c/-", "c/10", "c/9", "c/B",
	"c/_", "c/_/c/z", "c/__", "c/_x", "c/a", "c/a/c/z", "c/a/d/a", "c/a\x00", "c/a\x00/c/z", "c/a\x00\x00", "c/a\x00\x01",
	"c/a\x01", "c/a\x01\x00", "c/a\x02", "c/a!", "c/ab", "c/aé", "c/\uffff", "c/\U0001F600", "c\x00/a", "c!/a", "d/a",
}

func TestOrderOfNames(t *testing.T) {
	for i, a := range ordered {
		for j, b := range ordered {
			want := min(max(i-j, -1), 1)
			require.Equal(t, want, resource.CompareNames(database.Name(a), database.Name(b)), "%q %q", a, b)
			require.Equal(t, want, strings.Compare(a.Key(), b.Key()), "keys of %q %q", a, b)
		}
	}
}

func TestOrderOfNamesAcrossDatabases(t *testing.T) {
	names := []string{
		"projects/a/databases/(default)/documents/z/z",
		"projects/p/databases/(default)/documents/a/b",
		"projects/p/databases/(default)/documents/a/b/c/d",
		"projects/p/databases/(default)/documents/a/b!",
		"projects/p/databases/(default)/documents/a!/b",
		"projects/p/databases/a/documents/a/b",
		"projects/p!/databases/(default)/documents/a/b",
		"projects/z/databases/(default)/documents/a/b",
	}
	for i, a := range names {
		for j, b := range names {
			require.Equal(t, min(max(i-j, -1), 1), resource.CompareNames(a, b), "%q %q", a, b)
		}
	}
}

func TestKeysOfDescendantsBeginWithTheKey(t *testing.T) {
	for _, a := range ordered {
		for _, b := range ordered {
			under := a == "" || a == b || strings.HasPrefix(string(b), string(a)+"/")
			require.Equal(t, under, strings.HasPrefix(b.Key(), a.Key()), "%q %q", a, b)
		}
		require.True(t, strings.HasPrefix(a.Key(), a.Collection().Key()))
	}
}

// Whatever the ids are, keys are ordered as names.
func TestKeysAreOrderedAsNames(t *testing.T) {
	id := rapid.OneOf(
		rapid.StringOfN(rapid.RuneFrom([]rune{0, 1, 2, '!', '_', 'a', 'é', '\U0001F600'}), 1, 4, -1),
		rapid.SampledFrom([]string{"__id1__", "__id2__", "__id10__", "__id-1__", "__id256__", "a\x00", "a\x00\xff"}),
	)
	path := rapid.Map(rapid.SliceOfN(id, 2, 6), func(ids []string) resource.Path { return resource.Path(strings.Join(ids, "/")) })
	rapid.Check(t, func(t *rapid.T) {
		a, b := path.Draw(t, "a"), path.Draw(t, "b")
		require.Equal(t, resource.CompareNames(database.Name(a), database.Name(b)), strings.Compare(a.Key(), b.Key()))
		require.Equal(t, a == b, a.Key() == b.Key())
	})
}

func TestComparingNamesAllocatesNothing(t *testing.T) {
	a, b := database.Name("c/__id5__/d/long"), database.Name("c/__id5__/d/longer")
	require.Zero(t, testing.AllocsPerRun(100, func() { resource.CompareNames(a, b) }))
}

func FuzzParse(f *testing.F) {
	for _, p := range ordered {
		f.Add(database.Name(p))
	}
	f.Add("projects/p/databases/(default)/documents/c/__id" + strings.Repeat("9", math.MaxInt8) + "__")
	f.Fuzz(func(t *testing.T, name string) {
		d, p, err := resource.Parse(name)
		if err != nil {
			refused(t, err)
			return
		}
		require.Equal(t, name, d.Name(p))
		_ = p.Key()
	})
}
