package listen

import (
	"time"

	pb "cloud.google.com/go/firestore/apiv1/firestorepb"
	"google.golang.org/protobuf/types/known/timestamppb"
)

// event is what happened to a document, as one target sees it.
type event struct {
	name   string
	doc    *pb.Document // as it is now; nil if it does not exist
	in     bool         // the target has it now
	pushed bool         // it is not in any more, though it has not changed: others are before it
}

// difference is how what a target has at a time differs from what it had.
type difference struct {
	at            time.Time
	events        []event
	before, after int // how many documents it had, and has
}

func came(doc *pb.Document) event { return event{name: doc.GetName(), doc: doc, in: true} }

// diff returns how a result differs from an older one: first what has left it, in the older one's
// order, then what has come or changed, in its own. now returns what has become of documents, in
// their order, nil for one that is gone. Documents that are the same have the same address.
func diff(older, result []*pb.Document,
	now func([]*pb.Document) ([]*pb.Document, error)) ([]event, error) {
	had := make(map[string]*pb.Document, len(older))
	for _, doc := range older {
		had[doc.GetName()] = doc
	}
	var changed []*pb.Document
	for _, doc := range result {
		if had[doc.GetName()] != doc {
			changed = append(changed, doc)
		}
		delete(had, doc.GetName())
	}
	var left []*pb.Document
	for _, doc := range older {
		if had[doc.GetName()] != nil {
			left = append(left, doc)
		}
	}
	var events []event
	if len(left) > 0 {
		current, err := now(left)
		if err != nil {
			return nil, err
		}
		for i, doc := range left {
			events = append(events, event{name: doc.GetName(), doc: current[i],
				pushed: current[i] == doc})
		}
	}
	for _, doc := range changed {
		events = append(events, came(doc))
	}
	return events, nil
}

// sendEvents sends what happened to documents of a target up to its time.
func (s *Stream) sendEvents(t *target, events []event) error {
	for _, e := range events {
		if err := s.send(s.response(t, e)); err != nil {
			return err
		}
	}
	return nil
}

func (s *Stream) response(t *target, e event) *pb.ListenResponse {
	ids := []int32{t.id}
	switch {
	case e.in:
		return &pb.ListenResponse{ResponseType: &pb.ListenResponse_DocumentChange{DocumentChange: &pb.DocumentChange{
			Document: t.show(e.doc), TargetIds: ids,
		}}}
	case e.doc == nil:
		return &pb.ListenResponse{ResponseType: &pb.ListenResponse_DocumentDelete{DocumentDelete: &pb.DocumentDelete{
			Document: e.name, RemovedTargetIds: ids, ReadTime: timestamppb.New(t.at),
		}}}
	case e.pushed:
		return &pb.ListenResponse{ResponseType: &pb.ListenResponse_DocumentRemove{DocumentRemove: &pb.DocumentRemove{
			Document: e.name, RemovedTargetIds: ids, ReadTime: timestamppb.New(t.at),
		}}}
	}
	return &pb.ListenResponse{ResponseType: &pb.ListenResponse_DocumentChange{DocumentChange: &pb.DocumentChange{
		Document: t.show(e.doc), RemovedTargetIds: ids,
	}}}
}

// sendFilter tells how many documents a target has. It has no bloom filter: a client for which the
// number is wrong listens anew.
func (s *Stream) sendFilter(t *target, count int) error {
	return s.send(&pb.ListenResponse{ResponseType: &pb.ListenResponse_Filter{Filter: &pb.ExistenceFilter{
		TargetId: t.id, Count: int32(count),
	}}})
}
