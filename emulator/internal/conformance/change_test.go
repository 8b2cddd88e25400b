package conformance

import (
	"fmt"
	"math"
	"time"

	"cloud.google.com/go/firestore/apiv1/firestorepb"
	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/testing/protocmp"
	"google.golang.org/protobuf/types/known/timestamppb"
)

type (
	fields         = map[string]*firestorepb.Value
	fieldTransform = firestorepb.DocumentTransform_FieldTransform
)

// merge returns the write of the mask's paths: they are set to what f has of them, or removed.
// Without a path the mask is empty, not absent.
func (t *T) merge(path string, f fields, mask ...string) *firestorepb.Write {
	w := t.set(path, f)
	w.UpdateMask = &firestorepb.DocumentMask{FieldPaths: mask}
	return w
}

// transform returns the write that changes nothing but what the transforms do.
func (t *T) transform(path string, transforms ...*fieldTransform) *firestorepb.Write {
	w := t.merge(path, nil)
	w.UpdateTransforms = transforms
	return w
}

// autoID is the n-th of a series of ids in order.
func autoID(n int) string { return fmt.Sprintf("d%05d", n) }

// then adds transforms to a write.
func then(w *firestorepb.Write, transforms ...*fieldTransform) *firestorepb.Write {
	w.UpdateTransforms = transforms
	return w
}

// oldTransform returns a write of the kind that has only transforms.
func (t *T) oldTransform(path string, transforms ...*fieldTransform) *firestorepb.Write {
	return &firestorepb.Write{Operation: &firestorepb.Write_Transform{
		Transform: &firestorepb.DocumentTransform{Document: t.Name(path), FieldTransforms: transforms},
	}}
}

// onlyIf makes a write depend on the document's existence.
func onlyIf(exists bool, w *firestorepb.Write) *firestorepb.Write {
	w.CurrentDocument = &firestorepb.Precondition{ConditionType: &firestorepb.Precondition_Exists{Exists: exists}}
	return w
}

// onlyAt makes a write depend on the document's update time.
func onlyAt(at *timestamppb.Timestamp, w *firestorepb.Write) *firestorepb.Write {
	w.CurrentDocument = &firestorepb.Precondition{ConditionType: &firestorepb.Precondition_UpdateTime{UpdateTime: at}}
	return w
}

// later returns a time some duration after at.
func later(at *timestamppb.Timestamp, by time.Duration) *timestamppb.Timestamp {
	return timestamppb.New(at.AsTime().Add(by))
}

// same checks that two messages are equal; NaN is equal to NaN.
func (t *T) same(want, got proto.Message) {
	t.Helper()
	if !proto.Equal(want, got) {
		require.Fail(t, "not the same", cmp.Diff(want, got, protocmp.Transform()))
	}
}

// is checks that two values have the same type and content: -0.0 is not 0.0.
func (t *T) is(want, got *firestorepb.Value) {
	t.Helper()
	t.same(want, got)
	require.Equal(t, math.Signbit(want.GetDoubleValue()), math.Signbit(got.GetDoubleValue()), "sign")
}

// before checks that a is before b.
func (t *T) before(a, b *timestamppb.Timestamp) {
	t.Helper()
	require.NotNil(t, a)
	require.NotNil(t, b)
	require.True(t, a.AsTime().Before(b.AsTime()), "%s is not before %s", a.AsTime(), b.AsTime())
}
