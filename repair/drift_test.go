package repair_test

import (
	"slices"
	"testing"
	"time"

	"cloud.google.com/go/firestore"
	"github.com/stretchr/testify/require"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"hippocampus/emulator/emulatortest"
	"hippocampus/index"
	"hippocampus/internal/tenanttest"
	"hippocampus/repair"
)

func TestDriftNamesEveryKind(t *testing.T) {
	f := newFixture(t)
	f.put("kept", day(1))
	f.put("stale", day(2))
	f.put("ghost", day(3))
	f.build()
	f.put("stale", day(4)) // these events are lost
	f.put("missing", day(5))
	f.remove("ghost")

	result := f.build()
	d := result.Drift
	require.Equal(t, []int{1, 1, 1, 0}, []int{d.Missing, d.Ghosts, d.Stale, d.InFlight})
	var found []string
	for _, e := range d.Examples {
		found = append(found, e.Kind+" "+e.Name)
	}
	slices.Sort(found)
	require.Equal(t, []string{"ghost ghost", "missing missing", "stale stale"}, found)
	require.Equal(t, 0, f.build().Drift.Total(), "repaired")
	f.RequireEqual()
}

func TestYoungDifferencesAreInFlight(t *testing.T) {
	f := newFixture(t)
	f.put("stale", day(2))
	f.put("ghost", day(3))
	f.build()
	f.put("stale", day(4))
	f.put("missing", day(5))
	f.remove("ghost")

	// The default horizon is ten minutes and the store is younger.
	report, err := repair.Check(t.Context(), f.Client, memories, nil)
	require.NoError(t, err)
	require.Equal(t, 0, report.Drift.Total())
	require.Equal(t, 3, report.Drift.InFlight)
}

func TestAGhostThatExistedAtTheHorizonIsInFlight(t *testing.T) {
	f := newFixture(t)
	f.put("gone before", day(1))
	f.put("gone after", day(1))
	f.build()
	f.remove("gone before")
	before := f.Now().Time()
	// Two seconds between the deletions are room for a slow machine: the horizon
	// must fall between them, and Check takes its own time to look at the clock.
	require.Eventually(t, func() bool { return f.Now().Time().Sub(before) > 2*time.Second }, time.Minute, 10*time.Millisecond)
	f.remove("gone after")

	o := f.options()
	o.Horizon = f.Now().Time().Sub(before)
	report, err := repair.Check(t.Context(), f.Client, memories, o)
	require.NoError(t, err)
	require.Equal(t, []int{1, 1}, []int{report.Drift.Ghosts, report.Drift.InFlight})
}

func TestDriftCountsAllAndShowsAFew(t *testing.T) {
	f := newFixture(t)
	f.build()
	f.importNoise(400)
	d := f.build().Drift
	require.Equal(t, 400, d.Missing)
	require.Len(t, d.Examples, 5)
	require.NoError(t, f.Emulator.Clear(t.Context()))
}

func TestCheckWritesNothing(t *testing.T) {
	f := newFixture(t)
	f.Deliver(0, f.put("a", day(1)))
	before := f.Documents()
	report, err := repair.Check(t.Context(), f.Client, memories, f.options())
	require.NoError(t, err)
	require.ErrorIs(t, report.View.Err, index.ErrMissing)
	require.Nil(t, report.Drift)
	require.Len(t, report.Store, 1)
	require.Equal(t, before, f.Documents())
}

func TestDueFindsRequestsAndDueTenants(t *testing.T) {
	f := newFixture(t)
	for _, tenant := range []string{"old", "older", "fresh"} {
		interval := map[string]time.Duration{"old": -time.Hour, "older": -2 * time.Hour, "fresh": 0}[tenant]
		_, err := repair.Build(t.Context(), f.Client, "tenants/"+tenant+"/memories", &repair.Options{Interval: interval})
		require.NoError(t, err)
	}
	f.Request(index.Compaction)
	path, err := index.Path("tenants/old/memories")
	require.NoError(t, err)
	_, err = f.Client.Collection(path).Doc(index.RequestID).Create(t.Context(), index.Request{Kind: index.Compaction, Reason: "crowded"}.Fields(firestore.ServerTimestamp))
	require.NoError(t, err)
	// Collections of the same id elsewhere are not ours.
	for _, elsewhere := range []string{"memory_shards", "hippocampus/v2/tenants/x/memories/index/memory_shards"} {
		_, err = f.Client.Collection(elsewhere).Doc(index.MetaID).Set(t.Context(), map[string]any{"due": day(1)})
		require.NoError(t, err)
	}

	due, err := repair.Due(t.Context(), f.Client)
	require.NoError(t, err)
	var found []string
	for _, target := range due {
		found = append(found, target.Collection+" "+string(target.Kind)+" "+target.Reason)
	}
	require.Equal(t, []string{"tenants/older/memories build ", "tenants/old/memories build crowded", memories + " compaction test"}, found)

	all, err := repair.All(t.Context(), f.Client)
	require.NoError(t, err)
	found = nil
	for _, target := range all {
		found = append(found, target.Collection)
	}
	require.Equal(t, []string{"tenants/x/memories", "tenants/older/memories", "tenants/old/memories", memories, "tenants/fresh/memories"}, found,
		"an index of another version too: a fold here ends it")
}

// A report that cannot be finished does not fail the repair.
func TestGhostsThatCannotBeReReadAreDrift(t *testing.T) {
	f := newFixture(t)
	f.put("ghost", day(1))
	f.build()
	f.remove("ghost")
	client := emulatortest.Client(t, f.Emulator, before(func(c tenanttest.Call) error {
		if c.Method == "BeginTransaction" {
			return status.Error(codes.InvalidArgument, "too old")
		}
		return nil
	})...)
	result, err := repair.Build(t.Context(), client, memories, f.options())
	require.NoError(t, err)
	require.Equal(t, 1, result.Drift.Ghosts)
	f.RequireEqual()
}

func TestServeDoesWhatIsAskedAndRemovesTheRequest(t *testing.T) {
	f := newFixture(t)
	_, err := repair.Serve(t.Context(), f.Client, memories, f.options())
	require.ErrorIs(t, err, repair.ErrNoRequest)

	f.Deliver(0, f.put("a", day(1)))
	f.Request(index.Build)
	result, err := repair.Serve(t.Context(), f.Client, memories, f.options())
	require.NoError(t, err)
	require.Equal(t, index.Build, result.Kind)
	require.Equal(t, []string{"meta"}, f.Documents())

	f.Deliver(0, f.put("b", day(2)))
	f.Request(index.Compaction)
	result, err = repair.Serve(t.Context(), f.Client, memories, f.options())
	require.NoError(t, err)
	require.Equal(t, index.Compaction, result.Kind)
	require.Equal(t, []string{"meta"}, f.Documents())

	f.Request(index.Compaction)
	result, err = repair.Serve(t.Context(), f.Client, memories, f.options())
	require.NoError(t, err)
	require.True(t, result.Unchanged)
	require.Equal(t, []string{"meta"}, f.Documents(), "a request for nothing is removed too")
	f.RequireEqual()
}

func TestDropDeletesTheWholeIndex(t *testing.T) {
	f := newFixture(t)
	f.Deliver(0, f.put("a", day(1)))
	f.build()
	f.Deliver(0, f.put("b", day(1)))
	deleted, err := repair.Drop(t.Context(), f.Client, memories)
	require.NoError(t, err)
	require.Equal(t, 2, deleted)
	require.Empty(t, f.Documents())
	deleted, err = repair.Drop(t.Context(), f.Client, memories)
	require.NoError(t, err)
	require.Zero(t, deleted)
	f.build()
	f.RequireEqual()
}
