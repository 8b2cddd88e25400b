// Package lock makes transactions serializable, pessimistically, as Firestore's default does.
//
// A transaction locks what it reads: documents by their paths, existing or not, and queries as they
// are, so that documents that would come to match are locked out too. Locks are shared. A commit,
// in a transaction or not, is admitted when no other transaction has locked what it changes, and
// then takes place at once; nothing holds a lock for writing. So at its commit all that a
// transaction has read is as it was.
//
// Of two that are in each other's way the older one wins ("wound-wait", Rosenkrantz, Stearns and
// Lewis, 1978): a commit waits for older transactions and aborts younger ones. Nobody waits in a
// circle, and a transaction that is tried again keeps its age, so that its turn comes. A lock is
// gone when its transaction ends, at the latest after [Idle] without a call or after [Lifetime].
package lock

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"sync"
	"time"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"hippocampus/emulator/clock"
	"hippocampus/emulator/internal/query"
	"hippocampus/emulator/internal/resource"
	"hippocampus/emulator/internal/store"
)

// The limits of a transaction:
// https://firebase.google.com/docs/firestore/quotas#writes_and_transactions
const (
	Lifetime = 270 * time.Second
	Idle     = 60 * time.Second
)

// Table holds the transactions of one database. It is safe for concurrent use.
type Table struct {
	clock clock.Clock
	seed  uint64

	mu       sync.Mutex
	age      int64
	open     map[string]*Transaction // by id
	readers  map[resource.Path]map[*Transaction]struct{}
	querying map[*Transaction]struct{}
}

// Transaction is one transaction.
type Transaction struct {
	// ID names it to its client.
	ID string

	// ReadTime is when a read-only transaction reads; zero in one that writes. A read-only one
	// locks nothing.
	ReadTime time.Time

	age     int64
	begun   time.Time
	touched int   // how often its expiry was put off
	lost    error // why it was aborted, nil while it is alive
	paths   []resource.Path
	queries []*query.Query
	done    chan struct{} // closed when its locks are gone
	stop    func() bool   // the timer of its expiry
}

// NewTable returns a table without transactions. Their ids follow from the seed.
func NewTable(c clock.Clock, seed uint64) *Table {
	return &Table{
		clock: c, seed: seed, open: map[string]*Transaction{},
		readers:  map[resource.Path]map[*Transaction]struct{}{},
		querying: map[*Transaction]struct{}{},
	}
}

// Begin begins a transaction: a read-only one if readTime is not zero. retry is the id of the one
// that is tried again, or "": its age is kept, if it is still remembered. The error is
// INVALID_ARGUMENT: there was none of that id.
func (t *Table) Begin(readTime time.Time, retry string) (*Transaction, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if retry != "" && !t.begun(retry) {
		return nil, errUnknown
	}
	x := &Transaction{ReadTime: readTime, age: t.nextAge(), begun: t.clock.Now(),
		done: make(chan struct{})}
	x.ID = t.id(x.age)
	if old := t.open[retry]; old != nil {
		x.age = old.age
		t.release(old, "the transaction was tried again by another one; go on with that")
		t.remove(old)
	}
	t.open[x.ID] = x
	t.touch(x)
	return x, nil
}

var errUnknown = status.Error(codes.InvalidArgument,
	"there is no such transaction; give the id that began it, as it is")

// Age returns the age of a commit without a transaction that arrives now.
func (t *Table) Age() int64 {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.nextAge()
}

func (t *Table) nextAge() int64 {
	t.age++
	return t.age
}

// id makes the n-th id: n, and a checksum that tells it from what was never begun.
func (t *Table) id(n int64) string {
	id := binary.BigEndian.AppendUint64(nil, uint64(n))
	sum := sha256.Sum256(binary.BigEndian.AppendUint64(id, t.seed))
	return string(append(id, sum[:8]...))
}

// begun reports whether a transaction of an id has ever begun.
func (t *Table) begun(id string) bool {
	if len(id) != 16 {
		return false
	}
	n := int64(binary.BigEndian.Uint64([]byte(id)))
	return n <= t.age && t.id(n) == id
}

// Find returns the open transaction of an id. The error is ABORTED if it lost, else
// INVALID_ARGUMENT.
func (t *Table) Find(id string) (*Transaction, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	x := t.open[id]
	switch {
	case x == nil && !t.begun(id):
		return nil, errUnknown
	case x == nil:
		return nil, status.Error(codes.InvalidArgument,
			"the transaction is over: it was committed, rolled back or has expired; begin a new one")
	case x.lost != nil:
		return nil, x.lost
	}
	t.touch(x)
	return x, nil
}

// Rollback ends the transaction of an id, if it has not ended. The error is INVALID_ARGUMENT: there
// was none.
func (t *Table) Rollback(id string) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	if !t.begun(id) {
		return errUnknown
	}
	if x := t.open[id]; x != nil {
		t.end(x)
	}
	return nil
}

// LockDocuments locks documents for x, before it reads them. The error is ABORTED.
func (t *Table) LockDocuments(x *Transaction, paths ...resource.Path) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	if x.lost != nil {
		return x.lost
	}
	for _, p := range paths {
		readers := t.readers[p]
		if _, has := readers[x]; has {
			continue
		}
		if readers == nil {
			readers = map[*Transaction]struct{}{}
			t.readers[p] = readers
		}
		readers[x] = struct{}{}
		x.paths = append(x.paths, p)
	}
	return nil
}

// LockQuery locks the documents that match q, and those that would, whatever its offset and limit
// are, for x, before it runs q. The error is ABORTED.
func (t *Table) LockQuery(x *Transaction, q *query.Query) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	if x.lost != nil {
		return x.lost
	}
	x.queries = append(x.queries, q)
	t.querying[x] = struct{}{}
	return nil
}

// Alive returns nil if x is nil or alive, so that all that it has read is still so; else ABORTED. A
// commit asks before it looks at anything, and a read after it has: what a transaction that has
// lost finds is not what it has read.
func (t *Table) Alive(x *Transaction) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	if x == nil {
		return nil
	}
	return x.lost
}

// Admit decides whether a commit may make its changes; x is its transaction or nil, and age its
// age without one. If it returns nil and no error the commit may, and x has ended. A
// transaction that it returns must end first: then ask again. The error is ABORTED. The caller
// lets nobody read or commit between Admit and the changes.
func (t *Table) Admit(x *Transaction, age int64,
	changes []store.Change) (wait *Transaction, err error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if x != nil {
		if x.lost != nil {
			return nil, x.lost
		}
		age = x.age
	}
	var younger []*Transaction
	for _, holder := range t.holders(x, changes) {
		if holder.age < age {
			return holder, nil
		}
		younger = append(younger, holder)
	}
	for _, loser := range younger {
		t.release(loser, "the transaction was aborted: another one changed what it has read; try it again")
	}
	if x != nil {
		t.end(x)
	}
	return nil, nil
}

// holders returns the transactions other than x that have locked one of the changes, some more than
// once.
func (t *Table) holders(x *Transaction, changes []store.Change) []*Transaction {
	var all []*Transaction
	for _, c := range changes {
		for holder := range t.readers[c.Path] {
			if holder != x {
				all = append(all, holder)
			}
		}
		for holder := range t.querying {
			if holder != x && holder.sees(c) {
				all = append(all, holder)
			}
		}
	}
	return all
}

// sees reports whether a change concerns a query of x.
func (x *Transaction) sees(c store.Change) bool {
	for _, q := range x.queries {
		if q.In(c.Path) && (c.Before != nil && q.Matches(c.Path, c.Before) || c.After != nil && q.Matches(c.Path, c.After)) {
			return true
		}
	}
	return false
}

// Wait returns when the transaction that Admit returned has ended. The error is ABORTED if x, which
// waits, is lost, or that of ctx.
func (t *Table) Wait(ctx context.Context, x, holder *Transaction) error {
	var lost chan struct{}
	if x != nil {
		lost = x.done
	}
	select {
	case <-holder.done:
		return nil
	case <-lost:
		t.mu.Lock()
		defer t.mu.Unlock()
		return x.lost
	case <-ctx.Done():
		return status.FromContextError(ctx.Err()).Err()
	}
}

// End ends x and lets go of its locks. It may have ended before. One that was aborted is remembered
// until it expires, with its age, for the one that tries it again.
func (t *Table) End(x *Transaction) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.end(x)
}

// Open returns how many transactions are open or remembered.
func (t *Table) Open() int {
	t.mu.Lock()
	defer t.mu.Unlock()
	return len(t.open)
}

// touch puts off the expiry of x. t.mu is held, as in all that follow but expire.
func (t *Table) touch(x *Transaction) {
	if x.stop != nil {
		x.stop()
	}
	x.touched++
	touched := x.touched
	left := max(0, min(Idle, Lifetime-t.clock.Now().Sub(x.begun)))
	x.stop = t.clock.AfterFunc(left, func() { t.expire(x, touched) })
}

// expire ends x, unless it was touched since.
func (t *Table) expire(x *Transaction, touched int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if x.touched != touched {
		return
	}
	t.release(x, "the transaction has expired: there was no call of it for 60 s, or it lasted for 270 s; begin a new one")
	t.remove(x)
}

func (t *Table) end(x *Transaction) {
	if x.lost == nil {
		t.release(x, "the transaction has ended; begin a new one")
		t.remove(x)
	}
}

// release lets go of what x holds, if it is alive, and says why it is not any more.
func (t *Table) release(x *Transaction, why string) {
	if x.lost != nil {
		return
	}
	x.lost = status.Error(codes.Aborted, why)
	for _, p := range x.paths {
		delete(t.readers[p], x)
		if len(t.readers[p]) == 0 {
			delete(t.readers, p)
		}
	}
	delete(t.querying, x)
	x.paths, x.queries = nil, nil
	close(x.done)
}

func (t *Table) remove(x *Transaction) {
	x.stop()
	delete(t.open, x.ID)
}
