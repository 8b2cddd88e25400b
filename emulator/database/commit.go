package database

import (
	"context"
	"errors"
	"slices"
	"time"

	"cloud.google.com/go/firestore/apiv1/firestorepb"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/types/known/timestamppb"

	"hippocampus/emulator/limit"
	"hippocampus/emulator/lock"
	"hippocampus/emulator/resource"
	"hippocampus/emulator/store"
	"hippocampus/emulator/write"
)

// errWait says that a commit has to wait for a transaction and be made again.
var errWait = errors.New("wait")

// Commit makes all writes of a request, or none, in its transaction if it names one, which ends. It waits for older
// transactions that have read what it changes.
func (d *Database) Commit(ctx context.Context, req *firestorepb.CommitRequest) (*firestorepb.CommitResponse, error) {
	var x *lock.Transaction
	if id := req.GetTransaction(); len(id) > 0 {
		var err error
		if x, err = d.locks.Find(string(id)); err != nil {
			return nil, err
		}
		defer d.locks.End(x)
		if !x.ReadTime.IsZero() && len(req.GetWrites()) > 0 {
			return nil, status.Error(codes.InvalidArgument, "the transaction is read-only; begin one that may write")
		}
	}
	if !d.opts.Unlimited {
		if err := limit.CheckCommit(req); err != nil {
			return nil, err
		}
	}
	paths, err := d.paths(req.GetWrites())
	if err != nil {
		return nil, err
	}
	results, at, err := d.commit(ctx, x, paths, req.GetWrites())
	if err != nil {
		return nil, err
	}
	return &firestorepb.CommitResponse{WriteResults: results, CommitTime: timestamppb.New(at)}, nil
}

// paths returns the path of the document that each write writes.
func (d *Database) paths(writes []*firestorepb.Write) ([]resource.Path, error) {
	paths := make([]resource.Path, len(writes))
	for i, w := range writes {
		name, err := write.Name(w)
		if err != nil {
			return nil, err
		}
		if paths[i], err = d.Name.Document(name); err != nil {
			return nil, err
		}
		if !d.opts.Unlimited {
			if err := limit.CheckPath(paths[i]); err != nil {
				return nil, err
			}
		}
	}
	return paths, nil
}

// commit makes writes, to the documents at paths.
func (d *Database) commit(ctx context.Context, x *lock.Transaction, paths []resource.Path, writes []*firestorepb.Write) ([]*firestorepb.WriteResult, time.Time, error) {
	age := d.locks.Age()
	for {
		var holder *lock.Transaction
		var results []*firestorepb.WriteResult
		at, err := d.Store.Commit(func(tx *store.Tx) (err error) {
			if results, err = d.apply(tx, paths, writes); err != nil {
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
func (d *Database) apply(tx *store.Tx, paths []resource.Path, writes []*firestorepb.Write) ([]*firestorepb.WriteResult, error) {
	results := make([]*firestorepb.WriteResult, len(writes))
	for i, w := range writes {
		before := tx.Get(paths[i])
		if earlier := slices.Index(paths[:i], paths[i]); earlier >= 0 && w.GetCurrentDocument() != nil {
			var err error
			if w, err = again(w, writes[earlier], before, paths[i]); err != nil {
				return nil, err
			}
		}
		after, transformed, err := write.Apply(before, w, tx.Time)
		if err != nil {
			return nil, err
		}
		results[i] = &firestorepb.WriteResult{TransformResults: transformed}
		if after != nil {
			results[i].UpdateTime = after.GetUpdateTime()
		}
		if after == before {
			continue
		}
		if after != nil && !d.opts.Unlimited {
			if err := limit.CheckDocument(paths[i], after, d.opts.Indexes); err != nil {
				return nil, err
			}
		}
		tx.Put(paths[i], after)
	}
	return results, nil
}

// again returns a write with a precondition whose document was written earlier in its commit, first by the write
// first, and is now as that left it. What it requires of the document's existence must hold now. It may require the
// update time that the first one required; no other one can be known.
func again(w, first *firestorepb.Write, now *firestorepb.Document, path resource.Path) (*firestorepb.Write, error) {
	contradiction := func(what string) error {
		return status.Errorf(codes.InvalidArgument, "a write requires that %s %s, which no earlier write of the commit leaves so; correct one of them", path, what)
	}
	switch c := w.GetCurrentDocument().GetConditionType().(type) {
	case *firestorepb.Precondition_Exists:
		if c.Exists && now == nil {
			return nil, contradiction("exists")
		}
		if !c.Exists && now != nil {
			return nil, contradiction("does not exist")
		}
	case *firestorepb.Precondition_UpdateTime:
		required := first.GetCurrentDocument().GetUpdateTime()
		if now == nil || required == nil || !required.AsTime().Equal(c.UpdateTime.AsTime()) {
			return nil, contradiction("was updated at " + c.UpdateTime.AsTime().String())
		}
		return &firestorepb.Write{Operation: w.GetOperation(), UpdateMask: w.GetUpdateMask(), UpdateTransforms: w.GetUpdateTransforms()}, nil
	}
	return w, nil
}

// BatchWrite makes each write by itself, in no promised order, and returns each one's result and error. It refuses, as
// a whole, two writes to one document.
func (d *Database) BatchWrite(ctx context.Context, writes []*firestorepb.Write) ([]*firestorepb.WriteResult, []error, error) {
	paths, err := d.paths(writes)
	if err != nil {
		return nil, nil, err
	}
	seen := make(map[resource.Path]bool, len(paths))
	for _, p := range paths {
		if seen[p] {
			return nil, nil, status.Errorf(codes.InvalidArgument, "a batch writes %s twice; use one write, or Commit", p)
		}
		seen[p] = true
	}
	results, errs := make([]*firestorepb.WriteResult, len(writes)), make([]error, len(writes))
	for i := range writes {
		one, _, err := d.commit(ctx, nil, paths[i:i+1], writes[i:i+1])
		if err != nil {
			results[i], errs[i] = &firestorepb.WriteResult{}, err
			continue
		}
		results[i] = one[0]
	}
	return results, errs, nil
}
