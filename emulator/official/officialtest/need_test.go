package officialtest_test

import (
	"os"
	"os/exec"
	"testing"

	"github.com/stretchr/testify/require"

	"hippocampus/emulator/official/officialtest"
)

func TestMain(m *testing.M) { officialtest.Main(m) }

func TestStart(t *testing.T) {
	em := officialtest.Start(t)
	require.NotEmpty(t, em.Host())
}

// A machine without the official emulator skips what needs it, and fails it where it is required, as in CI.
func TestAbsenceIsSkippedOrFails(t *testing.T) {
	for name, tt := range map[string]struct {
		required, says string
		fails          bool
	}{
		"skipped":  {"", "--- SKIP: TestStart", false},
		"required": {"1", "--- FAIL: TestStart", true},
	} {
		t.Run(name, func(t *testing.T) {
			child := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestStart$", "-test.v")
			child.Env = append(os.Environ(), "FIRESTORE_EMULATOR_JAR=/nowhere.jar", officialtest.Required+"="+tt.required)
			out, err := child.CombinedOutput()
			require.Equal(t, tt.fails, err != nil, "%s", out)
			require.Contains(t, string(out), tt.says)
			require.Contains(t, string(out), "/nowhere.jar", "it says why")
		})
	}
}
