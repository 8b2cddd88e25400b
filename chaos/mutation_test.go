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

	"hippocampus/emulator/official/officialtest"
)

// mutant is the product with a rule of the protocol taken away. Its source is
// that of the product with each patch's text, which must be there once, replaced.
type mutant struct {
	name    string
	patches []patch
	finds   string // what the schedules find; "" is nothing
}

type patch struct{ file, old, new string }

const (
	differs = "differs from the store"
	garbage = "after a full fold that ran alone"
)

// mutantRuns is how many schedules may at most be needed to find a mutant.
const mutantRuns = 100

// Each rule of the protocol is needed: without it, the schedules find a difference.
func TestMutants(t *testing.T) {
	em := officialtest.Start(t)
	if em.External() {
		t.Fatal("the mutants share an emulator that this process has started: unset FIRESTORE_EMULATOR_HOST")
	}
	relay := serveRelay(t, em)
	require.NotEmpty(t, mutants)
	t.Run("all", func(t *testing.T) {
		for _, m := range mutants {
			t.Run(m.name, func(t *testing.T) {
				t.Parallel()
				found, text := m.run(t, em.Host(), relay)
				if m.finds == "" {
					require.Zero(t, found, "a sound product fails:\n%s", text)
					return
				}
				require.NotZero(t, found, "%d schedules find nothing:\n%s", mutantRuns, text)
				require.Contains(t, text, m.finds)
				t.Logf("found by schedule %d", found)
			})
		}
	})
}

var foundBy = regexp.MustCompile(`schedule (\d+) of \d+ finds a difference`)

// run runs the schedules on the mutant, in a process of its own, and returns the
// number of the first that found a difference, 0 for none, and the output.
func (m *mutant) run(t *testing.T, emulator, relay string) (found int, text string) {
	schedules := mutantRuns
	if m.finds == "" {
		schedules = 10
	}
	test := exec.CommandContext(t.Context(), "go", "test", "-count=1", "-vet=off", "-overlay", m.overlay(t), "-run=^TestEquivalence$", ".",
		"-chaos.runs="+strconv.Itoa(schedules))
	test.Env = append(os.Environ(), "FIRESTORE_EMULATOR_HOST="+emulator, relayVariable+"="+relay)
	output, err := test.CombinedOutput()
	text = string(output)
	if err == nil {
		return 0, text
	}
	by := foundBy.FindStringSubmatch(text)
	require.NotNil(t, by, "the mutant's tests failed, but not by a difference: %v\n%s", err, text)
	found, err = strconv.Atoi(by[1])
	require.NoError(t, err)
	return found, text
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
