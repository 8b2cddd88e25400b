package database_test

import (
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"cloud.google.com/go/firestore/apiv1/firestorepb"
	"github.com/stretchr/testify/require"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"hippocampus/emulator/clock"
	"hippocampus/emulator/internal/database"
	"hippocampus/emulator/internal/resource"
	"hippocampus/emulator/internal/store"
)

var name = resource.Database{Project: "p", ID: "(default)"}

func newDatabase(o database.Options) *database.Database {
	if o.Clock == nil {
		o.Clock = clock.NewManual(time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC))
	}
	return database.New(name, o)
}

func set(path resource.Path) *firestorepb.Write {
	return &firestorepb.Write{Operation: &firestorepb.Write_Update{Update: &firestorepb.Document{Name: name.Name(path)}}}
}

// commit commits in a transaction, or in none if it is nil.
func commit(t *testing.T, d *database.Database, transaction []byte, writes ...*firestorepb.Write) error {
	t.Helper()
	_, err := d.Commit(t.Context(), &firestorepb.CommitRequest{Writes: writes, Transaction: transaction})
	return err
}

// Whatever is written meanwhile is written before or after all is cleared.
func TestClearIsOneCommit(t *testing.T) {
	d := newDatabase(database.Options{Clock: clock.System})
	for n := range 1_000 {
		require.NoError(t, commit(t, d, nil, set(resource.Path(fmt.Sprintf("c/%d", n)))))
	}
	cleared := 0
	defer d.Store.Watch(func(_ time.Time, changes []store.Change) {
		if slices.ContainsFunc(changes, func(c store.Change) bool { return c.After == nil }) {
			cleared++
		}
	})()
	done := make(chan struct{})
	var writers sync.WaitGroup
	for w := range 8 {
		writers.Go(func() {
			for n := 0; ; n++ {
				select {
				case <-done:
					return
				default:
				}
				_ = commit(t, d, nil, set(resource.Path(fmt.Sprintf("c/d/%d/%d", w, n))))
			}
		})
	}
	require.NoError(t, d.Clear())
	close(done)
	writers.Wait()
	require.Equal(t, 1, cleared)
	require.NoError(t, d.Clear())
	ids, _, err := d.CollectionIDs(time.Time{}, "", "", 10)
	require.NoError(t, err)
	require.Empty(t, ids)
}

func TestATransactionThatHasReadWhatIsClearedLoses(t *testing.T) {
	d := newDatabase(database.Options{})
	require.NoError(t, commit(t, d, nil, set("c/d")))
	transaction, err := d.Begin(nil)
	require.NoError(t, err)
	view, err := d.View(database.Selector{Transaction: transaction})
	require.NoError(t, err)
	_, _, err = d.Get(view, "c/d")
	require.NoError(t, err)
	require.NoError(t, d.Clear())
	require.Equal(t, codes.Aborted, status.Code(commit(t, d, transaction, set("c/e"))))
}

// A listing shows documents that do not exist but have others below them, so a transaction locks
// these, too.
func TestAListingLocksWhatIsBelow(t *testing.T) {
	d := newDatabase(database.Options{})
	list := func(transaction []byte) (paths []resource.Path) {
		view, err := d.View(database.Selector{Transaction: transaction})
		require.NoError(t, err)
		listed, _, err := d.List(view, "c", "", 10)
		require.NoError(t, err)
		for _, l := range listed {
			paths = append(paths, l.Path)
		}
		return paths
	}
	older, err := d.Begin(nil)
	require.NoError(t, err)
	younger, err := d.Begin(nil)
	require.NoError(t, err)
	require.Empty(t, list(younger))
	require.NoError(t, commit(t, d, older, set("c/missing/below/d")))
	require.Equal(t, codes.Aborted, status.Code(commit(t, d, younger, set("counts/of-c"))))

	retried, err := d.Begin(nil)
	require.NoError(t, err)
	require.Equal(t, []resource.Path{"c/missing"}, list(retried))
	require.NoError(t, commit(t, d, retried, set("counts/of-c")))
}

func TestAReadOnlyTransactionOutlivesTheHistory(t *testing.T) {
	d := newDatabase(database.Options{HistoryBytes: 1})
	readOnly := &firestorepb.TransactionOptions{Mode: &firestorepb.TransactionOptions_ReadOnly_{ReadOnly: &firestorepb.TransactionOptions_ReadOnly{}}}
	transaction, err := d.Begin(readOnly)
	require.NoError(t, err)
	for range 2 {
		require.NoError(t, commit(t, d, nil, set("c/d")))
		require.NoError(t, commit(t, d, nil, &firestorepb.Write{Operation: &firestorepb.Write_Delete{Delete: name.Name("c/d")}}))
	}
	view, err := d.View(database.Selector{Transaction: transaction})
	require.NoError(t, err)
	_, _, err = d.Get(view, "c/d")
	require.Equal(t, codes.FailedPrecondition, status.Code(err))
	require.ErrorContains(t, err, "begin a new transaction")
	view, err = d.View(database.Selector{New: readOnly})
	require.NoError(t, err)
	_, _, err = d.Get(view, "c/d")
	require.NoError(t, err)
}

func TestATransactionIsOfItsDatabaseOnly(t *testing.T) {
	o := database.Options{Clock: clock.NewManual(time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)), Seed: 1}
	d, other := newDatabase(o), database.New(resource.Database{Project: "q", ID: name.ID}, o)
	transaction, err := other.Begin(nil)
	require.NoError(t, err)
	_, err = d.Begin(nil)
	require.NoError(t, err)
	require.Equal(t, codes.InvalidArgument, status.Code(d.Rollback(transaction)))
	require.Equal(t, codes.InvalidArgument, status.Code(commit(t, d, transaction, set("c/d"))))
	require.NoError(t, other.Rollback(transaction))
}
