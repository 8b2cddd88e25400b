package eventarc

import (
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"time"
)

// Chaos says how a Broker misbehaves. The first fields are probabilities, from 0 to 1; the zero
// value behaves.
//
// What happens to an event depends on the seed, its trigger, its document and how many events this
// document had before, and on nothing else: the same schedule of changes fares the same again,
// however its events interleave.
type Chaos struct {
	Seed uint64

	// Lose is the probability that an event is never delivered.
	Lose float64
	// Duplicate is the probability that an event is delivered once more, or twice.
	Duplicate float64
	// Delay is the probability that a delivery starts late, by up to MaxDelay.
	Delay float64
	// Reorder is the probability that a delivery waits until one to three later ones of its trigger
	// have started, but at most MaxDelay.
	Reorder float64
	// Strip is the probability that a delivery has no payload: a body of two bytes or none.
	Strip float64
	// Fail is the probability that an attempt fails without having reached the function.
	Fail float64
	// LoseAck is the probability that the first success of a delivery is taken for a failure, so
	// that the function sees the event again.
	LoseAck float64

	// MaxDelay bounds delays. Default 50 ms.
	MaxDelay time.Duration
	// FailNth makes the n-th attempt from now on fail without having reached the function. 0: none.
	FailNth int
}

const (
	maxCopies   = 2 // more deliveries of a duplicated event
	maxBehind   = 3 // how many may overtake one
	maxFailures = 5 // attempts in a row that Fail lets fail
)

// chaos is the state of Chaos. b.mu guards it.
type chaos struct {
	Chaos
	events   map[string]uint64 // how many of a trigger's document there have been
	attempts int
}

// Misbehave has the broker misbehave from now on, with events that arrive after it returns. The
// zero Chaos ends that.
func (b *Broker) Misbehave(c Chaos) error {
	for _, p := range []struct {
		name  string
		value float64
	}{
		{"Lose", c.Lose}, {"Duplicate", c.Duplicate}, {"Delay", c.Delay}, {"Reorder", c.Reorder},
		{"Strip", c.Strip}, {"Fail", c.Fail}, {"LoseAck", c.LoseAck},
	} {
		if !(p.value >= 0 && p.value <= 1) {
			return fmt.Errorf("eventarc: misbehave: %s is %v; give a probability from 0 to 1",
				p.name, p.value)
		}
	}
	if c.MaxDelay == 0 {
		c.MaxDelay = 50 * time.Millisecond
	}
	if c.MaxDelay < 0 || c.FailNth < 0 {
		return fmt.Errorf("eventarc: misbehave: MaxDelay %s and FailNth %d must not be negative",
			c.MaxDelay, c.FailNth)
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.chaos = chaos{Chaos: c, events: map[string]uint64{}}
	return nil
}

// admit takes a message in. b.mu is held.
func (b *Broker) admit(m *message) {
	b.admitted++
	b.stats.Matched++
	if b.holding {
		b.held = append(b.held, m)
		b.broadcast()
		return
	}
	b.enqueue(m)
}

// enqueue puts a message into its queue as often and in the state that chaos decides. b.mu is held.
func (b *Broker) enqueue(m *message) {
	c := &b.chaos
	if c.events == nil { // never misbehaved
		m.queue.push(m)
		return
	}
	key := m.Trigger.Name + "\x00" + m.Event.Database + "\x00" + m.Event.Document
	c.events[key]++
	h := fnv.New64a()
	_, _ = h.Write([]byte(key))
	random := rand.New(rand.NewPCG(c.Seed, h.Sum64()^(c.events[key]*0x9E3779B97F4A7C15)))
	yes := func(p float64) bool { return random.Float64() < p }

	if yes(c.Lose) {
		b.stats.Lost++
		b.broadcast()
		return
	}
	copies := 1
	if yes(c.Duplicate) {
		copies += 1 + random.IntN(maxCopies)
		b.stats.Duplicated += copies - 1
	}
	for range copies {
		one := *m
		b.spoil(&one, random, yes)
		m.queue.push(&one)
	}
}

// spoil decides the fate of one delivery.
func (b *Broker) spoil(m *message, random *rand.Rand, yes func(float64) bool) {
	c := &b.chaos
	if yes(c.Strip) {
		m.Message = m.WithoutPayload()
		if random.IntN(2) == 0 {
			m.Body = nil
		}
		b.stats.Stripped++
	}
	if yes(c.Delay) {
		m.due = m.due.Add(time.Duration(random.Int64N(int64(c.MaxDelay)) + 1))
		b.stats.Delayed++
	} else if yes(c.Reorder) {
		m.behind = 1 + random.IntN(maxBehind)
		m.due = m.due.Add(c.MaxDelay)
		b.stats.Reordered++
	}
	for m.failures < maxFailures && yes(c.Fail) {
		m.failures++
	}
	m.loseAck = yes(c.LoseAck)
}

// sabotage reports whether the attempt that is about to be made shall fail instead. b.mu is held.
func (b *Broker) sabotage(m *message) bool {
	b.chaos.attempts++
	nth := b.chaos.FailNth != 0 && b.chaos.attempts == b.chaos.FailNth
	if !nth && m.failures == 0 {
		return false
	}
	if !nth {
		m.failures--
	}
	b.stats.Failed++
	return true
}
