package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"net"
	"net/url"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"hippocampus/emulator/official/officialtest"
	"hippocampus/internal/stack"
)

// devProcess is a hippo dev that runs.
type devProcess struct {
	devRunning
	cmd  *exec.Cmd
	errs *lockedBuffer
}

// startDev starts hippo dev, a process of its own, and returns when it is up.
func startDev(t *testing.T, args ...string) *devProcess {
	t.Helper()
	d := &devProcess{errs: &lockedBuffer{}}
	d.cmd = exec.Command("hippo", append([]string{"dev", "--json"}, args...)...)
	d.cmd.Stderr = d.errs
	out, err := d.cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, d.cmd.Start())
	t.Cleanup(func() {
		_ = d.cmd.Process.Kill()
		_ = d.cmd.Wait()
	})
	require.NoError(t, json.NewDecoder(bufio.NewReader(out)).Decode(&d.devRunning), "hippo dev said: %s", d.errs)
	return d
}

// hippo runs a command with what dev says is to be exported.
func (d *devProcess) hippo(ctx context.Context, args ...string) (out, errs string, err error) {
	cmd := exec.CommandContext(ctx, "hippo", args...)
	cmd.Env = os.Environ()
	for name, value := range d.Export {
		cmd.Env = append(cmd.Env, name+"="+value)
	}
	var o, e bytes.Buffer
	cmd.Stdout, cmd.Stderr = &o, &e
	err = cmd.Run()
	return o.String(), e.String(), err
}

func TestDev(t *testing.T) {
	t.Parallel()
	d := startDev(t, "--port", "0", "--project", "demo-dev-test", "--repair-every", "100ms", "--verbose")
	require.Equal(t, stack.Embedded, d.Kind)
	require.Empty(t, d.Rules)
	require.Empty(t, childrenOf(t, d.cmd.Process.Pid), "all runs in one process")
	devWorks(t, d)
}

func TestDevWithTheOfficialEmulator(t *testing.T) {
	t.Parallel()
	officialtest.Need(t)
	d := startDev(t, "--emulator", "official", "--port", "0", "--project", "demo-dev-test", "--rules", "../../firestore.rules", "--repair-every", "100ms", "--verbose")
	require.Equal(t, stack.Official, d.Kind)
	require.Equal(t, "../../firestore.rules", d.Rules)
	require.NotEmpty(t, childrenOf(t, d.cmd.Process.Pid), "dev has no emulator")
	devWorks(t, d)
}

// devWorks tries all that dev is for, and ends it.
func devWorks(t *testing.T, d *devProcess) {
	t.Helper()
	require.Equal(t, "demo-dev-test", d.Export["GOOGLE_CLOUD_PROJECT"])
	require.Equal(t, d.Emulator, d.Export["FIRESTORE_EMULATOR_HOST"])
	require.Len(t, d.Functions, 3)
	_, port, err := net.SplitHostPort(d.Emulator)
	require.NoError(t, err)

	// The write hook and the request work: after its first turn a tenant has an index that follows.
	_, errs, err := d.hippo(t.Context(), "put", "pages/one", "-t", "acme", "--field", "body=1")
	require.NoError(t, err, errs)
	_, errs, err = d.hippo(t.Context(), "ls", "-t", "acme")
	require.NoError(t, err, errs)
	require.Contains(t, errs, "the index is missing: build asked")
	d.eventually(t, "pages/one")
	_, errs, err = d.hippo(t.Context(), "put", "pages/two", "-t", "acme", "--field", "body=1")
	require.NoError(t, err, errs)
	d.eventually(t, "pages/two")

	// What is due is repaired now and then.
	require.Eventually(t, func() bool { return strings.Contains(d.errs.String(), "repair of what is due") }, 30*time.Second, 20*time.Millisecond)

	// A second one on the same port is refused and changes nothing.
	_, errs, err = d.hippo(t.Context(), "dev", "--emulator", string(d.Kind), "--port", port)
	var exit *exec.ExitError
	require.ErrorAs(t, err, &exit)
	require.Equal(t, exitFailure, exit.ExitCode())
	require.Contains(t, errs, "port in use: "+d.Emulator)
	require.Contains(t, errs, "hippo dev --port 0 picks a free one")
	d.eventually(t, "pages/two")

	// It stops with SIGTERM, whatever connections there are, and takes the emulator along.
	function, err := url.Parse(d.Functions[0])
	require.NoError(t, err)
	silent, err := net.Dial("tcp4", function.Host)
	require.NoError(t, err)
	defer silent.Close()
	children := childrenOf(t, d.cmd.Process.Pid)
	require.NoError(t, d.cmd.Process.Signal(syscall.SIGTERM))
	require.NoError(t, d.cmd.Wait(), "%s", d.errs)
	for _, pid := range children {
		require.Error(t, exec.Command("ps", "-p", pid).Run(), "process %s is left behind", pid)
	}
	listener, err := net.Listen("tcp4", d.Emulator)
	require.NoError(t, err, "the port is still in use")
	require.NoError(t, listener.Close())
}

// When the emulator dies so does dev, and says why.
func TestDevEndsWithItsEmulator(t *testing.T) {
	t.Parallel()
	officialtest.Need(t)
	d := startDev(t, "--emulator", "official", "--port", "0", "--project", "demo-dev-dies")
	children := childrenOf(t, d.cmd.Process.Pid)
	require.Len(t, children, 1)
	require.NoError(t, exec.Command("kill", "-9", children[0]).Run())
	hung := time.AfterFunc(time.Minute, func() { _ = d.cmd.Process.Kill() }) // so that it ends, by no exit of its own
	defer hung.Stop()
	var exit *exec.ExitError
	require.ErrorAs(t, d.cmd.Wait(), &exit)
	require.Equal(t, exitFailure, exit.ExitCode())
	require.Contains(t, d.errs.String(), "start hippo dev again: official: the emulator at "+d.Emulator+" has ended by itself (signal: killed)")
	require.Contains(t, d.errs.String(), "Dev App Server is now running")
}

// eventually waits until a turn of acme has a name from the index.
func (d *devProcess) eventually(t *testing.T, name string) {
	t.Helper()
	require.EventuallyWithT(t, func(c *assert.CollectT) {
		out, errs, err := d.hippo(t.Context(), "ls", "-t", "acme", "--receipt")
		require.NoError(c, err, errs)
		require.Contains(c, errs, "from the index")
		require.Contains(c, out, name)
	}, 30*time.Second, 20*time.Millisecond)
}

func TestDevSaysWhatToExport(t *testing.T) {
	t.Parallel()
	cmd := exec.Command("hippo", "dev", "--port", "0", "--ids", "plain")
	cmd.Env = append(os.Environ(), "HIPPO_MEMORIES=users/{user}/notes", "FIRESTORE_EMULATOR_HOST=127.0.0.1:1")
	cmd.Dir = t.TempDir()
	out, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	t.Cleanup(func() { _ = cmd.Process.Kill() })
	var text strings.Builder
	for lines := bufio.NewScanner(out); lines.Scan(); {
		text.WriteString(lines.Text() + "\n")
		if strings.HasPrefix(lines.Text(), "Ctrl-C") {
			require.NoError(t, cmd.Process.Signal(os.Interrupt))
		}
	}
	require.NoError(t, cmd.Wait())
	require.Regexp(t, `export FIRESTORE_EMULATOR_HOST=127\.0\.0\.1:\d+ GOOGLE_CLOUD_PROJECT=demo-hippocampus HIPPO_MEMORIES='users/\{user\}/notes' HIPPO_IDS=plain\n`, text.String())
	require.Contains(t, text.String(), "security rules      not evaluated: ")
	require.Contains(t, text.String(), "repair of the due   every 1h0m0s")
}

// childrenOf returns the ids of a process's children.
func childrenOf(t *testing.T, pid int) []string {
	t.Helper()
	out, err := exec.Command("ps", "-A", "-o", "pid=,ppid=").Output()
	require.NoError(t, err)
	var children []string
	for line := range strings.Lines(string(out)) {
		if f := strings.Fields(line); len(f) == 2 && f[1] == strconv.Itoa(pid) {
			children = append(children, f[0])
		}
	}
	return children
}

// lockedBuffer may be read while a process writes to it.
type lockedBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *lockedBuffer) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *lockedBuffer) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}
