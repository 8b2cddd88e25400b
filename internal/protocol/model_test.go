package protocol

import (
	"flag"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"hippocampus/internal/deep"
)

var schedules = flag.Int("protocol.schedules", 0, "random schedules to run (default 50,000; among deep tests 500,000)")

// No event lost: the list is the store's without any repair, also after redelivery and after every
// clean-up. Events lost: it is after the next full fold, whatever still comes later, and after a
// compaction.
func TestTheListIsTheStore(t *testing.T) {
	n := *schedules
	if n == 0 {
		n = deep.Choose(50_000, 500_000)
	}
	for seed := range n {
		if difference := run(uint64(seed), nil); difference != "" {
			t.Fatalf("seed %d: %s", seed, difference)
		}
	}
}

// Every rule is needed: without it a schedule finds a difference.
func TestEveryRuleIsNeeded(t *testing.T) {
	for _, rule := range []string{
		"rule 1", "tombstones", "tombstones in the base", "the base's newer entries", "the shards", "tombstones of the base",
		"old tombstones in compactions", "a scan that has seen the deletion", "versions as dates", "the precondition",
		"scans that do not go back", "a later scan stands", "claims", "tombstones of the hidden",
	} {
		t.Run(rule, func(t *testing.T) {
			t.Parallel()
			const most = 300_000
			for seed := range uint64(most) {
				if difference := run(seed, map[string]bool{rule: true}); difference != "" {
					t.Logf("seed %d: %s", seed, difference)
					return
				}
			}
			require.Fail(t, "nothing was found", "in %d schedules", most)
		})
	}
}

// A step of a schedule.
const (
	change = iota
	deliver
	redeliver
	land
	clean
	scanNow
	mergeScan
	mergeAlone
	flip
	steps
)

// run runs a schedule and returns what is wrong in the end, or nothing.
func run(seed uint64, without map[string]bool) string {
	w := newWorld(seed, without)
	lossy := w.chance(.5)
	if w.chance(.5) {
		w.putMeta(base) // an index of an empty store; else none yet
	}
	w.kill = oneOf(w, .4, .4, .7)
	var scans []*scan
	var folds []*fold
	for _, step := range w.schedule() {
		if w.chance(.02) {
			w.lose()
		}
		switch {
		case step == change:
			w.change()
		case step == deliver && len(w.pending) > 0:
			w.deliver(lossy)
		case step == redeliver && len(w.done) > 0:
			w.hook(oneOf(w, w.done...))
		case step == land && len(w.landings) > 0:
			w.land()
		case step == clean && len(w.cleanups) > 0:
			w.clean()
		case step == scanNow:
			scans = append(scans, w.scan())
		case step == mergeScan && len(scans) > 0:
			folds = append(folds, w.merge(taken(w, &scans)))
		case step == mergeAlone:
			folds = append(folds, w.merge(nil))
		case step == flip && len(folds) > 0:
			if f := taken(w, &folds); !w.flip(f) && f.scan != nil {
				scans = append(scans, f.scan)
			}
		}
	}
	if !lossy {
		if d := w.withoutRepair(); d != "" {
			return d
		}
	}
	return w.afterAFold()
}

// schedule returns steps: by chance, in one of four tempers, or after a story that chance tells
// rarely, with slips.
func (w *world) schedule() []int {
	often := oneOf(w,
		[steps]int{32, 26, 5, 5, 5, 5, 6, 7, 9}, [steps]int{14, 18, 3, 2, 17, 10, 12, 6, 18},
		[steps]int{20, 20, 2, 2, 14, 6, 6, 14, 16}, [steps]int{8, 14, 1, 0, 16, 12, 6, 17, 26})
	total := 0
	for _, n := range often {
		total += n
	}
	if w.chance(.3) {
		return w.told(oneOf(w,
			[]int{change, deliver, scanNow, mergeScan, flip, clean, scanNow, change, deliver, mergeAlone, flip, clean, clean, mergeScan, flip, clean},
			[]int{change, deliver, scanNow, change, deliver, mergeAlone, flip, clean, mergeScan, flip, clean},
			[]int{change, scanNow, change, deliver, deliver, scanNow, mergeScan, flip, clean, mergeScan, flip, clean}))
	}
	all := make([]int, 3+w.IntN(45))
	for i := range all {
		for n := w.IntN(total); n >= often[all[i]]; all[i]++ {
			n -= often[all[i]]
		}
	}
	return all
}

// told tells a story with slips: a step is left out, or another comes before it.
func (w *world) told(story []int) []int {
	var all []int
	for _, step := range story {
		switch {
		case w.chance(.04):
		case w.chance(.12):
			all = append(all, w.IntN(steps), step)
		default:
			all = append(all, step)
		}
	}
	return all
}

// deliver delivers an event, perhaps without payload, or loses it. It may come again.
func (w *world) deliver(lossy bool) {
	i := w.IntN(len(w.pending))
	e := w.pending[i]
	remove := func() { w.pending = append(w.pending[:i:i], w.pending[i+1:]...) }
	if lossy && w.chance(.3) {
		remove()
		return
	}
	if w.chance(.15) {
		e.noPayload = true
		w.pending[i] = e
	}
	w.hook(e)
	if w.chance(.7) {
		remove()
		w.done = append(w.done, e)
	}
}

// withoutRepair checks the list once every event has come.
func (w *world) withoutRepair() string {
	w.Shuffle(len(w.pending), func(i, j int) { w.pending[i], w.pending[j] = w.pending[j], w.pending[i] })
	for _, e := range w.pending {
		w.hook(e)
	}
	w.landAll()
	if d := w.difference("all delivered"); d != "" {
		return d
	}
	for len(w.cleanups) > 0 {
		w.clean()
		if d := w.difference("cleaned"); d != "" {
			return d
		}
	}
	return w.again("redelivered")
}

// afterAFold checks the list after a full fold that has seen all, and after a compaction.
func (w *world) afterAFold() string {
	w.now += 40
	s := w.scan()
	w.flip(w.merge(s))
	if s.at < w.history[len(w.history)-1].at {
		return ""
	}
	if d := w.difference("after a full fold"); d != "" {
		return d
	}
	if d := w.again("an event after a full fold"); d != "" {
		return d
	}
	w.flip(w.merge(nil))
	for len(w.cleanups) > 0 {
		w.clean()
	}
	if d := w.difference("after a compaction"); d != "" {
		return d
	}
	return w.again("an event after a compaction")
}

// again delivers all events once more: those that have not come yet, and those that have, which
// must change nothing.
func (w *world) again(when string) string {
	for _, e := range w.pending {
		w.hook(e)
		w.landAll()
	}
	for _, e := range w.done {
		w.hook(e)
		w.landAll()
		if d := w.difference(when); d != "" {
			return d
		}
	}
	return w.difference(when)
}

func (w *world) landAll() {
	for len(w.landings) > 0 {
		w.land()
	}
}

func (w *world) difference(when string) string {
	if listed, stored := w.list(), dateOf(w.doc); listed != stored {
		return fmt.Sprintf("%s: the list has %+v, the store %+v", when, listed, stored)
	}
	return ""
}
