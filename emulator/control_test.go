package emulator_test

import (
	"context"
	"testing"
	"time"

	"cloud.google.com/go/firestore"
	"github.com/stretchr/testify/require"
	"google.golang.org/api/iterator"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"hippocampus/emulator"
	"hippocampus/emulator/clock"
	"hippocampus/emulator/fault"
)

func TestUsageOfCallers(t *testing.T) {
	em, c := start(t, nil)
	reader, err := em.ClientOf(t.Context(), "reader")
	require.NoError(t, err)
	defer reader.Close()
	_, err = em.ClientOf(t.Context(), "日")
	require.ErrorContains(t, err, "printable ASCII")

	err = c.RunTransaction(t.Context(), func(_ context.Context, tx *firestore.Transaction) error {
		for _, path := range []string{"x/1", "x/2", "x/3"} {
			if err := tx.Set(c.Doc(path), map[string]any{"n": 1}); err != nil {
				return err
			}
		}
		return tx.Delete(c.Doc("y/1"))
	})
	require.NoError(t, err)
	usage := em.Usage()
	require.Len(t, usage, 1)
	require.EqualValues(t, 3, usage[""].Writes)
	require.EqualValues(t, 1, usage[""].Deletes)
	require.Zero(t, usage[""].Reads)
	require.Greater(t, usage[""].RequestBytes, int64(3*len("projects/demo-hippocampus/databases/(default)/documents/x/1")))
	require.NotZero(t, usage[""].ResponseBytes)

	x := reader.Collection("x")
	for name, step := range map[string]struct {
		do   func() error
		want int64
	}{
		"get":      {func() error { _, err := x.Doc("1").Get(t.Context()); return err }, 1},
		"get none": {func() error { _, err := x.Doc("9").Get(t.Context()); return missing(err) }, 1},
		"get all": {func() error {
			_, err := reader.GetAll(t.Context(), []*firestore.DocumentRef{x.Doc("1"), x.Doc("9")})
			return err
		}, 2},
		"query":      {func() error { _, err := x.Documents(t.Context()).GetAll(); return err }, 3},
		"names only": {func() error { _, err := x.Select().Documents(t.Context()).GetAll(); return err }, 3},
		"offset":     {func() error { _, err := x.Offset(1).Documents(t.Context()).GetAll(); return err }, 3},
		"no results": {func() error { _, err := x.Where("n", "==", 2).Documents(t.Context()).GetAll(); return err }, 1},
		"count":      {func() error { _, err := x.NewAggregationQuery().WithCount("n").Get(t.Context()); return err }, 1},
		"sum":        {func() error { _, err := x.NewAggregationQuery().WithSum("n", "s").Get(t.Context()); return err }, 1},
		"ids":        {func() error { _, err := reader.Collections(t.Context()).GetAll(); return err }, 1},
	} {
		t.Run(name, func(t *testing.T) {
			em.ResetUsage()
			require.NoError(t, step.do())
			usage := em.Usage()
			require.Len(t, usage, 1)
			require.Equal(t, step.want, usage["reader"].Reads)
		})
	}
	require.Empty(t, em.In("demo-other").Usage())
}

// missing is nil for the error of a document that does not exist.
func missing(err error) error {
	if status.Code(err) == codes.NotFound {
		return nil
	}
	return err
}

func TestUsageOfAListener(t *testing.T) {
	em, c := start(t, nil)
	for _, path := range []string{"x/1", "x/2"} {
		_, err := c.Doc(path).Set(t.Context(), map[string]any{"in": true})
		require.NoError(t, err)
	}
	em.ResetUsage()
	snapshots := c.Collection("x").Where("in", "==", true).Snapshots(t.Context())
	defer snapshots.Stop()
	for n, step := range []struct {
		do   func() error
		size int
		want int64 // reads in all
	}{
		{func() error { return nil }, 2, 2},
		{func() error { _, err := c.Doc("x/3").Set(t.Context(), map[string]any{"in": true}); return err }, 3, 3},
		{func() error { _, err := c.Doc("x/3").Set(t.Context(), map[string]any{"in": true, "n": 1}); return err }, 3, 4},
		{func() error { _, err := c.Doc("x/2").Delete(t.Context()); return err }, 2, 4},
	} {
		require.NoError(t, step.do())
		s, err := snapshots.Next()
		require.NoError(t, err)
		require.Equal(t, step.size, s.Size, "step %d", n)
		require.Equal(t, step.want, em.Usage()[""].Reads, "step %d", n)
	}
}

// The client of Firestore tries a commit again whose connection was cut. It had been made.
func TestACommitThatIsCut(t *testing.T) {
	em, c := start(t, nil)
	i, err := em.Inject(fault.Rule{RPC: "Commit", Cut: true})
	require.NoError(t, err)
	_, err = c.Doc("x/1").Create(t.Context(), map[string]any{"n": 1})
	require.Equal(t, codes.AlreadyExists, status.Code(err), "its own first try")
	require.Equal(t, 1, i.Count())
	require.EqualValues(t, 1, em.Usage()[""].Writes)
	got, err := c.Doc("x/1").Get(t.Context())
	require.NoError(t, err)
	require.EqualValues(t, 1, got.Data()["n"])
}

func TestCallsThatFail(t *testing.T) {
	em, c := start(t, nil)
	_, err := em.Inject(fault.Rule{RPC: "RunQuery", Nth: 2, Code: codes.PermissionDenied, Message: "not today"})
	require.NoError(t, err)
	_, err = em.In("demo-other").Inject(fault.Rule{Times: -1, Code: codes.PermissionDenied})
	require.NoError(t, err)
	query := func() error {
		_, err := c.Collection("x").Documents(t.Context()).Next()
		return err
	}
	require.ErrorIs(t, query(), iterator.Done)
	require.ErrorContains(t, query(), "not today")
	require.ErrorIs(t, query(), iterator.Done)
	require.EqualValues(t, 2, em.Usage()[""].Reads, "what fails is not made")
	_, err = em.Inject(fault.Rule{RPC: "Query", Cut: true})
	require.ErrorContains(t, err, "is no method of Firestore")
}

// A listener whose connection is cut goes on, and misses nothing.
func TestAListenerThatIsCut(t *testing.T) {
	em, c := start(t, nil)
	i, err := em.Inject(fault.Rule{RPC: "Listen", Cut: true})
	require.NoError(t, err)
	_, err = c.Doc("x/1").Set(t.Context(), map[string]any{})
	require.NoError(t, err)
	snapshots := c.Collection("x").Snapshots(t.Context())
	defer snapshots.Stop()
	s, err := snapshots.Next()
	require.NoError(t, err)
	require.Equal(t, 1, s.Size)
	require.Equal(t, 1, i.Count())
}

func TestADelayGoesByTheClock(t *testing.T) {
	now := clock.NewManual(time.Date(2026, 8, 1, 0, 0, 0, 0, time.UTC))
	em, c := start(t, &emulator.Options{Clock: now})
	i, err := em.Inject(fault.Rule{RPC: "Commit", Delay: time.Hour})
	require.NoError(t, err)
	type result struct {
		*firestore.WriteResult
		error
	}
	done := make(chan result, 1)
	begun := now.Now()
	go func() {
		r, err := c.Doc("x/1").Set(t.Context(), map[string]any{})
		done <- result{r, err}
	}()
	<-i.Fired()
	require.Eventually(t, func() bool { now.Advance(time.Minute); return len(done) > 0 }, 30*time.Second, time.Millisecond)
	r := <-done
	require.NoError(t, r.error)
	require.GreaterOrEqual(t, r.UpdateTime.Sub(begun), time.Hour)
}
