package hippocampus_test

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"hippocampus/internal/eval/report"
	"hippocampus/internal/eval/result"
)

var update = flag.Bool("update", false, "write what is made of docs/evaluation/results.json")

// evaluation is the folder of the committed evaluation.
const evaluation = "docs/evaluation"

// committed is the committed evaluation's results.
func committed(t *testing.T) *result.Results {
	file, err := os.Open(filepath.Join(evaluation, "results.json"))
	require.NoError(t, err)
	defer file.Close()
	found, err := result.Read(file)
	require.NoError(t, err)
	return found
}

// What is shown of the evaluation is what its results.json says: the README's table of costs, the
// report, and the plots.
//
//	go test . -run TestEvaluation -update
func TestEvaluation(t *testing.T) {
	found := committed(t)
	require.True(t, found.OK())
	require.False(t, found.Evaluation.Interrupted)
	require.False(t, found.Evaluation.Modified, "it is of a source that was not committed")
	require.NotEmpty(t, found.Evaluation.Commit)

	files := map[string]string{"README.md": withTable(t, "README.md", report.CostMarkdown(found))}
	var page bytes.Buffer
	require.NoError(t, report.HTML(&page, found))
	files[filepath.Join(evaluation, "report.html")] = page.String()
	plots, err := report.Plots(found)
	require.NoError(t, err)
	guide, err := os.ReadFile("docs/evaluation.md")
	require.NoError(t, err)
	for _, plot := range plots {
		files[filepath.Join(evaluation, plot.Name+".svg")] = string(plot.SVG)
		require.Contains(t, string(guide), "](evaluation/"+plot.Name+".svg)", "the plot is not shown")
	}
	require.Equal(t, len(plots), strings.Count(string(guide), ".svg)"), "plots that are not there are shown")
	for file, want := range files {
		if *update {
			require.NoError(t, os.WriteFile(file, []byte(want), 0o644))
		}
		got, err := os.ReadFile(file)
		require.NoError(t, err)
		require.Equal(t, want, string(got), "%s: go test . -run TestEvaluation -update", file)
	}
	svgs, err := filepath.Glob(filepath.Join(evaluation, "*.svg"))
	require.NoError(t, err)
	require.Len(t, svgs, len(plots), "plots of another time")
}

// A verdict is a line of a terminal, and what the README says in words is what was measured.
func TestEvaluationInWords(t *testing.T) {
	found := committed(t)
	for _, v := range found.Verdicts() {
		require.LessOrEqual(t, utf8.RuneCountInString(v.Text), 98, "%s", v.Text)
	}
	readme, err := os.ReadFile("README.md")
	require.NoError(t, err)
	words := strings.Join(strings.Fields(string(readme)), " ")
	require.Contains(t, words, "a burst of 1,000 changes takes 3 or 4 commits of the hook, one of 10,000 less than 30;")
	commits := map[int]int{}
	for _, b := range found.Writes.Bursts {
		commits[b.Changes] = b.Commits
	}
	require.Contains(t, []int{3, 4}, commits[1000])
	require.Positive(t, commits[10_000])
	require.Less(t, commits[10_000], 30)
	require.Contains(t, words, "5,000 memories, at 0.06 dollars per 100,000 reads: 3,000 dollars by a scan, 60 cents to 1.20 by the index.")
	require.Equal(t, 0.06, found.Cost.Prices.Reads)
	dollars := map[result.Way]float64{}
	for _, turn := range found.Cost.Turns {
		if turn.Memories == 5000 {
			dollars[turn.Way] = turn.Dollars
		}
	}
	require.InDelta(t, 3000, dollars[result.NamesScan], 1e-6)
	require.InDelta(t, .6, dollars[result.Index], 1e-6)
	require.InDelta(t, 1.2, dollars[result.Changed], 1e-6)
}

// withTable returns a document with its generated table as it is to be.
func withTable(t *testing.T, file, markdown string) string {
	const begin, end = "<!-- Made of docs/evaluation/results.json. -->\n", "<!-- End. -->\n"
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	before, rest, ok := strings.Cut(string(text), begin)
	require.True(t, ok, "%s has no %q", file, begin)
	_, after, ok := strings.Cut(rest, end)
	require.True(t, ok, "%s has no %q", file, end)
	return before + begin + "\n" + strings.TrimSpace(markdown) + "\n\n" + end + after
}
