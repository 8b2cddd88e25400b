package chaos

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"hippocampus/emulator/emulatortest"
	"hippocampus/internal/deep"
)

// Random schedules of everything that may happen, at once. Whenever the index can
// know all, the list equals a scan.
func TestEquivalence(t *testing.T) {
	o := &Options{First: *first, Count: *runs, MaxFailures: 1, Firestore: firestoreOf(t)}
	if *seed != 0 {
		o.First, o.Count = *seed, 1
	}
	begun := time.Now()
	found, err := Run(t.Context(), o)
	require.NoError(t, err)
	for _, f := range found.Found {
		t.Errorf("schedule %d of %d finds a difference; again: go test ./internal/chaos -run TestEquivalence -chaos.seed=%d\n%s", f.Seed-o.First+1, o.Count, f.Seed, f.Text)
	}
	t.Logf("%d schedules in %s\n%s", found.Completed, time.Since(begun).Round(time.Second/10), found.cover)
	if len(found.Found) == 0 {
		require.Equal(t, o.Count, found.Completed)
	}
	if o.Count >= 300 && len(found.Found) == 0 {
		require.Empty(t, found.cover.zero(), "the schedules covered none of these; change how operations are chosen")
	}
}

// One seed has one outcome: the same steps with the same times, whatever ran before.
func TestSchedulesAreDeterministic(t *testing.T) {
	if emulatortest.Official() {
		return // its clock is the machine's
	}
	seeds := deep.Choose(8, 60)
	logs := make([]string, seeds)
	log := func(w *world, i int) string {
		s := newSchedule(t.Context(), w, *first+uint64(i))
		found, err := s.run()
		require.NoError(t, err)
		require.Nil(t, found)
		require.NotEmpty(t, s.trace)
		return strings.Join(s.trace, "\n")
	}
	forwards, backwards := startWorld(t, &coverage{}), startWorld(t, &coverage{})
	for i := range seeds {
		logs[i] = log(forwards, i)
	}
	for i := seeds - 1; i >= 0; i-- {
		require.Equal(t, logs[i], log(backwards, i), "seed %d", *first+uint64(i))
	}
}
