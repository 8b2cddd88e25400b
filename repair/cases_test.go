package repair_test

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"hippocampus/emulator/emulatortest"
	"hippocampus/index"
	"hippocampus/internal/deep"
	"hippocampus/memory"
	"hippocampus/repair"
)

func TestCase16_DocumentsBelowAMemoryAreNoMemories(t *testing.T) {
	f := newFixture(t)
	f.put("a", day(1))
	id, err := memory.ID("a")
	require.NoError(t, err)
	_, err = f.Client.Collection(memories).Doc(id).Collection("memories").Doc("below").Set(t.Context(), map[string]any{"updated_at": day(2)})
	require.NoError(t, err)
	require.Equal(t, 1, f.build().Memories)
	f.RequireEqual()
}

func TestCase21_UpgradeToANewFormatAndBack(t *testing.T) {
	f := newFixture(t)
	next, err := index.PathOf("v2", memories)
	require.NoError(t, err)
	nextMeta := f.Client.Collection(next).Doc(index.MetaID)
	ours := f.Index.Doc(index.MetaID)
	f.put("a", day(1))
	f.build()

	// The next version's first fold does as ours does: it creates its meta and
	// deletes the others'. From then on this version scans.
	_, err = ours.Delete(t.Context())
	require.NoError(t, err)
	_, err = nextMeta.Create(t.Context(), map[string]any{"format": 2})
	require.NoError(t, err)
	require.ErrorIs(t, f.View().Err, index.ErrMissing)

	// Rolled back: the first turn asks for a build, which ends the other's.
	f.put("b", day(2))
	f.build()
	f.RequireEqual()
	_, err = nextMeta.Get(t.Context())
	require.Equal(t, codes.NotFound, status.Code(err))
}

func TestCase21b_RequestWhoseEventWasLostIsDoneByTheNextScheduledRun(t *testing.T) {
	f := newFixture(t)
	f.put("a", day(1))
	f.Request(index.Build)
	due, err := repair.Due(t.Context(), f.Client)
	require.NoError(t, err)
	require.Len(t, due, 1)
	require.Equal(t, memories, due[0].Collection)
	_, err = repair.Serve(t.Context(), f.Client, due[0].Collection, f.options())
	require.NoError(t, err)
	f.RequireEqual()
	due, err = repair.Due(t.Context(), f.Client)
	require.NoError(t, err)
	require.Empty(t, due)
}

func TestCase22_ChangesBetweenScanAndFlip(t *testing.T) {
	f := newFixture(t)
	f.Deliver(0, f.put("changed", day(1)), f.put("deleted", day(2)))
	f.build()
	var late []index.Change
	client := during(t, f.Emulator, 3, func() { // the scan is done, the flip is next
		late = []index.Change{f.put("written", day(3)), f.put("changed", day(4)), f.remove("deleted")}
		f.Deliver(0, late...)
	})
	_, err := repair.Build(t.Context(), client, memories, f.options())
	require.NoError(t, err)
	require.Len(t, late, 3)
	f.RequireEqual() // with no further event
	f.Deliver(1, late...)
	f.RequireEqual() // and with their events late
}

func TestCase23_TwoRepairsAtOnce(t *testing.T) {
	f := newFixture(t)
	f.put("a", day(1))
	const n = 4
	errs := make(chan error, n)
	for range n {
		go func() {
			_, err := repair.Build(context.WithoutCancel(t.Context()), f.Client, memories, f.options())
			errs <- err
		}()
	}
	won := 0
	for range n {
		err := <-errs
		if err == nil {
			won++
			continue
		}
		require.ErrorIs(t, err, repair.ErrSuperseded, "the others say that they lost")
	}
	require.GreaterOrEqual(t, won, 1)
	require.EqualValues(t, won, f.View().Meta.Generation)
	f.RequireEqual()
}

func TestCase24_RepairDies(t *testing.T) {
	// At every call in turn: before it is made, and after it was applied but
	// before its answer came.
	for _, applied := range deep.Choose([]bool{true}, []bool{false, true}) {
		for n := 0; ; n++ {
			var died bool
			t.Run(fmt.Sprintf("call %d applied %t", n, applied), func(t *testing.T) {
				f := newFixture(t)
				f.importNoise(1500) // a base of two parts
				f.build()
				require.Equal(t, 2, f.View().Meta.Parts)
				f.Deliver(0, f.put("before", day(1)))
				ctx, cancel := context.WithCancel(t.Context())
				defer cancel()
				calls := 0
				client := emulatortest.Client(t, f.Emulator, aroundUnary(func(call func() error) error {
					calls++
					switch {
					case calls-1 != n:
						return call()
					case applied:
						_ = call()
					}
					died = true
					cancel()
					return ctx.Err()
				})...)
				_, err := repair.Build(ctx, client, memories, f.options())
				if died && !errors.Is(err, context.Canceled) && status.Code(err) != codes.Canceled {
					require.NoError(t, err, "died in the clean-up")
				}
				f.RequireEqual()
				f.Deliver(1, f.put("after", day(2)))
				f.RequireEqual()
				f.build() // the next one finishes
				f.RequireEqual()
				require.Len(t, f.Documents(), f.View().Meta.Parts, "nothing is left over")
			})
			if !died {
				require.Greater(t, n, 3, "a part, the flip, the shard, the old part")
				break
			}
		}
	}
}
