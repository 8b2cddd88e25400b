package rules

import (
	"fmt"
	"strings"

	"hippocampus/index"
)

// A Match is an allow of security rules whose match covers documents of
// an index, whatever its condition may let through.
type Match struct {
	Line      int    `json:"line"`
	Match     string `json:"match"`               // below /databases/{database}/documents
	Allow     string `json:"allow"`               // such as "read, write"
	Condition string `json:"condition,omitempty"` // empty: none
}

func (m Match) String() string {
	s := fmt.Sprintf("line %d: match %s allows %s", m.Line, m.Match, m.Allow)
	if m.Condition != "" {
		s += " if " + m.Condition
	}
	return s
}

// Matches finds the matches that cover documents of an index, of any
// memory collection and any version, and allow something. An allow with the
// condition false allows nothing. The rules must be ones that Firestore takes:
// of others it may find nothing, or return an error.
func Matches(source string) ([]Match, error) {
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

// overlap reports whether some path fits both patterns. It looks at every pair of
// rests once, from the back, so that no nesting of wildcards makes it slow.
func overlap(a, b []string) bool {
	next := make([]bool, len(b)+1) // for the rest of a that is one shorter
	for i := len(a); i >= 0; i-- {
		row := make([]bool, len(b)+1)
		for j := len(b); j >= 0; j-- {
			switch {
			case i < len(a) && a[i] == anySegments:
				row[j] = next[j] || j < len(b) && row[j+1]
			case j < len(b) && b[j] == anySegments:
				row[j] = row[j+1] || i < len(a) && next[j]
			case i == len(a) || j == len(b):
				row[j] = i == len(a) && j == len(b)
			default:
				row[j] = (a[i] == b[j] || a[i] == anySegment || b[j] == anySegment) && next[j+1]
			}
		}
		next = row
	}
	return next[0]
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
	found  []Match
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

// path reads the path of a match, such as /tenants/{tenant}/{document=**}. There
// may be spaces around its slashes.
func (p *rulesParser) path() (*matchPath, error) {
	path := &matchPath{}
	for p.peek() == "/" {
		p.next()
		p.skipSpace()
		begin := p.at
		wildcard := strings.HasPrefix(p.source[begin:], "{")
		end := strings.IndexAny(p.source[begin:], "/{} \t\r\n")
		if wildcard {
			end = strings.IndexByte(p.source[begin:], '}') + 1
		}
		if end <= 0 {
			return nil, p.errorf("a match has no path that doctor can read")
		}
		p.at += end
		segment := p.source[begin:p.at]
		path.text += "/" + segment
		path.pattern = append(path.pattern, pattern(segment))
	}
	if len(path.pattern) == 0 {
		return nil, p.errorf("a match has no path that doctor can read")
	}
	return path, nil
}

// pattern returns what a segment of a match path stands for. What is neither a
// wildcard nor a plain word is taken for one that may be anything: better a
// warning too many.
func pattern(segment string) string {
	odd := func(r rune) bool { return r >= 0x80 || !isWord(byte(r)) && r != '-' && r != '.' }
	switch {
	case strings.Contains(segment, "**"):
		return anySegments
	case strings.ContainsFunc(segment, odd):
		return anySegment
	}
	return segment
}

// allow reads an allow, and keeps it if it is one for documents of an index.
func (p *rulesParser) allow(within *matchPath) error {
	if within == nil {
		return p.errorf("an allow is outside of a match")
	}
	found := Match{Line: 1 + strings.Count(p.source[:p.at], "\n")}
	methods := []string{p.next()}
	for p.peek() == "," {
		p.next()
		methods = append(methods, p.next())
	}
	found.Allow = strings.Join(methods, ", ")
	if p.peek() == ":" {
		p.next()
		if p.peek() == "if" {
			p.next()
		}
		found.Condition = strings.Join(strings.Fields(p.expression()), " ")
	}
	switch bare := strings.Trim(found.Condition, "() "); {
	case bare == "false", !overlap(within.pattern, indexPattern):
		return nil
	case bare == "true":
		found.Condition = ""
	}
	found.Match = within.text
	if len(within.pattern) > 3 && within.pattern[2] == "documents" {
		found.Match = "/" + strings.SplitN(within.text, "/", 5)[4]
	}
	p.found = append(p.found, found)
	return nil
}

// expression reads an expression and returns its text. It ends at a semicolon, at the
// end of the block or, as semicolons may be left out, at the next statement.
func (p *rulesParser) expression() string {
	start, end, depth := p.at, p.at, 0
	for last := ""; ; end = p.at {
		token := p.peek()
		switch token {
		case "":
			return p.source[start:end]
		case "(", "[", "{":
			depth++
		case ")", "]":
			depth--
		case "}":
			if depth <= 0 {
				return p.source[start:end]
			}
			depth--
		case ";":
			if depth <= 0 {
				return p.source[start:end]
			}
		case "allow", "match", "function":
			if depth <= 0 && last != "." {
				return p.source[start:end]
			}
		}
		last = p.next()
	}
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

// peek returns the next token without reading it.
func (p *rulesParser) peek() string {
	at := p.at
	defer func() { p.at = at }()
	return p.next()
}

func isWord(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' ||
		c >= 0x80
}

// skipSpace passes over white space and comments.
func (p *rulesParser) skipSpace() {
	for p.at < len(p.source) {
		rest := p.source[p.at:]
		switch {
		case strings.IndexByte(" \t\r\n", rest[0]) >= 0:
			p.at++
		case strings.HasPrefix(rest, "//"):
			p.skipPast("\n")
		case strings.HasPrefix(rest, "/*") && strings.Contains(rest[2:], "*/"):
			p.at += 2
			p.skipPast("*/")
		default:
			return
		}
	}
}

func (p *rulesParser) skipPast(end string) {
	if i := strings.Index(p.source[p.at:], end); i >= 0 {
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
