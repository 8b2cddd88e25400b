package differential_test

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

// mutant is the emulator with a fault: in a file, new in place of old. NAME is its name.
type mutant struct{ name, file, old, new, imports string }

const (
	// mutantVariable names the fault that a process has.
	mutantVariable = "DIFFERENTIAL_MUTANT"
	// mutantRuns is how many programs may at most be needed to find a fault.
	mutantRuns = 600
)

// Each fault is found.
func TestMutants(t *testing.T) {
	if os.Getenv(hostVariable) != "" {
		t.Fatal("a mutant has no mutants")
	}
	require.NotEmpty(t, mutants)
	host, binary := officialHost(t), compile(t)
	t.Run("all", func(t *testing.T) {
		t.Run("sound", func(t *testing.T) {
			t.Parallel()
			text, err := run(t, binary, host, "", 20)
			require.NoError(t, err, "sound code fails:\n%s", text)
		})
		t.Run(indexed, func(t *testing.T) {
			t.Parallel()
			text, err := run(t, binary, host, indexed, mutantRuns)
			require.NoError(t, err, "indexes change a result:\n%s", text)
		})
		for _, m := range mutants {
			if m.name == indexed {
				continue
			}
			t.Run(m.name, func(t *testing.T) {
				t.Parallel()
				text, err := run(t, binary, host, m.name, mutantRuns)
				require.Error(t, err, "nothing was found:\n%s", text)
				require.Contains(t, text, "differs at step")
				_, found, _ := strings.Cut(text, "program ")
				found, _, _ = strings.Cut(found, ";")
				t.Logf("%s: program %s", m.name, found)
			})
		}
	})
}

// run runs programs on a mutant, in a process of its own, and returns what it says and whether it failed.
func run(t *testing.T, binary, host, name string, programs int) (string, error) {
	test := exec.CommandContext(t.Context(), binary, "-test.run=^TestPrograms$", "-differential.runs="+strconv.Itoa(programs))
	test.Env = append(os.Environ(), hostVariable+"="+host, mutantVariable+"="+name)
	output, err := test.CombinedOutput()
	return string(output), err
}

// compile builds this test with all mutants and returns the binary.
func compile(t *testing.T) string {
	dir := t.TempDir()
	replace := map[string]string{}
	path := func(file string) string {
		absolute, err := filepath.Abs(filepath.Join("..", file))
		require.NoError(t, err)
		return absolute
	}
	write := func(original, text string) {
		replace[original] = filepath.Join(dir, strconv.Itoa(len(replace))+".go")
		require.NoError(t, os.WriteFile(replace[original], []byte(text), 0o600))
	}
	sources := map[string]string{}
	patch := func(m mutant, old, new string) {
		original := path(m.file)
		if sources[original] == "" {
			source, err := os.ReadFile(original)
			require.NoError(t, err)
			sources[original] = string(source)
		}
		require.Equal(t, 1, strings.Count(sources[original], old), "mutant %q: its text must be in %s once; has the code moved?\n%s", m.name, m.file, old)
		sources[original] = strings.Replace(sources[original], old, new, 1)
	}
	for _, m := range mutants {
		patch(m, m.old, strings.ReplaceAll(m.new, "NAME", strconv.Quote(m.name)))
		if m.imports != "" {
			patch(m, m.imports, strings.TrimSuffix(m.imports, ")")+"	\"hippocampus/emulator/value\"\n)")
		}
	}
	write(path("value/mutation.go"), mutation)
	for original, source := range sources {
		write(original, source)
	}
	overlay, err := json.Marshal(map[string]any{"Replace": replace})
	require.NoError(t, err)
	file := filepath.Join(dir, "overlay.json")
	require.NoError(t, os.WriteFile(file, overlay, 0o600))
	binary := filepath.Join(dir, "mutants.test")
	output, err := exec.CommandContext(t.Context(), "go", "test", "-c", "-race=false", "-overlay="+file, "-o", binary, ".").CombinedOutput()
	require.NoError(t, err, "%s", output)
	return binary
}
