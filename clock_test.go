package hippocampus_test

import (
	"go/build"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"hippocampus/emulator/emulatortest"
	"hippocampus/internal/mutant"
)

func TestMain(m *testing.M) { emulatortest.Main(m) }

// The tests of everything that decides by time pass on a machine whose clock is
// ten minutes wrong, either way: they run here again with a standard library
// whose time.Now is off, next to a Firestore whose clock is right.
func TestCase26_MachinesClockIsWrong(t *testing.T) {
	overlay := wrongClock(t)
	for _, skew := range []string{"600", "-600"} {
		out, err := goTest(t, overlay, skew, "-v", "-run", "^(TestCase|TestFull|TestCompact|TestDue|TestDrift|TestYoung)", "-skip", "Case(10|26)_",
			"./repair", "./reader", "./functions")
		require.NoError(t, err, "clock off by %s s:\n%s", skew, out)
		require.Greater(t, strings.Count(out, "\n--- PASS: Test"), 40, out)
	}
}

// The check itself can fail: with this clock the machine and Firestore disagree.
func TestTheWrongClockIsWrong(t *testing.T) {
	if os.Getenv("CLOCK_SKEW_SECONDS") == "" {
		out, err := goTest(t, wrongClock(t), "600", "-run", "^TestTheWrongClockIsWrong$", ".")
		require.NoError(t, err, out)
		return
	}
	client := emulatortest.Client(t, emulatortest.Start(t))
	result, err := client.Doc("clock/now").Set(t.Context(), map[string]any{})
	require.NoError(t, err)
	require.InDelta(t, -600, time.Until(result.UpdateTime).Seconds(), 60)
}

func goTest(t *testing.T, overlay, skew string, args ...string) (string, error) {
	return mutant.Run(t, overlay, []string{"GOFLAGS=-buildvcs=false", "CLOCK_SKEW_SECONDS=" + skew,
		emulatortest.ClockVariable + "=" + right(skew) + "s"}, args...)
}

// right is by how many seconds a right clock is ahead of one that is off by skew.
func right(skew string) string {
	if behind, ok := strings.CutPrefix(skew, "-"); ok {
		return behind
	}
	return "-" + skew
}

// wrongClock returns a build overlay in which time.Now is off by as many seconds
// as the environment says. The monotonic clock, which measures durations, is not.
func wrongClock(t *testing.T) (overlay string) {
	t.Helper()
	return mutant.Overlay(t, filepath.Join(build.Default.GOROOT, "src", "time"),
		mutant.Patch{"time.go", "func Now() Time {\n\tsec, nsec, mono := runtimeNow()\n", "func Now() Time {\n\tsec, nsec, mono := runtimeNow()\n\tsec += skew()\n"},
		mutant.Patch{"skew.go", "", `package time

import "syscall"

func skew() int64 {
	s, _ := syscall.Getenv("CLOCK_SKEW_SECONDS")
	seconds, sign := int64(0), int64(1)
	for _, c := range s {
		if c == '-' {
			sign = -1
			continue
		}
		seconds = seconds*10 + int64(c-'0')
	}
	return sign * seconds
}
`})
}
