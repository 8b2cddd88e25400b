package report_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// expected returns what the rows of a table must show, by the names of its columns, reckoned from
// the document alone. A number stands for a figure, nil for none.
func expected(t *testing.T, source object, section string, head []string) []object {
	t.Helper()
	s := source.at(section)
	has := func(name string) bool { return slices.Contains(head, name) }
	switch {
	case section == "equivalence" && has("missing"):
		return rows(s.list("stores"), expectedStore)
	case section == "equivalence" && has("difference"):
		var all []object
		for _, store := range s.list("stores") {
			all = append(all, rows(store.at("diff").list("examples"), expectedExample("store", store.text("collection")))...)
		}
		return all
	case section == "equivalence" && has("first seed"):
		return rows([]object{s.at("schedules")}, expectedSchedules)
	case section == "cost":
		return expectedTurns(s)
	case section == "freshness" && has("while"):
		return rows(s.list("lags"), expectedLag)
	case section == "freshness":
		return rows(s.list("after"), expectedAfter)
	case section == "repair" && has("difference"):
		var all []object
		for _, store := range s.list("stores") {
			all = append(all, rows(store.at("after").list("examples"), expectedExample("memories", store.number("memories")))...)
		}
		return all
	case section == "repair":
		return rows(s.list("stores"), expectedMended)
	case section == "writes" && has("hook"):
		return expectedSlowdown(s.at("slowdown"))
	case section == "writes":
		return rows(s.list("bursts"), expectedBurst)
	}
	require.Fail(t, "no table of this kind is known", "%s: %q", section, head)
	return nil
}

func rows(all []object, row func(object) object) []object {
	var made []object
	for _, o := range all {
		made = append(made, row(o))
	}
	return made
}

func total(diff object) float64 {
	return diff.number("missing") + diff.number("ghosts") + diff.number("stale") + diff.number("misplaced")
}

func expectedStore(o object) object {
	d := o.at("diff")
	left, _ := o["leftover"].([]any)
	moment, _ := o["moment"].(string)
	return object{
		"compared": moment,
		"store":    o.text("collection"), "memories": o.number("memories"), "list from": o.text("source"), "missing": d.number("missing"),
		"ghosts": d.number("ghosts"), "stale": d.number("stale"), "misplaced": d.number("misplaced"), "in flight": d.number("in_flight"),
		"left over": float64(len(left)), "reads": o.number("reads"),
	}
}

// expectedExample is of a difference in a store that the column names so.
func expectedExample(column string, store any) func(object) object {
	return func(o object) object {
		kind := o.text("kind")
		if o["in_flight"] == true {
			kind += ", in flight"
		}
		at := func(name string) any {
			moment, err := time.Parse(time.RFC3339Nano, o.text(name))
			if err != nil {
				return nil
			}
			return moment.UTC().Format("2006-01-02 15:04:05.999999Z")
		}
		return object{
			column: store, "difference": kind, "memory": o.text("name"), "date in the list": at("listed"), "date by the scan": at("scanned"),
		}
	}
}

func expectedSchedules(o object) object {
	const few = 5
	seeds, _ := o["differing_seeds"].([]any)
	text := ""
	for i, seed := range seeds {
		switch {
		case i == few:
			text += fmt.Sprintf(", … and %d more", len(seeds)-few)
		case i < few:
			if i > 0 {
				text += ", "
			}
			text += fmt.Sprint(seed)
		}
	}
	return object{
		"first seed": o.text("first_seed"), "schedules": o.number("run"), "lists compared": o.number("lists_compared"),
		"differing schedules": float64(len(seeds)), "their seeds": text,
	}
}

func expectedTurns(cost object) []object {
	names := map[string]string{
		"full-scan": "full scan", "names-scan": "names-only scan", "maps": "maps of fields", "index": "index",
		"index-changed": "index, a tenth changed",
	}
	turns := cost.list("turns")
	return rows(turns, func(o object) object {
		row := object{
			"memories": o.number("memories"), "way": names[o.text("way")], "documents read": o.number("documents_read"),
			"bytes": o.number("bytes"), "bytes an entry": o.number("bytes") / o.number("memories"), "median ms": o.number("median_ms"),
			"p95 ms": o.number("p95_ms"), "allocations": o.number("allocations"), "prompt bytes": o.number("prompt_bytes"),
			"turns measured": o.number("turns"), cost.at("prices").text("currency") + " a million turns": o.number("dollars_a_million_turns"),
			"reads vs scan": nil, "bytes vs scan": nil, "time vs scan": nil,
		}
		for _, scan := range turns {
			if scan.text("way") == "names-scan" && scan.number("memories") == o.number("memories") {
				row["reads vs scan"] = o.number("documents_read") / scan.number("documents_read")
				row["bytes vs scan"] = o.number("bytes") / scan.number("bytes")
				row["time vs scan"] = o.number("median_ms") / scan.number("median_ms")
			}
		}
		return row
	})
}

func expectedAfter(o object) object {
	return object{
		"seconds after the write": o.number("seconds"), "turns": o.number("turns"), "listed": o.number("listed"),
		"listed, %": 100 * o.number("listed") / o.number("turns"),
	}
}

func expectedLag(o object) object {
	row := object{
		"while":          map[string]string{"idle": "nothing else is written", "import": "an import runs"}[o.text("situation")],
		"writes watched": o.number("writes"), "listed": o.number("listed"), "written beside": o.number("others"),
		"median ms": nil, "p95 ms": nil, "max ms": nil,
	}
	if o.number("listed") > 0 {
		row["median ms"], row["p95 ms"], row["max ms"] = o.number("median_ms"), o.number("p95_ms"), o.number("max_ms")
	}
	return row
}

func expectedMended(o object) object {
	drift := func(d object) any {
		if d.number("in_flight") > 0 {
			return fmt.Sprintf("%g + %g in flight", total(d), d.number("in_flight"))
		}
		return total(d)
	}
	return object{
		"memories": o.number("memories"), "changes": o.number("changes"), "events dropped": o.number("dropped"),
		"events duplicated": o.number("duplicated"), "events delayed": o.number("delayed"), "events reordered": o.number("reordered"),
		"deletes first": o.number("deletes_first"), "changes during it": o.number("during"), "drift before": drift(o.at("before")),
		"drift after": drift(o.at("after")), "reads": o.number("reads"), "reads a memory": o.number("reads") / o.number("memories"),
		"writes": o.number("writes"), "ms": o.number("ms"),
	}
}

func expectedBurst(o object) object {
	n := o.number("changes")
	return object{
		"changes": n, "commits": o.number("commits"), "commits a change": o.number("commits") / n, "extra writes": o.number("writes"),
		"extra writes a change": o.number("writes") / n, "extra deletes": o.number("deletes"), "extra reads": o.number("reads"), "ms": o.number("ms"), "ms a change": o.number("ms") / n,
	}
}

func expectedSlowdown(o object) []object {
	of := func(name string, l object) object {
		return object{
			"hook": name, "writes": l.number("writes"), "writes a second": l.number("per_second"), "median ms": l.number("median_ms"),
			"p95 ms": l.number("p95_ms"),
		}
	}
	without, with := of("without", o.at("without")), of("with", o.at("with"))
	ratio := object{"hook": "with ÷ without", "writes": nil}
	for _, name := range []string{"writes a second", "median ms", "p95 ms"} {
		ratio[name] = with[name].(float64) / without[name].(float64)
	}
	return []object{without, with, ratio}
}
