package repair_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"cloud.google.com/go/firestore"
	"github.com/stretchr/testify/require"

	"hippocampus/emulator/emulatortest"
	"hippocampus/index"
	"hippocampus/repair"
)

func TestFullBuildsTheIndexOfAStoreThatHasNone(t *testing.T) {
	f := newFixture(t)
	f.put("pages/a", day(2))
	f.put("pages/b", day(3))
	// Events before the index was ever built wait in a shard.
	f.Deliver(0, f.put("pages/c", day(1)))

	result := f.build()
	require.Equal(t, 3, result.Memories)
	require.Nil(t, result.Drift, "there was no index to compare")
	require.Equal(t, "index missing", result.NotCompared)
	require.Equal(t, []string{"meta"}, f.Documents(), "the shard is folded")
	f.RequireEqual()
	require.EqualValues(t, 1, f.View().Meta.Generation)
}

func TestFullKeepsWhatChangesDuringTheScan(t *testing.T) {
	// The calls of a fold are: meta, index at F, scan at F, flip, clean-up.
	for calls := range 5 {
		t.Run(fmt.Sprintf("after %d calls", calls), func(t *testing.T) {
			f := newFixture(t)
			f.Deliver(0, f.put("changed", day(1)), f.put("deleted", day(2)), f.put("kept", day(3)))
			f.build()
			f.Deliver(0, f.put("kept", day(4)))

			var late []index.Change
			client := during(t, f.Emulator, calls, func() {
				late = append(late, f.put("created", day(5)), f.put("changed", day(6)), f.remove("deleted"))
				f.Deliver(0, late[0], late[1])
				f.Deliver(1, late[2])
			})
			result, err := repair.Build(t.Context(), client, memories, f.options())
			require.NoError(t, err)
			require.Empty(t, result.Uncleaned)
			require.NotEmpty(t, late, "the changes fell inside the fold")
			f.RequireEqual()
			f.Deliver(2, late...) // once more, late
			f.RequireEqual()
			f.build()
			require.Equal(t, []string{"meta"}, f.Documents())
			f.RequireEqual()
		})
	}
}

func TestCompactMergesWithoutAScan(t *testing.T) {
	f := newFixture(t)
	first := f.put("a", day(1))
	f.Deliver(0, first, f.put("b", day(2)))
	f.build()
	f.Deliver(0, f.put("c", day(3)), f.put("a", day(4)))
	gone := f.remove("b")
	f.Deliver(3, gone)
	written := f.put("d", day(5))
	deleted := f.remove("d")
	f.Deliver(4, deleted) // before the event of what it deleted

	result := f.compact()
	require.Equal(t, 2, result.Memories)
	require.Less(t, result.Reads, 8, "no scan")
	require.Equal(t, []string{"meta"}, f.Documents())
	f.RequireEqual()
	f.Deliver(0, written) // the tombstone in the base still kills it
	f.RequireEqual()
	f.Deliver(0, first, gone)
	f.RequireEqual()
	f.build()
	f.RequireEqual()
	f.Deliver(0, written, first)
	f.RequireEqual()
}

func TestCompactWithNothingToMergeWritesNothing(t *testing.T) {
	f := newFixture(t)
	f.put("a", day(1))
	f.build()
	before := f.View().MetaUpdateTime
	require.True(t, f.compact().Unchanged)
	require.Equal(t, before, f.View().MetaUpdateTime)
}

func TestCompactBuildsWhatItCannotRead(t *testing.T) {
	f := newFixture(t)
	f.put("a", day(1))
	result := f.compact()
	require.Equal(t, index.Build, result.Kind)
	require.Contains(t, result.WhyBuild, "missing")
	f.RequireEqual()
}

func TestFullDoesNotGoBackBehindACompaction(t *testing.T) {
	f := newFixture(t)
	f.Deliver(0, f.put("a", day(1)))
	f.build()
	f.Deliver(0, f.remove("a"))
	f.compact()
	asOf := f.View().Meta.AsOf
	// A lag of an hour would read the store as it was before all of this.
	_, err := repair.Build(t.Context(), f.Client, memories, &repair.Options{SnapshotLag: 300 * time.Millisecond})
	require.NoError(t, err)
	require.GreaterOrEqual(t, f.View().Meta.ScanStarted, asOf)
	f.RequireEqual()
}

func TestOfTwoFoldsAtOnceOneWins(t *testing.T) {
	f := newFixture(t)
	f.put("a", day(1))
	f.build()
	// The other run reads meta, then this one comes and goes.
	client := during(t, f.Emulator, 3, func() { f.build() })
	_, err := repair.Build(t.Context(), client, memories, f.options())
	require.ErrorIs(t, err, repair.ErrSuperseded)
	require.EqualValues(t, 2, f.View().Meta.Generation)
	f.RequireEqual()
}

func TestFullStartsAgainWhenACompactionWon(t *testing.T) {
	f := newFixture(t)
	f.put("a", day(1))
	f.build()
	f.Deliver(0, f.put("b", day(2)))
	client := during(t, f.Emulator, 3, func() { f.compact() })
	_, err := repair.Build(t.Context(), client, memories, f.options())
	require.NoError(t, err)
	require.EqualValues(t, 3, f.View().Meta.Generation)
	f.RequireEqual()
}

// A compaction that wins each time has scanned nothing: that is not done.
func TestFullSaysWhenItWasOvertaken(t *testing.T) {
	f := newFixture(t)
	f.put("a", day(1))
	f.build()
	f.put("lost", day(2)) // its event never comes
	round := 0
	client := emulatortest.Client(t, f.Emulator, aroundUnary(func(call func() error) error {
		// Of a full fold only the flip is unary before it has won.
		round++
		f.Deliver(0, f.put("b", day(round)))
		f.compact()
		return call()
	})...)
	_, err := repair.Build(t.Context(), client, memories, f.options())
	require.ErrorIs(t, err, repair.ErrOvertaken)
	require.NotErrorIs(t, err, repair.ErrSuperseded)
	require.Equal(t, 3, round)
	f.build()
	f.RequireEqual()
}

// A full fold that began earlier may have scanned before what this one is to find.
func TestFullDoesNotTakeAnEarlierScanForItsOwn(t *testing.T) {
	f := newFixture(t)
	f.build()
	release, begun, ended := make(chan struct{}), make(chan struct{}), make(chan error, 1)
	earlier := during(t, f.Emulator, 3, func() {
		close(begun) // scanned; the flip is next
		<-release
	})
	go func() {
		_, err := repair.Build(context.WithoutCancel(t.Context()), earlier, memories, f.options())
		ended <- err
	}()
	<-begun
	f.put("lost", day(2)) // its event never comes
	client := during(t, f.Emulator, 3, func() {
		close(release)
		require.NoError(t, <-ended)
	})
	_, err := repair.Build(t.Context(), client, memories, f.options())
	require.NoError(t, err)
	require.EqualValues(t, 3, f.View().Meta.Generation)
	f.RequireEqual()
}

func TestFoldsOfOneGenerationDoNotShareParts(t *testing.T) {
	f := newFixture(t)
	f.importNoise(3000)
	// Both write their parts; the inner one flips first and must keep its own.
	client := during(t, f.Emulator, 4, func() { f.build() })
	_, err := repair.Build(t.Context(), client, memories, f.options())
	require.ErrorIs(t, err, repair.ErrSuperseded)
	view := f.View()
	require.Greater(t, view.Meta.Parts, 1)
	require.Len(t, view.Parts, view.Meta.Parts-1, "the loser has removed its parts")
	f.RequireEqual()
	f.build()
	require.Len(t, f.View().Parts, view.Meta.Parts-1, "the parts of the generation replaced are gone")
	f.RequireEqual()
}

func TestFirstFoldInvalidatesOtherVersions(t *testing.T) {
	f := newFixture(t)
	f.put("a", day(1))
	other, err := index.PathOf("v2", memories)
	require.NoError(t, err)
	stranger, err := index.PathOf("v2", "tenants/other/memories")
	require.NoError(t, err)
	for _, path := range []string{other, stranger} {
		_, err = f.Client.Collection(path).Doc(index.MetaID).Set(t.Context(), map[string]any{"format": 2})
		require.NoError(t, err)
	}
	f.build()
	refs, err := f.Client.Collection(other).DocumentRefs(t.Context()).GetAll()
	require.NoError(t, err)
	require.Empty(t, refs, "the index of the other version is no longer trusted")
	refs, err = f.Client.Collection(stranger).DocumentRefs(t.Context()).GetAll()
	require.NoError(t, err)
	require.Len(t, refs, 1, "another collection's is left alone")
	f.RequireEqual()
}

func TestFullHealsADamagedIndex(t *testing.T) {
	for name, damage := range map[string]firestore.Update{
		"checksum":            {Path: "sum", Value: "0"},
		"no base":             {Path: "b", Value: firestore.Delete},
		"as_of in the future": {Path: "as_of", Value: time.Date(2999, 1, 1, 0, 0, 0, 0, time.UTC)},
		"as_of missing":       {Path: "as_of", Value: firestore.Delete},
		"generation a word":   {Path: "generation", Value: "two"},
		"format":              {Path: "format", Value: 7},
		"settings":            {Path: "ids", Value: "plain"},
	} {
		t.Run(name, func(t *testing.T) {
			f := newFixture(t)
			f.Deliver(0, f.put("a", day(1)))
			f.build()
			_, err := f.Index.Doc(index.MetaID).Update(t.Context(), []firestore.Update{damage})
			require.NoError(t, err)
			_, err = f.Index.Doc("shard-5").Set(t.Context(), map[string]any{"e": map[string]any{"garbage": 1}})
			require.NoError(t, err)
			f.build()
			require.Equal(t, []string{"meta"}, f.Documents())
			f.RequireEqual()
		})
	}
}

func TestFullOfAnEmptyCollectionIsAnEmptyList(t *testing.T) {
	f := newFixture(t)
	f.Deliver(0, f.put("a", day(1)))
	f.build()
	f.remove("a")
	require.Equal(t, 1, f.build().Drift.Ghosts)
	listed, err := f.View().List()
	require.NoError(t, err)
	require.Empty(t, listed)
}

func TestBadCollectionPathsAreRefused(t *testing.T) {
	f := newFixture(t)
	for _, path := range []string{"", "tenants/acme", "tenants//memories", "/tenants"} {
		_, err := repair.Build(t.Context(), f.Client, path, nil)
		require.ErrorContains(t, err, "no collection path")
		_, err = repair.Drop(t.Context(), f.Client, path)
		require.ErrorContains(t, err, "no collection path")
	}
}

// noise is a name of random letters, the same for the same seed.
func noise(seed int) string {
	const letters = "abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ-_"
	x := uint64(seed)*0x9E3779B97F4A7C15 + 1
	name := make([]byte, 1000)
	for i := range name {
		x ^= x << 13
		x ^= x >> 7
		x ^= x << 17
		name[i] = letters[x>>58]
	}
	return string(name)
}
