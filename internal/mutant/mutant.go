// Package mutant tests tests: it runs them on the product with a fault in its source, which they should find.
package mutant

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Patch is a file, a text that must be in it once, and the text in its place. Without a text to replace, it is a new
// file and its content. Several patches of a file are made one after the other.
type Patch [3]string

// Overlay writes patched sources, whose names are relative to root, and returns the file that has the go command read
// them in place of the true ones. It is there until the test ends.
func Overlay(t testing.TB, root string, patches ...Patch) string {
	t.Helper()
	dir := t.TempDir()
	replace, sources := map[string]string{}, map[string]string{}
	for i, p := range patches {
		file, old, replacement := p[0], p[1], p[2]
		original, err := filepath.Abs(filepath.Join(root, file))
		require.NoError(t, err)
		if replace[original] == "" {
			replace[original] = filepath.Join(dir, strconv.Itoa(i)+".go")
			if old != "" {
				source, err := os.ReadFile(original)
				require.NoError(t, err)
				sources[original] = string(source)
			}
		}
		require.Equal(t, 1, strings.Count(sources[original], old), "patch %d: its text must be in %s once; has the code moved?\n%s", i+1, file, old)
		sources[original] = strings.Replace(sources[original], old, replacement, 1)
		require.NoError(t, os.WriteFile(replace[original], []byte(sources[original]), 0o600))
	}
	overlay, err := json.Marshal(map[string]any{"Replace": replace})
	require.NoError(t, err)
	file := filepath.Join(dir, "overlay.json")
	require.NoError(t, os.WriteFile(file, overlay, 0o600))
	return file
}

// Run runs tests on the source of an overlay, in a process of its own with more variables in its environment, and
// returns what it says and whether it failed. args are those of go test.
func Run(t testing.TB, overlay string, env []string, args ...string) (string, error) {
	test := exec.CommandContext(t.Context(), "go", append([]string{"test", "-count=1", "-vet=off", "-race=false", "-overlay", overlay}, args...)...)
	test.Env = append(os.Environ(), env...)
	output, err := test.CombinedOutput()
	return string(output), err
}

// Check checks that tests failed and said what they should, a regular expression, or that they passed if it is "".
func Check(t testing.TB, finds, said string, err error) {
	t.Helper()
	if finds == "" {
		require.NoError(t, err, "sound code fails:\n%s", said)
		return
	}
	require.Error(t, err, "nothing was found:\n%s", said)
	require.Regexp(t, finds, said)
}
