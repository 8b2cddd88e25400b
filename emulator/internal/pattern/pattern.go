// Package pattern is the path patterns of triggers: which documents they watch.
package pattern

import (
	"fmt"
	"regexp"
	"strings"
)

// Pattern is a parsed path pattern: one element a segment. The wildcards are "*" (any one segment)
// and "**" (any number of segments); a literal "*" cannot be written, as in Eventarc.
type Pattern []string

var capture = regexp.MustCompile(`^\{([A-Za-z][A-Za-z0-9_]*)(?:=(.*))?\}$`)

// Parse parses a pattern of documents' paths, relative to their database, as in
// --trigger-event-filters-path-pattern=document=...: "tenants/{tenant}/memories/{memory}". A
// segment is literal, or {name}, {name=*} or * for any one, or {name=**} or ** for any number,
// once.
func Parse(s string) (Pattern, error) {
	var p Pattern
	names, rests := map[string]bool{}, 0
	for _, segment := range strings.Split(s, "/") {
		if m := capture.FindStringSubmatch(segment); m != nil {
			if names[m[1]] {
				return nil, fmt.Errorf("pattern %q has two {%s}; give them different names", s, m[1])
			}
			names[m[1]] = true
			switch m[2] {
			case "", "*":
				segment = "*"
			case "**":
				segment = "**"
			default:
				return nil, fmt.Errorf("pattern %q: %s: only {name}, {name=*} and {name=**} are understood", s, segment)
			}
		} else if strings.ContainsAny(segment, "{}") || strings.Contains(segment, "*") && segment != "*" && segment != "**" {
			return nil, fmt.Errorf("pattern %q: a wildcard takes a whole segment: {name}, {name=*} or {name=**}, not %q", s, segment)
		}
		if segment == "" {
			return nil, fmt.Errorf("pattern %q has an empty segment; write it as users/{user}, without a slash at either end", s)
		}
		if segment == "**" {
			rests++
		}
		p = append(p, segment)
	}
	if rests > 1 {
		return nil, fmt.Errorf("pattern %q has more than one **", s)
	}
	if rests == 0 && len(p)%2 != 0 {
		return nil, fmt.Errorf("pattern %q names a collection, not documents; add a segment such as {id}", s)
	}
	return p, nil
}

// Match reports whether path, of the form collection/id/collection/id, matches.
func (p Pattern) Match(path string) bool {
	segments := strings.Split(path, "/")
	for i, want := range p {
		if want == "**" {
			after := p[i+1:]
			from := len(segments) - len(after)
			return from >= i && after.matchEach(segments[from:])
		}
		if i >= len(segments) || want != "*" && want != segments[i] {
			return false
		}
	}
	return len(segments) == len(p)
}

func (p Pattern) matchEach(segments []string) bool {
	for i, want := range p {
		if want != "*" && want != segments[i] {
			return false
		}
	}
	return true
}
