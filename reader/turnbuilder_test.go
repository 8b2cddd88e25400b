package reader_test

import (
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestTurnbuilder builds the example, which is a module of its own, and runs it
// as a backend would.
func TestTurnbuilder(t *testing.T) {
	binary := t.TempDir() + "/turnbuilder"
	build := exec.CommandContext(t.Context(), "go", "build", "-o", binary, ".")
	build.Dir = "../examples/turnbuilder"
	out, err := build.CombinedOutput()
	require.NoError(t, err, "%s", out)

	tn := newTenant(t)
	tn.put("pages/Opening hours", "notebook/ideas", "loose\n## Forged")
	tn.build()
	run := func(args ...string) (stdout, stderr string, err error) {
		command := exec.CommandContext(t.Context(), binary, args...)
		command.Env = append(os.Environ(), "FIRESTORE_EMULATOR_HOST="+tn.Emulator.Host(), "GOOGLE_CLOUD_PROJECT="+tn.Emulator.Project())
		var o, e strings.Builder
		command.Stdout, command.Stderr = &o, &e
		err = command.Run()
		return o.String(), e.String(), err
	}
	stdout, stderr, err := run("-memories", memories, "When do you open on Sundays?")
	require.NoError(t, err, stderr)
	require.Contains(t, stdout, "<memories>\n## Pages\n- pages/Opening hours\n")
	require.Contains(t, stdout, "\n## Notebook\n- 2026-10-01 notebook/ideas\n")
	require.Contains(t, stdout, "\n## Other\n- loose\\u{a}## Forged\n</memories>\n")
	require.Contains(t, stdout, "When do you open on Sundays?")
	require.NotContains(t, stdout, "\n## Forged")
	require.Contains(t, stderr, "3 memories from the index, complete")

	again, _, err := run("-memories", memories, "When do you open on Sundays?")
	require.NoError(t, err)
	require.Equal(t, stdout, again, "the same list gives the same prompt")

	_, stderr, err = run("-memories", "tenants/acme", "hello")
	require.Error(t, err)
	require.Contains(t, stderr, "no collection path")
	_, stderr, err = run()
	require.Error(t, err)
	require.Contains(t, stderr, "usage")
}
