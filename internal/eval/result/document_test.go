package result_test

import (
	"os"
	"reflect"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"hippocampus/internal/eval/result"
)

// shared are the types that the page describes once, under this name.
var shared = map[reflect.Type]string{
	reflect.TypeFor[result.Verdict]():   "verdict",
	reflect.TypeFor[result.Diff]():      "diff",
	reflect.TypeFor[result.Latencies](): "latencies",
}

// docs/results.md has a row for each field of the document, with its type, and no other.
func TestThePageDescribesTheDocument(t *testing.T) {
	page, err := os.ReadFile("../../../docs/results.md")
	require.NoError(t, err)
	row := regexp.MustCompile("(?m)^\\| `([^`]+)` \\| ([^|]*) \\| (.*) \\|$")
	said := map[string]string{}
	for _, match := range row.FindAllStringSubmatch(string(page), -1) {
		path, kind, meaning := match[1], match[2], match[3]
		require.NotContains(t, said, path, "is described once")
		require.NotEmpty(t, meaning, path)
		said[path] = kind
	}
	is := map[string]string{}
	describe(t, is, "", reflect.TypeFor[result.Results]())
	for kind, name := range shared {
		describe(t, is, name+".", kind)
	}
	require.Greater(t, len(is), 100)
	require.Equal(t, is, said)
	require.Contains(t, string(page), "\n| 1 | first release |")
	require.Equal(t, 1, result.Schema, "another version has a row of its own in the page's first table")
}

// describe notes the type of each field of a struct under its path.
func describe(t *testing.T, into map[string]string, prefix string, s reflect.Type) {
	for i := range s.NumField() {
		field := s.Field(i)
		name, options, _ := strings.Cut(field.Tag.Get("json"), ",")
		require.NotEmpty(t, name, "%s.%s has a name in JSON", s, field.Name)
		kind, inner := kindOf(t, field.Type)
		if options == "omitempty" {
			kind += "?"
		}
		path := prefix + name
		into[path] = kind
		if inner != nil {
			if strings.HasPrefix(kind, "array") {
				path += "[]"
			}
			describe(t, into, path+".", inner)
		}
	}
}

// kindOf names a type as the page does, and returns the struct that is to be described below it, if any.
func kindOf(t *testing.T, of reflect.Type) (kind string, inner reflect.Type) {
	if name, ok := shared[of]; ok {
		return name, nil
	}
	if of == reflect.TypeFor[time.Time]() {
		return "time", nil
	}
	switch of.Kind() {
	case reflect.Pointer:
		return kindOf(t, of.Elem())
	case reflect.Slice:
		kind, inner = kindOf(t, of.Elem())
		return "array of " + kind + "s", inner
	case reflect.Struct:
		return "object", of
	case reflect.String:
		return "string", nil
	case reflect.Bool:
		return "boolean", nil
	case reflect.Float64:
		return "number", nil
	case reflect.Int, reflect.Int64, reflect.Uint64:
		return "integer", nil
	}
	require.Fail(t, "a type that the page has no word for", "%s", of)
	return "", nil
}
