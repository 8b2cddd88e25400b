package index_test

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

var schedules = flag.Int("index.schedules", 8000, "random schedules of the protocol to run")

// TestTheListIsTheStore runs random schedules: memories change, with and without
// a usable date; their events arrive late, repeatedly, in any order, to any
// shard, in batches, without payload, or never; full folds and compactions run
// several at once, and reading, flip and clean-up may have anything in between.
//
// With no event lost, the list equals the store without any repair, also after
// every clean-up and redelivery. With events lost, it does after the next full
// fold, whatever still arrives later, and after a compaction.
func TestTheListIsTheStore(t *testing.T) {
	covered := map[string]int{}
	for seed := range *schedules {
		w := newWorld(rand.New(rand.NewPCG(uint64(seed), 0)))
		if difference := schedule(t, w); difference != "" {
			t.Fatalf("seed %d: %s", seed, difference)
		}
		for what, n := range w.covered {
			covered[what] += n
		}
	}
	t.Logf("%d schedules: %v", *schedules, covered)
	for _, what := range []string{
		"events lost", "none lost", "batches", "without payload", "redelivered", "lost preconditions", "tombstones in a base",
		"changes between a fold's reading and its flip", "deletions before their writes",
	} {
		require.NotZero(t, covered[what], "no schedule covered: %s", what)
	}
}

func schedule(t *testing.T, w *world) string {
	lossy := w.r.IntN(2) == 0
	if w.r.IntN(4) > 0 {
		w.readForFull()
		w.flip(take(w.r, &w.folds))
	}
	for range 3 + w.r.IntN(36) {
		step(t, w, lossy)
	}
	if !lossy {
		if d := w.checkWithoutRepair(); d != "" {
			return d
		}
	}
	w.now += 50
	w.tick()
	w.readForFull()
	f := lastOf(&w.folds)
	covers := f.meta.ScanStarted >= w.changed
	w.flip(f)
	if !covers {
		return ""
	}
	if d := w.difference("after a full fold"); d != "" {
		return d
	}
	if d := w.redeliver("after a full fold"); d != "" {
		return d
	}
	require.NoError(t, w.readForCompaction())
	w.flip(lastOf(&w.folds))
	for len(w.cleanups) > 0 {
		w.clean()
	}
	if d := w.difference("after a compaction"); d != "" {
		return d
	}
	return w.redeliver("after a compaction")
}

// lastOf takes the fold that was read last.
func lastOf(folds *[]fold) fold {
	last := len(*folds) - 1
	f := (*folds)[last]
	*folds = (*folds)[:last]
	return f
}

func step(t *testing.T, w *world, lossy bool) {
	switch x := w.r.Float64(); {
	case x < .32:
		w.covered["changes between a fold's reading and its flip"] += len(w.folds)
		w.change()
	case x < .58 && len(w.pending) > 0:
		w.deliverSome(lossy)
	case x < .63 && len(w.done) > 0:
		w.covered["redelivered"]++
		w.deliver([]event{w.done[w.r.IntN(len(w.done))]})
	case x < .68 && len(w.landing) > 0:
		w.land()
	case x < .73 && len(w.cleanups) > 0:
		w.clean()
	case x < .82:
		w.readForFull()
	case x < .90:
		require.NoError(t, w.readForCompaction())
	case len(w.folds) > 0:
		w.flip(take(w.r, &w.folds))
	}
}

// deliverSome delivers a batch of events, in any order. Most are then done, and
// some come again.
func (w *world) deliverSome(lossy bool) {
	if lossy && w.r.Float64() < .3 {
		w.covered["events lost"]++
		take(w.r, &w.pending)
		return
	}
	var batch []event
	for range min(1+w.r.IntN(3), len(w.pending)) {
		e := take(w.r, &w.pending)
		if w.r.Float64() < .15 {
			w.covered["without payload"]++
			e.noPayload = true
		}
		if e.change.New == nil && slices.ContainsFunc(w.pending, func(p event) bool {
			return p.change.ID == e.change.ID && p.change.New != nil && p.change.New.Version <= e.change.Old.Version
		}) {
			w.covered["deletions before their writes"]++
		}
		batch = append(batch, e)
		if w.r.Float64() < .7 {
			w.done = append(w.done, e)
		} else {
			w.pending = append(w.pending, e)
		}
	}
	if len(batch) > 1 {
		w.covered["batches"]++
	}
	w.deliver(batch)
}

func (w *world) checkWithoutRepair() string {
	w.covered["none lost"]++
	w.r.Shuffle(len(w.pending), func(i, j int) { w.pending[i], w.pending[j] = w.pending[j], w.pending[i] })
	for _, e := range w.pending {
		w.deliver([]event{e})
	}
	for len(w.landing) > 0 {
		w.land()
	}
	if w.docs == nil { // never built, so there is no list yet
		return ""
	}
	if d := w.difference("all delivered"); d != "" {
		return d
	}
	for len(w.cleanups) > 0 {
		w.clean()
		if d := w.difference("cleaned up"); d != "" {
			return d
		}
	}
	return w.redeliver("without a repair")
}

// redeliver delivers every event once more. Those never delivered before tell
// news; the others may not make a difference.
func (w *world) redeliver(when string) string {
	for _, e := range w.pending {
		w.deliver([]event{e})
		for len(w.landing) > 0 {
			w.land()
		}
	}
	for _, e := range w.done {
		w.deliver([]event{e})
		for len(w.landing) > 0 {
			w.land()
		}
		if d := w.difference("redelivered " + when); d != "" {
			return d
		}
	}
	return w.difference("redelivered " + when)
}

func (w *world) difference(when string) string {
	got, want, differ := w.differs()
	if !differ {
		return ""
	}
	return fmt.Sprintf("%s the list is %+v and the store %+v (index: %v, %d documents)", when, got, want, w.read().Err, len(w.docs))
}
