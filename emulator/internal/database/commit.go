package database

import (
	"context"
	"errors"
	"time"

	"cloud.google.com/go/firestore/apiv1/firestorepb"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/timestamppb"

	"hippocampus/emulator/internal/limit"
	"hippocampus/emulator/internal/lock"
	"hippocampus/emulator/internal/resource"
	"hippocampus/emulator/internal/store"
	"hippocampus/emulator/internal/value"
	"hippocampus/emulator/internal/write"
)

// errWait says that a commit has to wait for a transaction and be made again.
var errWait = errors.New("wait")

// Commit makes all writes of a request, or none, in its transaction if it names one, which ends. It
// waits for older transactions that have read what it changes.
func (d *Database) Commit(ctx context.Context,
	req *firestorepb.CommitRequest) (*firestorepb.CommitResponse, error) {
	var x *lock.Transaction
	if id := req.GetTransaction(); len(id) > 0 {
		var err error
		if x, err = d.locks.Find(string(id)); err != nil {
			return nil, err
		}
		defer d.locks.End(x)
		if !x.ReadTime.IsZero() && len(req.GetWrites()) > 0 {
			return nil, status.Error(codes.InvalidArgument,
				"the transaction is read-only; begin one that may write")
		}
	}
	if !d.opts.Unlimited {
		if err := limit.CheckCommit(req); err != nil {
			return nil, err
		}
	}
	writes, err := d.check(req.GetWrites())
	if err != nil {
		return nil, err
	}
	results, at, err := d.commit(ctx, x, writes)
	if err != nil {
		return nil, err
	}
	return &firestorepb.CommitResponse{WriteResults: results, CommitTime: timestamppb.New(at)}, nil
}

// operation is a write that has been checked by itself.
type operation struct {
	*write.Operation
	path  resource.Path
	write *firestorepb.Write
}

// check checks all writes before any is made.
func (d *Database) check(writes []*firestorepb.Write) ([]operation, error) {
	all := make([]operation, len(writes))
	for i, w := range writes {
		op, err := write.Check(w)
		if err != nil {
			return nil, err
		}
		path, err := d.Name.Document(op.Name)
		if err != nil {
			return nil, err
		}
		if _, deletes := w.GetOperation().(*firestorepb.Write_Delete); !deletes &&
			!d.opts.Unlimited {
			if err := limit.CheckPath(path); err != nil {
				return nil, err
			}
		}
		all[i] = operation{op, path, w}
	}
	return all, checkRepeated(all)
}

// checkRepeated checks what writes require of documents that earlier writes of the request write.
func checkRepeated(all []operation) (err error) {
	type earlier struct{ first, last *firestorepb.Write }
	seen := make(map[resource.Path]earlier, len(all))
	for i, op := range all {
		e, repeated := seen[op.path]
		if !repeated {
			e.first = op.write
		} else if op.write.GetCurrentDocument() != nil {
			_, deleted := e.last.GetOperation().(*firestorepb.Write_Delete)
			if all[i].Operation, err = again(op, e.first, !deleted); err != nil {
				return err
			}
		}
		e.last = op.write
		seen[op.path] = e
	}
	return nil
}

// commit makes writes.
func (d *Database) commit(ctx context.Context, x *lock.Transaction,
	writes []operation) ([]*firestorepb.WriteResult, time.Time, error) {
	age := d.locks.Age()
	for {
		var holder *lock.Transaction
		var results []*firestorepb.WriteResult
		at, err := d.Store.Commit(func(tx *store.Tx) (err error) {
			if err = d.locks.Alive(x); err != nil {
				return err
			}
			if results, err = d.apply(tx, writes); err != nil {
				return err
			}
			if holder, err = d.locks.Admit(x, age, tx.Changes()); err == nil && holder != nil {
				err = errWait
			}
			return err
		})
		if err != errWait {
			return results, at, err
		}
		if err := d.locks.Wait(ctx, x, holder); err != nil {
			return nil, time.Time{}, err
		}
	}
}

// apply makes writes in a commit.
func (d *Database) apply(tx *store.Tx, writes []operation) ([]*firestorepb.WriteResult, error) {
	results := make([]*firestorepb.WriteResult, len(writes))
	for i, op := range writes {
		before := tx.Get(op.path)
		after, transformed, err := op.Apply(before, tx.Time)
		if err != nil {
			return nil, err
		}
		if original := tx.Original(op.path); before != original {
			after = unchanged(after, original)
		}
		results[i] = &firestorepb.WriteResult{TransformResults: transformed}
		if after == before {
			continue
		}
		if after != nil && !d.opts.Unlimited {
			if err := limit.CheckDocument(op.path, after, d.opts.Indexes); err != nil {
				return nil, err
			}
		}
		tx.Put(op.path, after)
	}
	for i, op := range writes { // all writes of a document return what the last one leaves
		results[i].UpdateTime = tx.Get(op.path).GetUpdateTime()
	}
	return results, nil
}

// unchanged returns original if writes of one commit have changed a document and changed it back:
// its update time stays. Otherwise it returns after.
func unchanged(after, original *firestorepb.Document) *firestorepb.Document {
	if after == nil || original == nil || !proto.Equal(after.GetCreateTime(),
		original.GetCreateTime()) ||
		!value.IdenticalFields(after.GetFields(), original.GetFields()) {
		return after
	}
	return original
}

// again returns the operation of a write with a precondition whose document was written earlier in
// its commit, first by the write first, and exists or not as the last one leaves it. What it
// requires of the document's existence must hold then. It may require the update time that the
// first one required; no other one can be known.
func again(op operation, first *firestorepb.Write, exists bool) (*write.Operation, error) {
	contradiction := func(what string) error {
		return status.Errorf(codes.InvalidArgument,
			"a write requires that %s %s, which no earlier write of the commit leaves so; correct one of them", op.path, what)
	}
	switch c := op.write.GetCurrentDocument().GetConditionType().(type) {
	case *firestorepb.Precondition_Exists:
		if c.Exists && !exists {
			return nil, contradiction("exists")
		}
		if !c.Exists && exists {
			return nil, contradiction("does not exist")
		}
	case *firestorepb.Precondition_UpdateTime:
		required := first.GetCurrentDocument().GetUpdateTime()
		_, deletes := op.write.GetOperation().(*firestorepb.Write_Delete)
		if !exists && !deletes || required == nil ||
			!required.AsTime().Equal(c.UpdateTime.AsTime()) {
			return nil, contradiction("was updated at " + c.UpdateTime.AsTime().String())
		}
		return write.Check(&firestorepb.Write{
			Operation: op.write.GetOperation(), UpdateMask: op.write.GetUpdateMask(),
			UpdateTransforms: op.write.GetUpdateTransforms(),
		})
	}
	return op.Operation, nil
}

// BatchWrite makes each write by itself, in no promised order, and returns each one's result and
// error. It refuses, as a whole, two writes to one document.
func (d *Database) BatchWrite(ctx context.Context,
	writes []*firestorepb.Write) ([]*firestorepb.WriteResult, []error, error) {
	all, err := d.check(writes)
	if err != nil {
		return nil, nil, err
	}
	seen := make(map[resource.Path]bool, len(all))
	for _, op := range all {
		if seen[op.path] {
			return nil, nil, status.Errorf(codes.InvalidArgument,
				"a batch writes %s twice; use one write, or Commit", op.path)
		}
		seen[op.path] = true
	}
	results, errs := make([]*firestorepb.WriteResult, len(all)), make([]error, len(all))
	for i := range all {
		one, _, err := d.commit(ctx, nil, all[i:i+1])
		if err != nil {
			results[i], errs[i] = &firestorepb.WriteResult{}, err
			continue
		}
		results[i] = one[0]
	}
	return results, errs, nil
}
