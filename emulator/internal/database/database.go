// Package database is one Firestore database: its documents, its transactions and its limits,
// without the protocol.
package database

import (
	"encoding/binary"
	"errors"
	"hash/fnv"
	"time"

	"cloud.google.com/go/firestore/apiv1/firestorepb"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"hippocampus/emulator/clock"
	"hippocampus/emulator/internal/limit"
	"hippocampus/emulator/internal/literal"
	"hippocampus/emulator/internal/lock"
	"hippocampus/emulator/internal/query"
	"hippocampus/emulator/internal/resource"
	"hippocampus/emulator/internal/store"
)

// Options of a database.
type Options struct {
	// Clock tells the times of commits and ends transactions.
	Clock clock.Clock
	// Seed of the ids of transactions.
	Seed uint64
	// HistoryBytes bounds what is kept for reads in the past; 0 is the store's default.
	HistoryBytes int
	// Unlimited leaves out the checks of package limit.
	Unlimited bool
	// Indexes are exemptions from indexing, which count for the limit on index entries. May be nil.
	Indexes *limit.Indexes
}

// Database is one database. It is safe for concurrent use. All its errors are of package status.
type Database struct {
	Name  resource.Database
	Store *store.Store
	// Born is when the database was made, empty.
	Born time.Time

	opts  Options
	locks *lock.Table
}

// New returns an empty database.
func New(name resource.Database, o Options) *Database {
	return &Database{
		Name:  name,
		Store: store.New(&store.Options{Now: o.Clock.Now, HistoryBytes: o.HistoryBytes}),
		Born:  o.Clock.Now().Truncate(time.Microsecond),
		opts:  o,
		locks: lock.NewTable(o.Clock, seedOf(name, o.Seed)),
	}
}

// seedOf is a seed for each database of an emulator, so that none takes another one's transaction
// for its own.
func seedOf(name resource.Database, seed uint64) uint64 {
	h := fnv.New64a()
	_, _ = h.Write(binary.BigEndian.AppendUint64([]byte(name.String()), seed)) // never fails
	return h.Sum64()
}

// View is the state that a read sees: the newest one if it is zero, else that at a past time or of
// a transaction, as the consistency selector of a request says.
type View struct {
	At          time.Time
	Transaction *lock.Transaction
	Begun       []byte // the id of the transaction if the request has begun it
}

// Selector is the consistency selector of a read request; at most one field is set.
type Selector struct {
	Transaction []byte
	New         *firestorepb.TransactionOptions
	ReadTime    time.Time
}

// View finds or begins what a selector selects.
func (d *Database) View(s Selector) (View, error) {
	switch {
	case s.New != nil:
		o := s.New
		if o.GetMode() == nil { // of a read it reads only; of BeginTransaction it writes, too
			o = &firestorepb.TransactionOptions{Mode: &firestorepb.TransactionOptions_ReadOnly_{ReadOnly: &firestorepb.TransactionOptions_ReadOnly{}}}
		}
		x, err := d.begin(o)
		if err != nil {
			return View{}, err
		}
		return View{At: x.ReadTime, Transaction: x, Begun: []byte(x.ID)}, nil
	case len(s.Transaction) > 0:
		x, err := d.locks.Find(string(s.Transaction))
		if err != nil {
			return View{}, err
		}
		return View{At: x.ReadTime, Transaction: x}, nil
	}
	return View{At: s.ReadTime}, nil
}

// locking returns the transaction that locks what a view reads, or nil.
func (v View) locking() *lock.Transaction {
	if v.Transaction == nil || !v.Transaction.ReadTime.IsZero() {
		return nil
	}
	return v.Transaction
}

// Get returns the documents at paths, in that order, nil for one that does not exist, and the time
// of the read.
func (d *Database) Get(v View, paths ...resource.Path) ([]*firestorepb.Document, time.Time, error) {
	if x := v.locking(); x != nil {
		if err := d.locks.LockDocuments(x, paths...); err != nil {
			return nil, time.Time{}, err
		}
	}
	docs, at, err := d.Store.Get(v.At, paths...)
	return docs, at, d.readError(v, err)
}

// Query runs a query.
func (d *Database) Query(v View, q *query.Query) (store.Result, error) {
	if err := d.lockQuery(v, q); err != nil {
		return store.Result{}, err
	}
	r, err := d.Store.Query(v.At, q)
	return r, d.readError(v, err)
}

// Each runs a query and calls f with each document that it finds, in order. f must not block.
func (d *Database) Each(v View, q *query.Query,
	f func(*firestorepb.Document)) (store.Result, error) {
	if err := d.lockQuery(v, q); err != nil {
		return store.Result{}, err
	}
	r, err := d.Store.Each(v.At, q, f)
	return r, d.readError(v, err)
}

func (d *Database) lockQuery(v View, q *query.Query) error {
	if x := v.locking(); x != nil {
		return d.locks.LockQuery(x, q)
	}
	return nil
}

// List lists the documents of a collection and the missing ones, as in [store.Store.List].
func (d *Database) List(v View, in, after resource.Path,
	limit int) ([]store.Listed, time.Time, error) {
	if x := v.locking(); x != nil {
		// What is missing depends on all that is below the collection. No query is of just that.
		everything, err := query.Compile(d.Name, d.Name.Name(in.Collection()),
			&firestorepb.StructuredQuery{From: literal.From("", true)})
		if err != nil {
			return nil, time.Time{}, err
		}
		if err := d.locks.LockQuery(x, everything); err != nil {
			return nil, time.Time{}, err
		}
	}
	all, at, err := d.Store.List(v.At, in, after, limit)
	return all, at, d.readError(v, err)
}

// CollectionIDs lists the collections below a document or the root, as in
// [store.Store.CollectionIDs].
func (d *Database) CollectionIDs(at time.Time, parent resource.Path, after string,
	limit int) ([]string, time.Time, error) {
	ids, at, err := d.Store.CollectionIDs(at, parent, after, limit)
	return ids, at, readError(err)
}

// readError is the error of a read that was made: its own, or that its transaction has lost
// meanwhile and may have read what does not go with what it has read before. A transaction that the
// read has begun has read nothing before, and its client still has to learn its id.
func (d *Database) readError(v View, err error) error {
	if x := v.locking(); x != nil && err == nil && v.Begun == nil {
		return d.locks.Alive(x)
	}
	if v.Transaction != nil && errors.Is(err, store.ErrTooOld) {
		return status.Errorf(codes.FailedPrecondition,
			"%v: the transaction has lasted for longer than that; begin a new transaction", err)
	}
	return readError(err)
}

// readError gives a failed read its code.
func readError(err error) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, store.ErrFuture):
		return status.Errorf(codes.InvalidArgument, "%v; ask for a time that has passed", err)
	case errors.Is(err, store.ErrTooOld):
		return status.Errorf(codes.FailedPrecondition, "%v; read at a later time", err)
	}
	return status.Error(codes.Internal, err.Error())
}

// Begin begins a transaction and returns its id.
func (d *Database) Begin(o *firestorepb.TransactionOptions) ([]byte, error) {
	x, err := d.begin(o)
	if err != nil {
		return nil, err
	}
	return []byte(x.ID), nil
}

func (d *Database) begin(o *firestorepb.TransactionOptions) (*lock.Transaction, error) {
	only := o.GetReadOnly()
	if only == nil {
		return d.locks.Begin(time.Time{}, string(o.GetReadWrite().GetRetryTransaction()))
	}
	var asked time.Time
	if only.GetReadTime() != nil {
		asked = only.GetReadTime().AsTime()
	}
	_, at, err := d.Store.Get(asked)
	if err != nil {
		return nil, readError(err)
	}
	return d.locks.Begin(at, "")
}

// Rollback ends a transaction without a commit.
func (d *Database) Rollback(id []byte) error {
	return d.locks.Rollback(string(id))
}

// Transactions returns how many transactions are open or remembered.
func (d *Database) Transactions() int { return d.locks.Open() }

// Clear deletes all documents in one commit, past every lock: transactions that have read one of
// them lose.
func (d *Database) Clear() error {
	_, err := d.Store.Commit(func(tx *store.Tx) error {
		tx.Clear()
		_, err := d.locks.Admit(nil, 0, tx.Changes()) // older than all
		return err
	})
	return err
}
