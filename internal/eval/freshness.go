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

	"hippocampus/internal/eval/corpus"
	"hippocampus/internal/eval/result"
	"hippocampus/internal/figure"
	"hippocampus/reader"
)

const (
	// knownBefore is how many memories a store has before its freshness is measured.
	knownBefore = 200
	// betweenWrites is the time between two writes that are watched. It is longer than the hook
	// waits between commits, so that each finds the hook idle.
	betweenWrites = time.Second
	// betweenImported is that in an import.
	betweenImported = betweenWrites / 4
	// importRate is how many memories a second an import writes: what Firestore wants a new
	// collection to begin with.
	importRate = 500
	// betweenLooks is the time between two looks at the list, and how exact a lag is.
	betweenLooks = 10 * time.Millisecond
	// giveUp is how long after the last write the list is watched.
	giveUp = time.Minute
)

func (r *evaluation) planFreshness() (steps []*step, sumUp func()) {
	found := &result.Freshness{After: []result.After{}, Lags: []result.Lag{}}
	idle, imported := r.hooked("fresh-idle"), r.hooked("fresh-import")
	steps = []*step{
		{"writes one by one", r.watching(betweenWrites) + float64(slices.Max(r.After)),
			func(ctx context.Context, done func(float64)) error {
				return r.idle(ctx, idle, found, done)
			}},
		{"writes in an import", r.watching(betweenImported) + 3,
			func(ctx context.Context, done func(float64)) error {
				return r.importing(ctx, imported, found, done)
			}},
	}
	return steps, func() {
		if len(found.Lags) > 0 {
			found.Verdict, r.found.Freshness = judgeFreshness(found), found
		}
	}
}

// watching is how many seconds it takes to write what is watched.
func (r *evaluation) watching(between time.Duration) float64 {
	return float64(r.Watched) * between.Seconds()
}

// know gives a store memories and an index, and waits until nothing is left to do for the
// functions.
func (r *evaluation) know(ctx context.Context, s *store) error {
	if err := s.write(ctx, r.memories(knownBefore), nil); err != nil {
		return err
	}
	if err := r.target.awaitEvents(ctx); err != nil {
		return err
	}
	return s.fold(ctx, r.Logger)
}

// idle writes memories one by one, watches when each is listed, and makes turns at set times after
// each write.
func (r *evaluation) idle(ctx context.Context, s *store, found *result.Freshness,
	done func(float64)) error {
	if err := r.know(ctx, s); err != nil {
		return err
	}
	if err := sleep(ctx, betweenWrites); err != nil { // the hook has just committed what is known, and would wait
		return err
	}
	var mu sync.Mutex
	found.After = make([]result.After, len(r.After))
	for i, seconds := range r.After {
		found.After[i].Seconds = float64(seconds)
	}
	turns, turning := errgroup.WithContext(ctx)
	list := s.reader(r.Logger)
	writing := r.watching(betweenWrites) / (r.watching(betweenWrites) + float64(slices.Max(r.After))) // the last turns come later
	lag, err := r.watch(ctx, s, "idle", betweenWrites, func(part float64) { done(part * writing) }, func(name string) {
		for i, seconds := range r.After {
			turns.Go(func() error {
				if err := sleep(turning, time.Duration(seconds)*time.Second); err != nil {
					return err
				}
				l, err := list.List(turning, s.path)
				if err != nil {
					return err
				}
				mu.Lock()
				defer mu.Unlock()
				found.After[i].Turns++
				if l.Has(name) {
					found.After[i].Listed++
				}
				return nil
			})
		}
	})
	found.Lags = appended(found.Lags, lag)
	if late := turns.Wait(); err == nil {
		err = late
	}
	return err
}

// importing watches memories that are written in the middle of an import.
func (r *evaluation) importing(ctx context.Context, s *store, found *result.Freshness,
	done func(float64)) error {
	if err := r.know(ctx, s); err != nil {
		return err
	}
	others := r.generate(r.Seed+1, int(importRate*(r.watching(betweenImported)+1)))
	written := 0
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	imports, importing := errgroup.WithContext(ctx)
	imports.Go(func() error {
		o := &corpus.WriteOptions{PerSecond: importRate, Progress: func(n int) { written = n }}
		o.PlainIDs, o.DateField = s.ways(time.Time{}).PlainIDs, s.schema().Field()
		return corpus.Write(importing, s.client, s.path, o, others)
	})
	lag, err := r.watch(importing, s, "import", betweenImported, done, func(string) {})
	if failed := imports.Wait(); err == nil {
		err = failed
	}
	lag.Others = written
	found.Lags = appended(found.Lags, lag)
	return err
}

// watched is a memory that was written and is not listed yet.
type watched struct {
	name string
	at   time.Time // when its commit had returned
}

// watch writes memories one by one and looks at the list all the time until it has each.
func (r *evaluation) watch(ctx context.Context, s *store, situation string, between time.Duration,
	done func(float64), wrote func(name string)) (result.Lag, error) {
	lag := result.Lag{Situation: situation, MS: []float64{}}
	var mu sync.Mutex
	var waiting []watched
	writing := true
	group, ctx := errgroup.WithContext(ctx)
	group.Go(func() error {
		defer func() {
			mu.Lock()
			defer mu.Unlock()
			writing = false
		}()
		next := time.Now()
		for i := range r.Watched {
			name := r.target.named(fmt.Sprintf("notebook/watched %s %d", situation, i))
			ref, err := s.ref(name)
			if err != nil {
				return err
			}
			if _, err = ref.Set(ctx, map[string]any{s.schema().Field(): firestore.ServerTimestamp}); err != nil {
				return err
			}
			mu.Lock()
			waiting = append(waiting, watched{name, time.Now()})
			lag.Writes++
			mu.Unlock()
			wrote(name)
			done(float64(i+1) / float64(r.Watched))
			next = next.Add(between)
			if err := sleep(ctx, time.Until(next)); err != nil {
				return err
			}
		}
		return nil
	})
	list := s.reader(r.Logger)
	group.Go(func() error {
		var ended time.Time
		for {
			mu.Lock()
			pending, over := len(waiting), !writing
			mu.Unlock()
			if over && ended.IsZero() {
				ended = time.Now()
			}
			if over && (pending == 0 || time.Since(ended) > giveUp) {
				return nil
			}
			if pending > 0 {
				l, err := list.List(ctx, s.path)
				if err != nil {
					return err
				}
				seen := time.Now()
				mu.Lock()
				waiting = slices.DeleteFunc(waiting, func(w watched) bool {
					if l.Receipt.Source != reader.FromIndex || !l.Has(w.name) {
						return false
					}
					lag.MS = append(lag.MS, milliseconds(seen.Sub(w.at)))
					return true
				})
				mu.Unlock()
			}
			if err := sleep(ctx, betweenLooks); err != nil {
				return err
			}
		}
	})
	err := group.Wait()
	slices.Sort(lag.MS)
	lag.Listed = len(lag.MS)
	if err != nil {
		lag.Writes = lag.Listed // nobody knows of the others
	}
	lag.MedianMS, lag.P95MS, lag.MaxMS = quantile(lag.MS, .5), quantile(lag.MS,
		.95), quantile(lag.MS, 1)
	return lag, err
}

// appended appends a lag that was measured, if only for some of its writes.
func appended(lags []result.Lag, lag result.Lag) []result.Lag {
	if lag.Writes == 0 {
		return lags
	}
	return append(lags, lag)
}

func judgeFreshness(f *result.Freshness) result.Verdict {
	ok, all := len(f.Lags) > 0, true
	var texts, waits []string
	for i, a := range f.After {
		if a.Turns == 0 {
			continue // interrupted before
		}
		listed := a.Listed == a.Turns
		all = all && listed
		ok = ok && (listed || i < len(f.After)-1) // after the longest wait it must be
		waits = append(waits, figure.Count(int(a.Seconds)))
		texts = append(texts, fmt.Sprintf("%s of %s %s after a write list it",
			figure.Count(a.Listed), figure.Plural(a.Turns, "turn",
				"turns"), figure.Plural(int(a.Seconds), "second", "seconds")))
	}
	if all && len(waits) > 0 {
		texts = []string{fmt.Sprintf("all turns %s s after a write list it",
			strings.Join(waits, ", "))}
	}
	for _, l := range f.Lags {
		if l.Listed > 0 {
			texts = append(texts, fmt.Sprintf("%s within %s ms",
				map[string]string{"idle": "listed", "import": "in an import"}[l.Situation],
				figure.Decimal(l.MaxMS)))
		}
		if l.Listed < l.Writes {
			ok = false
			texts = append(texts, figure.Plural(l.Writes-l.Listed, "write never was",
				"writes never were"))
		}
	}
	text := strings.Join(texts, "; ")
	if ok {
		return yes("%s", text)
	}
	return no("%s", text)
}
