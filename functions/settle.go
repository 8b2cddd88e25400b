package functions

import (
	"errors"
	"fmt"
	"time"
)

// errPoison marks a change that Firestore refuses wherever it is put.
var errPoison = errors.New("refused by Firestore even alone, in a new document")

// settle commits a batch and tells its events what became of it. If others write
// the same document it puts the events back, spreads out and returns contended:
// the worker waits.
func (c *committer) settle(t *tenant, s *shard, events []*event) outcome {
	result, err := c.send(t, s.id, events)
	switch result {
	case contended:
		c.stats.contended.Add(1)
		c.mu.Lock()
		s.pending = append(events, s.pending...)
		t.spreadOut(time.Now())
		c.mu.Unlock()
	case refused:
		c.stats.refused.Add(1)
		return c.separate(t, s, events)
	default:
		for _, e := range events {
			e.finish(err)
		}
	}
	return result
}

// separate finds out why a batch was refused, by halving it until one event is
// refused alone. What remains of the batch after that goes its own way, and if
// the shard was full that is another shard.
func (c *committer) separate(t *tenant, s *shard, events []*event) outcome {
	if len(events) == 1 {
		return c.probe(t, s, events[0])
	}
	half := len(events) / 2
	result := c.settle(t, s, events[:half:half])
	rest := events[half:]
	c.mu.Lock()
	full := t.isFull(s.id, time.Now())
	if full || result == contended {
		// In both cases the worker sees to it: take routes what is in a full shard.
		s.pending = append(rest, s.pending...)
	}
	c.mu.Unlock()
	if full || result == contended {
		return result
	}
	return c.settle(t, s, rest)
}

// probe decides whether a shard is full or an event impossible, without relying on
// what the refusal says: it commits the event to the overflow shard or, if there is
// none or that is full too, to a shard document that is new, which becomes the
// overflow shard. If that is refused as well, nothing was created.
func (c *committer) probe(t *tenant, s *shard, e *event) outcome {
	c.mu.Lock()
	other := t.overflow
	c.mu.Unlock()
	result, err := refused, error(nil)
	if other != "" && other != s.id {
		result, err = c.send(t, other, []*event{e})
	}
	if result == refused {
		other = freshShard()
		result, err = c.send(t, other, []*event{e})
	}
	switch result {
	case done:
		c.stats.full.Add(1)
		c.log.Warn("a shard is full: its changes go to others until it is compacted", "index", t.path, "shard", s.id)
		c.mu.Lock()
		t.markFull(s.id, time.Now())
		t.overflow = other
		c.mu.Unlock()
		c.request(t, fmt.Sprintf("%s is full", s.id))
	case refused:
		e.finish(fmt.Errorf("%w: %w", errPoison, err))
		return done
	case contended:
		err = fmt.Errorf("commit to %s/%s: %w", t.path, other, err)
	}
	e.finish(err)
	return done
}
