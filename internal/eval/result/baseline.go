package result

import (
	"errors"
	"fmt"
)

// What baselines are compared by does not depend on the machine: documents read, bytes an
// entry, whether lists are right. Never times. Of repairs the reads are compared,
// with room for the changes that were made during them; their writes, and the
// commits and extra writes of bursts, depend on which events came together, so
// of bursts it asks no more than that a change is not billed as more than one write.
const (
	// tolerance is the part by which bytes, and a repair's reads, may grow: commit times and dates
	// are longer and shorter on the wire, and which documents an index has depends on which events
	// came together.
	tolerance = 0.05
	// indexReads is how many reads of a repair are of the index, at most, in an ordinary case: the
	// meta document, the shards, a request, and what a query without a document costs.
	indexReads = 12
	// sameStore is how much larger or smaller a repaired store may be to be the same one: it has
	// the changes in it that were made during the repair.
	sameStore = 0.25
)

// ErrNothingInCommon: the baseline and the run measured nothing that could be compared.
var ErrNothingInCommon = errors.New("nothing in common")

// Comparison is what an evaluation is beside an earlier one.
type Comparison struct {
	Points      int          // that were compared
	Regressions []Regression // in the order of the document
	Lacking     []string     // points of the baseline that the run did not measure
}

// Regression is one figure that is worse than it was.
type Regression struct {
	What  string // is worse
	Where string // was it measured
	From  string // the baseline's figure
	To    string // the run's
	By    string // how much worse; "" where there is no such figure
}

// String says it in a line.
func (r Regression) String() string {
	s := fmt.Sprintf("%s, %s: from %s to %s", r.What, r.Where, r.From, r.To)
	if r.By != "" {
		s += " (" + r.By + ")"
	}
	return s
}

// Compare compares a run with an earlier one, the baseline. It returns ErrNothingInCommon if no
// point was measured in both.
func Compare(baseline, now *Results) (*Comparison, error) {
	was, is := partsOf(baseline), partsOf(now)
	c := &Comparison{}
	c.verdict("is the list what a scan gives", was.equivalence, is.equivalence)
	c.turns(was.turns, is.turns)
	c.verdict("does a repair mend what lost events have done", was.repair, is.repair)
	c.repairs(was.repairs, is.repairs)
	c.bursts(was.bursts, is.bursts)
	if c.Points == 0 {
		return nil, fmt.Errorf("%w: measure what the baseline has, the same ways and numbers of memories, or make a new baseline", ErrNothingInCommon)
	}
	return c, nil
}

// parts are what is compared of a document, empty where it was not measured.
type parts struct {
	equivalence, repair *Verdict
	turns               []Turn
	repairs             []Mended
	bursts              []Burst
}

func partsOf(r *Results) (p parts) {
	if r.Equivalence != nil {
		p.equivalence = &r.Equivalence.Verdict
	}
	if r.Cost != nil {
		p.turns = r.Cost.Turns
	}
	if r.Repair != nil {
		p.repair, p.repairs = &r.Repair.Verdict, r.Repair.Stores
	}
	if r.Writes != nil {
		p.bursts = r.Writes.Bursts
	}
	return p
}
