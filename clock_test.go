package hippocampus_test

import (
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"hippocampus/emulator/emulatortest"
	"hippocampus/internal/deep"
)

func TestMain(m *testing.M) { emulatortest.Main(m) }

// The tests of everything that decides by time pass where the machine's clock and Firestore's are
// ten minutes apart, either way: they run here again next to such a Firestore.
func TestCase26_MachinesClockIsWrong(t *testing.T) {
	skews := deep.Choose([]string{"10m"}, []string{"10m", "-10m"})
	tests := deep.Choose("^(TestCase|TestDue)", "^(TestCase|TestFull|TestCompact|TestDue|TestDrift|TestYoung)")
	packages := deep.Choose([]string{"./repair"}, []string{"./repair", "./reader", "./functions"})
	for _, skew := range skews {
		out, err := goTest(t, skew, append([]string{"-v", "-run", tests, "-skip", "Case(10|26)_"}, packages...)...)
		require.NoError(t, err, "Firestore's clock ahead by %s:\n%s", skew, out)
		require.Greater(t, strings.Count(out, "\n--- PASS: Test"), deep.Choose(5, 40), out)
	}
}

// The check itself can fail: with this clock the machine and Firestore disagree.
func TestTheWrongClockIsWrong(t *testing.T) {
	if os.Getenv(emulatortest.ClockVariable) == "" {
		out, err := goTest(t, "-10m", "-run", "^TestTheWrongClockIsWrong$", ".")
		require.NoError(t, err, out)
		return
	}
	client := emulatortest.Client(t, emulatortest.Start(t))
	result, err := client.Doc("clock/now").Set(t.Context(), map[string]any{})
	require.NoError(t, err)
	require.InDelta(t, -600, time.Until(result.UpdateTime).Seconds(), 60)
}

// goTest runs tests, on the embedded emulator, whose clock is ahead by skew.
func goTest(t *testing.T, skew string, args ...string) (string, error) {
	test := exec.CommandContext(t.Context(), "go", append([]string{"test", "-race=false", "-vet=off"}, args...)...)
	test.Env = append(os.Environ(), emulatortest.ClockVariable+"="+skew, emulatortest.Variable+"=embedded")
	out, err := test.CombinedOutput()
	return string(out), err
}
