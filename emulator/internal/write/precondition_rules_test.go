package write_test

import (
	pb "cloud.google.com/go/firestore/apiv1/firestorepb"
	"google.golang.org/grpc/codes"
	"google.golang.org/protobuf/types/known/timestamppb"

	"hippocampus/emulator/internal/literal"
)

// preconditionRules are of every kind of write, with and without a document.
func preconditionRules() []rule {
	old := func() fields { return fields{"a": literal.Int(1)} }
	var all []rule
	for _, op := range []struct {
		name        string
		write       func() *pb.Write
		made        fields // of no document
		changed     fields // of old
		madeResults []*pb.Value
		results     []*pb.Value
	}{
		{"update", func() *pb.Write { return update(fields{"b": literal.Int(2)}) }, fields{"b": literal.Int(2)}, fields{"b": literal.Int(2)}, nil, nil},
		{"merge", func() *pb.Write { return merge(fields{"b": literal.Int(2)}, paths("b")) }, fields{"b": literal.Int(2)}, fields{"a": literal.Int(1), "b": literal.Int(2)}, nil, nil},
		{"transform", func() *pb.Write { return legacy(literal.Increment("a", literal.Int(1))) }, fields{"a": literal.Int(1)}, fields{"a": literal.Int(2)}, []*pb.Value{literal.Int(1)}, []*pb.Value{literal.Int(2)}},
		{"delete", remove, nil, nil, nil, nil},
	} {
		late := &timestamppb.Timestamp{Seconds: 4_000_000_000}
		early := &timestamppb.Timestamp{Seconds: 1000}
		unset := func() *pb.Write { w := op.write(); w.CurrentDocument = &pb.Precondition{}; return w }
		all = append(all,
			rule{name: op.name + " of no document", write: op.write(), want: op.made, results: op.madeResults},
			rule{name: op.name + " of a document", old: old(), write: op.write(), want: op.changed, results: op.results},
			rule{name: op.name + " with an unset precondition", old: old(), write: unset(), want: op.changed, results: op.results},
			rule{name: op.name + " if it exists, of no document", write: ifExists(op.write(), true), code: codes.NotFound},
			rule{name: op.name + " if it exists, of a document", old: old(), write: ifExists(op.write(), true), want: op.changed, results: op.results},
			rule{name: op.name + " if it does not exist, of no document", write: ifExists(op.write(), false), want: op.made, results: op.madeResults},
			rule{name: op.name + " if it does not exist, of a document", old: old(), write: ifExists(op.write(), false), code: codes.AlreadyExists},
			rule{name: op.name + " of a version, of no document", write: ifUpdated(op.write(), early), code: codes.FailedPrecondition},
			rule{name: op.name + " of another version", old: old(), write: ifUpdated(op.write(), early), code: codes.FailedPrecondition},
			rule{name: op.name + " of a version to come", old: old(), write: ifUpdated(op.write(), late), code: codes.InvalidArgument},
			rule{name: op.name + " of a version to come, of no document", write: ifUpdated(op.write(), late), code: codes.FailedPrecondition},
			rule{name: op.name + " of the version 0, of no document", write: ifUpdated(op.write(), &timestamppb.Timestamp{}), code: codes.FailedPrecondition,
				differs: "takes 0 as the version of a document that does not exist"},
			rule{name: op.name + " of the version 0", old: old(), write: ifUpdated(op.write(), &timestamppb.Timestamp{}), code: codes.FailedPrecondition},
			rule{name: op.name + " of a version with nanoseconds", old: old(), write: ifUpdated(op.write(), &timestamppb.Timestamp{Seconds: 1000, Nanos: 5}), code: codes.InvalidArgument},
			rule{name: op.name + " of a version that is no time", old: old(), write: ifUpdated(op.write(), &timestamppb.Timestamp{Seconds: 1e15}), code: codes.InvalidArgument},
		)
	}
	return all
}
