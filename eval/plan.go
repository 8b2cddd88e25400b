package eval

import (
	"context"
	"fmt"
	"slices"
	"time"

	"hippocampus/eval/result"
)

// Progress says how far a run is.
type Progress struct {
	Doing    string        // "cost: 5,000 memories"
	Fraction float64       // of the whole run, 0 to 1
	Left     time.Duration // an estimate; 0: none yet
}

// plan is the steps of a run and about how long each takes, from which the time that is left is estimated.
type plan struct {
	measurements []*measurement
	total, done  float64 // weights, about seconds on two cores
	begun        time.Time
}

type measurement struct {
	name  Measurement
	steps []*step
	close func(ctx context.Context) error // makes the verdict of what was measured, also if it was interrupted
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

func newPlan(r *run) *plan {
	p := &plan{begun: time.Now()}
	for _, m := range []struct {
		name Measurement
		plan func() ([]*step, func(context.Context) error)
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
		steps, closing := m.plan()
		if len(steps) == 0 {
			continue
		}
		for _, s := range steps {
			if r.target.Kind == result.Official {
				s.weight *= 2.5
			}
			p.total += s.weight
		}
		p.measurements = append(p.measurements, &measurement{name: m.name, steps: steps, close: closing, plan: p, tell: r.Progress})
	}
	return p
}

func (m *measurement) make(ctx context.Context) (err error) {
	for i, s := range m.steps {
		if err = ctx.Err(); err != nil {
			break
		}
		m.tell(m.progress(s, 0))
		if err = s.do(ctx, func(part float64) { m.tell(m.progress(s, part)) }); err != nil {
			err = fmt.Errorf("%s: %w", s.doing, err)
			if i == 0 {
				return err // nothing was measured
			}
			break
		}
		m.plan.done += s.weight
	}
	if closed := m.close(context.WithoutCancel(ctx)); err == nil {
		err = closed
	}
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
