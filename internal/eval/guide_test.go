package eval

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"hippocampus/internal/figure"
)

// What the guide says of how things are measured is how they are.
func TestGuide(t *testing.T) {
	text, err := os.ReadFile("../../docs/evaluation.md")
	require.NoError(t, err)
	words := strings.Join(strings.Fields(string(text)), " ")
	for _, says := range []string{
		"No store is larger than " + figure.Count(largestSeeded) + " here",
		"one more for every " + figure.Count(memoriesAPart) + " memories is allowed",
		"another for every " + figure.Count(memoriesAShard) + ", for what has changed",
		fmt.Sprintf("while an import writes %d memories a second", importRate),
		fmt.Sprintf("eight writers at once at %d a second together", slowWriters*int(time.Second/slowPause)),
		fmt.Sprintf("more than %s that without and %d ms above it", map[int]string{2: "twice"}[slowTimes], slowBy),
	} {
		require.Contains(t, words, says)
	}
	require.Equal(t, 8, slowWriters)
	require.Equal(t, 10, changedPart, "a tenth")
}
