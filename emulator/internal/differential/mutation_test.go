package differential_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"hippocampus/internal/mutant"
)

// faulty is the emulator with a fault: in a file, new in place of old. NAME is its name.
type faulty struct{ name, file, old, new, imports string }

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
			mutant.Check(t, "", text, err)
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
				mutant.Check(t, "differs at step", text, err)
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
	patches := []mutant.Patch{{"value/mutation.go", "", mutation}}
	for _, m := range mutants {
		patches = append(patches, mutant.Patch{m.file, m.old, strings.ReplaceAll(m.new, "NAME", strconv.Quote(m.name))})
		if m.imports != "" {
			patches = append(patches, mutant.Patch{m.file, m.imports, strings.TrimSuffix(m.imports, ")") + "	\"hippocampus/emulator/internal/value\"\n)"})
		}
	}
	binary := filepath.Join(t.TempDir(), "mutants.test")
	output, err := exec.CommandContext(t.Context(), "go", "test", "-c", "-race=false", "-overlay", mutant.Overlay(t, "..", patches...), "-o", binary, ".").CombinedOutput()
	require.NoError(t, err, "%s", output)
	return binary
}
