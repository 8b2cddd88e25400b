package listen

import (
	"slices"
	"sync"
	"time"

	"google.golang.org/protobuf/proto"

	"hippocampus/emulator/internal/store"
)

const (
	// MaxChanges and MaxBytes, of documents as encoded, bound what waits for a slow client. One
	// commit may have more.
	MaxChanges = 1_000
	MaxBytes   = 16 << 20
)

// commit is what one commit did to documents that targets watch.
type commit struct {
	at      time.Time
	changes []store.Change
}

// queue holds the commits that are still to be sent. Commits push, the stream takes.
type queue struct {
	wake chan struct{}

	mu      sync.Mutex
	targets []*target // what is pushed for anything else is left out
	commits []commit
	changes int
	bytes   int
	lost    bool // commits were forgotten, and are until the next take
}

func newQueue() *queue { return &queue{wake: make(chan struct{}, 1)} }

// watch has the queue hold what concerns targets, a slice that must not change any more.
func (q *queue) watch(targets []*target) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.targets = targets
}

// push is called inside every commit: it must neither block nor use the store.
func (q *queue) push(at time.Time, changes []store.Change) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.lost {
		return
	}
	var relevant []store.Change
	bytes := 0
	for _, c := range changes {
		if slices.ContainsFunc(q.targets, func(t *target) bool { return t.concerns(c.Path) }) {
			relevant = append(relevant, c)
			if c.After != nil {
				bytes += proto.Size(c.After)
			}
		}
	}
	if len(relevant) == 0 {
		return
	}
	q.changes += len(relevant)
	q.bytes += bytes
	if len(q.commits) > 0 && (q.changes > MaxChanges || q.bytes > MaxBytes) {
		q.commits, q.changes, q.bytes, q.lost = nil, 0, 0, true
	} else {
		q.commits = append(q.commits, commit{at, relevant})
	}
	select {
	case q.wake <- struct{}{}:
	default: // it is still to be woken
	}
}

// take removes the commits until a time, all if it is zero. If it reports true commits are missing:
// then it removes all, and whatever was committed before is to be read from the store.
func (q *queue) take(until time.Time) (commits []commit, lost bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.lost {
		q.lost = false
		return nil, true
	}
	n := len(q.commits)
	if !until.IsZero() {
		if i := slices.IndexFunc(q.commits, func(c commit) bool { return c.at.After(until) }); i >= 0 {
			n = i
		}
	}
	commits, q.commits = q.commits[:n:n], slices.Clone(q.commits[n:])
	q.changes, q.bytes = 0, 0
	for _, c := range q.commits {
		q.changes += len(c.changes)
		for _, change := range c.changes {
			if change.After != nil {
				q.bytes += proto.Size(change.After)
			}
		}
	}
	return commits, false
}
