package chaos

import (
	"context"
	"errors"
	"math"
	"net/http"
	"slices"
	"testing"
	"time"

	"cloud.google.com/go/firestore"
	"github.com/stretchr/testify/require"

	"hippocampus/emulator"
	"hippocampus/emulator/eventarc"
)

func TestRunSaysWhatItLacks(t *testing.T) {
	for name, tt := range map[string]struct {
		options *Options
		says    string
	}{
		"no options":           {nil, "run at least 1"},
		"no count":             {&Options{First: 1}, "run at least 1"},
		"too large a seed":     {&Options{First: math.MaxUint64, Count: 2}, "begin with a smaller one"},
		"a negative most":      {&Options{Count: 1, MaxFailures: -1}, "give 0 to run all"},
		"negative parallelism": {&Options{Count: 1, Parallel: -1}, "give 0 for as many"},
		"no Firestore": {&Options{Count: 1, Firestore: func(context.Context) (eventarc.Firestore, error) {
			return nil, errors.New("the server room is on fire")
		}}, "the server room is on fire"},
	} {
		t.Run(name, func(t *testing.T) {
			found, err := Run(t.Context(), tt.options)
			require.ErrorContains(t, err, tt.says)
			require.Zero(t, found.Completed)
		})
	}
}

// What the product gets wrong is found, however it does, and is no error.
func TestWhatIsFound(t *testing.T) {
	hangs := product
	hangs.patience = time.Second
	hangs.build = func(ctx context.Context, _ *firestore.Client, _ string, _ repairOptions) error {
		<-ctx.Done()
		return ctx.Err()
	}
	fails := product
	fails.build = func(context.Context, *firestore.Client, string, repairOptions) error { return errors.New("no reason") }
	panics := product
	panics.build = func(context.Context, *firestore.Client, string, repairOptions) error { panic("no reason") }
	noList := product
	noList.list = func(context.Context, *firestore.Client, string) (listing, error) {
		return listing{}, errors.New("no reason")
	}
	panicsListing := product
	panicsListing.list = func(context.Context, *firestore.Client, string) (listing, error) { panic("no reason") }
	refuses := product
	refuses.hook = func(*firestore.Client) (hook, error) { return hook{Handler: http.NotFoundHandler()}, nil }
	for name, tt := range map[string]struct {
		sys  system
		says string
	}{
		"a repair that hangs":         {hangs, "fails for no reason: it does nothing for 1s"},
		"a repair that fails":         {fails, ": fails for no reason: no reason"},
		"a repair that panics":        {panics, "panic: no reason\ngoroutine "},
		"a reader that fails":         {noList, "memories: fails for no reason: no reason"},
		"a reader that panics":        {panicsListing, "panic: no reason\ngoroutine "},
		"a hook that does not answer": {refuses, "fails for no reason: status 404"},
	} {
		t.Run(name, func(t *testing.T) {
			outcome, err := runSchedules(t.Context(), tt.sys, &Options{First: 1, Count: 3, MaxFailures: 2, Parallel: 1, Firestore: firestoreOf(t)})
			require.NoError(t, err)
			require.Len(t, outcome.Found, 2, "most")
			require.True(t, slices.IsSortedFunc(outcome.Found, func(a, b Failure) int { return int(a.Seed) - int(b.Seed) }))
			for _, f := range outcome.Found {
				require.Contains(t, f.Text, tt.says)
			}
		})
	}
}

// Whoever ends a run has the outcome of the schedules before.
func TestRunEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	last := 0
	outcome, err := Run(ctx, &Options{First: 1, Count: 1_000_000, Parallel: 2, Firestore: firestoreOf(t), Progress: func(done int) {
		last = done
		if done == 3 {
			cancel()
		}
	}})
	require.ErrorIs(t, err, context.Canceled)
	require.Equal(t, last, outcome.Completed)
	require.GreaterOrEqual(t, outcome.Completed, 3)
	require.Less(t, outcome.Completed, 10)
	require.Positive(t, outcome.Compared)
	require.Empty(t, outcome.Found)
}

// A Firestore that ends in the middle is no fault of the product.
func TestRunEndsWithItsFirestore(t *testing.T) {
	em, err := emulator.Start(t.Context(), nil)
	require.NoError(t, err)
	outcome, err := Run(t.Context(), &Options{
		First: 1, Count: 1_000_000, Parallel: 1,
		Firestore: func(context.Context) (eventarc.Firestore, error) { return em.In("demo-ends"), nil },
		Progress: func(done int) {
			if done == 2 {
				if err := em.Close(); err != nil {
					t.Error(err)
				}
			}
		},
	})
	require.ErrorContains(t, err, "Firestore cannot be reached")
	require.Equal(t, 2, outcome.Completed)
	require.Empty(t, outcome.Found)
}
