package report_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/rivo/uniseg"
	"github.com/stretchr/testify/require"

	"hippocampus/internal/eval/report"
	"hippocampus/internal/eval/result"
)

func TestTerminalShowsASection(t *testing.T) {
	s := report.Measurement{
		Title: "Cost", Question: "Does it grow?", Verdict: result.Verdict{OK: true, Text: "Yes: it does."},
		Tables: []report.Table{{
			Caption: "One turn.",
			Columns: []report.Column{
				{Name: "memories", Numeric: true}, {Name: "way"}, {Name: "bytes an entry", Numeric: true}, {Name: "the time of it all, ms", Numeric: true},
			},
			Rows:    [][]string{{"100", "scan", "1,234", "1.5"}, {"100", "開", "2", ""}, {"1,000", "scan", "3", "2.5"}},
			Grouped: true,
		}},
		Notes: []string{"Less is better."},
	}
	require.Equal(t, `Cost  Does it grow?
✓ Yes: it does.

  One turn.
        bytes an  the time of
  way      entry   it all, ms
  100 memories
  scan     1,234          1.5
  開           2
  1,000 memories
  scan         3          2.5

  Less is better.
`, printed(t, &s, 100, report.Paint{}))
}

// Rows are aligned, and no line is wider than asked for, whatever has to give way.
func TestTerminalKeepsToItsWidth(t *testing.T) {
	for _, width := range []int{100, 80} {
		for _, s := range report.Measurements(tableSample()) {
			for line := range strings.Lines(printed(t, &s, width, report.Paint{})) {
				require.LessOrEqual(t, uniseg.StringWidth(strings.TrimSuffix(line, "\n")), width, "%s at %d: %s", s.ID, width, line)
			}
		}
	}
}

func TestLongNamesAreBrokenWhereTheyHaveParts(t *testing.T) {
	s := report.Measurement{Tables: []report.Table{{
		Columns: []report.Column{{Name: "store"}, {Name: "reads", Numeric: true}},
		Rows:    [][]string{{"tenants/acme/memories, after a fold", "1"}, {"開店時間開店時間開店時間", "2"}},
	}}}
	require.Contains(t, printed(t, &s, 22, report.Paint{}), `
  store          reads
  tenants/acme/      1
  memories,
  after a fold
  開店時間開店       2
  時間開店時間
`)
}

func TestTerminalSaysWhatItLeavesOut(t *testing.T) {
	cost := report.Measurements(tableSample())[1]
	wide, narrow, all := printed(t, &cost, 100, report.Paint{}), printed(t, &cost, 80, report.Paint{}), printed(t, &cost, 0, report.Paint{})
	require.Contains(t, wide, "For want of room without turns measured, prompt bytes, allocations, p95 ms.\n")
	require.Contains(t, narrow, "For want of room without turns measured, prompt bytes, allocations, p95 ms,\n  bytes an entry.\n")
	require.NotContains(t, all, "For want of room")
	for _, ratio := range []string{"1/5,000", "1/22", "1/54"} {
		require.Contains(t, narrow, ratio, "ratios stay")
	}
	require.Contains(t, all, "5,200,000", "allocations")
	require.NotContains(t, wide, "5,200,000")
}

func TestTerminalCanSayNo(t *testing.T) {
	s := report.Measurement{Verdict: result.Verdict{Text: "No: 3 lists differ."}}
	require.Contains(t, printed(t, &s, 100, report.Paint{}), "\n✗ No: 3 lists differ.\n")
	colours := report.Paint{
		Good: func(text string) string { return "<good>" + text },
		Bad:  func(text string) string { return "<bad>" + text },
	}
	require.Contains(t, printed(t, &s, 100, colours), "\n<bad>✗ No")
	s.Verdict.OK = true
	require.Contains(t, printed(t, &s, 100, colours), "\n<good>✓ No")
}

func TestColoursMoveNothing(t *testing.T) {
	mark := func(text string) string { return "\x1b[1m" + text + "\x1b[0m" }
	unmarked := strings.NewReplacer("\x1b[1m", "", "\x1b[0m", "")
	for _, s := range report.Measurements(tableSample()) {
		coloured := printed(t, &s, 100, report.Paint{Bold: mark, Faint: mark, Good: mark, Bad: mark})
		require.Contains(t, coloured, "\x1b[1m")
		require.Equal(t, printed(t, &s, 100, report.Paint{}), unmarked.Replace(coloured))
	}
}

func TestTerminalGivesTheErrorOfItsWriter(t *testing.T) {
	full := errors.New("the disk is full")
	require.ErrorIs(t, (&report.Measurement{}).Terminal(failing{full}, 100, report.Paint{}), full)
}

type failing struct{ err error }

func (b failing) Write([]byte) (int, error) { return 0, b.err }

func printed(t *testing.T, s *report.Measurement, width int, p report.Paint) string {
	t.Helper()
	var out strings.Builder
	require.NoError(t, s.Terminal(&out, width, p))
	return out.String()
}
