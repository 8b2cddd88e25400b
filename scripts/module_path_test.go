package scripts_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"hippocampus/internal/deep"
)

// A copy under another path builds and is laid out for the functions, and no path in Firestore has
// changed.
func TestModulePath(t *testing.T) {
	deep.Only(t)
	clone := filepath.Join(t.TempDir(), "clone")
	in := func(program string, args ...string) string {
		c := exec.CommandContext(t.Context(), program, args...)
		if _, err := os.Stat(clone); err == nil {
			c.Dir = clone
		}
		out, err := c.CombinedOutput()
		require.NoError(t, err, "%s %s\n%s", program, strings.Join(args, " "), out)
		return string(out)
	}
	files, err := exec.CommandContext(t.Context(), "git", "-C", "..", "ls-files", "-z").Output()
	require.NoError(t, err)
	for file := range bytes.SplitSeq(bytes.TrimSuffix(files, []byte{0}), []byte{0}) {
		text, err := os.ReadFile(filepath.Join("..", string(file)))
		require.NoError(t, err)
		to := filepath.Join(clone, string(file))
		require.NoError(t, os.MkdirAll(filepath.Dir(to), 0o755))
		info, err := os.Stat(filepath.Join("..", string(file)))
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(to, text, info.Mode()))
	}
	in("git", "init", "-q", ".")
	in("git", "add", "-A")
	const path = "example.com/acme/hippocampus"
	require.Contains(t, in("scripts/module-path", path), path)
	require.Equal(t, path, strings.TrimSpace(in("go", "list", "-m")))
	in("go", "build", "./...")
	in("go", "vet", "./functions", "./emulator/eventarc", "./scripts")
	require.Empty(t, in("gofmt", "-l", "."))
	in("go", "test", ".", "-run", "TestImports|TestCodeOf|TestLinks")
	in("sh", "-c", "cd examples/turnbuilder && go vet .")

	staged := filepath.Join(t.TempDir(), "staged")
	in("scripts/stage", staged)
	in("sh", "-c", "cd "+staged+" && go vet .")

	root, err := os.ReadFile(filepath.Join(clone, "index", "path.go"))
	require.NoError(t, err)
	require.Contains(t, string(root), `Root = "hippocampus"`)
}

func TestModulePathRefuses(t *testing.T) {
	for _, bad := range []string{"", "acme", "/a.b/c", "Example.com/a", "a.b/c d", "a.b/c#"} {
		c := newCloud(t)
		result := c.run("", "./module-path", bad)
		require.Equal(t, 2, result.code, bad)
		require.Contains(t, result.errors, "example.com/acme/hippocampus", bad)
	}
}
