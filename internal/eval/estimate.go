package eval

import (
	"fmt"
	"slices"
	"time"

	"hippocampus/internal/eval/result"
	"hippocampus/internal/figure"
)

// Estimate is about what a run on a project costs: operations as Firestore bills them, those of the
// functions too.
type Estimate struct {
	Reads, Writes, Deletes int
	Dollars                float64
	Lasts                  time.Duration // about
}

// EstimateLive says beforehand what a run on a project would cost at most, about.
func EstimateLive(o Options) Estimate {
	o.complete()
	var e Estimate
	wants := func(m Measurement) bool { return slices.Contains(o.Only, m) }
	if wants(Equivalence) {
		for _, n := range o.seededSizes() {
			e.Writes += 2*n + n/2 // each memory, its entry, the changes and theirs
			e.Reads += 11*n + 500 // two folds, and three comparisons, of which the first is made again until the events have come
			e.Deletes += n
		}
	}
	if wants(Cost) {
		for _, n := range o.Sizes {
			e.Writes += n + n/changedPart + 20
			e.Reads += 3*n + n + 2*(liveTurns+1)*n + 1000 // scans to prepare, a fold, the turns of two ways
			e.Deletes += n + 20
		}
	}
	if wants(Freshness) {
		r := &evaluation{Options: o}
		seconds := r.watching(betweenWrites) + r.watching(betweenImported) + 2*giveUp.Seconds()
		imported := int(importRate * (r.watching(betweenImported) + 1))
		e.Writes += 2 * (2*knownBefore + 2*o.Watched + imported)
		e.Reads += int(seconds/betweenLooks.Seconds()*2) + len(o.After)*o.Watched*10 + 4*(knownBefore+imported)
		e.Deletes += 2*(knownBefore+o.Watched) + imported
	}
	if wants(Writes) {
		n := int(2 * blocks * slowWriters * (blockTime/slowPause + 1))
		e.Writes += 2 * n
		e.Deletes += n
		e.Reads += n
	}
	// What is written, and then removed, takes its time besides.
	steps, _ := newPlan(&evaluation{Options: o, target: &Deployment{Kind: result.Live},
		found: &result.Results{}})
	e.Lasts = time.Duration((steps.total + 2*float64(e.Deletes)/livePerSecond) * float64(time.Second))

	e.Reads += e.Deletes           // to remove what was written it is looked up
	e.Writes += e.Deletes          // the functions follow the removal
	e.Deletes += e.Deletes/10 + 50 // the documents of the indexes
	e.Dollars = (float64(e.Reads)*o.Prices.Reads + float64(e.Writes)*o.Prices.Writes + float64(e.Deletes)*o.Prices.Deletes) / 100_000
	return e
}

// String says it to people.
func (e Estimate) String() string {
	return fmt.Sprintf("about %s reads, %s writes and %s deletes", figure.Count(roundly(e.Reads)),
		figure.Count(roundly(e.Writes)), figure.Count(roundly(e.Deletes)))
}

// roundly keeps two digits.
func roundly(n int) int {
	unit := 1
	for n/unit >= 100 {
		unit *= 10
	}
	return (n + unit/2) / unit * unit
}
