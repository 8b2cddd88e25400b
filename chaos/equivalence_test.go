package chaos_test

import (
	"fmt"
	"runtime"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
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
