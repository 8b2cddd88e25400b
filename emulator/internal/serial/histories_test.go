package serial_test

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"hippocampus/emulator/clock"
)

// coarse is a clock that stands still for a while, so that many things happen at the same time.
type coarse struct {
	clock.Clock
	grain time.Duration
}

func (c coarse) Now() time.Time { return c.Clock.Now().Truncate(c.grain) }

// clocks are those that histories run with in turn.
var clocks = []clock.Clock{
	clock.System,
	coarse{clock.System, time.Millisecond},
	coarse{clock.System, 50 * time.Millisecond},
}

func TestHistories(t *testing.T) {
	seeds := make([]uint64, 0, *histories)
	for i := range *histories {
		seeds = append(seeds, *first+uint64(i))
	}
	if *seed != 0 {
		seeds = []uint64{*seed}
	}
	require.NotEmpty(t, seeds)
	tried, lost := 0, 0
	for _, s := range seeds {
		t.Run(fmt.Sprint(s), func(t *testing.T) {
			r := rand.New(rand.NewPCG(s, 0))
			x := embedded(t, clocks[r.IntN(len(clocks))])
			h, err := run(x, s, 2+r.IntN(7), 30)
			explain(t, s, h, err)
			require.NoError(t, checkTimes(h.all), "-serial.seed=%d\n%s", s, describe(h.all))
			for _, o := range h.all {
				tried++
				if o.lost {
					lost++
				}
			}
		})
	}
	if len(seeds) > 1 {
		require.Greater(t, lost, tried/100, "the clients were hardly ever in each other's way")
	}
	t.Logf("%d histories with %d operations, %d of them lost", len(seeds), tried, lost)
}

func TestHistoriesOnTheOfficialEmulator(t *testing.T) {
	for s := range uint64(3) {
		t.Run(fmt.Sprint(s+1), func(t *testing.T) {
			t.Parallel()
			h, err := run(official(t), s+1, 3, 4)
			explain(t, s+1, h, err)
		})
	}
}

// explain wants an order that explains a history.
func explain(t *testing.T, seed uint64, h *history, err error) {
	t.Helper()
	require.NoError(t, err, "-serial.seed=%d\n%s", seed, describe(h.all))
	require.NoError(t, checkOrder(h.all), "-serial.seed=%d\n%s", seed, describe(h.all))
}
