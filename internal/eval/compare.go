package eval

import (
	"slices"
	"time"

	"hippocampus/index"
	"hippocampus/internal/eval/result"
	"hippocampus/internal/ways"
	"hippocampus/memory"
	"hippocampus/repair"
)

// Kinds of differences.
const (
	missing   = repair.Missing
	ghost     = repair.Ghost
	stale     = repair.Stale
	misplaced = "misplaced"
)

// examples is how many differences of a kind are shown.
const examples = 3

// key tells memories apart: two documents may have one name, if the id of one is that name.
type key struct {
	name  string
	rawID bool
}

// compare says how a list differs from what a scan gives, both in list order. inFlight reports
// whether a memory, listed with a version, 0 if it is not, has changed so recently that its event
// may be under way; nil: none has.
func compare(list []index.Entry, scan []ways.Entry,
	inFlight func(key, memory.Micros) bool) result.Diff {
	d := differ{inFlight: inFlight, shown: map[string]int{}}
	scanned := make(map[key]ways.Entry, len(scan))
	for _, s := range scan {
		scanned[key{s.Name, s.RawID}] = s
	}
	listed := make(map[key]bool, len(list))
	var ours []key // of the memories on whose existence and date both agree
	for _, e := range list {
		k := key{e.Name, e.RawID}
		s, exists := scanned[k]
		switch date := memory.Micros(s.Date); {
		case !exists || listed[k]: // a memory that is listed twice is a ghost, too
			d.add(&d.Ghosts, k, e.Version, result.Difference{Kind: ghost, Listed: at(e.Date)})
		case e.Date != date:
			d.add(&d.Stale, k, e.Version,
				result.Difference{Kind: stale, Listed: at(e.Date), Scanned: at(date)})
		default:
			ours = append(ours, k)
		}
		listed[k] = true
	}
	agreed := make(map[key]bool, len(ours))
	for _, k := range ours {
		agreed[k] = true
	}
	place := 0
	for _, s := range scan {
		switch k := (key{s.Name, s.RawID}); {
		case !listed[k]:
			d.add(&d.Missing, k, 0, result.Difference{Kind: missing,
				Scanned: at(memory.Micros(s.Date))})
		case agreed[k]:
			if ours[place] != k {
				d.add(&d.Misplaced, k, 0,
					result.Difference{Kind: misplaced, Scanned: at(memory.Micros(s.Date))})
			}
			place++
		}
	}
	slices.SortStableFunc(d.Examples, func(a, b result.Difference) int { return order(a.Kind) - order(b.Kind) })
	return d.Diff
}

type differ struct {
	result.Diff
	inFlight func(key, memory.Micros) bool
	shown    map[string]int
}

func (d *differ) add(count *int, k key, version memory.Micros, difference result.Difference) {
	if difference.Kind != misplaced && d.inFlight != nil && d.inFlight(k, version) { // no event would explain an order
		count, difference.InFlight = &d.InFlight, true
	}
	*count++
	shown := difference.Kind
	if difference.InFlight {
		shown = "in flight"
	}
	if d.shown[shown]++; d.shown[shown] <= examples {
		difference.Name = k.name
		d.Examples = append(d.Examples, difference)
	}
}

func order(kind string) int {
	return slices.Index([]string{missing, ghost, stale, misplaced}, kind)
}

func at(m memory.Micros) *time.Time {
	t := m.Time()
	return &t
}
