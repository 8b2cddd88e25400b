package store

import (
	"time"

	"cloud.google.com/go/firestore/apiv1/firestorepb"
	"google.golang.org/protobuf/proto"

	"hippocampus/emulator/internal/resource"
)

// Tx is a commit that is being made.
type Tx struct {
	// Time of the commit.
	Time time.Time

	store   *Store
	changes []Change // of documents that were put; Before may be After
	index   map[resource.Path]int
}

// Commit has f read and change documents, and makes its changes all at once, at the time that it
// returns. If f returns an error nothing is changed. All else waits meanwhile, so f must be quick.
func (s *Store) Commit(f func(*Tx) error) (time.Time, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := s.now().UnixMicro()
	at := max(now, s.last+1, s.seen.Load()+1)
	tx := &Tx{Time: timeOf(at), store: s}
	if err := f(tx); err != nil {
		return time.Time{}, err
	}
	s.seen.Store(at)
	changes := tx.Changes()
	if len(changes) > 0 {
		s.last = at
		for _, c := range changes {
			s.apply(c, at)
		}
		for w := range s.watchers {
			(*w)(tx.Time, changes)
		}
	}
	s.forget(at)
	return tx.Time, nil
}

func (s *Store) apply(c Change, at int64) {
	d := s.place(c.Path)
	size := 0
	if c.After != nil {
		size = proto.Size(c.After)
	}
	s.replace(d, &version{at: at, doc: c.After, bytes: size})
	d.in.indexes.update(d, c.Before, c.After)
	d.in.group.indexes.update(d, c.Before, c.After)
}

// Get returns the document at path as this commit has it, or nil.
func (tx *Tx) Get(p resource.Path) *firestorepb.Document {
	if i, ok := tx.index[p]; ok {
		return tx.changes[i].After
	}
	if d := tx.store.find(p); d != nil {
		return d.head.doc
	}
	return nil
}

// Original returns the document at path as it was before this commit, or nil.
func (tx *Tx) Original(p resource.Path) *firestorepb.Document {
	if i, ok := tx.index[p]; ok {
		return tx.changes[i].Before
	}
	return tx.Get(p)
}

// Put changes the document at path, or deletes it if doc is nil. The store keeps doc, which must
// not change any more.
func (tx *Tx) Put(p resource.Path, doc *firestorepb.Document) {
	if i, ok := tx.index[p]; ok {
		tx.changes[i].After = doc
		return
	}
	if tx.index == nil {
		tx.index = map[resource.Path]int{}
	}
	tx.changes = append(tx.changes, Change{Path: p, Before: tx.Get(p), After: doc})
	tx.index[p] = len(tx.changes) - 1
}

// Clear deletes all documents that there were before the commit.
func (tx *Tx) Clear() {
	tx.store.collections.Scan(func(_ string, c *collection) bool {
		c.documents.Scan(func(d *document) bool {
			if d.head.doc != nil {
				tx.Put(d.path, nil)
			}
			return true
		})
		return true
	})
}

// Changes returns what the commit changes so far, in the order in which documents were put first.
func (tx *Tx) Changes() []Change {
	changes := make([]Change, 0, len(tx.changes))
	for _, c := range tx.changes {
		if c.Before != c.After {
			changes = append(changes, c)
		}
	}
	return changes
}

// Watch has f called with the time and the changes of every commit that changes something, in their
// order, until stop is called. The commit waits for f, which must neither block nor use the store.
func (s *Store) Watch(f func(time.Time, []Change)) (stop func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.watchers[&f] = struct{}{}
	return func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		delete(s.watchers, &f)
	}
}
