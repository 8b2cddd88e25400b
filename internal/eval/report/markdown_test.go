package report_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"hippocampus/internal/eval/report"
	"hippocampus/internal/eval/result"
)

func TestMarkdownKeepsTheCells(t *testing.T) {
	tab := report.Table{
		Columns: []report.Column{{Name: "store"}, {Name: "bytes", Numeric: true}},
		Rows:    [][]string{{`a|b_c*d\e<f>`, "1,000"}, {"", "2"}, {"[x](y)`z`&amp;", ""}},
	}
	rows := cells(t, tab.Markdown())
	require.Equal(t, []string{"---", "--:"}, rows[1])
	require.Equal(t, [][]string{
		{"store", "bytes"}, {`a\|b\_c\*d\\e&lt;f&gt;`, "1,000"}, {"", "2"}, {"\\[x\\](y)\\`z\\`&amp;amp;", ""},
	}, slices.Delete(rows, 1, 2))
}

func TestMarkdownNamesAGroupOnce(t *testing.T) {
	tab := report.Table{
		Columns: []report.Column{{Name: "memories", Numeric: true}, {Name: "way"}},
		Rows:    [][]string{{"100", "scan"}, {"100", "index"}, {"200", "scan"}, {"100", "scan"}},
		Grouped: true,
	}
	require.Equal(t, [][]string{{"100", "scan"}, {"", "index"}, {"200", "scan"}, {"100", "scan"}}, cells(t, tab.Markdown())[2:])
	tab.Grouped = false
	require.Equal(t, tab.Rows, cells(t, tab.Markdown())[2:])
}

func TestCostMarkdownPutsTheWaysBesideEachOther(t *testing.T) {
	r := tableSample()
	rows := cells(t, report.CostMarkdown(r))
	require.Equal(t, []string{"memories", "", "full scan", "names-only scan", "maps of fields", "**index**", "**index, a tenth changed**"}, rows[0])
	require.Len(t, rows, 2+3*4)
	require.Equal(t, [][]string{
		{"5,000", "documents read", "5,000", "5,000", "8", "**1**", "**9**"},
		{"", "bytes", "10,795,823", "945,823", "270,823", "**42,923**", "**75,823**"},
		{"", "allocations", "260,000", "260,000", "416", "**52**", "**468**"},
		{"", "time, index = 1", "76", "54", "6.4", "**1**", "**2.8**"},
	}, rows[6:10])

	without := func(way result.Way) [][]string {
		r := tableSample()
		r.Cost.Turns = slices.DeleteFunc(r.Cost.Turns, func(t result.Turn) bool { return t.Way == way })
		return cells(t, report.CostMarkdown(r))[6:10]
	}
	require.Equal(t, []string{"5,000", "documents read", "5,000", "5,000", "", "**1**", "**9**"}, without(result.Maps)[0])
	require.Equal(t, []string{"", "time, index = 1", "", "", "", "", ""}, without(result.Index)[3], "nothing to compare with")

	require.Empty(t, report.CostMarkdown(&result.Results{}))
	require.Empty(t, report.CostMarkdown(&result.Results{Cost: &result.Cost{}}))
}

// cells returns the cells of a table of GitHub's Markdown as they are written, the rule below the
// names being the second row.
func cells(t *testing.T, markdown string) [][]string {
	t.Helper()
	var rows [][]string
	for line := range strings.Lines(markdown) {
		inner, ok := strings.CutPrefix(strings.TrimSuffix(line, "\n"), "|")
		require.True(t, ok, line)
		inner, ok = strings.CutSuffix(inner, "|")
		require.True(t, ok, line)
		var row []string
		for i, rest := 0, inner; ; {
			end := strings.IndexByte(rest[i:], '|')
			if end >= 0 && i+end > 0 && rest[i+end-1] == '\\' {
				i += end + 1
				continue
			}
			if end < 0 {
				row = append(row, strings.TrimSpace(rest))
				break
			}
			row, rest, i = append(row, strings.TrimSpace(rest[:i+end])), rest[i+end+1:], 0
		}
		rows = append(rows, row)
		require.Len(t, row, len(rows[0]), line)
	}
	return rows
}
