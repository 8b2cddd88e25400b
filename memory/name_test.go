package memory_test

import (
	"encoding/base64"
	"errors"
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"hippocampus/memory"
)

func TestIDAndNameAreInverses(t *testing.T) {
	for name, id := range map[string]string{
		"a":                     "YQ",
		"a b":                   "YSBi",
		"a b ":                  "YSBiIA",
		"#1":                    "IzE",
		"100%":                  "MTAwJQ",
		".":                     "Lg",
		"..":                    "Li4",
		"__x__":                 "X194X18",
		"pages/Second Location": "cGFnZXMvU2Vjb25kIExvY2F0aW9u",
		"日本語/メモ":                "5pel5pys6Kqel-ODoeODog",
		"???>>>":                "Pz8_Pj4-",
		"a\nb":                  "YQpi",
		"\x00":                  "AA",
		"\u00e9":                "w6k",
		"e\u0301":               "ZcyB",
	} {
		if name == "日本語/メモ" {
			id = base64.RawURLEncoding.EncodeToString([]byte(name))
		}
		t.Run(name, func(t *testing.T) {
			got, err := memory.ID(name)
			require.NoError(t, err)
			require.Equal(t, id, got)
			back, err := memory.Name(got)
			require.NoError(t, err)
			require.Equal(t, name, back)
		})
	}
}

func TestIDAndNameAreInversesForAnyName(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		name := rapid.StringN(1, -1, memory.MaxNameBytes).Draw(t, "name")
		id, err := memory.ID(name)
		require.NoError(t, err)
		require.LessOrEqual(t, len(id), memory.MaxIDBytes)
		require.NotRegexp(t, `^__.*__$|[^A-Za-z0-9_-]`, id)
		back, err := memory.Name(id)
		require.NoError(t, err)
		require.Equal(t, name, back)
	})
}

// An id that Name takes is the id of the name it gives: no two ids have one name.
func TestNameTakesNothingButIDs(t *testing.T) {
	alphabet := []rune("AQgw09azAZ-_+/=\n\r. é")
	taken := 0
	rapid.Check(t, func(t *rapid.T) {
		id := rapid.OneOf(
			rapid.StringOfN(rapid.SampledFrom(alphabet), 0, 12, -1),
			rapid.StringOfN(rapid.SampledFrom([]rune("QUFB")), 4, 4, -1), // of three bytes, all of them ASCII
		).Draw(t, "id")
		name, err := memory.Name(id)
		if err != nil {
			require.ErrorIs(t, err, memory.ErrID)
			return
		}
		taken++
		back, err := memory.ID(name)
		require.NoError(t, err)
		require.Equal(t, id, back)
	})
	require.NotZero(t, taken, "no id was taken, so nothing was shown")
}

func TestIDRefuses(t *testing.T) {
	for name, c := range map[string]struct{ name, message string }{
		"empty":                           {"", "empty"},
		"invalid UTF-8":                   {"a\xffb", "not valid UTF-8"},
		"half a rune":                     {"日"[:2], "not valid UTF-8"},
		"too long":                        {strings.Repeat("x", 1111), "1111 bytes and the limit is 1110"},
		"too long in bytes, not in runes": {strings.Repeat("é", 556), "1112 bytes and the limit is 1110"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := memory.ID(c.name)
			require.ErrorIs(t, err, memory.ErrName)
			require.ErrorContains(t, err, c.message)
			require.Less(t, len(err.Error()), 400, "a message is no place for a kilobyte of name")
		})
	}
}

func TestLongestName(t *testing.T) {
	name := strings.Repeat("é", 555)
	require.Len(t, name, memory.MaxNameBytes)
	id, err := memory.ID(name)
	require.NoError(t, err)
	require.Len(t, id, memory.MaxIDBytes)
	back, err := memory.Name(id)
	require.NoError(t, err)
	require.Equal(t, name, back)

	longer := base64.RawURLEncoding.EncodeToString([]byte(name + "x"))
	_, err = memory.Name(longer)
	require.ErrorIs(t, err, memory.ErrID)
}

func TestNameRefuses(t *testing.T) {
	for name, id := range map[string]string{
		"empty":                    "",
		"padding":                  "YQ==",
		"a line break inside":      "YS\nBi",
		"a line break at the end":  "YSBi\n",
		"a carriage return":        "YS\rBi",
		"stray trailing bits":      "YR",
		"stray trailing bits of 3": "YWJ",
		"an impossible length":     "YSBiI",
		"the standard alphabet":    "Pz8/Pj4+",
		"another character":        "YSB!",
		"a space":                  "YSB ",
		"not UTF-8":                "_w",
		"half a rune":              "5pc",
		"a readable id":            "second-location",
		"non-ASCII":                "é",
	} {
		t.Run(name, func(t *testing.T) {
			_, err := memory.Name(id)
			require.ErrorIs(t, err, memory.ErrID)
		})
	}
}

func TestPlainIDs(t *testing.T) {
	for _, name := range []string{"a", "a b", "...", "__", "___", "__x", "x__", "日本語", "a\nb", strings.Repeat("x", memory.MaxIDBytes)} {
		id, err := memory.Plain.ID(name)
		require.NoError(t, err)
		require.Equal(t, name, id)
		back, err := memory.Plain.Name(id)
		require.NoError(t, err)
		require.Equal(t, name, back)
	}
}

func TestPlainIDsRefuse(t *testing.T) {
	for name, message := range map[string]string{
		"":                                       "empty",
		"a\xff":                                  "not valid UTF-8",
		"pages/a":                                "use base64url ids",
		".":                                      "reserved by Firestore",
		"..":                                     "reserved by Firestore",
		"____":                                   "__x__",
		"__id7__":                                "__x__",
		strings.Repeat("x", memory.MaxIDBytes+1): "1481 bytes and the limit is 1480",
	} {
		_, err := memory.Plain.ID(name)
		require.ErrorIs(t, err, memory.ErrName, "%.20q", name)
		require.ErrorContains(t, err, message)
		_, err = memory.Plain.Name(name)
		require.ErrorIs(t, err, memory.ErrID, "%.20q", name)
	}
}

func TestIDKindNames(t *testing.T) {
	for _, kind := range []memory.IDKind{memory.Base64URL, memory.Plain} {
		parsed, err := memory.ParseIDKind(kind.String())
		require.NoError(t, err)
		require.Equal(t, kind, parsed)
	}
	byDefault, err := memory.ParseIDKind("")
	require.NoError(t, err)
	require.Equal(t, memory.Base64URL, byDefault)
	for _, s := range []string{"Plain", "base64", " plain", memory.IDKind(7).String()} {
		_, err := memory.ParseIDKind(s)
		require.ErrorContains(t, err, "use base64url", s)
	}
}

func FuzzName(f *testing.F) {
	for _, seed := range []string{"", "YQ", "YR", "YQ==", "YS\nBi", "_w", "X194X18", "a/b", "é"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, s string) {
		for _, kind := range []memory.IDKind{memory.Base64URL, memory.Plain} {
			if name, err := kind.Name(s); err == nil {
				require.True(t, utf8.ValidString(name))
				id, err := kind.ID(name)
				require.NoError(t, err)
				require.Equal(t, s, id)
			} else {
				require.ErrorIs(t, err, memory.ErrID)
			}
			if id, err := kind.ID(s); err == nil {
				name, err := kind.Name(id)
				require.NoError(t, err)
				require.Equal(t, s, name)
			} else {
				require.ErrorIs(t, err, memory.ErrName)
			}
		}
	})
}

func ExampleID() {
	id, _ := memory.ID("pages/Second Location")
	name, _ := memory.Name(id)
	fmt.Println(id, "is", name)
	_, err := memory.Name("second-location")
	fmt.Println(errors.Is(err, memory.ErrID))
	// Output:
	// cGFnZXMvU2Vjb25kIExvY2F0aW9u is pages/Second Location
	// true
}
