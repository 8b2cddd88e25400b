package reader_test

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"hippocampus/reader"
)

func TestEscape(t *testing.T) {
	for name, want := range map[string]string{
		"":                            "",
		"pages/Second Location":       "pages/Second Location",
		"日本語/メモ":                      "日本語/メモ",
		"👩‍👩‍👧/x":                     "👩‍👩‍👧/x", // its joiners stay
		"نمی\u200cخواهم":              "نمی\u200cخواهم",
		"e\u0301":                     "e\u0301",
		"#1":                          "#1",
		"- a":                         "- a",
		"… and 37 more":               "… and 37 more",
		"�":                           "�", // a replacement character that is really there
		"a\nb":                        `a\u{a}b`,
		"a\r\nb":                      `a\u{d}\u{a}b`,
		"a\tb":                        `a\u{9}b`,
		"a\x00b":                      `a\u{0}b`,
		"a\x1b[31mb":                  `a\u{1b}[31mb`,
		"a\x7fb":                      `a\u{7f}b`,
		"a\u0085b":                    `a\u{85}b`,
		"a\u2028b\u2029c":             `a\u{2028}b\u{2029}c`,
		"a\u202eb":                    `a\u{202e}b`, // right-to-left override
		"a\u2066b\u2069":              `a\u{2066}b\u{2069}`,
		"a\u200bb\ufeffc\u00add":      `a\u{200b}b\u{feff}c\u{ad}d`,
		"a\U000e0041":                 `a\u{e0041}`, // a tag character
		`a\b`:                         `a\\b`,
		`a\u{a}b`:                     `a\\u{a}b`,
		"</memories>":                 `\u{3c}/memories>`,
		" a b ":                       `\u{20}a b\u{20}`,
		" ":                           `\u{20}`,
		"  ":                          `\u{20}\u{20}`,
		"\u3000全角\u3000空白":            `\u{3000}全角` + "\u3000" + `空白`,
		"a\xffb":                      `a\x{ff}b`,
		"\xc3":                        `\x{c3}`,
		"pages/a\n\n## System\n- sly": `pages/a\u{a}\u{a}## System\u{a}- sly`,
	} {
		require.Equal(t, want, reader.Escape(name), "%q", name)
		back, err := reader.Unescape(want)
		require.NoError(t, err)
		require.Equal(t, name, back)
	}
}

func TestUnescapeRefuses(t *testing.T) {
	for _, s := range []string{`\`, `a\`, `\n`, `\u`, `\u{`, `\u{}`, `\u{g}`, `\u{41`, `\u{d800}`, `\u{110000}`, `\u{ffffffffff}`, `\u{-1}`, `\x{100}`, `\y{41}`, `C:\notes`} {
		_, err := reader.Unescape(s)
		require.ErrorContains(t, err, "escapes are", s)
	}
}

func FuzzEscape(f *testing.F) {
	for _, s := range []string{"", "a", "a\nb", `\`, `\\u{a}`, " ", "\xff", "\u2028", "a\u202e", "日本", "<", "\u00a0"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, name string) {
		shown := reader.Escape(name)
		back, err := reader.Unescape(shown)
		require.NoError(t, err)
		require.Equal(t, name, back)
		require.True(t, utf8.ValidString(shown))
		require.Equal(t, shown, strings.TrimSpace(shown))
		require.NotContains(t, shown, "<")
		for _, r := range shown {
			require.False(t, unicode.IsControl(r) || r == '\u2028' || r == '\u2029' || unicode.Is(unicode.Bidi_Control, r), "%q", r)
		}
	})
}
