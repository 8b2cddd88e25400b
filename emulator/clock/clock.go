// Package clock is the time of an emulator: the system's, or one that a test moves.
package clock

import (
	"slices"
	"sync"
	"time"
)

// Clock tells the time and calls back later. It is safe for concurrent use.
type Clock interface {
	Now() time.Time
	// AfterFunc has f called in a goroutine of its own when d has passed, unless stop is called
	// before.
	AfterFunc(d time.Duration, f func()) (stop func() bool)
}

// System is the system's clock.
var System Clock = system{}

type system struct{}

func (system) Now() time.Time { return time.Now() }

func (system) AfterFunc(d time.Duration, f func()) func() bool { return time.AfterFunc(d, f).Stop }

// Ahead returns a clock that is ahead of another one by d.
func Ahead(of Clock, d time.Duration) Clock { return ahead{of, d} }

type ahead struct {
	Clock
	by time.Duration
}

func (a ahead) Now() time.Time { return a.Clock.Now().Add(a.by) }

// Manual is a clock that stands still until it is advanced.
type Manual struct {
	mu     sync.Mutex
	now    time.Time
	timers []*timer
}

type timer struct {
	at time.Time
	f  func()
}

// NewManual returns a clock that shows now.
func NewManual(now time.Time) *Manual { return &Manual{now: now} }

// Now returns the time that the clock shows.
func (m *Manual) Now() time.Time {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.now
}

// AfterFunc has f called by the Advance that brings the clock to d from now or later.
func (m *Manual) AfterFunc(d time.Duration, f func()) (stop func() bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	t := &timer{m.now.Add(d), f}
	m.timers = append(m.timers, t)
	return func() bool {
		m.mu.Lock()
		defer m.mu.Unlock()
		i := slices.Index(m.timers, t)
		if i < 0 {
			return false
		}
		m.timers = slices.Delete(m.timers, i, i+1)
		return true
	}
}

// Advance moves the clock by d and calls what is due, the earliest first, before it returns.
func (m *Manual) Advance(d time.Duration) {
	m.mu.Lock()
	m.now = m.now.Add(d)
	slices.SortStableFunc(m.timers, func(a, b *timer) int { return a.at.Compare(b.at) })
	var due []*timer
	for len(m.timers) > 0 && !m.timers[0].at.After(m.now) {
		due, m.timers = append(due, m.timers[0]), m.timers[1:]
	}
	m.mu.Unlock()
	for _, t := range due {
		t.f()
	}
}
