package officialtest_test

import (
	"os"
	"os/exec"
	"testing"

	"github.com/stretchr/testify/require"

	"hippocampus/emulator/official/officialtest"
	"hippocampus/internal/deep"
)

func TestMain(m *testing.M) { officialtest.Main(m) }

func TestStart(t *testing.T) {
	em := officialtest.Start(t)
	require.NotEmpty(t, em.Host())
}

// Without a word the official emulator is not wanted; where it is and a machine has none, that is a
// failure.
func TestAbsenceIsAFailure(t *testing.T) {
	for name, tt := range map[string]struct {
		deep, emulator, says string
		fails                bool
	}{
		"not wanted":        {"", "", "--- SKIP: TestStart", false},
		"deep":              {"1", "", "--- FAIL: TestStart", true},
		"on it":             {"", "official", "--- FAIL: TestStart", true},
		"on the other, not": {"", "embedded", "--- SKIP: TestStart", false},
	} {
		t.Run(name, func(t *testing.T) {
			child := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestStart$", "-test.v")
			child.Env = append(os.Environ(), "FIRESTORE_EMULATOR_JAR=/nowhere.jar", deep.Variable+"="+tt.deep, "HIPPOCAMPUS_EMULATOR="+tt.emulator)
			out, err := child.CombinedOutput()
			require.Equal(t, tt.fails, err != nil, "%s", out)
			require.Contains(t, string(out), tt.says)
			if tt.fails {
				require.Contains(t, string(out), "/nowhere.jar", "it says why")
			}
		})
	}
}
