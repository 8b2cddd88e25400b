package report

import (
	"strconv"

	"hippocampus/internal/eval/result"
	"hippocampus/internal/figure"
)

func freshness(f *result.Freshness) Measurement {
	s := Measurement{
		ID:       "freshness",
		Title:    "Freshness",
		Question: "How soon is a write in the list?",
		Verdict:  f.Verdict,
	}
	if len(f.After) > 0 {
		after := Table{
			Caption: "A memory is written, and a turn begins so long after: is it in the list?",
			Columns: []Column{figures("seconds after the write"), figures("turns"),
				figures("listed"), figures("listed, %")},
		}
		for _, a := range f.After {
			after.Rows = append(after.Rows, []string{
				strconv.FormatFloat(a.Seconds, 'f', -1, 64), figure.Count(a.Turns),
				figure.Count(a.Listed), figure.Share(a.Listed, a.Turns),
			})
		}
		s.Tables = append(s.Tables, after)
	}
	if len(f.Lags) > 0 {
		lags := Table{
			Caption: "The time from a write's commit to its being listed.",
			Columns: []Column{
				words("while"), figures("writes watched"), figures("listed"),
				figures("written beside"),
				figures("median ms"), figures("p95 ms"), figures("max ms"),
			},
		}
		for _, l := range f.Lags {
			row := []string{situation(l.Situation), figure.Count(l.Writes), figure.Count(l.Listed),
				figure.Count(l.Others)}
			if l.Listed > 0 {
				row = append(row, figure.Decimal(l.MedianMS), figure.Decimal(l.P95MS),
					figure.Decimal(l.MaxMS))
			} else {
				row = append(row, "", "", "")
			}
			lags.Rows = append(lags.Rows, row)
		}
		s.Tables = append(s.Tables, lags)
		s.Notes = append(s.Notes, "Median, p95 and maximum are of the writes that were listed before the run gave up.")
	}
	return s
}

func situation(s string) string {
	switch s {
	case "idle":
		return "nothing else is written"
	case "import":
		return "an import runs"
	}
	return printable(s)
}
