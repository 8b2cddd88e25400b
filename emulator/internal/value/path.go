package value

import (
	"strings"
	"unicode/utf8"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
)

// Path names a field: the names of the maps that it is in, outermost first, then its own. No
// element is empty.
type Path []string

// NameField is the field that stands for a document's name in queries.
const NameField = "__name__"

// ParsePath reads a field path as it is written in masks, transforms and queries: names separated
// by dots, each either letters, digits and underscores not beginning with a digit, or anything in
// backquotes, where a backslash escapes a backquote, a backslash and what else it does in C:
// a.`b.c`.d . The error is INVALID_ARGUMENT if s is not one, or if a name in it is reserved, which
// all that match __.*__ are; only __name__ by itself is let through.
func ParsePath(s string) (Path, error) {
	if s == "" {
		return nil, invalid("a field path is empty: give the name of a field")
	}
	if !utf8.ValidString(s) {
		return nil, invalid("the field path %q is not valid UTF-8", s)
	}
	p := make(Path, 0, strings.Count(s, ".")+1)
	for rest := s; ; {
		name, after, ok := cutName(rest)
		if !ok || after != "" && after[0] != '.' {
			return nil, invalid("the field path %q cannot be read: separate names with dots, and put a name that has other characters than letters, digits and underscores, or begins with a digit, in backquotes", s)
		}
		p = append(p, name)
		if after == "" {
			break
		}
		rest = after[1:]
	}
	if len(p) == 1 && p[0] == NameField {
		return p, nil
	}
	for _, name := range p {
		if Reserved(name) {
			return nil, invalid("the field path %q has the reserved name %q: names must not begin and end with two underscores", s, name)
		}
	}
	return p, nil
}

// Reserved reports whether a field's name matches the regular expression __.*__ .
func Reserved(name string) bool {
	return len(name) >= 4 && strings.HasPrefix(name, "__") && strings.HasSuffix(name, "__")
}

// cutName takes a name off the front of a path.
func cutName(s string) (name, after string, ok bool) {
	if strings.HasPrefix(s, "`") {
		return cutQuoted(s[1:])
	}
	end := 0
	for end < len(s) && isSimple(s[end], end) {
		end++
	}
	return s[:end], s[end:], end > 0
}

// isSimple reports whether c needs no quotes as the i-th byte of a name.
func isSimple(c byte, i int) bool {
	return c == '_' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || i > 0 && '0' <= c && c <= '9'
}

// cutQuoted takes a name and its closing quote off the front of s.
func cutQuoted(s string) (name, after string, ok bool) {
	end := strings.IndexAny(s, "`\\")
	if end >= 0 && s[end] == '`' { // nothing is escaped
		return s[:end], s[end+1:], end > 0
	}
	var b strings.Builder
	for s != "" {
		switch c := s[0]; c {
		case '`':
			return b.String(), s[1:], true
		case '\\':
			r, rest, ok := unescape(s[1:])
			if !ok {
				return "", "", false
			}
			b.WriteRune(r)
			s = rest
		default:
			b.WriteByte(c)
			s = s[1:]
		}
	}
	return "", "", false
}

// String returns the path as ParsePath reads it, with quotes only where they are needed.
func (p Path) String() string {
	var b strings.Builder
	for i, name := range p {
		if i > 0 {
			b.WriteByte('.')
		}
		if simple(name) {
			b.WriteString(name)
			continue
		}
		b.WriteByte('`')
		for j := range len(name) {
			if name[j] == '`' || name[j] == '\\' {
				b.WriteByte('\\')
			}
			b.WriteByte(name[j])
		}
		b.WriteByte('`')
	}
	return b.String()
}

func simple(name string) bool {
	for i := range len(name) {
		if !isSimple(name[i], i) {
			return false
		}
	}
	return name != ""
}

func invalid(format string, args ...any) error {
	return status.Errorf(codes.InvalidArgument, format, args...)
}
