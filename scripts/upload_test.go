package scripts_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestUpload builds the root package from just the files that the CLI would upload.
func TestUpload(t *testing.T) {
	out, err := exec.CommandContext(t.Context(), "gcloud", "meta", "list-files-for-upload", "..").Output()
	require.NoError(t, err, "this test asks the Google Cloud CLI what it uploads: install it (https://cloud.google.com/sdk/docs/install)")
	files := strings.Fields(string(out))
	require.Contains(t, files, "go.mod")
	require.Contains(t, files, "go.sum")
	copied := t.TempDir()
	for _, file := range files {
		require.NotRegexp(t, `_test\.go$|testdata/|^(cmd|docs|emulator|examples|scripts)/|^\.`, file)
		data, err := os.ReadFile(filepath.Join("..", file))
		require.NoError(t, err)
		require.NoError(t, os.MkdirAll(filepath.Dir(filepath.Join(copied, file)), 0o755))
		require.NoError(t, os.WriteFile(filepath.Join(copied, file), data, 0o644))
	}
	build := exec.CommandContext(t.Context(), "go", "build", ".")
	build.Dir = copied
	output, err := build.CombinedOutput()
	require.NoError(t, err, string(output))
}
