package write

import (
	"time"

	pb "cloud.google.com/go/firestore/apiv1/firestorepb"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
)

// precondition is what must hold of the document before a write. The zero value always holds.
type precondition struct {
	exists  *bool
	updated *time.Time
}

func checkPrecondition(c *pb.Precondition) (precondition, error) {
	switch c := c.GetConditionType().(type) {
	case *pb.Precondition_Exists:
		return precondition{exists: &c.Exists}, nil
	case *pb.Precondition_UpdateTime:
		if err := c.UpdateTime.CheckValid(); c.UpdateTime != nil && err != nil {
			return precondition{}, invalid("the update_time of a precondition is no time: %v", err)
		}
		if c.UpdateTime.GetNanos()%1000 != 0 {
			return precondition{}, invalid("the update_time of a precondition has parts of microseconds, which no document's has: pass on the one that was read")
		}
		t := c.UpdateTime.AsTime()
		return precondition{updated: &t}, nil
	default:
		return precondition{}, nil
	}
}

// check says why old does not meet c.
func (c precondition) check(name string, old *pb.Document) error {
	switch {
	case c.exists != nil && *c.exists && old == nil:
		return status.Errorf(codes.NotFound,
			"%s does not exist, and the write is only for a document that does", name)
	case c.exists != nil && !*c.exists && old != nil:
		return status.Errorf(codes.AlreadyExists,
			"%s exists already, and the write is only for a document that does not", name)
	case c.updated == nil:
		return nil
	case old == nil:
		return status.Errorf(codes.FailedPrecondition,
			"%s does not exist, and the write is only for its version of %s",
			name, c.updated.Format(time.RFC3339Nano))
	}
	updated := old.GetUpdateTime().AsTime()
	switch {
	case c.updated.After(updated):
		return invalid("the precondition's update_time %s is later than that of %s, %s: pass on the one that was read",
			c.updated.Format(time.RFC3339Nano), name, updated.Format(time.RFC3339Nano))
	case c.updated.Before(updated):
		return status.Errorf(codes.FailedPrecondition,
			"%s was changed at %s, and the write is only for its version of %s: read it again",
			name, updated.Format(time.RFC3339Nano), c.updated.Format(time.RFC3339Nano))
	default:
		return nil
	}
}
