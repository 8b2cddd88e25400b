package report

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"hippocampus/internal/eval/result"
	"hippocampus/internal/figure"
)

func equivalence(e *result.Equivalence) Measurement {
	s := Measurement{
		ID:       "equivalence",
		Title:    "Equivalence",
		Question: "Is the list exactly what a scan gives?",
		Verdict:  e.Verdict,
	}
	var differences [][]string
	if len(e.Stores) > 0 {
		s.Tables = append(s.Tables, stores(e.Stores))
		s.Notes = append(s.Notes,
			"Missing: in the scan, not in the list. Ghosts: in the list, not in the scan. Stale: listed with another date. "+
				"Misplaced: in another order. In flight: differences that events under way may explain; they are counted apart. "+
				"Left over: documents of the index that nothing needs.")
	}
	for i := range e.Stores {
		store := &e.Stores[i]
		if store.Reason != "" {
			s.Notes = append(s.Notes, fmt.Sprintf("%s was not listed by the index: %s.",
				name(store), strings.TrimSuffix(printable(store.Reason), ".")))
		}
		if len(store.Leftover) > 0 {
			s.Notes = append(s.Notes, fmt.Sprintf("Left over of %s: %s.", name(store),
				few(store.Leftover)))
		}
		differences = append(differences, differing(name(store), store.Diff.Examples)...)
	}
	if len(differences) > 0 {
		s.Tables = append(s.Tables, examples("store", differences))
	}
	if e.Schedules != nil {
		s.Tables = append(s.Tables, schedules(e.Schedules))
		if e.Schedules.Example != "" {
			s.Notes = append(s.Notes, "What the first differing schedule found: "+printable(e.Schedules.Example))
		}
	}
	return s
}

// name names a store, and when it was compared.
func name(store *result.Store) string {
	if store.Moment == "" {
		return printable(store.Collection)
	}
	return printable(store.Collection) + ", " + printable(store.Moment)
}

// stores has a row for each comparison. Stores that were compared at several moments have their
// rows together.
func stores(all []result.Store) Table {
	moments := slices.ContainsFunc(all, func(s result.Store) bool { return s.Moment != "" })
	t := Table{
		Caption: "The list by the index against the list by a scan, both as of one moment.",
		Columns: []Column{words("store")},
		Grouped: moments,
	}
	if moments {
		t.Columns = append(t.Columns, words("compared"))
	}
	t.Columns = append(t.Columns,
		figures("memories"), words("list from"), figures("missing"), figures("ghosts"),
		figures("stale"),
		figures("misplaced"), figures("in flight"), figures("left over"), spare(1, "reads"))
	for i := range all {
		store, d := &all[i], &all[i].Diff
		row := []string{printable(store.Collection)}
		if moments {
			row = append(row, printable(store.Moment))
		}
		t.Rows = append(t.Rows, append(row,
			figure.Count(store.Memories), store.Source, figure.Count(d.Missing),
			figure.Count(d.Ghosts), figure.Count(d.Stale),
			figure.Count(d.Misplaced), figure.Count(d.InFlight), figure.Count(len(store.Leftover)), figure.Count(store.Reads)))
	}
	return t
}

func schedules(s *result.Schedules) Table {
	t := Table{
		Caption: "Random schedules: orders in which changes, events, repairs, deaths and turns may come.",
		Columns: []Column{words("first seed"), figures("schedules"), figures("lists compared"),
			figures("differing schedules")},
		Rows: [][]string{{fmt.Sprint(s.First), figure.Count(s.Count), figure.Count(s.Compared),
			figure.Count(len(s.Differing))}},
	}
	if len(s.Differing) > 0 {
		t.Columns = append(t.Columns, words("their seeds"))
		t.Rows[0] = append(t.Rows[0], few(s.Differing))
	}
	return t
}

// few names the first of many, and how many more there are.
func few[T any](all []T) string {
	const most = 5
	var names []string
	for _, one := range all[:min(len(all), most)] {
		names = append(names, printable(fmt.Sprint(one)))
	}
	if len(all) > most {
		names = append(names, fmt.Sprintf("… and %s more", figure.Count(len(all)-most)))
	}
	return strings.Join(names, ", ")
}

// differing returns the rows of examples of a store.
func differing(store string, all []result.Difference) [][]string {
	var rows [][]string
	for _, d := range all {
		kind := d.Kind
		if d.InFlight {
			kind += ", in flight"
		}
		rows = append(rows, []string{store, kind, printable(d.Name), date(d.Listed),
			date(d.Scanned)})
	}
	return rows
}

func examples(store string, rows [][]string) Table {
	return Table{
		Caption: "A few of the differences.",
		Columns: []Column{words(store), words("difference"), words("memory"),
			words("date in the list"), words("date by the scan")},
		Rows:    rows,
		Grouped: true,
	}
}

func date(t *time.Time) string {
	if t == nil {
		return ""
	}
	return t.UTC().Format("2006-01-02 15:04:05.999999Z")
}
