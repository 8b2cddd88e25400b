package chaos

import (
	"regexp"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"hippocampus/emulator/emulatortest"
	"hippocampus/internal/deep"
	"hippocampus/internal/mutant"
)

// mutantRuns is how many schedules may at most be needed to find a mutant.
const mutantRuns = 100

// Each rule of the protocol is needed: without it, the schedules find a difference.
func TestMutants(t *testing.T) {
	require.Greater(t, len(mutant.Protocol), 20)
	mutants := deep.Choose(mutant.Protocol[:2], mutant.Protocol)
	binary := mutant.Build(t, "../..", mutants...)
	t.Run("all", func(t *testing.T) {
		for _, m := range mutants {
			t.Run(m.Name, func(t *testing.T) {
				t.Parallel()
				schedules, tests := mutantRuns, "^TestEquivalence$"
				if m.Finds == "" {
					schedules = 10
				}
				if m.Tests != "" {
					tests = m.Tests
				}
				text, err := binary.Run(t, m.Name, []string{emulatortest.Variable + "=embedded"},
					"-test.run="+tests, "-chaos.schedules="+strconv.Itoa(schedules))
				mutant.Check(t, m.Finds, text, err)
				if m.Finds != "" {
					t.Logf("%s: found, %s", m.Name, foundBy.FindString(text))
				}
			})
		}
	})
}

var foundBy = regexp.MustCompile(`schedule \d+ of \d+ finds a difference|Test: .*`)
