package rules

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// inDocuments wraps matches as every file of rules does.
func inDocuments(matches string) string {
	return "rules_version = '2';\nservice cloud.firestore { match /databases/{database}/documents {\n" + matches + "\n}}"
}

func TestMatches(t *testing.T) {
	for name, c := range map[string]struct {
		matches string
		want    []string
	}{
		"root wildcard":                {"match /{document=**} { allow read, write; }", []string{"line 3: match /{document=**} allows read, write"}},
		"its condition":                {"match /{d=**} { allow read: if request.auth\n  != null // x\n; }", []string{"line 3: match /{d=**} allows read if request.auth != null"}},
		"always true":                  {"match /{d=**} { allow get: if true; }", []string{"line 3: match /{d=**} allows get"}},
		"one of several allows":        {"match /{d=**} {\nallow get: if false;\nallow list: if (false);\nallow create: if x(); }", []string{"line 6: match /{d=**} allows create if x()"}},
		"the index":                    {"match /hippocampus/{d=**} { allow read; }", []string{"line 3: match /hippocampus/{d=**} allows read"}},
		"the index, nested":            {"match /hippocampus/v1 {\nmatch /{x=**} {\nallow read; } }", []string{"line 5: match /hippocampus/v1/{x=**} allows read"}},
		"a collection group":           {"match /{path=**}/memory_shards/{id} { allow read; }", []string{"line 3: match /{path=**}/memory_shards/{id} allows read"}},
		"one document":                 {"match /hippocampus/{v}/tenants/{t}/memories/index/memory_shards/meta { allow get; }", []string{"line 3: match /hippocampus/{v}/tenants/{t}/memories/index/memory_shards/meta allows get"}},
		"any collections":              {"match /{a}/{b}/{c}/{d}/{e}/{f}/{g}/{h} { allow get; }", []string{"line 3: match /{a}/{b}/{c}/{d}/{e}/{f}/{g}/{h} allows get"}},
		"any root collection":          {"match /{root}/{d=**} { allow get; }", []string{"line 3: match /{root}/{d=**} allows get"}},
		"after a comment":              {"// match /a {\n/* allow read; */ match /{d=**} /* every } */ { // {\nallow read; }", []string{"line 5: match /{d=**} allows read"}},
		"after a string":               {"match /a/{b} { allow read: if b == '}{\\';' || b == \"';\"; }\nmatch /{d=**} { allow read; }", []string{"line 4: match /{d=**} allows read"}},
		"after a function":             {"function f(a) { let b = {'x': 1}; return a == b; }\nmatch /{d=**} { allow read: if f(1); }", []string{"line 4: match /{d=**} allows read if f(1)"}},
		"without semicolons":           {"match /{d=**} { allow get: if a.match == 1\nallow list\nallow create }\nmatch /{d=**} { allow delete: if {'x': 1}.x == 1 }", []string{"line 3: match /{d=**} allows get if a.match == 1", "line 4: match /{d=**} allows list", "line 5: match /{d=**} allows create", "line 6: match /{d=**} allows delete if {'x': 1}.x == 1"}},
		"spaces in the path":           {"match /{ d = ** } { allow get; }\nmatch / hippocampus / {d=**} { allow get; }", []string{"line 3: match /{ d = ** } allows get", "line 4: match /hippocampus/{d=**} allows get"}},
		"stars in the path":            {"match /hippocampus/*/{d=**} { allow get; }", []string{"line 3: match /hippocampus/*/{d=**} allows get"}},
		"stars alone":                  {"match /** { allow get; }", []string{"line 3: match /** allows get"}},
		"odd words in the path":        {"match /hippocamp%75s/{d=**} { allow get; }", []string{"line 3: match /hippocamp%75s/{d=**} allows get"}},
		"a tenant's tree":              {"match /tenants/{t}/{document=**} { allow read, write; }", nil},
		"memories as a group":          {"match /{path=**}/memories/{id} { allow read; }", nil},
		"another collection group":     {"match /{path=**}/shards/{id} { allow read; }", nil},
		"a root collection":            {"match /hippocampus/{version} { allow read; }", nil},
		"below another root":           {"match /mammals/{m}/{d=**} { allow read; }", nil},
		"too shallow for an index":     {"match /{a}/{b}/{c}/{d} { allow read; }", nil},
		"beside the index's documents": {"match /hippocampus/{v}/tenants/{t}/memories/index { allow read; }", nil},
		"the index, closed":            {"match /hippocampus/{document=**} { allow read, write: if false; }", nil},
		"a match in a comment":         {"// match /{d=**} { allow read; }", nil},
		"no matches":                   {"", nil},
	} {
		t.Run(name, func(t *testing.T) {
			found, err := Matches(inDocuments(c.matches))
			require.NoError(t, err)
			var got []string
			for _, m := range found {
				got = append(got, m.String())
			}
			require.Equal(t, c.want, got)
		})
	}
}

func TestMatchesAtOtherRoots(t *testing.T) {
	found, err := Matches("service cloud.firestore { match /{everything=**} { allow read; } }")
	require.NoError(t, err)
	require.Len(t, found, 1)
	require.Equal(t, "/{everything=**}", found[0].Match)

	found, err = Matches("service firebase.storage { match /b/{b}/o { match /{d=**} { allow read; } } }\n" + inDocuments(""))
	require.NoError(t, err)
	require.Empty(t, found, "the rules of files are no rules of documents")
}

func TestMatchesOfBrokenRules(t *testing.T) {
	for source, says := range map[string]string{
		"match /a { }":                         "line 1: a match is outside of a service",
		"allow read;":                          "an allow is outside of a match",
		"service":                              "a service has no block",
		"service cloud.firestore {\n":          "line 2: a block is not closed",
		"service x { {":                        "a block is not closed",
		"}":                                    "a block is closed that is not open",
		"function f()":                         `"{" is missing`,
		"service cloud.firestore { match {":    "a match has no path",
		"service cloud.firestore { match // {": "a match has no path",
		"service cloud.firestore { match /{a":  "a match has no path",
		"service cloud.firestore { match /a b": "a match has no block",
		"service cloud.firestore { match /a { allow read: if '; ": "a block is not closed",
	} {
		_, err := Matches(source)
		require.ErrorContains(t, err, says, source)
	}
}

func FuzzMatches(f *testing.F) {
	ours, err := os.ReadFile("../../firestore.rules")
	require.NoError(f, err)
	f.Add(string(ours))
	f.Add(inDocuments("match /{document=**} { allow read, write: if a[1] == 'x' && !b; }"))
	f.Add("service a { match /{x=**}/{y} {")
	f.Fuzz(func(t *testing.T, source string) {
		found, _ := Matches(source)
		for _, m := range found {
			require.LessOrEqual(t, m.Line, 1+strings.Count(source, "\n"))
			require.True(t, strings.HasPrefix(m.Match, "/"))
		}
	})
}
