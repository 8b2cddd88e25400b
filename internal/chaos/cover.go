package chaos

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
)

// What schedules must have covered. A count of zero fails the suite: the
// schedules would prove nothing of it.
const (
	inFold           = "changes inside a fold"
	inCompaction     = "changes inside a compaction"
	backwardsInTime  = "folds that read the past"
	supersededRuns   = "lost preconditions"
	restarted        = "folds restarted after a compaction"
	atOnce           = "runs at once in one tenant"
	deleteFirst      = "deletes before their writes"
	afterFold        = "redeliveries after a fold"
	afterCompaction  = "redeliveries after a compaction"
	lateCleanup      = "clean-ups after another flip"
	fullShards       = "commits refused by a full shard"
	unheardFlips     = "flips whose answer is lost"
	served           = "requests served"
	spread           = "contended commits"
	batched          = "events in bursts"
	stripped         = "events without payload"
	strippedGone     = "events without payload, of a memory gone"
	strippedLate     = "changes between a payload-less event's read and write"
	duplicated       = "events delivered again"
	lostEvents       = "events lost"
	foldsDied        = "deaths of folds before the flip"
	compactionsDied  = "deaths of compactions before the flip"
	diedAfterFlip    = "deaths after the flip was applied"
	cleanupsDied     = "deaths in a clean-up"
	hooksDied        = "deaths of hooks"
	hooksDiedApplied = "deaths of hooks whose commit was applied"
	created          = "creations"
	recreated        = "re-creations"
	backdated        = "dates moved backwards"
	unchanged        = "changes that leave the date"
	undated          = "dates missing or no timestamp"
	deleted          = "deletions"
	renamed          = "renames"
	lossless         = "schedules without loss"
	lossy            = "schedules with loss"
	unbuilt          = "schedules that begin without an index"
	checks           = "lists compared"
)

var mustCover = []string{
	inFold, inCompaction, backwardsInTime, supersededRuns, restarted, atOnce, deleteFirst,
	afterFold, afterCompaction, lateCleanup,
	fullShards, unheardFlips, served, spread, batched, stripped, strippedGone, strippedLate,
	duplicated, lostEvents, foldsDied,
	compactionsDied, diedAfterFlip, cleanupsDied, hooksDied, hooksDiedApplied, created, recreated,
	backdated, unchanged,
	undated, deleted, renamed, lossless, lossy, unbuilt, checks,
}

// coverage counts what schedules covered. It is safe for concurrent use.
type coverage struct {
	mu     sync.Mutex
	counts map[string]int
}

func (c *coverage) add(what string, n int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.counts == nil {
		c.counts = map[string]int{}
	}
	c.counts[what] += n
}

func (c *coverage) count(what string) int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.counts[what]
}

// zero returns what must be covered and was not.
func (c *coverage) zero() []string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.DeleteFunc(slices.Clone(mustCover), func(what string) bool { return c.counts[what] > 0 })
}

func (c *coverage) String() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	var b strings.Builder
	for _, what := range mustCover {
		fmt.Fprintf(&b, "%8d %s\n", c.counts[what], what)
	}
	for _, what := range slices.Sorted(maps.Keys(c.counts)) {
		if !slices.Contains(mustCover, what) {
			fmt.Fprintf(&b, "%8d %s\n", c.counts[what], what)
		}
	}
	return b.String()
}
