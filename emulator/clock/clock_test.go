package clock_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"hippocampus/emulator/clock"
)

var start = time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)

func TestManualCallsWhatIsDueInItsOrder(t *testing.T) {
	m := clock.NewManual(start)
	var called []string
	after := func(d time.Duration, name string) func() bool {
		return m.AfterFunc(d, func() { called = append(called, name) })
	}
	after(2*time.Second, "second")
	after(time.Second, "first")
	stop := after(time.Second, "stopped")
	after(3*time.Second, "third")
	require.True(t, stop())
	require.False(t, stop(), "it was stopped already")
	require.Empty(t, called)

	m.Advance(2 * time.Second)
	require.Equal(t, []string{"first", "second"}, called)
	require.Equal(t, start.Add(2*time.Second), m.Now())
	m.Advance(999 * time.Millisecond)
	require.Len(t, called, 2)
	m.Advance(time.Millisecond)
	require.Equal(t, []string{"first", "second", "third"}, called)
}

func TestManualTimersMaySetTimers(t *testing.T) {
	m := clock.NewManual(start)
	done := make(chan time.Time, 1)
	m.AfterFunc(time.Second, func() { m.AfterFunc(time.Second, func() { done <- m.Now() }) })
	m.Advance(time.Second)
	require.Empty(t, done)
	m.Advance(time.Second)
	require.Equal(t, start.Add(2*time.Second), <-done)
}

func TestSystemCallsBack(t *testing.T) {
	called := make(chan struct{})
	stop := clock.System.AfterFunc(0, func() { close(called) })
	<-called
	require.False(t, stop(), "it is too late to stop")
	require.WithinDuration(t, time.Now(), clock.System.Now(), time.Minute)
}

func TestAhead(t *testing.T) {
	m := clock.NewManual(start)
	a := clock.Ahead(m, -time.Minute)
	require.Equal(t, start.Add(-time.Minute), a.Now())
	called := 0
	a.AfterFunc(time.Second, func() { called++ })
	m.Advance(time.Second)
	require.Equal(t, 1, called, "how long things take is the same")
}
