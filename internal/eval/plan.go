package eval

import (
	"context"
	"fmt"
	"slices"
	"time"

	"hippocampus/internal/eval/result"
)

// Progress says how far a run is.
type Progress struct {
	Doing    string        // "cost: 5,000 memories"
	Fraction float64       // of the whole run, 0 to 1
	Left     time.Duration // an estimate; 0: none yet
}

// plan is the steps of a run and about how long each takes, from which the time that is left is
// estimated.
type plan struct {
	measurements []*measurement
	total, done  float64 // weights, about seconds on two cores
	begun        time.Time
}

type measurement struct {
	name  Measurement
	steps []*step
	sumUp func() // puts what was measured, if anything was, into the results, with its verdict
	made  bool
	plan  *plan
	tell  func(Progress)
}

// step is a part of a measurement. do tells, between 0 and 1, how much of it is done.
type step struct {
	doing  string
	weight float64
	do     func(ctx context.Context, done func(float64)) error
}

// newPlan says what is to be done, and in which stores.
func newPlan(r *evaluation) (*plan, error) {
	p := &plan{begun: time.Now()}
	for _, m := range []struct {
		name Measurement
		plan func() (steps []*step, sumUp func())
	}{
		{Equivalence, r.planEquivalence},
		{Cost, r.planCost},
		{Freshness, r.planFreshness},
		{Repair, r.planRepair},
		{Writes, r.planWrites},
	} {
		if !slices.Contains(r.Only, m.name) {
			continue
		}
		steps, sumUp := m.plan()
		if len(steps) == 0 {
			continue
		}
		for _, s := range steps {
			if r.target.Kind == result.Official {
				s.weight *= 2.5
			}
			p.total += s.weight
		}
		p.measurements = append(p.measurements,
			&measurement{name: m.name, steps: steps, sumUp: sumUp, plan: p, tell: r.Progress})
	}
	return p, r.refused
}

// make takes the steps, and then sums up what was measured, also after an error or an interruption.
func (m *measurement) make(ctx context.Context) (err error) {
	for _, s := range m.steps {
		m.tell(m.progress(s, 0))
		if err = ctx.Err(); err == nil {
			err = s.do(ctx, func(part float64) { m.tell(m.progress(s, part)) })
		}
		if err != nil {
			err = fmt.Errorf("%s: %w", s.doing, err)
			break
		}
		m.plan.done += s.weight
	}
	m.sumUp()
	return err
}

func (m *measurement) progress(s *step, part float64) Progress {
	p := m.plan
	done := p.done + s.weight*min(1, max(0, part))
	state := Progress{Doing: string(m.name) + ": " + s.doing, Fraction: done / p.total}
	if elapsed := time.Since(p.begun); done > 0.02*p.total {
		state.Left = time.Duration(float64(elapsed) / done * (p.total - done))
	} else {
		state.Left = time.Duration((p.total - done) * float64(time.Second))
	}
	return state
}
