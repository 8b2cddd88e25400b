package chaos_test

import (
	"fmt"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"hippocampus/emulator/emulatortest"
)

// Random schedules of everything that may happen, at once. Whenever the index can
// know all, the list equals a scan.
func TestEquivalence(t *testing.T) {
	cover := &coverage{}
	if *seed != 0 {
		w := newWorld(t, product, cover)
		if f := runSchedule(w, *seed); f != nil {
			t.Fatal(f.text)
		}
		t.Logf("seed %d: no difference\n%s", *seed, cover)
		return
	}
	begun := time.Now()
	var next atomic.Uint64
	next.Store(*first)
	end := *first + uint64(*runs)
	var failed atomic.Bool
	t.Run("schedules", func(t *testing.T) {
		for i := range min(runtime.GOMAXPROCS(0), *runs) { // as many as run in parallel
			t.Run(fmt.Sprint("world ", i+1), func(t *testing.T) {
				t.Parallel()
				w := newWorld(t, product, cover)
				for seed := next.Add(1) - 1; seed < end && !failed.Load(); seed = next.Add(1) - 1 {
					if f := runSchedule(w, seed); f != nil {
						failed.Store(true)
						t.Errorf("schedule %d of %d finds a difference; again: go test ./chaos -run TestEquivalence -chaos.seed=%d\n%s", seed-*first+1, *runs, seed, f.text)
					}
				}
			})
		}
	})
	t.Logf("%d schedules in %s\n%s", *runs, time.Since(begun).Round(time.Second/10), cover)
	if *runs >= 300 && !failed.Load() {
		require.Empty(t, cover.zero(), "the schedules covered none of these; change how operations are chosen")
	}
}

// One seed has one outcome: the same steps with the same times, whatever ran before.
func TestSchedulesAreDeterministic(t *testing.T) {
	if emulatortest.Official() {
		return // its clock is the machine's
	}
	const seeds = 60
	logs := make([]string, seeds)
	log := func(w *world, i int) string {
		s := newSchedule(w, *first+uint64(i))
		require.Nil(t, s.run())
		require.NotEmpty(t, s.log)
		return strings.Join(s.log, "\n")
	}
	forwards, backwards := newWorld(t, product, &coverage{}), newWorld(t, product, &coverage{})
	for i := range seeds {
		logs[i] = log(forwards, i)
	}
	for i := seeds - 1; i >= 0; i-- {
		require.Equal(t, logs[i], log(backwards, i), "seed %d", *first+uint64(i))
	}
}
