package chaos_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"hippocampus/emulator/emulatortest"
)

// mutant is the product with a rule of the protocol taken away. Its source is
// that of the product with each patch's text, which must be there once, replaced.
type mutant struct {
	name    string
	patches []patch
	finds   string // what the schedules find, a regular expression; "" is nothing
	tests   string // which tests are run; "" is those of schedules
}

type patch struct{ file, old, new string }

const (
	differs = "differs from the store"
	garbage = "after a full fold that ran alone"
	unasked = "nobody has asked for a compaction"
)

// mutantRuns is how many schedules may at most be needed to find a mutant.
const mutantRuns = 100

// Each rule of the protocol is needed: without it, the schedules find a difference.
func TestMutants(t *testing.T) {
	require.NotEmpty(t, mutants)
	t.Run("all", func(t *testing.T) {
		for _, m := range mutants {
			t.Run(m.name, func(t *testing.T) {
				t.Parallel()
				text, err := m.run(t)
				if m.finds == "" {
					require.NoError(t, err, "sound code fails:\n%s", text)
					return
				}
				require.Error(t, err, "nothing was found:\n%s", text)
				require.Regexp(t, m.finds, text)
				t.Logf("%s: found, %s", m.name, foundBy.FindString(text))
			})
		}
	})
}

var foundBy = regexp.MustCompile(`schedule \d+ of \d+ finds a difference|Test: .*`)

// run runs the tests on the mutant, in a process of its own, and returns their
// output and whether they failed.
func (m *mutant) run(t *testing.T) (string, error) {
	schedules, tests := mutantRuns, "^TestEquivalence$"
	if m.finds == "" {
		schedules = 10
	}
	if m.tests != "" {
		tests = m.tests
	}
	test := exec.CommandContext(t.Context(), "go", "test", "-count=1", "-vet=off", "-race=false", "-overlay", m.overlay(t), "-run", tests, ".",
		"-chaos.runs="+strconv.Itoa(schedules))
	test.Env = append(os.Environ(), emulatortest.Variable+"=embedded")
	output, err := test.CombinedOutput()
	return string(output), err
}

// overlay writes the mutant's sources and returns the file that has the go command
// read them in place of the product's.
func (m *mutant) overlay(t *testing.T) string {
	dir := t.TempDir()
	replace := map[string]string{}
	for i, p := range m.patches {
		original, err := filepath.Abs(filepath.Join("..", p.file))
		require.NoError(t, err)
		from := original
		if before, ok := replace[original]; ok {
			from = before
		}
		source, err := os.ReadFile(from)
		require.NoError(t, err)
		require.Equal(t, 1, strings.Count(string(source), p.old), "patch %d of mutant %s: its text must be in %s once; has the code moved?\n%s", i+1, m.name, p.file, p.old)
		mutated := filepath.Join(dir, strconv.Itoa(i)+".go")
		require.NoError(t, os.WriteFile(mutated, []byte(strings.Replace(string(source), p.old, p.new, 1)), 0o600))
		replace[original] = mutated
	}
	overlay, err := json.Marshal(map[string]any{"Replace": replace})
	require.NoError(t, err)
	file := filepath.Join(dir, "overlay.json")
	require.NoError(t, os.WriteFile(file, overlay, 0o600))
	return file
}
