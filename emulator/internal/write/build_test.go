package write_test

import (
	"math"
	"time"

	pb "cloud.google.com/go/firestore/apiv1/firestorepb"
	"github.com/google/go-cmp/cmp"
	"google.golang.org/protobuf/testing/protocmp"
	"google.golang.org/protobuf/types/known/timestamppb"

	"hippocampus/emulator/internal/literal"
	"hippocampus/emulator/internal/write"
)

const root = "projects/demo-p/databases/(default)/documents/"

type (
	fields = map[string]*pb.Value
	change = pb.DocumentTransform_FieldTransform
)

var (
	negativeZero = math.Copysign(0, -1)
	infinity     = math.Inf(1)
	nan          = math.NaN()
)

// exactly compares messages with zero and minus zero different and every NaN the same.
var exactly = cmp.Options{protocmp.Transform(), cmp.Comparer(func(a, b float64) bool {
	return math.Float64bits(a) == math.Float64bits(b) || math.IsNaN(a) && math.IsNaN(b)
})}

// typed is a map with __type__.
func typed(kind, v *pb.Value) *pb.Value {
	f := fields{"__type__": kind}
	if v != nil {
		f["value"] = v
	}
	return literal.Map(f)
}

// update replaces the document.
func update(f fields, changes ...*change) *pb.Write {
	return &pb.Write{Operation: &pb.Write_Update{Update: &pb.Document{Fields: f}}, UpdateTransforms: changes}
}

// merge writes the fields of the mask.
func merge(f fields, mask []string, changes ...*change) *pb.Write {
	w := update(f, changes...)
	w.UpdateMask = &pb.DocumentMask{FieldPaths: mask}
	return w
}

// paths is a mask.
func paths(p ...string) []string { return p }

func remove() *pb.Write { return &pb.Write{Operation: &pb.Write_Delete{}} }

// legacy is a write that only transforms.
func legacy(changes ...*change) *pb.Write {
	return &pb.Write{Operation: &pb.Write_Transform{Transform: &pb.DocumentTransform{FieldTransforms: changes}}}
}

func ifExists(w *pb.Write, exists bool) *pb.Write {
	w.CurrentDocument = &pb.Precondition{ConditionType: &pb.Precondition_Exists{Exists: exists}}
	return w
}

func ifUpdated(w *pb.Write, at *timestamppb.Timestamp) *pb.Write {
	w.CurrentDocument = &pb.Precondition{ConditionType: &pb.Precondition_UpdateTime{UpdateTime: at}}
	return w
}

// apply checks w and does it to old.
func apply(old *pb.Document, w *pb.Write, now time.Time) (after *pb.Document, results []*pb.Value, err error) {
	op, err := write.Check(w)
	if err != nil {
		return nil, nil, err
	}
	return op.Apply(old, now)
}

// named returns w as a write of the document of that name.
func named(w *pb.Write, name string) *pb.Write {
	switch o := w.Operation.(type) {
	case *pb.Write_Update:
		o.Update.Name = name
	case *pb.Write_Delete:
		o.Delete = name
	case *pb.Write_Transform:
		o.Transform.Document = name
	}
	return w
}
