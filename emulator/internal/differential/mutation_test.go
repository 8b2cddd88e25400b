package differential_test

import (
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"hippocampus/internal/mutant"
)

// mutantRuns is how many programs may at most be needed to find a fault.
const mutantRuns = 600

// Each fault is found.
func TestMutants(t *testing.T) {
	if os.Getenv(hostVariable) != "" {
		t.Fatal("a mutant has no mutants")
	}
	require.Greater(t, len(mutants), 10)
	host, binary := officialHost(t), mutant.Build(t, "..", mutants...)
	t.Run("all", func(t *testing.T) {
		for _, m := range append([]mutant.Mutant{{Name: "sound"}}, mutants...) {
			t.Run(m.Name, func(t *testing.T) {
				t.Parallel()
				programs := mutantRuns
				if m.Name == "sound" {
					programs = 20
				}
				text, err := binary.Run(t, m.Name, []string{hostVariable + "=" + host},
					"-test.run=^TestPrograms$", "-differential.programs="+strconv.Itoa(programs))
				mutant.Check(t, m.Finds, text, err)
				if m.Finds != "" {
					_, found, _ := strings.Cut(text, "program ")
					found, _, _ = strings.Cut(found, ";")
					t.Logf("%s: program %s", m.Name, found)
				}
			})
		}
	})
}
