package service

import (
	"cloud.google.com/go/firestore/apiv1/firestorepb"
	"google.golang.org/protobuf/types/known/timestamppb"

	"hippocampus/emulator/internal/aggregate"
	"hippocampus/emulator/meter"
)

// RunAggregationQuery counts, sums and averages the results of a query.
func (s *Service) RunAggregationQuery(req *firestorepb.RunAggregationQueryRequest,
	stream firestorepb.Firestore_RunAggregationQueryServer) error {
	d, err := s.queried(req)
	if err != nil {
		return err
	}
	a, err := aggregate.Compile(d.Name, req.GetParent(), req.GetStructuredAggregationQuery())
	if err != nil {
		return err
	}
	view, err := viewOf(d, req, req.GetNewTransaction())
	if err != nil {
		return err
	}
	entries := 0
	r, err := d.Each(view, a.Query, func(doc *firestorepb.Document) {
		entries++
		a.Add(doc)
	})
	if err != nil {
		return err
	}
	meter.CountEntries(stream.Context(), entries+r.Skipped, meter.OfAggregation)
	return stream.Send(&firestorepb.RunAggregationQueryResponse{Result: a.Result(),
		Transaction: view.Begun, ReadTime: timestamppb.New(r.Time)})
}
