// Package mutant tests tests: it runs them on the product, or on the emulator, with a fault in its
// source, which they should find.
//
// All faults of a test are built into one binary, so that a fault costs no build. Each lies in
// functions, and a function with faults becomes several,
//
//	func (s *Store) put(p0 string) error {     // asks which fault this process has
//		switch active.Mutant {
//		case "a name may be empty":
//			return s.put__0(p0)
//		}
//		return s.put__sound(p0)
//	}
//
// of which the environment of a process chooses one. The sources are changed by an overlay of the
// go command, never on disk.
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

// Patch is a file, a text that must be in it once, and the text in its place. Both lie in functions
// or in the imports. Several patches of a file are made one after the other.
type Patch [3]string

// Mutant is the product with a fault in it.
type Mutant struct {
	Name    string
	Patches []Patch
	// Tests are those that find it, a regular expression; "" is those that find most.
	Tests string
	// Finds is what they say, a regular expression; "" is nothing, as the code is sound.
	Finds string
}

// Variable names the fault that a process of a Binary has.
const Variable = "HIPPOCAMPUS_MUTANT"

// Binary is the tests of a package with faults in what they test.
type Binary struct{ file string }

// Build builds the tests of the package in the working directory with all mutants' faults in it.
// Their files are relative to root. The binary is there until the test ends.
func Build(t testing.TB, root string, mutants ...Mutant) *Binary {
	t.Helper()
	require.NotEmpty(t, mutants)
	dir := t.TempDir()
	replace := map[string]string{}
	write := func(original, source string) {
		file := filepath.Join(dir, strconv.Itoa(len(replace))+".go")
		require.NoError(t, os.WriteFile(file, []byte(source), 0o600))
		replace[original] = file
	}
	path, folder := module(t)
	for file, source := range sources(t, path, root, mutants) {
		write(file, source)
	}
	write(filepath.Join(folder, filepath.FromSlash(activePath), "active.go"), activeSource)
	overlay, err := json.Marshal(map[string]any{"Replace": replace})
	require.NoError(t, err)
	list := filepath.Join(dir, "overlay.json")
	require.NoError(t, os.WriteFile(list, overlay, 0o600))
	binary := filepath.Join(dir, "mutants.test")
	build := exec.CommandContext(t.Context(), "go", "test", "-c", "-vet=off", "-race=false",
		"-overlay", list, "-o", binary, ".")
	output, err := build.CombinedOutput()
	require.NoError(t, err, "the mutants do not compile:\n%s", output)
	return &Binary{binary}
}

// Run runs tests on a mutant, or on sound code if the name is "", in a process of its own with more
// variables in its environment, and returns what it says and whether it failed. args are those of
// go test, written as -test.run.
func (b *Binary) Run(t testing.TB, name string, env []string, args ...string) (string, error) {
	test := exec.CommandContext(t.Context(), b.file, args...)
	test.Env = append(append(os.Environ(), env...), Variable+"="+name)
	output, err := test.CombinedOutput()
	return string(output), err
}

// Check checks that tests failed and said what they should, a regular expression, or that they
// passed if it is "".
func Check(t testing.TB, finds, said string, err error) {
	t.Helper()
	if finds == "" {
		require.NoError(t, err, "sound code fails:\n%s", said)
		return
	}
	require.Error(t, err, "nothing was found:\n%s", said)
	require.Regexp(t, finds, said)
}

// module returns the path of the module that holds for the working directory, and its folder.
func module(t testing.TB) (path, dir string) {
	output, err := exec.CommandContext(t.Context(), "go", "list", "-m", "-f",
		"{{.Path}}\n{{.Dir}}").Output()
	require.NoError(t, err)
	path, dir, found := strings.Cut(strings.TrimSpace(string(output)), "\n")
	require.True(t, found)
	return path, dir
}
