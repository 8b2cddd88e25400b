package chaos

import (
	"regexp"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"hippocampus/emulator/emulatortest"
	"hippocampus/internal/chaos/mutants"
	"hippocampus/internal/mutant"
)

// mutantRuns is how many schedules may at most be needed to find a mutant.
const mutantRuns = 100

// Each rule of the protocol is needed: without it, the schedules find a difference.
func TestMutants(t *testing.T) {
	require.NotEmpty(t, mutants.All)
	t.Run("all", func(t *testing.T) {
		for _, m := range mutants.All {
			t.Run(m.Name, func(t *testing.T) {
				t.Parallel()
				text, err := runMutant(t, &m)
				mutant.Check(t, m.Finds, text, err)
				if m.Finds != "" {
					t.Logf("%s: found, %s", m.Name, foundBy.FindString(text))
				}
			})
		}
	})
}

var foundBy = regexp.MustCompile(`schedule \d+ of \d+ finds a difference|Test: .*`)

// runMutant runs the tests on the mutant, in a process of its own, and returns their
// output and whether they failed.
func runMutant(t *testing.T, m *mutants.Mutant) (string, error) {
	schedules, tests := mutantRuns, "^TestEquivalence$"
	if m.Finds == "" {
		schedules = 10
	}
	if m.Tests != "" {
		tests = m.Tests
	}
	return mutant.Run(t, mutant.Overlay(t, "../..", m.Patches...), []string{emulatortest.Variable + "=embedded"},
		"-run", tests, ".", "-chaos.runs="+strconv.Itoa(schedules))
}
