// Package store keeps the documents of one database in memory, with their history.
//
// Every commit has a time of its own, in microseconds, later than every commit and every read
// before it. A document is a chain of versions, the newest first:
//
//	collection ── ordered tree ── document ── version at 9 ── version at 5 ── version at 2
//
// so a read at a past time finds what was there then, exactly and for as long as the history
// reaches back: an hour, or less if the versions that were replaced within it take more than
// [Options].HistoryBytes.
//
// Queries that filter or order by fields use indexes, which are built when they are first needed
// and hold the newest versions only: a query at a past time looks at every document of its
// collections instead.
package store

import (
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"cloud.google.com/go/firestore/apiv1/firestorepb"
	"github.com/tidwall/btree"

	"hippocampus/emulator/internal/resource"
)

// ErrFuture says that a read was asked for at a time that has not come yet.
var ErrFuture = errors.New("the read time is in the future")

// ErrTooOld says that a read was asked for at a time from which the history is gone.
var ErrTooOld = errors.New("the read time is too old")

// Options of a store. Nil and the zero value are valid.
type Options struct {
	// Now is the clock. Default time.Now.
	Now func() time.Time
	// History is how far back reads may go. Default one hour, as in Firestore.
	History time.Duration
	// HistoryBytes bounds the encoded size of the versions that are kept for reads in the past
	// only. Default 256 MiB.
	HistoryBytes int
}

// Store is one database. It is safe for concurrent use.
type Store struct {
	now          func() time.Time
	history      time.Duration
	historyBytes int

	seen atomic.Int64 // the latest time of any read or commit; a commit is later

	mu          sync.RWMutex
	last        int64                          // time of the latest commit that changed something
	collections btree.Map[string, *collection] // by the key of their paths; none is empty
	groups      map[string]*group              // by collection id
	past        past                           // versions that are kept for reads in the past
	watchers    map[*func(time.Time, []Change)]struct{}
}

// Change is what one commit did to one document. Before is nil if there was none, After if there is
// none now. They are never the same.
type Change struct {
	Path          resource.Path
	Before, After *firestorepb.Document
}

// New returns an empty store.
func New(o *Options) *Store {
	s := &Store{groups: map[string]*group{}, watchers: map[*func(time.Time, []Change)]struct{}{}}
	if o != nil {
		s.now, s.history, s.historyBytes = o.Now, o.History, o.HistoryBytes
	}
	if s.now == nil {
		s.now = time.Now
	}
	if s.history == 0 {
		s.history = time.Hour
	}
	if s.historyBytes == 0 {
		s.historyBytes = 256 << 20
	}
	return s
}

// readTime returns the time, in microseconds, of a read at the time that was asked for, zero for
// the newest state, and whether no commit is later. s.mu is held for reading: commits to come are
// later than the time.
func (s *Store) readTime(asked time.Time) (at int64, newest bool, err error) {
	now := max(s.now().UnixMicro(), s.seen.Load()) // no earlier than a commit that changed nothing, either
	if asked.IsZero() {
		raise(&s.seen, now)
		return now, true, nil
	}
	at = asked.UnixMicro()
	if at > now {
		return 0, false, fmt.Errorf("%w: %s; it is %s", ErrFuture, stamp(at), stamp(now))
	}
	if oldest := max(now-s.history.Microseconds(), s.past.horizon); at < oldest {
		return 0, false, fmt.Errorf("%w: %s; the history reaches back to %s", ErrTooOld, stamp(at),
			stamp(oldest))
	}
	raise(&s.seen, at)
	return at, at >= s.last, nil
}

// Time returns the time of a read of the newest state: all commits so far are no later, all to come
// are later.
func (s *Store) Time() time.Time {
	s.mu.RLock()
	defer s.mu.RUnlock()
	at, _, _ := s.readTime(time.Time{})
	return timeOf(at)
}

func raise(a *atomic.Int64, to int64) {
	for {
		old := a.Load()
		if old >= to || a.CompareAndSwap(old, to) {
			return
		}
	}
}

func timeOf(micros int64) time.Time { return time.UnixMicro(micros).UTC() }

func stamp(micros int64) string { return timeOf(micros).Format(time.RFC3339Nano) }
