package eval_test

import (
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"

	"hippocampus/emulator/emulatortest"
	"hippocampus/internal/deep"
	"hippocampus/internal/mutant"
)

// With a rule of the protocol taken away, or the tie-break of the order, an evaluation says no.
func TestMutants(t *testing.T) {
	deep.Only(t)
	require.Greater(t, len(mutant.Protocol), 20)
	says := regexp.MustCompile(`No: .*`)
	binary := mutant.Build(t, "../..", mutant.Protocol...)
	t.Run("all", func(t *testing.T) {
		for _, m := range mutant.Protocol {
			if m.Tests != "" {
				continue // it is there again, or sound, for tests of single calls that fail
			}
			t.Run(m.Name, func(t *testing.T) {
				t.Parallel()
				expected, schedules := "", "10"
				if m.Finds != "" {
					expected, schedules = "No: .*(difference|do(es)? not come from the index|left over)", "100"
				}
				said, err := binary.Run(t, m.Name, []string{emulatortest.Variable + "=embedded"},
					"-test.run=^TestEquivalence$", "-eval.schedules="+schedules)
				mutant.Check(t, expected, said, err)
				t.Log(says.FindString(said))
			})
		}
	})
}
