package eventarc_test

import (
	"fmt"
	"sort"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"hippocampus/emulator/eventarc"
)

// play publishes the same changes of 40 documents, in an order, under chaos, and returns what the
// function saw of each document and the broker's counts.
func play(t *testing.T, c eventarc.Chaos, order []int) (map[string][]string, eventarc.Stats) {
	f := newFunction(t)
	b := start(t, nil)
	add(t, b, eventarc.Trigger{Name: "t", Pattern: "x/{id}", URL: f.url})
	require.NoError(t, b.Misbehave(c))
	for version := int64(1); version <= 3; version++ {
		for _, n := range order {
			require.NoError(t, b.Publish(eventarc.Event{ID: fmt.Sprintf("%d.%d", n, version), Data: document(fmt.Sprint("x/", n), version, version-1)}))
		}
	}
	drain(t, b)
	seen := map[string][]string{}
	for _, r := range f.got() {
		payload := "with"
		if r.data.GetValue() == nil {
			payload = fmt.Sprint("without ", len(r.body))
		}
		seen[r.document()] = append(seen[r.document()], r.header.Get("ce-id")+" "+payload)
	}
	for _, events := range seen {
		sort.Strings(events)
	}
	return seen, b.Stats()
}

func TestChaosFollowsFromTheSeed(t *testing.T) {
	c := eventarc.Chaos{
		Seed: 7, Lose: 0.2, Duplicate: 0.3, Delay: 0.3, Reorder: 0.3, Strip: 0.2, Fail: 0.2, LoseAck: 0.2,
		MaxDelay: 5 * time.Millisecond,
	}
	var forward, backward []int
	for n := range 40 {
		forward, backward = append(forward, n), append([]int{n}, backward...)
	}
	once, stats := play(t, c, forward)
	again, statsAgain := play(t, c, backward)
	require.Equal(t, once, again)
	require.Equal(t, stats, statsAgain)
	for name, count := range map[string]int{
		"dropped": stats.Lost, "duplicated": stats.Duplicated, "delayed": stats.Delayed, "reordered": stats.Reordered,
		"stripped": stats.Stripped, "failed": stats.Failed, "acks lost": stats.AcksLost,
	} {
		require.NotZero(t, count, name)
	}
	require.Equal(t, stats.Matched-stats.Lost+stats.Duplicated, stats.Delivered)
	require.Equal(t, stats.Failed+stats.AcksLost, stats.Retried)

	c.Seed = 8
	other, _ := play(t, c, forward)
	require.NotEqual(t, once, other)
}

func TestChaosOneAtATime(t *testing.T) {
	for name, c := range map[string]struct {
		chaos eventarc.Chaos
		check func(t *testing.T, f *function, s eventarc.Stats)
	}{
		"drop": {eventarc.Chaos{Lose: 1}, func(t *testing.T, f *function, s eventarc.Stats) {
			require.Empty(t, f.got())
			require.Equal(t, 5, s.Lost)
		}},
		"duplicate": {eventarc.Chaos{Duplicate: 1}, func(t *testing.T, f *function, s eventarc.Stats) {
			count := map[string]int{}
			for _, r := range f.got() {
				count[r.header.Get("ce-id")]++
			}
			require.Len(t, count, 5)
			for _, n := range count {
				require.GreaterOrEqual(t, n, 2)
			}
		}},
		"strip": {eventarc.Chaos{Strip: 1, Seed: 3}, func(t *testing.T, f *function, s eventarc.Stats) {
			require.Len(t, f.got(), 5)
			sizes := map[int]bool{}
			for _, r := range f.got() {
				require.Nil(t, r.data.GetValue())
				require.Contains(t, r.document(), "x/")
				sizes[len(r.body)] = true
			}
			require.Equal(t, map[int]bool{0: true, 2: true}, sizes)
		}},
		"lose the acknowledgement": {eventarc.Chaos{LoseAck: 1}, func(t *testing.T, f *function, s eventarc.Stats) {
			require.Len(t, f.got(), 10)
			require.Equal(t, 5, s.AcksLost)
		}},
		"fail always": {eventarc.Chaos{Fail: 1}, func(t *testing.T, f *function, s eventarc.Stats) {
			require.Len(t, f.got(), 5)
			require.Equal(t, 25, s.Failed)
			require.Equal(t, 5, s.Attempts)
		}},
		"fail the third": {eventarc.Chaos{FailNth: 3}, func(t *testing.T, f *function, s eventarc.Stats) {
			require.Len(t, f.got(), 5)
			require.Equal(t, 1, s.Failed)
			require.Equal(t, "x/2", f.documents()[4])
		}},
	} {
		t.Run(name, func(t *testing.T) {
			f := newFunction(t)
			b := start(t, nil)
			add(t, b, eventarc.Trigger{Name: "t", Pattern: "x/{id}", URL: f.url, Concurrency: 1})
			require.NoError(t, b.Misbehave(c.chaos))
			for n := range 5 {
				require.NoError(t, b.Publish(eventarc.Event{Data: document(fmt.Sprint("x/", n), 1, 0)}))
			}
			drain(t, b)
			c.check(t, f, b.Stats())

			// The zero value ends it.
			require.NoError(t, b.Misbehave(eventarc.Chaos{}))
			before := len(f.got())
			require.NoError(t, b.Publish(eventarc.Event{Data: document("x/9", 1, 0)}))
			drain(t, b)
			require.Len(t, f.got(), before+1)
			require.NotNil(t, f.got()[before].data.GetValue())
		})
	}
}

// A message that is held back is let go when others have overtaken it, long before MaxDelay.
func TestReorder(t *testing.T) {
	f := newFunction(t)
	b := start(t, nil)
	add(t, b, eventarc.Trigger{Name: "t", Pattern: "x/{id}", URL: f.url, Concurrency: 1})
	require.NoError(t, b.Misbehave(eventarc.Chaos{Reorder: 1, MaxDelay: time.Hour}))
	require.NoError(t, b.Publish(eventarc.Event{Data: document("x/first", 1, 0)}))
	require.NoError(t, b.Misbehave(eventarc.Chaos{}))
	for n := range 4 {
		require.NoError(t, b.Publish(eventarc.Event{Data: document(fmt.Sprint("x/", n), 1, 0)}))
	}
	drain(t, b)
	require.Len(t, f.got(), 5)
	require.NotEqual(t, "x/first", f.documents()[0])
	require.Equal(t, 1, b.Stats().Reordered)

	// With none to overtake it, it waits for MaxDelay only.
	require.NoError(t, b.Misbehave(eventarc.Chaos{Reorder: 1, MaxDelay: time.Millisecond}))
	require.NoError(t, b.Publish(eventarc.Event{Data: document("x/last", 1, 0)}))
	drain(t, b)
	require.Equal(t, "x/last", f.documents()[5])
}

func TestBadChaos(t *testing.T) {
	b := start(t, nil)
	for _, c := range []eventarc.Chaos{{Lose: -0.1}, {Duplicate: 1.1}, {MaxDelay: -1}, {FailNth: -1}} {
		require.Error(t, b.Misbehave(c), "%+v", c)
	}
}
