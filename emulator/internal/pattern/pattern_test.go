package pattern_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"hippocampus/emulator/internal/pattern"
)

func TestMatch(t *testing.T) {
	for _, c := range []struct {
		pattern string
		match   []string
		other   []string
	}{
		{"x/1", []string{"x/1"}, []string{"x/2", "x/1/y/1", "X/1", "y/1", "x"}},
		{"x/{id}", []string{"x/1", "x/日 本", "x/{id}"}, []string{"y/1", "x/1/y/1"}},
		{"x/{id=*}", []string{"x/1"}, []string{"x/1/y/1"}},
		{"x/*", []string{"x/1"}, []string{"x/1/y/1"}},
		{"x/{id=**}", []string{"x/1", "x/1/y/1", "x/1/y/1/z/1"}, []string{"y/1", "xx/1"}},
		{"{all=**}", []string{"x/1", "x/1/y/1", "y/2"}, nil},
		{"**", []string{"x/1", "x/1/y/1"}, nil},
		{"tenants/{t}/memories/{m}", []string{"tenants/a/memories/1"}, []string{"tenants/a/notes/1", "tenants/a", "tenants/a/memories/1/x/1", "users/a/memories/1"}},
		{"{c}/{d}/{e}/{f}", []string{"x/1/y/1"}, []string{"x/1"}},
		{"{rest=**}/memories/{m}", []string{"tenants/a/memories/1", "memories/1"}, []string{"tenants/a/notes/1", "memories/1/x/2"}},
		{"x/{rest=**}/y/{id}", []string{"x/1/y/1", "x/1/z/2/y/1"}, []string{"x/1", "y/1/y/1", "x/1/y/1/z/1"}},
	} {
		t.Run(c.pattern, func(t *testing.T) {
			p, err := pattern.Parse(c.pattern)
			require.NoError(t, err)
			for _, path := range c.match {
				require.True(t, p.Match(path), path)
			}
			for _, path := range c.other {
				require.False(t, p.Match(path), path)
			}
		})
	}
}

func TestBadPatterns(t *testing.T) {
	for name, c := range map[string]struct{ pattern, want string }{
		"nothing":         {"", "empty segment"},
		"leading slash":   {"/x/{id}", "empty segment"},
		"trailing slash":  {"x/{id}/", "empty segment"},
		"a collection":    {"x/{id}/y", "names a collection"},
		"part wildcard":   {"x/a*", "takes a whole segment"},
		"part capture":    {"x/a{b}", "takes a whole segment"},
		"capture pattern": {"x/{b=c*}", "only {name}"},
		"unclosed":        {"x/{b", "takes a whole segment"},
		"same name twice": {"x/{b}/y/{b}", "two {b}"},
		"two rests":       {"{a=**}/x/{b=**}", "more than one **"},
	} {
		_, err := pattern.Parse(c.pattern)
		require.ErrorContains(t, err, c.want, name)
	}
}
