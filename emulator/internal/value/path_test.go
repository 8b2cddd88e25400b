package value_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"pgregory.net/rapid"

	"hippocampus/emulator/internal/value"
)

func TestPaths(t *testing.T) {
	for s, want := range map[string]value.Path{
		"a":                       {"a"},
		"_":                       {"_"},
		"a.b.c":                   {"a", "b", "c"},
		"A_1.b2":                  {"A_1", "b2"},
		"`a b`":                   {"a b"},
		"`a.b`.c":                 {"a.b", "c"},
		"`1a`":                    {"1a"},
		"`é`":                     {"é"},
		"`*`":                     {"*"},
		"`a\x00`":                 {"a\x00"},
		"`a\nb`":                  {"a\nb"},
		"`a\\`b`":                 {"a`b"},
		"`a\\\\b`":                {"a\\b"},
		"`\\``.`\\\\`":            {"`", "\\"},
		"`\\a\\b\\f\\n\\r\\t\\v`": {"\a\b\f\n\r\t\v"},
		"`\\'\\\"\\?`":            {"'\"?"},
		"`\\x41\\xe9`":            {"Aé"},
		"`\\u00e9\\U0001F600`":    {"é\U0001F600"},
		"`\\1018`":                {"A8"},
		"__name__":                {"__name__"},
		"`__name__`":              {"__name__"},
		"__a_._a__.__":            {"__a_", "_a__", "__"},
	} {
		t.Run(s, func(t *testing.T) {
			p, err := value.ParsePath(s)
			require.NoError(t, err)
			require.Equal(t, want, p)
			again, err := value.ParsePath(p.String())
			require.NoError(t, err)
			require.Equal(t, p, again)
		})
	}
}

func TestNoPaths(t *testing.T) {
	for _, s := range []string{
		"", ".", "a..b", ".a", "a.", "a b", "a-b", "a/b", "a[0]", "*", "1a", "a.1", "é", "a\x00", "`a", "a`", "``", "a.``", "`a``b`",
		"`a`b", "`a`.", "`a\\b", "`a\\", "`a\\`", "`\\.`", "`\\é`", "`\\0`", "`\\18`", "`\\x4`", "`\\xg1`", "`\\u00e`", "`\\ud800`",
		"`\\UFFFFFFFF`", "`\\U00110000`", "`\\x+1`", "`\xff`",
		"__x__", "`__x__`", "a.__x__", "__x__.a", "____", "__type__", "a.__name__", "__name__.a", "`__\n__`",
	} {
		t.Run(s, func(t *testing.T) {
			_, err := value.ParsePath(s)
			require.Equal(t, codes.InvalidArgument, status.Code(err), "%v", err)
		})
	}
}

func TestPathsAreWrittenWithTheQuotesThatTheyNeed(t *testing.T) {
	for want, p := range map[string]value.Path{
		"a.b_1":         {"a", "b_1"},
		"`a.b`.`1`.c":   {"a.b", "1", "c"},
		"`\\`\\\\`.`é`": {"`\\", "é"},
		"__name__":      {"__name__"},
	} {
		require.Equal(t, want, p.String())
	}
}

func TestEveryPathIsReadAsItWasWritten(t *testing.T) {
	name := rapid.StringN(1, 5, -1).Filter(func(s string) bool { return !value.Reserved(s) })
	rapid.Check(t, func(t *rapid.T) {
		p := value.Path(rapid.SliceOfN(name, 1, 4).Draw(t, "p"))
		read, err := value.ParsePath(p.String())
		require.NoError(t, err)
		require.Equal(t, p, read)
	})
}

func FuzzParsePath(f *testing.F) {
	for _, s := range []string{"a.`b.c`.d", "`\\x41`", "`a\\", "a..b"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		p, err := value.ParsePath(s)
		if err != nil {
			require.Equal(t, codes.InvalidArgument, status.Code(err))
			return
		}
		again, err := value.ParsePath(p.String())
		require.NoError(t, err)
		require.Equal(t, p, again)
	})
}
