package main

import (
	"fmt"
	"strings"

	"hippocampus/index"
)

// A coveringMatch is an allow of security rules whose match covers documents of
// an index, whatever its condition may let through.
type coveringMatch struct {
	Line      int    `json:"line"`
	Match     string `json:"match"`               // below /databases/{database}/documents
	Allow     string `json:"allow"`               // such as "read, write"
	Condition string `json:"condition,omitempty"` // empty: none
}

func (m coveringMatch) String() string {
	s := fmt.Sprintf("line %d: match %s allows %s", m.Line, m.Match, m.Allow)
	if m.Condition != "" {
		s += " if " + m.Condition
	}
	return s
}

// coveringMatches finds the matches that cover documents of an index, of any
// memory collection and any version, and allow something. An allow with the
// condition false allows nothing. The rules must be ones that Firestore takes:
// of others it may find nothing, or return an error.
func coveringMatches(source string) ([]coveringMatch, error) {
	p := &rulesParser{source: source}
	err := p.block(nil, true)
	return p.found, err
}

// Segments of a match path that stand for something.
const (
	anySegment  = "*"  // {name}
	anySegments = "**" // {name=**}: none, one or more
)

// indexPattern is the path of every document of every index. A memory collection
// is any odd number of segments.
var indexPattern = []string{
	"databases", anySegment, "documents",
	index.Root, anySegment, anySegment, anySegments, "index", index.CollectionID, anySegment,
}

// overlap reports whether some path fits both patterns.
func overlap(a, b []string) bool {
	switch {
	case len(a) > 0 && a[0] == anySegments:
		return overlap(a[1:], b) || len(b) > 0 && overlap(a, b[1:])
	case len(b) > 0 && b[0] == anySegments:
		return overlap(b, a)
	case len(a) == 0 || len(b) == 0:
		return len(a) == len(b)
	}
	return (a[0] == b[0] || a[0] == anySegment || b[0] == anySegment) && overlap(a[1:], b[1:])
}

// matchPath is the path of nested matches, as a pattern and as it is written.
type matchPath struct {
	pattern []string
	text    string
}

// rulesParser reads as much of the rules language as says which documents a
// match is about: services, matches, allows. It passes over functions.
type rulesParser struct {
	source string
	at     int
	found  []coveringMatch
}

// block reads statements up to the end of a block, or of the source.
func (p *rulesParser) block(within *matchPath, outermost bool) error {
	for {
		var err error
		switch token := p.next(); token {
		case "":
			if !outermost {
				return p.errorf("a block is not closed")
			}
			return nil
		case "}":
			if outermost {
				return p.errorf("a block is closed that is not open")
			}
			return nil
		case "service":
			err = p.service()
		case "match":
			err = p.match(within)
		case "allow":
			err = p.allow(within)
		case "function":
			if err = p.skipTo("{"); err == nil {
				err = p.skipBlock()
			}
		case "{":
			err = p.skipBlock()
		}
		if err != nil {
			return err
		}
	}
}

// service reads a service. A file may have Storage's rules too.
func (p *rulesParser) service() error {
	name := p.next()
	for token := p.next(); token != "{"; token = p.next() {
		if token == "" {
			return p.errorf("a service has no block")
		}
		name += token
	}
	if name != "cloud.firestore" {
		return p.skipBlock()
	}
	return p.block(&matchPath{}, false)
}

func (p *rulesParser) match(within *matchPath) error {
	if within == nil {
		return p.errorf("a match is outside of a service")
	}
	inner, err := p.path()
	if err != nil {
		return err
	}
	if p.next() != "{" {
		return p.errorf("a match has no block")
	}
	return p.block(&matchPath{
		pattern: append(within.pattern[:len(within.pattern):len(within.pattern)], inner.pattern...),
		text:    within.text + inner.text,
	}, false)
}

// path reads the path of a match, such as /tenants/{tenant}/{document=**}.
func (p *rulesParser) path() (*matchPath, error) {
	p.skipSpace()
	start := p.at
	path := &matchPath{}
	for p.at < len(p.source) && p.source[p.at] == '/' {
		p.at++
		begin := p.at
		if p.at < len(p.source) && p.source[p.at] == '{' {
			end := strings.IndexByte(p.source[p.at:], '}')
			if end < 0 {
				return nil, p.errorf("a wildcard is not closed")
			}
			p.at += end + 1
			segment := anySegment
			if strings.HasSuffix(strings.TrimRight(p.source[begin:p.at-1], " \t"), "**") {
				segment = anySegments
			}
			path.pattern = append(path.pattern, segment)
			continue
		}
		end := strings.IndexAny(p.source[p.at:], "/{ \t\r\n")
		if end <= 0 {
			return nil, p.errorf("a match has no path")
		}
		p.at += end
		path.pattern = append(path.pattern, p.source[begin:p.at])
	}
	if len(path.pattern) == 0 {
		return nil, p.errorf("a match has no path")
	}
	path.text = p.source[start:p.at]
	return path, nil
}

// allow reads an allow, and keeps it if it is one for documents of an index.
func (p *rulesParser) allow(within *matchPath) error {
	if within == nil {
		return p.errorf("an allow is outside of a match")
	}
	found := coveringMatch{Line: 1 + strings.Count(p.source[:p.at], "\n")}
	var methods []string
	token := p.next()
	for ; token != ":" && token != ";"; token = p.next() {
		switch token {
		case "", "{", "}":
			return p.errorf("an allow is not ended by a semicolon")
		case ",":
		default:
			methods = append(methods, token)
		}
	}
	if token == ":" {
		var condition []string
		for token = p.next(); token != ";"; token = p.next() {
			if token == "" {
				return p.errorf("an allow is not ended by a semicolon")
			}
			condition = append(condition, token)
		}
		if len(condition) > 0 && condition[0] == "if" {
			condition = condition[1:]
		}
		found.Condition = join(condition)
	}
	if never(found.Condition) || !overlap(within.pattern, indexPattern) {
		return nil
	}
	if strings.Trim(found.Condition, "() ") == "true" {
		found.Condition = ""
	}
	found.Allow = strings.Join(methods, ", ")
	found.Match = within.text
	if len(within.pattern) > 3 && within.pattern[2] == "documents" {
		found.Match = "/" + strings.SplitN(within.text, "/", 5)[4]
	}
	p.found = append(p.found, found)
	return nil
}

// never reports whether a condition is plainly false.
func never(condition string) bool { return strings.Trim(condition, "() ") == "false" }

// join puts the tokens of an expression together again, near enough to the way
// people write it.
func join(tokens []string) string {
	var b strings.Builder
	for i, token := range tokens {
		if i > 0 && spaced(tokens[i-1], token) {
			b.WriteByte(' ')
		}
		b.WriteString(token)
	}
	return b.String()
}

func spaced(before, after string) bool {
	if after == "(" || after == "[" {
		return !isWord(before[len(before)-1]) && !strings.Contains("([$!", before)
	}
	return !strings.Contains(".([/$!", before) && !strings.Contains(".,)]/", after)
}

// next returns the next token, or the empty string at the end of the source: a
// word, a string, an operator of two characters, or one character.
func (p *rulesParser) next() string {
	p.skipSpace()
	if p.at == len(p.source) {
		return ""
	}
	start := p.at
	switch c := p.source[p.at]; {
	case isWord(c):
		for p.at < len(p.source) && isWord(p.source[p.at]) {
			p.at++
		}
	case c == '\'' || c == '"':
		p.at++
		for p.at < len(p.source) && p.source[p.at] != c {
			if p.source[p.at] == '\\' && p.at+1 < len(p.source) {
				p.at++
			}
			p.at++
		}
		p.at = min(p.at+1, len(p.source))
	case p.at+1 < len(p.source) && strings.Contains("== != <= >= && ||", p.source[p.at:p.at+2]) && c != ' ':
		p.at += 2
	default:
		p.at++
	}
	return p.source[start:p.at]
}

func isWord(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= 0x80
}

// skipSpace passes over white space and comments.
func (p *rulesParser) skipSpace() {
	for p.at < len(p.source) {
		rest := p.source[p.at:]
		switch {
		case strings.IndexByte(" \t\r\n", rest[0]) >= 0:
			p.at++
		case strings.HasPrefix(rest, "//"):
			p.skipPast(rest, "\n")
		case strings.HasPrefix(rest, "/*"):
			p.skipPast(rest, "*/")
		default:
			return
		}
	}
}

func (p *rulesParser) skipPast(rest, end string) {
	if i := strings.Index(rest, end); i >= 0 {
		p.at += i + len(end)
		return
	}
	p.at = len(p.source)
}

func (p *rulesParser) skipTo(token string) error {
	for t := p.next(); t != token; t = p.next() {
		if t == "" {
			return p.errorf("%q is missing", token)
		}
	}
	return nil
}

// skipBlock passes over a block whose opening brace is read.
func (p *rulesParser) skipBlock() error {
	for depth := 1; depth > 0; {
		switch p.next() {
		case "":
			return p.errorf("a block is not closed")
		case "{":
			depth++
		case "}":
			depth--
		}
	}
	return nil
}

func (p *rulesParser) errorf(format string, args ...any) error {
	line := 1 + strings.Count(p.source[:p.at], "\n")
	return fmt.Errorf("line %d: %s", line, fmt.Sprintf(format, args...))
}
