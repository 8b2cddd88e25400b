package lock_test

import (
	"context"
	"testing"
	"time"

	"cloud.google.com/go/firestore/apiv1/firestorepb"
	"github.com/stretchr/testify/require"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"hippocampus/emulator/clock"
	"hippocampus/emulator/internal/literal"
	"hippocampus/emulator/internal/lock"
	"hippocampus/emulator/internal/query"
	"hippocampus/emulator/internal/resource"
	"hippocampus/emulator/internal/store"
)

func newTable() (*lock.Table, *clock.Manual) {
	c := clock.NewManual(time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC))
	return lock.NewTable(c, 1), c
}

func begin(t *lock.Table) *lock.Transaction {
	x, err := t.Begin(time.Time{}, "")
	if err != nil {
		panic(err) // only one that is tried again may be unknown
	}
	return x
}

func change(path resource.Path) []store.Change {
	return []store.Change{{Path: path, After: document(0)}}
}

func document(n int64) *firestorepb.Document {
	return &firestorepb.Document{Fields: map[string]*firestorepb.Value{"n": literal.Int(n)}}
}

func TestAnOlderReaderIsWaitedFor(t *testing.T) {
	table, _ := newTable()
	older, younger := begin(table), begin(table)
	require.NoError(t, table.LockDocuments(older, "c/d"))
	holder, err := table.Admit(younger, 0, change("c/d"))
	require.NoError(t, err)
	require.Same(t, older, holder)

	waited := make(chan error)
	go func() { waited <- table.Wait(t.Context(), younger, holder) }()
	select {
	case err := <-waited:
		require.Fail(t, "it did not wait", "%v", err)
	default:
	}
	table.End(older)
	require.NoError(t, <-waited)
	holder, err = table.Admit(younger, 0, change("c/d"))
	require.NoError(t, err)
	require.Nil(t, holder)
}

func TestAYoungerReaderLoses(t *testing.T) {
	table, _ := newTable()
	older, younger := begin(table), begin(table)
	require.NoError(t, table.LockDocuments(younger, "c/d"))
	holder, err := table.Admit(older, 0, change("c/d"))
	require.NoError(t, err)
	require.Nil(t, holder)
	_, err = table.Find(younger.ID)
	require.Equal(t, codes.Aborted, status.Code(err))
	require.Equal(t, codes.Aborted, status.Code(table.LockDocuments(younger, "c/e")))
	_, err = table.Admit(younger, 0, change("c/e"))
	require.Equal(t, codes.Aborted, status.Code(err))
}

func TestAWaiterThatLosesIsWoken(t *testing.T) {
	table, _ := newTable()
	oldest, middle, youngest := begin(table), begin(table), begin(table)
	require.NoError(t, table.LockDocuments(oldest, "c/a"))
	require.NoError(t, table.LockDocuments(youngest, "c/b"))
	holder, err := table.Admit(youngest, 0, change("c/a"))
	require.NoError(t, err)
	waited := make(chan error)
	go func() { waited <- table.Wait(t.Context(), youngest, holder) }()
	_, err = table.Admit(middle, 0, change("c/b"))
	require.NoError(t, err)
	require.Equal(t, codes.Aborted, status.Code(<-waited))
}

func TestOwnLocksAreNotInTheWay(t *testing.T) {
	table, _ := newTable()
	x := begin(table)
	require.NoError(t, table.LockDocuments(x, "c/d"))
	holder, err := table.Admit(x, 0, change("c/d"))
	require.NoError(t, err)
	require.Nil(t, holder)
}

func TestACommitWithoutATransactionWaitsForReadersThatWereThere(t *testing.T) {
	table, _ := newTable()
	before := begin(table)
	age := table.Age()
	after := begin(table)
	require.NoError(t, table.LockDocuments(before, "c/d"))
	require.NoError(t, table.LockDocuments(after, "c/d"))
	holder, err := table.Admit(nil, age, change("c/d"))
	require.NoError(t, err)
	require.Same(t, before, holder)
	table.End(before)
	holder, err = table.Admit(nil, age, change("c/d"))
	require.NoError(t, err)
	require.Nil(t, holder)
	_, err = table.Find(after.ID)
	require.Equal(t, codes.Aborted, status.Code(err))
}

func TestQueriesLockWhatMatchesBeforeOrAfter(t *testing.T) {
	database := resource.Database{Project: "p", ID: "(default)"}
	q, err := query.Compile(database, database.Root(), &firestorepb.StructuredQuery{
		From: literal.From("c", false),
		Where: &firestorepb.StructuredQuery_Filter{FilterType: &firestorepb.StructuredQuery_Filter_FieldFilter{
			FieldFilter: &firestorepb.StructuredQuery_FieldFilter{
				Field: literal.Field("n"),
				Op:    firestorepb.StructuredQuery_FieldFilter_GREATER_THAN,
				Value: literal.Int(10),
			},
		}},
	})
	require.NoError(t, err)
	for name, tt := range map[string]struct {
		path          resource.Path
		before, after *firestorepb.Document
		locked        bool
	}{
		"comes to match":      {path: "c/d", after: document(11), locked: true},
		"ceases to match":     {path: "c/d", before: document(11), after: document(1), locked: true},
		"deleted":             {path: "c/d", before: document(11), locked: true},
		"never matches":       {path: "c/d", before: document(1), after: document(10)},
		"another collection":  {path: "e/d", after: document(11)},
		"a nested collection": {path: "c/d/c/d", after: document(11)},
	} {
		t.Run(name, func(t *testing.T) {
			table, _ := newTable()
			x := begin(table)
			require.NoError(t, table.LockQuery(x, q))
			changes := []store.Change{{Path: tt.path, Before: tt.before, After: tt.after}}
			holder, err := table.Admit(nil, table.Age(), changes)
			require.NoError(t, err)
			if tt.locked {
				require.Same(t, x, holder)
			} else {
				require.Nil(t, holder)
			}
		})
	}
}

func TestATriedAgainTransactionKeepsItsAge(t *testing.T) {
	table, _ := newTable()
	oldest, first := begin(table), begin(table)
	require.NoError(t, table.LockDocuments(first, "c/d"))
	_, err := table.Admit(oldest, 0, change("c/d"))
	require.NoError(t, err)
	table.End(first) // its client rolls it back
	other := begin(table)
	require.NoError(t, table.LockDocuments(other, "c/d"))

	second, err := table.Begin(time.Time{}, first.ID)
	require.NoError(t, err)
	require.NotEqual(t, first.ID, second.ID)
	holder, err := table.Admit(second, 0, change("c/d"))
	require.NoError(t, err)
	require.Nil(t, holder, "it is older than the other one")
	_, err = table.Find(first.ID)
	require.Equal(t, codes.InvalidArgument, status.Code(err))
}

func TestExpiry(t *testing.T) {
	table, c := newTable()
	idle, used := begin(table), begin(table)
	require.NoError(t, table.LockDocuments(idle, "c/d"))
	c.Advance(lock.Idle - time.Second)
	_, err := table.Find(used.ID)
	require.NoError(t, err)
	waited := make(chan error, 1)
	go func() { waited <- table.Wait(t.Context(), nil, idle) }()
	c.Advance(time.Second)
	require.NoError(t, <-waited, "who waits for it is woken")
	_, err = table.Find(idle.ID)
	require.Equal(t, codes.InvalidArgument, status.Code(err))
	for range 4 {
		_, err = table.Find(used.ID)
		require.NoError(t, err)
		c.Advance(lock.Idle - 10*time.Second)
	}
	c.Advance(20 * time.Second)
	_, err = table.Find(used.ID)
	require.Error(t, err, "it has lasted for too long")
	require.Zero(t, table.Open())
}

// setBack is a clock that can be set back.
type setBack struct {
	*clock.Manual
	by time.Duration
}

func (c *setBack) Now() time.Time { return c.Manual.Now().Add(-c.by) }

func TestExpiryWhenTheClockIsSetBack(t *testing.T) {
	c := &setBack{Manual: clock.NewManual(time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC))}
	table := lock.NewTable(c, 1)
	x := begin(table)
	require.NoError(t, table.LockDocuments(x, "c/d"))
	c.by = time.Hour
	c.Advance(lock.Idle)
	require.Zero(t, table.Open())
	require.Equal(t, codes.Aborted, status.Code(table.Alive(x)))
}

func TestWaitEndsWithItsContext(t *testing.T) {
	table, _ := newTable()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	require.Equal(t, codes.Canceled, status.Code(table.Wait(ctx, nil, begin(table))))
}

func TestNothingIsLeft(t *testing.T) {
	table, _ := newTable()
	x := begin(table)
	require.NoError(t, table.LockDocuments(x, "c/d", "c/d", "c/e"))
	table.End(x)
	table.End(x)
	require.Zero(t, table.Open())
	holder, err := table.Admit(nil, table.Age(), change("c/d"))
	require.NoError(t, err)
	require.Nil(t, holder)
}

func TestWhatWasNeverBegunIsToldFromWhatIsOver(t *testing.T) {
	table, _ := newTable()
	x := begin(table)
	table.End(x)
	require.NoError(t, table.Rollback(x.ID))
	_, err := table.Begin(time.Time{}, x.ID)
	require.NoError(t, err)
	for _, id := range []string{"", "x", "0123456789abcdef", x.ID + "x"} {
		require.Equal(t, codes.InvalidArgument, status.Code(table.Rollback(id)))
		_, err := table.Find(id)
		require.Equal(t, codes.InvalidArgument, status.Code(err))
	}
	_, err = table.Begin(time.Time{}, "x")
	require.Equal(t, codes.InvalidArgument, status.Code(err))
}

func TestIDsFollowFromTheSeed(t *testing.T) {
	ids := func(seed uint64) []string {
		table := lock.NewTable(clock.System, seed)
		a, b := begin(table), begin(table)
		defer table.End(a)
		defer table.End(b)
		return []string{a.ID, b.ID}
	}
	require.Equal(t, ids(7), ids(7))
	require.NotEqual(t, ids(7), ids(8))
	require.NotEqual(t, ids(7)[0], ids(7)[1])
}
