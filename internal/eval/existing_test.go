package eval_test

import (
	"context"
	"testing"
	"time"

	"cloud.google.com/go/firestore"
	"github.com/stretchr/testify/require"

	"hippocampus/emulator/emulatortest"
	"hippocampus/index"
	"hippocampus/internal/eval"
	"hippocampus/internal/eval/result"
	"hippocampus/memory"
	"hippocampus/repair"
)

const existing = "tenants/acme/memories"

// existingStore is a collection with five memories and no functions.
func existingStore(t *testing.T) (*eval.Deployment, *firestore.Client) {
	em := emulatortest.Start(t)
	client := emulatortest.Client(t, em)
	store, err := memory.NewStore(client, existing, memory.Schema{})
	require.NoError(t, err)
	for _, name := range []string{"a", "b", "c", "d", "é"} {
		require.NoError(t, store.Put(t.Context(), name, map[string]any{"body": name}, &memory.PutOptions{Date: time.UnixMicro(1_700_000_000_000_000)}))
	}
	return &eval.Deployment{Kind: result.Live, Name: "test", Open: em.Client}, client
}

func compareExisting(t *testing.T, target *eval.Deployment, horizon time.Duration) *result.Store {
	o := &eval.ExistingOptions{Collection: existing, Horizon: horizon, Logger: quiet}
	if emulatortest.Official() {
		o.SnapshotLag = repair.EmulatorLag
	}
	found, err := eval.Existing(t.Context(), target, o)
	require.NoError(t, err)
	require.Len(t, found.Evaluation.Left, 4)
	require.Len(t, found.Equivalence.Stores, 1)
	row := &found.Equivalence.Stores[0]
	require.Equal(t, row.Diff.Total() == 0, found.OK())
	return row
}

// indexOf returns the documents of the index and when they were written.
func indexOf(t *testing.T, client *firestore.Client) map[string]time.Time {
	path, err := index.Path(existing)
	require.NoError(t, err)
	docs, err := client.Collection(path).Documents(t.Context()).GetAll()
	require.NoError(t, err)
	all := map[string]time.Time{}
	for _, doc := range docs {
		all[doc.Ref.ID] = doc.UpdateTime
	}
	return all
}

func TestExistingWithoutAnIndex(t *testing.T) {
	t.Parallel()
	target, client := existingStore(t)
	row := compareExisting(t, target, 0)
	require.Equal(t, "memory", row.Source)
	require.Equal(t, "missing", row.Reason)
	require.Equal(t, 5, row.Memories)
	require.Equal(t, 5, row.Listed)
	require.Zero(t, row.Diff)
	require.InDelta(t, 2*5, row.Reads, 4)
	require.Empty(t, indexOf(t, client), "something was written")
}

func TestExistingOfAnEmptyCollection(t *testing.T) {
	t.Parallel()
	em := emulatortest.Start(t)
	found, err := eval.Existing(t.Context(), &eval.Deployment{Kind: result.Live, Open: em.Client}, &eval.ExistingOptions{Collection: existing, Logger: quiet})
	require.NoError(t, err)
	require.Zero(t, found.Equivalence.Stores[0].Memories)
	require.Zero(t, found.Equivalence.Stores[0].Diff)
	require.Contains(t, found.Equivalence.Verdict.Text, "No: nothing was compared, as tenants/acme/memories has no memories")
}

// An index that drifted is found to have: events of a creation, a change and a deletion were lost.
func TestExistingThatDrifted(t *testing.T) {
	t.Parallel()
	target, client := existingStore(t)
	_, err := repair.Build(t.Context(), client, existing, &repair.Options{Logger: quiet, SnapshotLag: target.SnapshotLag})
	require.NoError(t, err)
	require.Zero(t, compareExisting(t, target, 0).Diff)
	drift(t, client)
	before := indexOf(t, client)

	row := compareExisting(t, target, 0)
	require.Equal(t, "index", row.Source)
	require.Equal(t, 1, row.Diff.Missing)
	require.Equal(t, 1, row.Diff.Ghosts)
	require.Equal(t, 1, row.Diff.Stale)
	require.Zero(t, row.Diff.Misplaced)
	require.Zero(t, row.Diff.InFlight)
	kinds := map[string]string{}
	for _, e := range row.Diff.Examples {
		kinds[e.Kind] = e.Name
	}
	require.Equal(t, map[string]string{"missing": "f", "ghost": "b", "stale": "a"}, kinds)
	require.Equal(t, before, indexOf(t, client), "something was written")
}

func drift(t *testing.T, client *firestore.Client) {
	store, err := memory.NewStore(client, existing, memory.Schema{})
	require.NoError(t, err)
	require.NoError(t, store.Put(t.Context(), "f", map[string]any{"body": "f"}, nil))
	require.NoError(t, store.Put(t.Context(), "a", map[string]any{"body": "f"}, nil))
	require.NoError(t, store.Delete(t.Context(), "b"))
}

// What has changed within the horizon is in flight: its event may be under way. What has changed
// before it is not.
func TestExistingInFlight(t *testing.T) {
	t.Parallel()
	target, client := existingStore(t)
	_, err := repair.Build(t.Context(), client, existing, &repair.Options{Logger: quiet, SnapshotLag: target.SnapshotLag})
	require.NoError(t, err)
	drift(t, client)
	row := compareExisting(t, target, 10*time.Minute)
	require.Equal(t, 3, row.Diff.InFlight)
	require.Zero(t, row.Diff.Total())
	for _, e := range row.Diff.Examples {
		require.True(t, e.InFlight)
	}
	row = compareExisting(t, target, time.Microsecond)
	require.Zero(t, row.Diff.InFlight)
	require.Equal(t, 3, row.Diff.Total())
}

func TestExistingRefusesWhatIsNoCollection(t *testing.T) {
	t.Parallel()
	em := emulatortest.Start(t)
	_, err := eval.Existing(context.Background(), &eval.Deployment{Open: em.Client}, &eval.ExistingOptions{Collection: "tenants/acme", Logger: quiet})
	require.ErrorContains(t, err, "tenants/acme")
}
