package conformance

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

var update = flag.Bool("update", false, "write the table of differences into emulator/README.md")

const (
	readme = "../../README.md"
	begin  = "<!-- from the conformance checks: go test ./emulator/internal/conformance -run Readme -update -->\n"
	end    = "<!-- end of what is from the conformance checks -->\n"
)

// The README's list of differences is that of the checks, which are run against both emulators.
func TestReadme(t *testing.T) {
	data, err := os.ReadFile(readme)
	require.NoError(t, err)
	before, rest, found := strings.Cut(string(data), begin)
	require.True(t, found, "%s has no line %s", readme, begin)
	_, after, found := strings.Cut(rest, end)
	require.True(t, found, "%s has no line %s", readme, end)
	want := before + begin + differences(Checks()) + end + after
	if *update {
		require.NoError(t, os.WriteFile(readme, []byte(want), 0o644))
		return
	}
	require.Equal(t, want, string(data), "go test ./emulator/internal/conformance -run Readme -update")
}

// differences is what the checks have found, in Markdown.
func differences(checks []Check) string {
	var b strings.Builder
	topics := map[string]bool{}
	differ := 0
	for _, c := range checks {
		topics[c.Topic] = true
		if c.Difference != "" {
			differ++
		}
	}
	fmt.Fprintf(&b, "\nOf %d checks in %d topics both emulators pass %d alike. In the others they differ:\n\n", len(checks), len(topics), len(checks)-differ)
	b.WriteString("| about | documented, and so here | the official emulator |\n|---|---|---|\n")
	for _, c := range checks {
		if c.Difference != "" {
			fmt.Fprintf(&b, "| %s | %s | %s |\n", cell(c.Topic), cell(c.Name), cell(c.Difference))
		}
	}
	b.WriteString("\n")
	return b.String()
}

// cell is text for a table.
func cell(s string) string { return strings.ReplaceAll(s, "|", `\|`) }
