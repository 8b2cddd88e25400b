package chaos

import (
	"regexp"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"hippocampus/emulator/emulatortest"
	"hippocampus/mutant"
)

// faulty is the product with a rule of the protocol taken away.
type faulty struct {
	name    string
	patches []patch
	finds   string // what the schedules find, a regular expression; "" is nothing
	tests   string // which tests are run; "" is those of schedules
}

type patch = mutant.Patch

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
				mutant.Check(t, m.finds, text, err)
				if m.finds != "" {
					t.Logf("%s: found, %s", m.name, foundBy.FindString(text))
				}
			})
		}
	})
}

var foundBy = regexp.MustCompile(`schedule \d+ of \d+ finds a difference|Test: .*`)

// run runs the tests on the mutant, in a process of its own, and returns their
// output and whether they failed.
func (m *faulty) run(t *testing.T) (string, error) {
	schedules, tests := mutantRuns, "^TestEquivalence$"
	if m.finds == "" {
		schedules = 10
	}
	if m.tests != "" {
		tests = m.tests
	}
	return mutant.Run(t, mutant.Overlay(t, "..", m.patches...), []string{emulatortest.Variable + "=embedded"},
		"-run", tests, ".", "-chaos.runs="+strconv.Itoa(schedules))
}
