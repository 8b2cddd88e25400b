package official_test

import (
	"bufio"
	"errors"
	"net"
	"os"
	"os/exec"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"hippocampus/emulator/official/officialtest"
)

func requireFree(t *testing.T, host string) {
	t.Helper()
	require.Eventually(t, func() bool {
		l, err := net.Listen("tcp4", host)
		if err == nil {
			err = l.Close()
		}
		return err == nil
	}, 10*time.Second, 10*time.Millisecond, "%s is not free", host)
}

// The emulator dies with its parent, even if that is killed. Only Linux tells a child so.
func TestDiesWithItsParent(t *testing.T) {
	officialtest.Need(t)
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), asParent+"=1")
	out, err := cmd.StdoutPipe()
	require.NoError(t, err)
	cmd.Stderr = os.Stderr
	require.NoError(t, cmd.Start())
	t.Cleanup(func() { _ = cmd.Process.Kill() })
	lines := bufio.NewScanner(out)
	require.True(t, lines.Scan(), "the parent printed nothing: %v", lines.Err())
	host := lines.Text()
	l, err := net.Listen("tcp4", host)
	if err == nil {
		require.NoError(t, l.Close())
	}
	require.Error(t, err, "the emulator of the parent should listen at %s", host)

	require.NoError(t, cmd.Process.Kill())
	var exit *exec.ExitError
	require.True(t, errors.As(cmd.Wait(), &exit))
	requireFree(t, host)
}
