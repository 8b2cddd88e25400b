package report

import (
	"fmt"

	"hippocampus/internal/eval/result"
	"hippocampus/internal/figure"
)

func writes(w *result.Writes) Measurement {
	s := Measurement{
		ID:       "writes",
		Title:    "Writes",
		Question: "What does the hook add to the application's writes?",
		Verdict:  w.Verdict,
	}
	if len(w.Bursts) > 0 {
		bursts := Table{
			Caption: "Bursts: so many memories written as fast as the client can.",
			Columns: []Column{
				figures("changes"), figures("commits"), figures("commits a change"),
				figures("extra writes"), figures("extra writes a change"),
				figures("extra deletes"), figures("extra reads"), figures("ms"),
				spare(1, "ms a change"),
			},
		}
		for _, b := range w.Bursts {
			a := func(f float64) string {
				if b.Changes == 0 {
					return ""
				}
				return figure.Decimal(f / float64(b.Changes))
			}
			bursts.Rows = append(bursts.Rows, []string{
				figure.Count(b.Changes), figure.Count(b.Commits), a(float64(b.Commits)),
				figure.Count(b.Writes), a(float64(b.Writes)),
				figure.Count(b.Deletes), figure.Count(b.Reads), figure.Decimal(b.MS), a(b.MS),
			})
		}
		s.Tables = append(s.Tables, bursts)
		s.Notes = append(s.Notes,
			"Commits are the hook's. Extra writes, deletes and reads are all that the functions do, as billed: these commits, and the "+
				"build or the compactions that were asked for. The time ends when every event is handled.")
	}
	if w.Slowdown != nil {
		s.Tables = append(s.Tables, slowdown(w.Slowdown))
	}
	return s
}

func slowdown(d *result.Slowdown) Table {
	writers := figure.Count(d.Writers) + " writers at once"
	if d.Writers == 1 {
		writers = "one writer"
	}
	row := func(name string, l *result.Latencies) []string {
		return []string{name, figure.Count(l.Writes), figure.Decimal(l.PerSecond),
			figure.Decimal(l.MedianMS), figure.Decimal(l.P95MS)}
	}
	return Table{
		Caption: fmt.Sprintf("The application's own writes, by %s.", writers),
		Columns: []Column{words("hook"), figures("writes"), figures("writes a second"),
			figures("median ms"), figures("p95 ms")},
		Rows: [][]string{
			row("without", &d.Without),
			row("with", &d.With),
			{
				"with ÷ without", "", figure.Times(d.With.PerSecond, d.Without.PerSecond),
				figure.Times(d.With.MedianMS, d.Without.MedianMS),
				figure.Times(d.With.P95MS, d.Without.P95MS),
			},
		},
	}
}
