package reader

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Escape returns a name as Text shows it: on one line, with nothing in it that
// could pass for the end of a line or of a tag, or turn what follows around.
// Most names are left as they are. What is written otherwise:
//
//   - a backslash, as \\
//   - control characters, line and paragraph separators, and invisible
//     formatting characters such as bidirectional overrides and tags, but not
//     the joiners that emoji and some scripts need, as \u{hex}
//   - <, as \u{3c}, so that an application may put the list between tags
//   - a space of any kind at the beginning or the end, as \u{hex}
//   - a byte that is not UTF-8, as \x{hex}
//
// Two names are never shown alike: Unescape is the inverse.
func Escape(name string) string {
	if needsNoEscape(name) {
		return name
	}
	var b strings.Builder
	for i := 0; i < len(name); {
		r, size := utf8.DecodeRuneInString(name[i:])
		edge := i == 0 || i+size == len(name)
		switch {
		case r == utf8.RuneError && size == 1:
			fmt.Fprintf(&b, `\x{%x}`, name[i])
		case r == '\\':
			b.WriteString(`\\`)
		case mustEscape(r) || edge && unicode.Is(unicode.Zs, r):
			fmt.Fprintf(&b, `\u{%x}`, r)
		default:
			b.WriteString(name[i : i+size])
		}
		i += size
	}
	return b.String()
}

// needsNoEscape reports whether a name is printable ASCII and needs no escape, as most
// names are.
func needsNoEscape(name string) bool {
	for i := range len(name) {
		if c := name[i]; c < ' ' || c > '~' || c == '\\' || c == '<' {
			return false
		}
	}
	return name == "" || name[0] != ' ' && name[len(name)-1] != ' '
}

const (
	zeroWidthNonJoiner = '\u200c'
	zeroWidthJoiner    = '\u200d'
)

// mustEscape reports whether a rune is shown by its number.
func mustEscape(r rune) bool {
	switch r {
	case '<':
		return true
	case zeroWidthNonJoiner, zeroWidthJoiner:
		return false
	}
	return unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp)
}

// Unescape returns the name that Text has shown as s, for what a model writes
// when it asks for a memory. It returns an error if s has a backslash that
// begins no escape; s may then be the name itself.
func Unescape(s string) (string, error) {
	if !strings.Contains(s, `\`) {
		return s, nil
	}
	var b strings.Builder
	for {
		before, after, found := strings.Cut(s, `\`)
		b.WriteString(before)
		if !found {
			return b.String(), nil
		}
		if rest, ok := strings.CutPrefix(after, `\`); ok {
			b.WriteByte('\\')
			s = rest
			continue
		}
		value, kind, rest, ok := cutEscape(after)
		switch {
		case ok && kind == 'u' && utf8.ValidRune(rune(value)):
			b.WriteRune(rune(value))
		case ok && kind == 'x' && value <= 0xff:
			b.WriteByte(byte(value))
		default:
			return "", fmt.Errorf(`unescape: a backslash is followed by %.10q, and the escapes are \\, \u{hex} and \x{hex}`, after)
		}
		s = rest
	}
}

// cutEscape reads u{hex} or x{hex} off the beginning of s.
func cutEscape(s string) (value uint64, kind byte, rest string, ok bool) {
	if len(s) < 2 || s[1] != '{' {
		return 0, 0, "", false
	}
	digits, rest, closed := strings.Cut(s[2:], "}")
	value, err := strconv.ParseUint(digits, 16, 31)
	return value, s[0], rest, closed && err == nil
}
