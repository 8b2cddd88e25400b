package value

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// The characters that a backslash may stand before, and what they mean together.
const (
	escaped   = "abfnrtv'\"?`\\"
	unescaped = "\a\b\f\n\r\t\v'\"?`\\"
)

// unescape reads what follows a backslash in a quoted name: one character, xHH, uHHHH, UHHHHHHHH or
// three octal digits, which number a character of Unicode, as the official emulator takes them.
func unescape(s string) (r rune, rest string, ok bool) {
	if s == "" {
		return 0, "", false
	}
	if i := strings.IndexByte(escaped, s[0]); i >= 0 {
		return rune(unescaped[i]), s[1:], true
	}
	switch s[0] {
	case 'x':
		return codePoint(s[1:], 2, 16)
	case 'u':
		return codePoint(s[1:], 4, 16)
	case 'U':
		return codePoint(s[1:], 8, 16)
	default:
		return codePoint(s, 3, 8)
	}
}

// codePoint reads a character's number of so many digits.
func codePoint(s string, digits, base int) (r rune, rest string, ok bool) {
	if len(s) < digits {
		return 0, "", false
	}
	n, err := strconv.ParseUint(s[:digits], base, 31)
	if err != nil || !utf8.ValidRune(rune(n)) {
		return 0, "", false
	}
	return rune(n), s[digits:], true
}
