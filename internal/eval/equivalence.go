package eval

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"hippocampus/emulator/eventarc"
	"hippocampus/emulator/official"
	"hippocampus/index"
	"hippocampus/internal/chaos"
	"hippocampus/internal/eval/result"
	"hippocampus/internal/figure"
	"hippocampus/reader"
)

// largestSeeded is the largest store that is filled through the hook to compare lists.
const largestSeeded = 5000

func (r *evaluation) planEquivalence() (steps []*step, sumUp func()) {
	found := &result.Equivalence{Stores: []result.Store{}}
	for _, n := range r.seededSizes() {
		s := r.hooked(fmt.Sprintf("equal-%d", n))
		steps = append(steps, &step{
			doing: "a store of " + figure.Count(n), weight: 3 + float64(n)/800,
			do: func(ctx context.Context, done func(float64)) error {
				return r.seeded(ctx, s, n, found, done)
			},
		})
	}
	if r.target.Stack == nil {
		r.leave("random schedules", "the events of functions that are deployed somewhere else cannot be made late, lost or repeated")
	} else {
		steps = append(steps, &step{
			doing:  figure.Plural(r.Schedules, "random schedule", "random schedules"),
			weight: float64(r.Schedules) * .12,
			do: func(ctx context.Context, done func(float64)) error {
				return r.schedules(ctx, found, done)
			},
		})
	}
	return steps, func() {
		if len(found.Stores) > 0 || found.Schedules != nil {
			found.Verdict, r.found.Equivalence = judgeEquivalence(found), found
		}
	}
}

// seededSizes are the numbers of memories of the stores whose lists are compared: in place of
// larger ones the largest.
func (o *Options) seededSizes() []int {
	if o.Memories != nil {
		return o.Sizes
	}
	sizes := make([]int, len(o.Sizes))
	for i, n := range o.Sizes {
		sizes[i] = min(n, largestSeeded)
	}
	return slices.Compact(sizes)
}

// seeded fills a store through the hook, changes it in every way there is, and compares the list
// after the changes, after a compaction and after a full fold.
func (r *evaluation) seeded(ctx context.Context, s *store, n int, found *result.Equivalence,
	done func(float64)) error {
	memories := r.memories(n)
	half := memories[:(n+1)/2]
	if err := s.write(ctx, half, nil); err != nil {
		return err
	}
	done(.2)
	if err := s.fold(ctx, r.Logger); err != nil {
		return err
	}
	if err := s.write(ctx, memories[len(half):], nil); err != nil {
		return err
	}
	done(.4)
	if err := s.disturb(ctx, memories, rand.New(rand.NewPCG(r.Seed, uint64(n)))); err != nil {
		return err
	}
	for i, moment := range []struct {
		name string
		make func() error
	}{
		{"after the changes", func() error { return nil }},
		{"after a compaction", func() error { return s.compact(ctx, r.Logger) }},
		{"after a full fold", func() error { return s.fold(ctx, r.Logger) }},
	} {
		if err := moment.make(); err != nil {
			return fmt.Errorf("%s: %w", moment.name, err)
		}
		row, err := r.compareAfterEvents(ctx, s)
		if err != nil {
			return fmt.Errorf("%s: %w", moment.name, err)
		}
		row.Moment = moment.name
		if i == 2 && r.target.Stack != nil { // elsewhere events from before the fold may come after it
			if row.Leftover, err = s.leftover(ctx); err != nil {
				return err
			}
		}
		found.Stores = append(found.Stores, *row)
		done(.6 + .13*float64(i+1))
	}
	return nil
}

// maxFailures is how many random schedules may find a difference before no more are run.
const maxFailures = 5

// schedules runs the random schedules of package chaos.
func (r *evaluation) schedules(ctx context.Context, found *result.Equivalence,
	done func(float64)) error {
	o := &chaos.Options{First: r.Seed, Count: r.Schedules, MaxFailures: maxFailures, Progress: func(n int) { done(float64(n) / float64(r.Schedules)) }}
	if own, ok := r.target.Stack.Emulator.(*official.Emulator); ok {
		var worlds atomic.Int64
		o.Firestore = func(context.Context) (eventarc.Firestore, error) {
			return own.In(fmt.Sprintf("%s-%d", own.Project(), worlds.Add(1))), nil
		}
	}
	outcome, err := chaos.Run(ctx, o)
	if outcome != nil && outcome.Completed > 0 {
		s := &result.Schedules{First: r.Seed, Count: outcome.Completed, Compared: outcome.Compared,
			Differing: []uint64{}}
		for _, f := range outcome.Found {
			s.Differing = append(s.Differing, f.Seed)
		}
		if len(outcome.Found) > 0 {
			s.Example = outcome.Found[0].Text
		}
		found.Schedules = s
	}
	return err
}

func judgeEquivalence(e *result.Equivalence) result.Verdict {
	memories, listed, differences, scanned, leftover := 0, 0, 0, 0, 0
	var bad, good []string
	for i := range e.Stores {
		s := &e.Stores[i]
		memories += s.Memories
		listed += s.Listed
		differences += s.Diff.Total()
		leftover += len(s.Leftover)
		switch {
		case s.Source == string(reader.FromScan):
			scanned++
		case s.Source == inMemorySource && s.Reason == index.Reason(index.ErrMissing):
			good = append(good, "there is no index of "+s.Collection+", and one was built in memory")
		case s.Source == inMemorySource:
			bad = append(bad, fmt.Sprintf("the index of %s cannot be used (%s): hippo repair makes a new one", s.Collection, s.Reason))
		}
	}
	if len(e.Stores) > 0 {
		good = slices.Insert(good, 0, fmt.Sprintf("%s as by a scan, %s in all",
			figure.Plural(len(e.Stores), "list is", "lists are"), figure.Plural(memories, "memory",
				"memories")))
	}
	if len(e.Stores) > 0 && memories+listed == 0 {
		bad = append(bad, fmt.Sprintf("nothing was compared, as %s has no memories: is it the right collection?", e.Stores[0].Collection))
	}
	if differences > 0 {
		bad = append(bad, fmt.Sprintf("%s between lists by index and by scan",
			figure.Plural(differences, "difference", "differences")))
	}
	if scanned > 0 {
		bad = append(bad, figure.Plural(scanned, "list does not come from the index",
			"lists do not come from the index"))
	}
	if leftover > 0 {
		bad = append(bad, figure.Plural(leftover, "document is left over in an index",
			"documents are left over in indexes"))
	}
	if s := e.Schedules; s != nil {
		good = append(good, fmt.Sprintf("%s find no difference",
			figure.Plural(s.Count, "random schedule", "random schedules")))
		if len(s.Differing) > 0 {
			bad = append(bad, fmt.Sprintf("%d of %s found a difference", len(s.Differing),
				figure.Plural(s.Count, "random schedule", "random schedules")))
		}
	}
	if len(bad) > 0 {
		return no("%s", strings.Join(bad, "; "))
	}
	return yes("%s", strings.Join(good, "; "))
}

// sleep waits for d or until ctx ends.
func sleep(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
