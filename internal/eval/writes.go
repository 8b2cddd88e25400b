package eval

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"cloud.google.com/go/firestore"
	"golang.org/x/sync/errgroup"

	"hippocampus/internal/eval/result"
	"hippocampus/internal/figure"
)

const (
	// slowWriters write at once while the application's writes are timed, one write each slowPause:
	// an application that is busy, not one that writes all that the machine can, since then the
	// hook would compete for that.
	slowWriters = 8
	slowPause   = 40 * time.Millisecond
	// blocks of writes with the hook and without, by turns, and how long each is.
	blocks    = 4
	blockTime = 1500 * time.Millisecond
	// bodyBytes is the size of what they write.
	bodyBytes = 2000
)

func (r *evaluation) planWrites() (steps []*step, sumUp func()) {
	found := &result.Writes{Bursts: []result.Burst{}}
	if r.target.Stack == nil {
		r.leave("commits in bursts", "those of functions that are deployed somewhere else cannot be counted from here")
	} else {
		for _, n := range r.Bursts {
			s := r.hooked(fmt.Sprintf("burst-%d", n))
			steps = append(steps, &step{
				doing: "a burst of " + figure.Count(n), weight: 1 + float64(n)/2000,
				do: func(ctx context.Context, _ func(float64)) error {
					burst, err := r.burst(ctx, s, n)
					if err == nil {
						found.Bursts = append(found.Bursts, *burst)
					}
					return err
				},
			})
		}
	}
	with, without := r.hooked("writes-with"), r.quiet("writes-without")
	steps = append(steps, &step{
		doing: "the application's own writes", weight: 2 * blocks * (blockTime.Seconds() + 1),
		do: func(ctx context.Context, done func(float64)) (err error) {
			found.Slowdown, err = r.slowdown(ctx, with, without, done)
			return err
		},
	})
	return steps, func() {
		if len(found.Bursts) > 0 || found.Slowdown != nil {
			found.Verdict, r.found.Writes = judgeWrites(found, r.target.Stack == nil), found
		}
	}
}

// burst writes memories as fast as the client can and counts the hook's commits.
func (r *evaluation) burst(ctx context.Context, s *store, n int) (*result.Burst, error) {
	if err := r.target.drain(ctx); err != nil {
		return nil, err
	}
	before, begun := r.target.Stack.Service.Stats().Commits, time.Now()
	r.target.functions.Take()
	if err := s.write(ctx, r.generate(r.Seed, n), nil); err != nil {
		return nil, err
	}
	if err := r.target.drain(ctx); err != nil {
		return nil, err
	}
	took, billed := time.Since(begun), r.target.functions.Take()
	return &result.Burst{
		Changes: n, Commits: r.target.Stack.Service.Stats().Commits - before,
		Reads: billed.Reads, Writes: billed.Writes, Deletes: billed.Deletes, MS: milliseconds(took),
	}, nil
}

// slowdown times the application's own writes where the hook follows them and where it does not, by
// turns.
func (r *evaluation) slowdown(ctx context.Context, with, without *store,
	done func(float64)) (*result.Slowdown, error) {
	samples := map[*store]*timings{with: {}, without: {}}
	for block := range blocks {
		for i, s := range []*store{without, with} {
			if err := samples[s].block(ctx, s); err != nil {
				return nil, err
			}
			if err := r.target.awaitEvents(ctx); err != nil {
				return nil, err
			}
			done(float64(2*block+i+1) / (2 * blocks))
		}
	}
	return &result.Slowdown{Writers: slowWriters, Without: samples[without].latencies(),
		With: samples[with].latencies()}, nil
}

// timings are those of writes, in milliseconds.
type timings struct {
	ms   []float64
	took time.Duration
}

// block writes memories for a while, several writers at once.
func (t *timings) block(ctx context.Context, s *store) error {
	begun := time.Now()
	var mu sync.Mutex
	writers, ctx := errgroup.WithContext(ctx)
	for w := range slowWriters {
		writers.Go(func() error {
			for next := begun; time.Since(begun) < blockTime; next = next.Add(slowPause) {
				if err := sleep(ctx, time.Until(next)); err != nil {
					return err
				}
				ref, err := s.ref(s.target.named(fmt.Sprintf("notebook/writer %d %d", w,
					next.UnixMicro())))
				if err != nil {
					return err
				}
				started := time.Now()
				_, err = ref.Set(ctx, map[string]any{
					s.schema().Field(): firestore.ServerTimestamp, "body": strings.Repeat("x",
						bodyBytes)})
				if err != nil {
					return err
				}
				mu.Lock()
				t.ms = append(t.ms, milliseconds(time.Since(started)))
				mu.Unlock()
			}
			return nil
		})
	}
	err := writers.Wait()
	t.took += time.Since(begun)
	return err
}

func (t *timings) latencies() result.Latencies {
	slices.Sort(t.ms)
	return result.Latencies{
		Writes: len(t.ms), PerSecond: float64(len(t.ms)) / t.took.Seconds(),
		MedianMS: quantile(t.ms, .5), P95MS: quantile(t.ms, .95),
	}
}

const (
	// slowTimes and slowBy: the hook slows the application's writes down if with it they take more
	// than so many times as long, and more than so many milliseconds longer.
	slowTimes = 2
	slowBy    = 50
)

// judgeWrites says whether a change costs at most one write more and, of functions that run
// elsewhere, whether they slow the application's writes down: on one machine these compete for its
// processors.
func judgeWrites(w *result.Writes, elsewhere bool) result.Verdict {
	ok := true
	var texts []string
	if n := len(w.Bursts); n > 0 {
		answer := "at most one write a change"
		for _, b := range w.Bursts {
			if b.Writes > b.Changes {
				ok, answer = false, "a change costs more than one write"
			}
		}
		last := w.Bursts[n-1]
		texts = append(texts, fmt.Sprintf("%s: %s for %s", answer, figure.Count(last.Writes),
			figure.Count(last.Changes)))
	}
	if s := w.Slowdown; s != nil {
		texts = append(texts, fmt.Sprintf("writes take %s ms with the hook, %s ms without",
			figure.Decimal(s.With.MedianMS), figure.Decimal(s.Without.MedianMS)))
		longer := s.With.MedianMS - s.Without.MedianMS
		ok = ok && !(elsewhere && longer > slowBy && s.With.MedianMS > slowTimes*s.Without.MedianMS)
	}
	if !ok {
		return no("%s", strings.Join(texts, "; "))
	}
	return yes("%s", strings.Join(texts, "; "))
}
