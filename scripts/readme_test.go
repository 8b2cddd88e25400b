package scripts_test

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Every deploy command of the README runs, against a project that has nothing yet.
func TestDeployCommandsOfTheReadme(t *testing.T) {
	text, err := os.ReadFile("../README.md")
	require.NoError(t, err)
	found := 0
	for line := range strings.Lines(string(text)) {
		words := strings.Fields(line)
		if len(words) == 0 || words[0] != "scripts/deploy" {
			continue
		}
		found++
		result := newCloud(t, fresh...).deploy(words[1:]...)
		require.Zero(t, result.code, "%s: %s", line, result.errors)
	}
	require.Equal(t, 2, found)
}
