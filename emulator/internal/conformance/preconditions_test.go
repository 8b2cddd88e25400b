package conformance

import (
	"time"

	"cloud.google.com/go/firestore/apiv1/firestorepb"
	"google.golang.org/grpc/codes"
	"google.golang.org/protobuf/types/known/timestamppb"

	"hippocampus/emulator/internal/literal"
)

const preconditionPage = "proto common.proto, Precondition"

// preconditions are about writes that depend on what is there.
var preconditions = []Check{
	prevented("an update of a missing document that must exist", codes.NotFound,
		func(t *T, _ *timestamppb.Timestamp) *firestorepb.Write {
			return onlyIf(true, t.set("c/missing", fields{"a": literal.Int(2)}))
		}),
	prevented("a masked update of a missing document that must exist", codes.NotFound,
		func(t *T, _ *timestamppb.Timestamp) *firestorepb.Write {
			return onlyIf(true, t.merge("c/missing", fields{"a": literal.Int(2)}, "a"))
		}),
	prevented("a transform of a missing document that must exist", codes.NotFound,
		func(t *T, _ *timestamppb.Timestamp) *firestorepb.Write {
			return onlyIf(true, t.transform("c/missing", literal.Increment("a", literal.Int(2))))
		}),
	prevented("a deletion of a missing document that must exist", codes.NotFound,
		func(t *T, _ *timestamppb.Timestamp) *firestorepb.Write { return onlyIf(true, t.remove("c/missing")) }),
	prevented("an update of a document that must not exist", codes.AlreadyExists,
		func(t *T, _ *timestamppb.Timestamp) *firestorepb.Write {
			return onlyIf(false, t.set("c/d", fields{"a": literal.Int(2)}))
		}),
	prevented("a masked update of a document that must not exist", codes.AlreadyExists,
		func(t *T, _ *timestamppb.Timestamp) *firestorepb.Write {
			return onlyIf(false, t.merge("c/d", fields{"a": literal.Int(2)}, "a"))
		}),
	prevented("a deletion of a document that must not exist", codes.AlreadyExists,
		func(t *T, _ *timestamppb.Timestamp) *firestorepb.Write { return onlyIf(false, t.remove("c/d")) }),
	prevented("an update at an earlier update time", codes.FailedPrecondition,
		func(t *T, at *timestamppb.Timestamp) *firestorepb.Write {
			return onlyAt(later(at, -time.Microsecond), t.set("c/d", fields{"a": literal.Int(2)}))
		}),
	prevented("an update at a later update time", codes.InvalidArgument,
		func(t *T, at *timestamppb.Timestamp) *firestorepb.Write {
			return onlyAt(later(at, time.Microsecond), t.set("c/d", fields{"a": literal.Int(2)}))
		}),
	prevented("a deletion at an earlier update time", codes.FailedPrecondition,
		func(t *T, at *timestamppb.Timestamp) *firestorepb.Write {
			return onlyAt(later(at, -time.Microsecond), t.remove("c/d"))
		}),
	prevented("a deletion at a later update time", codes.InvalidArgument,
		func(t *T, at *timestamppb.Timestamp) *firestorepb.Write {
			return onlyAt(later(at, time.Hour), t.remove("c/d"))
		}),
	prevented("a transform at an earlier update time", codes.FailedPrecondition,
		func(t *T, at *timestamppb.Timestamp) *firestorepb.Write {
			return onlyAt(later(at, -time.Microsecond), t.transform("c/d", literal.Increment("a", literal.Int(1))))
		}),
	prevented("an update of a missing document with an update time", codes.FailedPrecondition,
		func(t *T, at *timestamppb.Timestamp) *firestorepb.Write { return onlyAt(at, t.set("c/missing", nil)) }),
	prevented("a deletion of a missing document with an update time", codes.FailedPrecondition,
		func(t *T, at *timestamppb.Timestamp) *firestorepb.Write { return onlyAt(at, t.remove("c/missing")) }),
	prevented("an update time that is not aligned to microseconds", codes.InvalidArgument,
		func(t *T, at *timestamppb.Timestamp) *firestorepb.Write {
			return onlyAt(later(at, time.Nanosecond), t.set("c/d", nil))
		}),
	prevented("an update time that is no time", codes.InvalidArgument,
		func(t *T, _ *timestamppb.Timestamp) *firestorepb.Write {
			return onlyAt(&timestamppb.Timestamp{Nanos: -1}, t.set("c/d", nil))
		}),
	allowed("an update of a document that must exist", func(t *T, _ *timestamppb.Timestamp) *firestorepb.Write {
		return onlyIf(true, t.set("c/d", fields{"a": literal.Int(2)}))
	}, fields{"a": literal.Int(2)}),
	allowed("an update at the document's update time", func(t *T, at *timestamppb.Timestamp) *firestorepb.Write {
		return onlyAt(at, t.set("c/d", fields{"a": literal.Int(2)}))
	}, fields{"a": literal.Int(2)}),
	allowed("a masked update at the document's update time", func(t *T, at *timestamppb.Timestamp) *firestorepb.Write {
		return onlyAt(at, t.merge("c/d", fields{"b": literal.Int(2)}, "b"))
	}, fields{"a": literal.Int(1), "b": literal.Int(2)}),
	allowed("a transform at the document's update time", func(t *T, at *timestamppb.Timestamp) *firestorepb.Write {
		return onlyAt(at, t.transform("c/d", literal.Increment("a", literal.Int(2))))
	}, fields{"a": literal.Int(3)}),
	allowed("an update without a condition in its precondition", func(t *T, _ *timestamppb.Timestamp) *firestorepb.Write {
		w := t.set("c/d", fields{"a": literal.Int(2)})
		w.CurrentDocument = &firestorepb.Precondition{}
		return w
	}, fields{"a": literal.Int(2)}),
}

// conditional makes a write that depends on the update time of document c/d, which is {a: 1}.
type conditional func(t *T, at *timestamppb.Timestamp) *firestorepb.Write

// prevented is the check that a write fails and changes nothing.
func prevented(what string, code codes.Code, w conditional) Check {
	return Check{
		Name: what + " fails with " + code.String(),
		Page: preconditionPage,
		Run: func(t *T) {
			at := t.commit(t.set("c/d", fields{"a": literal.Int(1)})).WriteResults[0].UpdateTime
			_, err := t.tryCommit(w(t, at))
			t.fails(code, err)
			t.has("c/d", fields{"a": literal.Int(1)})
			t.same((*firestorepb.Document)(nil), t.get("c/missing"))
		},
	}
}

// allowed is the check of what a write makes of document c/d.
func allowed(what string, w conditional, after fields) Check {
	return Check{
		Name: what + " succeeds",
		Page: preconditionPage,
		Run: func(t *T) {
			at := t.commit(t.set("c/d", fields{"a": literal.Int(1)})).WriteResults[0].UpdateTime
			t.commit(w(t, at))
			t.has("c/d", after)
		},
	}
}
