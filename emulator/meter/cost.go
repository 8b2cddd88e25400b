package meter

import (
	pb "cloud.google.com/go/firestore/apiv1/firestorepb"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
)

// cost is the documents of a call that has one response, or an error.
func cost(req, res any, err error) Usage {
	if _, ok := req.(*pb.GetDocumentRequest); ok && status.Code(err) == codes.NotFound {
		return Usage{Reads: 1}
	}
	if err != nil {
		return Usage{}
	}
	switch res := res.(type) {
	case *pb.Document: // of GetDocument: the other methods that return one are not served
		return Usage{Reads: 1}
	case *pb.ListDocumentsResponse:
		return Usage{Reads: max(1, int64(len(res.GetDocuments())))}
	case *pb.ListCollectionIdsResponse:
		return Usage{Reads: 1}
	case *pb.CommitResponse:
		var u Usage
		for _, w := range req.(*pb.CommitRequest).GetWrites() {
			u.count(w)
		}
		return u
	case *pb.BatchWriteResponse:
		var u Usage
		for i, w := range req.(*pb.BatchWriteRequest).GetWrites() {
			if res.GetStatus()[i].GetCode() == int32(codes.OK) {
				u.count(w)
			}
		}
		return u
	}
	return Usage{}
}

// count adds a write that was made.
func (u *Usage) count(w *pb.Write) {
	if _, ok := w.GetOperation().(*pb.Write_Delete); ok {
		u.Deletes++
	} else {
		u.Writes++
	}
}

// costs tells the reads of a stream's responses.
type costs struct {
	counted  bool            // a query has cost something
	resuming map[int32]bool  // targets that were asked to go on from a past state
	initial  map[int32]*bool // targets whose first results are on their way; whether these have cost something
}

func (c *costs) request(m any) {
	if add := asListen(m).GetAddTarget(); add.GetResumeType() != nil {
		if c.resuming == nil {
			c.resuming = map[int32]bool{}
		}
		c.resuming[add.GetTargetId()] = true
	}
}

func asListen(m any) *pb.ListenRequest {
	req, _ := m.(*pb.ListenRequest)
	return req
}

// response returns the reads of a response.
func (c *costs) response(m any) int64 {
	switch m := m.(type) {
	case *pb.BatchGetDocumentsResponse:
		if m.GetResult() != nil {
			return 1
		}
	case *pb.RunQueryResponse:
		return c.query(m)
	case *pb.ListenResponse:
		return c.listen(m)
	}
	return 0
}

func (c *costs) query(m *pb.RunQueryResponse) int64 {
	reads := int64(m.GetSkippedResults())
	if m.GetDocument() != nil {
		reads++
	}
	// Without results there is one response with the time at which there are none. Another may only
	// say which transaction was begun.
	if reads == 0 && !c.counted && m.GetReadTime() != nil {
		reads = 1
	}
	c.counted = c.counted || reads > 0
	return reads
}

func (c *costs) listen(m *pb.ListenResponse) int64 {
	switch {
	case m.GetDocumentChange() != nil:
		change := m.GetDocumentChange()
		c.pay(change.GetTargetIds())
		return int64(len(change.GetTargetIds()) + len(change.GetRemovedTargetIds()))
	case m.GetDocumentRemove() != nil:
		return int64(len(m.GetDocumentRemove().GetRemovedTargetIds()))
	case m.GetDocumentDelete() != nil:
		// Among the first results it says that a document that was asked for does not exist.
		return c.pay(m.GetDocumentDelete().GetRemovedTargetIds())
	case m.GetTargetChange() != nil:
		return c.target(m.GetTargetChange())
	}
	return 0
}

// pay notes that the first results of targets cost something, and returns for how many.
func (c *costs) pay(targets []int32) (n int64) {
	for _, id := range targets {
		if paid := c.initial[id]; paid != nil {
			*paid = true
			n++
		}
	}
	return n
}

// target follows a target from its beginning until its first results are complete.
func (c *costs) target(change *pb.TargetChange) (reads int64) {
	switch change.GetTargetChangeType() {
	case pb.TargetChange_ADD:
		for _, id := range change.GetTargetIds() {
			if !c.resuming[id] {
				if c.initial == nil {
					c.initial = map[int32]*bool{}
				}
				c.initial[id] = new(bool)
			}
			delete(c.resuming, id)
		}
	case pb.TargetChange_CURRENT:
		ids := change.GetTargetIds()
		if len(ids) == 0 { // all
			for id := range c.initial {
				ids = append(ids, id)
			}
		}
		for _, id := range ids {
			if paid := c.initial[id]; paid != nil && !*paid {
				reads++
			}
			delete(c.initial, id)
		}
	case pb.TargetChange_REMOVE:
		for _, id := range change.GetTargetIds() {
			delete(c.initial, id)
			delete(c.resuming, id)
		}
	}
	return reads
}
