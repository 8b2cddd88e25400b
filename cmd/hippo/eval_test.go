package main

import (
	"bufio"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"hippocampus/internal/eval/result"
)

// Ctrl-C ends an evaluation with what it has measured so far: shown, written, and said.
func TestEvalInterrupted(t *testing.T) {
	t.Parallel()
	out := t.TempDir()
	cmd := exec.CommandContext(t.Context(), "hippo", "eval", "--only", "cost,freshness,writes", "--sizes", "20,50", "--out", out)
	stderr, err := cmd.StderrPipe()
	require.NoError(t, err)
	var shown strings.Builder
	cmd.Stdout = &shown
	require.NoError(t, cmd.Start())
	var said strings.Builder
	for lines := bufio.NewScanner(stderr); lines.Scan(); {
		said.WriteString(lines.Text() + "\n")
		if strings.Contains(lines.Text(), "freshness: writes one by one") {
			require.NoError(t, cmd.Process.Signal(os.Interrupt))
		}
	}
	var exit *exec.ExitError
	require.ErrorAs(t, cmd.Wait(), &exit, said.String())
	require.Equal(t, exitFailure, exit.ExitCode())
	require.Contains(t, said.String(), "interrupted: what was measured until then is shown")
	require.Contains(t, shown.String(), "Yes: a turn reads 1 document at 20 memories and 1 at 50")
	require.Contains(t, shown.String(), "not measured: writes: the run was interrupted")
	file, err := os.Open(filepath.Join(out, "results.json"))
	require.NoError(t, err)
	defer file.Close()
	found, err := result.Read(file)
	require.NoError(t, err)
	require.True(t, found.Evaluation.Interrupted)
	require.Len(t, found.Cost.Turns, 2*len(result.Ways))
	require.Nil(t, found.Writes)
	require.FileExists(t, filepath.Join(out, "report.html"))
}
