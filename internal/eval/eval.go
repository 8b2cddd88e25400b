// Package eval measures whether Hippocampus does what it is for: is the list
// exactly what a scan gives, what does a turn cost, how soon is a write listed,
// does a repair mend what lost events have done, and what does the hook add to
// writes. docs/evaluation.md says how each is measured and how to read it.
//
// Run measures on an emulator with the product on it, or on the Firestore of a
// project in tenants of its own; Existing compares a collection that exists, and
// writes nothing.
package eval

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"time"

	"cloud.google.com/go/firestore"

	"hippocampus/internal/eval/bill"
	"hippocampus/internal/eval/corpus"
	"hippocampus/internal/eval/result"
)

// Measurement is one of the questions of an evaluation.
type Measurement string

// The measurements, in the order in which they are made.
const (
	Equivalence Measurement = "equivalence"
	Cost        Measurement = "cost"
	Freshness   Measurement = "freshness"
	Repair      Measurement = "repair"
	Writes      Measurement = "writes"
)

// Measurements are all of them, in that order.
var Measurements = []Measurement{Equivalence, Cost, Freshness, Repair, Writes}

// Options say what to measure. The zero value of a field means its default.
type Options struct {
	// Seed decides the stores, the changes and what events suffer. 0 means 1.
	Seed uint64
	// Only are the measurements to make. Nil means all.
	Only []Measurement
	// Sizes are the numbers of memories for which a turn's cost is measured. Default 100, 1,000,
	// 5,000 and 20,000.
	Sizes []int
	// Memories, if not nil, are measured instead of generated ones, and Sizes does not count.
	Memories []corpus.Memory
	// Schedules is how many random schedules are run. Default 200.
	Schedules int
	// Watched is how many writes are watched until they are listed, idle and in an import each.
	// Default 40.
	Watched int
	// After are the seconds after a write at which turns begin. Default 1, 5 and 30.
	After []int
	// RepairSizes are the numbers of memories of the stores that are repaired. Default 500, 2,000
	// and 5,000.
	RepairSizes []int
	// Rates say how events fare. Nil means 2 % dropped, 5 % duplicated, 10 % delayed and 10 %
	// reordered.
	Rates *result.Rates
	// Bursts are the numbers of memories that are written at once. Default 10, 100, 1,000 and
	// 10,000.
	Bursts []int
	// Prices of operations.
	Prices result.Prices
	// Turns measures turns, in a process of its own where it can: what else this one does would
	// count. Nil: MeasureTurns, in this process.
	Turns func(context.Context, *TurnSpec) ([]result.Turn, error)
	// Progress, if set, is told how far the run is.
	Progress func(Progress)
	// Logger takes what the product has to say; nil means slog.Default.
	Logger *slog.Logger
}

func (o *Options) complete() {
	setDefault(&o.Only, Measurements)
	setDefault(&o.Sizes, []int{100, 1000, 5000, 20000})
	setDefault(&o.After, []int{1, 5, 30})
	setDefault(&o.RepairSizes, []int{500, 2000, 5000})
	setDefault(&o.Bursts, []int{10, 100, 1000, 10000})
	if o.Memories != nil {
		o.Sizes, o.RepairSizes = []int{len(o.Memories)}, []int{len(o.Memories)}
	}
	if o.Seed == 0 {
		o.Seed = 1
	}
	if o.Schedules == 0 {
		o.Schedules = 200
	}
	if o.Watched == 0 {
		o.Watched = 40
	}
	if o.Rates == nil {
		o.Rates = &result.Rates{Lose: .02, Duplicate: .05, Delay: .1, Reorder: .1}
	}
	if o.Progress == nil {
		o.Progress = func(Progress) {}
	}
	if o.Logger == nil {
		o.Logger = slog.Default()
	}
	for _, numbers := range []*[]int{&o.Sizes, &o.After, &o.RepairSizes, &o.Bursts} {
		*numbers = slices.Compact(slices.Sorted(slices.Values(*numbers))) // each has a store, or turns, of its own
	}
}

func setDefault[T any](s *[]T, otherwise []T) {
	if len(*s) == 0 {
		*s = slices.Clone(otherwise)
	}
}

// evaluation is an evaluation under way.
type evaluation struct {
	Options
	target  *Deployment
	client  *firestore.Client // whose calls are billed
	bill    bill.Meter
	total   bill.Count // of all calls so far
	plan    *plan
	stores  []*store
	refused error // why no store can be where it should
	found   *result.Results
}

// Run makes the measurements. If ctx ends it returns what was measured until then, marked as
// interrupted, and no error; any other error comes with what was measured before it. Whatever was
// written to a project is removed again.
func Run(ctx context.Context, t *Deployment, o Options) (_ *result.Results, err error) {
	o.complete()
	if o.Turns == nil {
		o.Turns = func(ctx context.Context, spec *TurnSpec) ([]result.Turn, error) {
			return MeasureTurns(ctx, t.Open, spec)
		}
	}
	r := &evaluation{Options: o, target: t, found: &result.Results{Schema: result.Schema}}
	r.found.Evaluation = describe(t, o.Seed)
	started := time.Now()
	if r.client, err = t.Open(context.WithoutCancel(ctx), r.bill.Options()...); err != nil {
		return r.found, err
	}
	defer func() {
		r.found.Evaluation.TookMS = time.Since(started).Milliseconds()
		err = errors.Join(err, r.client.Close())
	}()
	if r.plan, err = newPlan(r); err != nil {
		return r.found, err
	}
	if t.Kind == result.Live {
		if err := r.vacant(ctx); err != nil {
			return r.found, err
		}
		defer func() { err = errors.Join(err, r.cleanUp(ctx)) }()
	}
	return r.found, r.measure(ctx)
}

// measure makes all measurements.
func (r *evaluation) measure(ctx context.Context) error {
	ctx, end := context.WithCancelCause(ctx)
	defer end(nil)
	if s := r.target.Stack; s != nil {
		go func() {
			select {
			case <-s.Emulator.Done():
				end(fmt.Errorf("the emulator has ended: %w", s.Emulator.Err()))
			case <-ctx.Done():
			}
		}()
	}
	for _, m := range r.plan.measurements {
		err := m.make(ctx)
		switch cause := context.Cause(ctx); {
		case err == nil:
			m.made = true
			continue
		case errors.Is(cause, context.Canceled) || errors.Is(cause, context.DeadlineExceeded):
			r.found.Evaluation.Interrupted = true
			r.ended("the run was interrupted")
			return nil
		case cause != nil:
			err = cause
		}
		r.ended("the run failed")
		return fmt.Errorf("%s: %w", m.name, err)
	}
	return nil
}

// Vacant requires that there is nothing yet where Run would write on a project: it removes all of
// that in the end.
func Vacant(ctx context.Context, t *Deployment, o Options) (err error) {
	o.complete()
	r := &evaluation{Options: o, target: t, found: &result.Results{}}
	if r.client, err = t.Open(context.WithoutCancel(ctx)); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, r.client.Close()) }()
	if _, err := newPlan(r); err != nil {
		return err
	}
	return r.vacant(ctx)
}

// ended says what was not measured, or not to its end.
func (r *evaluation) ended(why string) {
	for _, m := range r.plan.measurements {
		switch {
		case m.made:
		case r.measured(m.name):
			r.leave("the rest of "+string(m.name), why)
		default:
			r.leave(string(m.name), why)
		}
	}
}

// measured reports whether the results have some of a measurement.
func (r *evaluation) measured(m Measurement) bool {
	return map[Measurement]bool{Equivalence: r.found.Equivalence != nil, Cost: r.found.Cost != nil,
		Freshness: r.found.Freshness != nil,
		Repair:    r.found.Repair != nil, Writes: r.found.Writes != nil}[m]
}

func (r *evaluation) leave(what, why string) {
	r.found.Evaluation.Left = append(r.found.Evaluation.Left, result.Left{What: what, Why: why})
}

// cleanUpTimeout bounds how long the evaluation's own documents may take to be removed.
const cleanUpTimeout = 15 * time.Minute

func (r *evaluation) cleanUp(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), cleanUpTimeout)
	defer cancel()
	r.Progress(Progress{Doing: "removing what was written", Fraction: 1})
	return r.remove(ctx)
}

// billed returns what all calls so far are billed.
func (r *evaluation) billed() bill.Count {
	c := r.bill.Take()
	r.total.Reads += c.Reads
	r.total.Writes += c.Writes
	r.total.Deletes += c.Deletes
	return r.total
}

// memories returns the first n memories of the evaluation.
func (r *evaluation) memories(n int) []corpus.Memory {
	if r.Memories != nil {
		return r.Memories[:min(n, len(r.Memories))]
	}
	return r.generate(r.Seed, n)
}

func (r *evaluation) generate(seed uint64, n int) []corpus.Memory {
	memories := corpus.Generate(seed, n)
	for i := range memories {
		memories[i].Name = r.target.named(memories[i].Name)
	}
	return memories
}

func yes(format string, args ...any) result.Verdict {
	return result.Verdict{OK: true, Text: "Yes: " + fmt.Sprintf(format, args...)}
}

func no(format string, args ...any) result.Verdict {
	return result.Verdict{Text: "No: " + fmt.Sprintf(format, args...)}
}
