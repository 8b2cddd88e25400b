package functions

import (
	"crypto/rand"
	"strings"
	"time"

	"hippocampus/index"
)

const (
	// spreadFor: after so long without contention the number of shards in use is halved, and after
	// so long a burst's changes go to its first shard again.
	spreadFor = time.Minute
	// fullFor is how long a shard counts as full. Compactions take it away much sooner; if not,
	// finding out again costs a few commits.
	fullFor = time.Minute
	// moveOnBytes is how much a burst writes to one shard before it moves on: an eighth of what a
	// document holds.
	moveOnBytes = 128 << 10
	// idleFor is how long an index without changes is remembered.
	idleFor = 10 * time.Minute
)

// tenant is what an instance remembers of an index that it writes to: which shard documents its
// changes go to. Only speed depends on it: it may be forgotten at any time. committer.mu guards it.
type tenant struct {
	memories string               // path of the memory collection
	shards   map[string]*shard    // the shard documents that have a worker, by id
	full     map[string]time.Time // the shard documents that are full, until when
	// overflow is the shard beyond the eight, used while all of these are full and to find out
	// whether one is.
	overflow     string
	spread       int       // over how many of the eight shards changes go: 1, 2, 4 or 8
	contended    time.Time // when the spread was last changed
	offset       int       // by how many shards a burst has moved on
	movedAt      time.Time
	sinceMove    int // bytes written since it did
	sinceRequest int // bytes written since a compaction was last asked for
	used         time.Time
}

func newTenant(memories string) *tenant {
	return &tenant{memories: memories, shards: map[string]*shard{}, full: map[string]time.Time{},
		spread: 1}
}

// shardFor returns the id of the shard document that the changes of a memory go to.
func (t *tenant) shardFor(id string, now time.Time) string {
	t.decay(now)
	first := index.ShardNumber(id, t.spread) + t.offset
	for i := range index.Shards {
		if shard := index.ShardID((first + i) % index.Shards); !t.isFull(shard, now) {
			return shard
		}
	}
	if t.overflow == "" || t.isFull(t.overflow, now) {
		t.overflow = freshShard()
	}
	return t.overflow
}

// freshShard returns the id of a shard document that does not exist.
func freshShard() string { return index.ShardPrefix + strings.ToLower(rand.Text()) }

// spreadOut doubles the number of shards in use, once a second at most: the workers of several
// shards report the same contention.
func (t *tenant) spreadOut(now time.Time) {
	t.decay(now)
	if t.spread < index.Shards && (t.spread == 1 || now.Sub(t.contended) > time.Second) {
		t.spread *= 2
	}
	t.contended = now
}

// moveOn goes to the next shard when a burst has written enough to one, so that several instances
// together fill none before a compaction comes.
func (t *tenant) moveOn(written int, now time.Time) {
	t.sinceMove += written
	if t.sinceMove >= moveOnBytes {
		t.sinceMove, t.offset, t.movedAt = 0, t.offset+1, now
	}
}

// decay undoes what contention and a burst have led to, as time passes.
func (t *tenant) decay(now time.Time) {
	if t.offset > 0 && now.Sub(t.movedAt) >= spreadFor {
		t.sinceMove, t.offset = 0, 0
	}
	for t.spread > 1 && now.Sub(t.contended) >= spreadFor {
		t.spread /= 2
		t.contended = t.contended.Add(spreadFor)
	}
}

func (t *tenant) markFull(shard string, now time.Time) { t.full[shard] = now.Add(fullFor) }

func (t *tenant) isFull(shard string, now time.Time) bool {
	until, ok := t.full[shard]
	if ok && !now.Before(until) {
		delete(t.full, shard)
		return false
	}
	return ok
}

// idle reports whether nothing is lost by forgetting the tenant.
func (t *tenant) idle(now time.Time) bool {
	return len(t.shards) == 0 && now.Sub(t.used) >= idleFor
}
