package report

import (
	"strings"

	"hippocampus/internal/eval/result"
	"hippocampus/internal/figure"
)

// CostMarkdown returns what a turn costs, way beside way, as a table of GitHub's Markdown for the
// README: for each number of memories the documents read, the bytes, the allocations and the time,
// that of the index being 1. The index's own figures are bold. It is empty if the cost was not
// measured.
func CostMarkdown(r *result.Results) string {
	if r.Cost == nil || len(r.Cost.Turns) == 0 {
		return ""
	}
	ours := func(way result.Way) bool { return way == result.Index || way == result.Changed }
	bold := func(way result.Way, text string) string {
		if text == "" || !ours(way) {
			return text
		}
		return "**" + text + "**"
	}
	var out strings.Builder
	out.WriteString("| memories | |")
	for _, way := range result.Ways {
		out.WriteString(" " + bold(way, way.Name()) + " |")
	}
	out.WriteString("\n|--:|---|" + strings.Repeat("--:|", len(result.Ways)) + "\n")
	for _, size := range bySize(r.Cost.Turns) {
		index := of(size, result.Index)
		for i, line := range []struct {
			name   string
			figure func(t *result.Turn) string
		}{
			{"documents read", func(t *result.Turn) string { return figure.Count(t.Documents) }},
			{"bytes", func(t *result.Turn) string { return figure.Count(t.Bytes) }},
			{"allocations", func(t *result.Turn) string { return figure.Count(t.Allocations) }},
			{"time, index = 1", func(t *result.Turn) string {
				if index == nil {
					return ""
				}
				return strings.TrimSuffix(figure.Against(t.MedianMS, index.MedianMS), "×")
			}},
		} {
			if i == 0 {
				out.WriteString("| " + figure.Count(size[0].Memories) + " |")
			} else {
				out.WriteString("| |")
			}
			out.WriteString(" " + line.name + " |")
			for _, way := range result.Ways {
				text := ""
				if t := of(size, way); t != nil {
					text = bold(way, line.figure(t)) + " "
				}
				out.WriteString(" " + text + "|")
			}
			out.WriteString("\n")
		}
	}
	return out.String()
}
