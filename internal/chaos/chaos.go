package chaos

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"runtime"
	"slices"
	"sync"

	"hippocampus/emulator/eventarc"
)

// Options of Run.
type Options struct {
	// First is the seed of the first schedule. The seeds of the others follow it.
	First uint64
	// Count is how many schedules to run, at least 1.
	Count int
	// MaxFailures is how many schedules may find something before no more are begun. 0: all are
	// run.
	MaxFailures int
	// Parallel is how many schedules run at once, each in a world of its own. 0: GOMAXPROCS.
	Parallel int
	// Firestore returns an empty project of an emulator for a world. It is called for each, and
	// again in place of one in which a schedule has found something, from any goroutine; the caller
	// closes what it returns, after Run. Nil: an embedded emulator for each world, whose clock the
	// schedule moves, so that one seed has one outcome.
	Firestore func(context.Context) (eventarc.Firestore, error)
	// Progress, if set, is told after each schedule how many have been run. Its calls do not
	// overlap.
	Progress func(done int)
}

// Outcome is what schedules found.
type Outcome struct {
	Completed int       // schedules run to their end, or until they found something
	Compared  int       // lists compared
	Found     []Failure // by seed; at most one of a schedule

	cover *coverage
}

// Run runs random schedules and says what they found, at best nothing. A schedule takes about a
// second of one processor, or several on the official emulator.
//
// The error says that not all could be run: what Options lacks, the error of ctx if that ended, or
// what is wrong with Firestore. The outcome is then that of the schedules before. What the product
// gets wrong is no error: also an unexpected error of it, or that it hangs for two minutes, is a
// Failure.
func Run(ctx context.Context, o *Options) (*Outcome, error) { return runSchedules(ctx, product, o) }

// hunt is a Run under way.
type hunt struct {
	Options
	sys     system
	outcome *Outcome

	mu    sync.Mutex
	begun int
	err   error // why it ends early
}

func runSchedules(ctx context.Context, sys system, o *Options) (*Outcome, error) {
	h := &hunt{sys: sys, outcome: &Outcome{cover: &coverage{}}}
	if o != nil {
		h.Options = *o
	}
	if err := h.complete(); err != nil {
		return h.outcome, fmt.Errorf("chaos: %w", err)
	}
	inner, cancel := context.WithCancel(ctx)
	defer cancel()
	var workers sync.WaitGroup
	for range min(h.Parallel, h.Count) {
		workers.Go(func() {
			if err := h.work(inner); err != nil {
				h.fail(err)
				cancel()
			}
		})
	}
	workers.Wait()
	h.outcome.Compared = h.outcome.cover.count(checks)
	slices.SortFunc(h.outcome.Found, func(a, b Failure) int { return cmp.Compare(a.Seed, b.Seed) })
	if err := ctx.Err(); err != nil {
		return h.outcome, err
	}
	return h.outcome, h.err
}

func (h *hunt) complete() error {
	switch {
	case h.Count < 1:
		return fmt.Errorf("the count of schedules is %d; run at least 1", h.Count)
	case h.First > math.MaxUint64-uint64(h.Count):
		return fmt.Errorf("%d seeds from %d on are too many; begin with a smaller one", h.Count,
			h.First)
	case h.MaxFailures < 0:
		return fmt.Errorf("to end after %d schedules that find something is not possible; give 0 to run all", h.MaxFailures)
	case h.Parallel < 0:
		return fmt.Errorf("%d schedules at once are not possible; give 0 for as many as there are processors", h.Parallel)
	case h.Parallel == 0:
		h.Parallel = runtime.GOMAXPROCS(0)
	}
	return nil
}

// work runs schedules as long as there are any.
func (h *hunt) work(ctx context.Context) error {
	for more := true; more; {
		w, err := newWorld(ctx, h.sys, h.outcome.cover, h.Firestore)
		if err != nil {
			return err
		}
		more, err = h.workIn(ctx, w)
		if err := errors.Join(err, w.close()); err != nil {
			return err
		}
	}
	return nil
}

// workIn runs schedules in a world until one finds something, or reports that there are no more.
func (h *hunt) workIn(ctx context.Context, w *world) (more bool, err error) {
	for {
		seed, ok := h.next(ctx)
		if !ok {
			return false, nil
		}
		found, err := newSchedule(ctx, w, seed).run()
		if ctx.Err() != nil {
			return false, ctx.Err() // which may be all that was found
		}
		if err != nil {
			return false, err
		}
		h.done(found)
		if found != nil {
			return true, nil
		}
	}
}

// next returns the seed of the next schedule, if one is to be run.
func (h *hunt) next(ctx context.Context) (seed uint64, ok bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if ctx.Err() != nil || h.begun == h.Count ||
		h.MaxFailures > 0 && len(h.outcome.Found) >= h.MaxFailures {
		return 0, false
	}
	seed = h.First + uint64(h.begun)
	h.begun++
	return seed, true
}

func (h *hunt) done(found *Failure) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.outcome.Completed++
	if found != nil {
		h.outcome.Found = append(h.outcome.Found, *found)
	}
	if h.Progress != nil {
		h.Progress(h.outcome.Completed)
	}
}

// fail keeps the first error: others may come of the end that it brings.
func (h *hunt) fail(err error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.err == nil {
		h.err = fmt.Errorf("chaos: %w", err)
	}
}
