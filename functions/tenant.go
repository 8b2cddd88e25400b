package functions

import (
	"crypto/rand"
	"strings"
	"time"

	"hippocampus/index"
)

const (
	// spreadFor is how long an instance spreads its changes after contention,
	// before it halves the spread again, and how long it stays with the shard that
	// a burst has moved on to.
	spreadFor = time.Minute
	// fullFor is how long a shard counts as full. Compactions take it away much
	// sooner; if not, finding out again costs a few commits.
	fullFor = time.Minute
	// rollBytes is how much a burst writes to one shard before it moves on: an
	// eighth of what a document holds.
	rollBytes = 128 << 10
	// idleFor is how long an index without changes is remembered.
	idleFor = 10 * time.Minute
)

// tenant is what an instance remembers of an index that it writes to. Only
// speed depends on it: it may be forgotten at any time. committer.mu guards it.
type tenant struct {
	path   string               // of the index collection
	shards map[string]*shard    // the shard documents that have a worker, by id
	full   map[string]time.Time // the shard documents that are full, until when
	// overflow is the shard beyond the eight, used while all of these are full and
	// to find out whether one is.
	overflow  string
	spread    int       // over how many of the eight shards changes go: 1, 2, 4 or 8
	contended time.Time // when the spread was last changed
	rolled    int       // by how many shards a burst has moved on
	rolledAt  time.Time
	unrolled  int // bytes written since
	unasked   int // bytes written since a compaction was last asked for
	used      time.Time
}

// shard is a shard document with changes on their way. It has a worker as long
// as it exists. committer.mu guards pending.
type shard struct {
	id      string
	pending []*event
}

func newTenant(path string) *tenant {
	return &tenant{path: path, shards: map[string]*shard{}, full: map[string]time.Time{}, spread: 1}
}

// route returns which shard document the changes of a memory go to.
func (t *tenant) route(id string, now time.Time) string {
	t.relax(now)
	first := index.Shard(id, t.spread) + t.rolled
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

// spreadOut doubles the number of shards in use, once a second at most: the
// workers of several shards report the same contention.
func (t *tenant) spreadOut(now time.Time) {
	t.relax(now)
	if t.spread < index.Shards && (t.spread == 1 || now.Sub(t.contended) > time.Second) {
		t.spread *= 2
	}
	t.contended = now
}

// roll moves on to the next shard when a burst has written enough to one, so
// that several instances together fill none before a compaction comes.
func (t *tenant) roll(written int, now time.Time) {
	t.unrolled += written
	if t.unrolled >= rollBytes {
		t.unrolled, t.rolled, t.rolledAt = 0, t.rolled+1, now
	}
}

// relax takes back what a burst has led to. It halves the number of shards in
// use for every spreadFor without contention.
func (t *tenant) relax(now time.Time) {
	if t.rolled > 0 && now.Sub(t.rolledAt) >= spreadFor {
		t.unrolled, t.rolled = 0, 0
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
