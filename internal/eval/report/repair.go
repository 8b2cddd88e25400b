package report

import (
	"fmt"
	"math"
	"strconv"

	"hippocampus/internal/eval/result"
	"hippocampus/internal/figure"
)

func repair(r *result.Repair) Measurement {
	s := Measurement{
		ID:       "repair",
		Title:    "Repair",
		Question: "Does a repair mend what lost events have done?",
		Verdict:  r.Verdict,
	}
	percent := func(rate float64) string { return strconv.FormatFloat(math.Round(1e4*rate)/100, 'f', -1, 64) + " %" }
	stores := Table{
		Caption: fmt.Sprintf("Changes of whose events %s are dropped, %s duplicated, %s delayed and %s reordered, and the repair after them.",
			percent(r.Rates.Lose), percent(r.Rates.Duplicate), percent(r.Rates.Delay),
			percent(r.Rates.Reorder)),
		Columns: []Column{
			figures("memories"), figures("changes"), figures("events dropped"),
			spare(4, "events duplicated"), spare(5, "events delayed"),
			spare(6, "events reordered"), spare(2, "deletes first"), spare(3, "changes during it"),
			figures("drift before"), figures("drift after"), figures("reads"),
			spare(1, "reads a memory"), figures("writes"), figures("ms"),
		},
	}
	var differences [][]string
	var unread []string
	for _, m := range r.Stores {
		reads := ""
		if m.Memories > 0 {
			reads = figure.Decimal(float64(m.Reads) / float64(m.Memories))
		}
		stores.Rows = append(stores.Rows, []string{
			figure.Count(m.Memories), figure.Count(m.Changes), figure.Count(m.Lost),
			figure.Count(m.Duplicated), figure.Count(m.Delayed),
			figure.Count(m.Reordered), figure.Count(m.DeletesFirst), figure.Count(m.During),
			drift(&m.Before), drift(&m.After), figure.Count(m.Reads), reads, figure.Count(m.Writes),
			figure.Decimal(m.MS),
		})
		differences = append(differences, differing(figure.Count(m.Memories), m.After.Examples)...)
		if m.Unread != "" {
			unread = append(unread, fmt.Sprintf("After the repair of %s memories the list does not come from the index: %s.", figure.Count(m.Memories), printable(m.Unread)))
		}
	}
	s.Tables = append(s.Tables, stores)
	s.Notes = append(s.Notes,
		"Drift: memories that the list lacks, has too many, with another date or out of order, when all events had arrived. "+
			"Deletes first: deletes whose events came before those of the writes before them. Writes: and deletes.")
	s.Notes = append(s.Notes, unread...)
	if len(differences) > 0 {
		left := examples("memories", differences)
		left.Caption = "A few of the differences after the repair."
		left.Columns[0].Numeric = true
		s.Tables = append(s.Tables, left)
	}
	return s
}

func drift(d *result.Diff) string {
	if d.InFlight > 0 {
		return fmt.Sprintf("%s + %s in flight", figure.Count(d.Total()), figure.Count(d.InFlight))
	}
	return figure.Count(d.Total())
}
