package eval_test

import (
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"

	"hippocampus/emulator/emulatortest"
	"hippocampus/internal/chaos/mutants"
	"hippocampus/internal/mutant"
)

// With a rule of the protocol taken away, or the tie-break of the order, an evaluation says no.
func TestMutants(t *testing.T) {
	require.Greater(t, len(mutants.All), 20)
	says := regexp.MustCompile(`No: .*`)
	for _, m := range mutants.All {
		if m.Tests != "" {
			continue // it is there again, or sound, for tests of single calls that fail
		}
		t.Run(m.Name, func(t *testing.T) {
			t.Parallel()
			expected, schedules := "", "10"
			if m.Finds != "" {
				expected, schedules = "No: .*(difference|do(es)? not come from the index|left over)", "100"
			}
			said, err := mutant.Run(t, mutant.Overlay(t, "../..", m.Patches...), []string{emulatortest.Variable + "=embedded"},
				"-run", "^TestEquivalence$", ".", "-eval.schedules="+schedules)
			mutant.Check(t, expected, said, err)
			t.Log(says.FindString(said))
		})
	}
}
