// Package write does to one document what a Write of Firestore's protocol says: it checks the
// write, looks at its precondition, and replaces, merges, transforms or deletes. It stores nothing.
//
// Documents are never changed: what comes out is a new document that shares with the old one, and
// with the write, what stays. Limits of size are another package's matter.
//
// Sources: the comments of write.proto, common.proto and document.proto, and the official emulator
// where those leave something open.
package write

import (
	"time"

	pb "cloud.google.com/go/firestore/apiv1/firestorepb"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/types/known/timestamppb"

	"hippocampus/emulator/internal/value"
)

// Operation is a Write that has been checked by itself, without its document. Firestore does that
// with all writes of a request before it looks at a document.
type Operation struct {
	// Name is the full name of the document that is written. It has not been checked.
	Name string

	deletes      bool
	fields       map[string]*pb.Value // of an update, as they are stored
	masked       bool                 // whether only the fields of mask are written
	mask         []value.Path
	transforms   []transform
	precondition precondition
}

// Check reads a write. The error is INVALID_ARGUMENT: no operation, a mask where none may be,
// values that cannot be stored, bad field paths.
func Check(w *pb.Write) (*Operation, error) {
	op := &Operation{}
	var err error
	if op.precondition, err = checkPrecondition(w.GetCurrentDocument()); err != nil {
		return nil, err
	}
	transforms := w.GetUpdateTransforms()
	switch o := w.GetOperation().(type) {
	case *pb.Write_Update:
		op.Name = o.Update.GetName()
		if op.fields, err = checkFields(o.Update.GetFields()); err != nil {
			return nil, err
		}
		op.masked = w.GetUpdateMask() != nil
		if op.mask, err = checkMask(w.GetUpdateMask()); err != nil {
			return nil, err
		}
	case *pb.Write_Delete:
		op.Name = o.Delete
		op.deletes = true
		err = refuseMaskAndTransforms(w, "a delete")
	case *pb.Write_Transform:
		op.Name = o.Transform.GetDocument()
		err = refuseMaskAndTransforms(w, "a transform")
		op.masked = true // all other fields stay
		transforms = o.Transform.GetFieldTransforms()
		if err == nil && len(transforms) == 0 {
			err = invalid("the transform of %s is empty: give at least one field_transforms",
				op.Name)
		}
	default:
		err = invalid("a write has no operation: set update, delete or transform")
	}
	if err != nil {
		return nil, err
	}
	op.transforms, err = checkTransforms(transforms)
	return op, err
}

func refuseMaskAndTransforms(w *pb.Write, what string) error {
	if w.GetUpdateMask() != nil {
		return invalid("%s must not have an update_mask: only an update has one", what)
	}
	if len(w.GetUpdateTransforms()) > 0 {
		return invalid("%s must not have update_transforms: only an update has them", what)
	}
	return nil
}

// Apply returns the document after the write, committed at now, in microseconds. old is nil if
// there is none. after is nil if there is none afterwards, and old itself if the write changes
// nothing. results are those of the transforms, in their order. The error is that of a precondition
// that is not met: NOT_FOUND, ALREADY_EXISTS, FAILED_PRECONDITION, or INVALID_ARGUMENT for an
// update time that is yet to come.
func (op *Operation) Apply(old *pb.Document,
	now time.Time) (after *pb.Document, results []*pb.Value, err error) {
	if err := op.precondition.check(op.Name, old); err != nil {
		return nil, nil, err
	}
	if op.deletes {
		return nil, nil, nil
	}
	e := value.Edit(op.fields)
	if op.masked {
		e = value.Edit(old.GetFields())
		merge(e, op.fields, op.mask)
	}
	for _, t := range op.transforms {
		results = append(results, t.apply(e, now))
	}
	fields := e.Fields()
	if old != nil && value.IdenticalFields(old.GetFields(), fields) {
		return old, results, nil
	}
	after = &pb.Document{Name: op.Name, Fields: fields, UpdateTime: timestamppb.New(now)}
	after.CreateTime = after.UpdateTime
	if old != nil {
		after.CreateTime = old.GetCreateTime()
	}
	return after, results, nil
}

func invalid(format string, args ...any) error {
	return status.Errorf(codes.InvalidArgument, format, args...)
}
