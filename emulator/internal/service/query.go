package service

import (
	"cloud.google.com/go/firestore/apiv1/firestorepb"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/timestamppb"

	"hippocampus/emulator/internal/nearest"
	"hippocampus/emulator/internal/query"
	"hippocampus/emulator/internal/resource"
	"hippocampus/emulator/meter"
)

// RunQuery streams the results of a query.
func (s *Service) RunQuery(req *firestorepb.RunQueryRequest,
	stream firestorepb.Firestore_RunQueryServer) error {
	d, err := s.queried(req)
	if err != nil {
		return err
	}
	q, search, err := compile(d.Name, req.GetParent(), req.GetStructuredQuery())
	if err != nil {
		return err
	}
	view, err := viewOf(d, req, req.GetNewTransaction())
	if err != nil {
		return err
	}
	r, err := d.Query(view, q)
	if err != nil {
		return err
	}
	if view.Begun != nil {
		if err := stream.Send(&firestorepb.RunQueryResponse{Transaction: view.Begun}); err != nil {
			return err
		}
	}
	if search != nil {
		meter.CountEntries(stream.Context(), len(r.Documents)+r.Skipped, meter.OfSearch)
		r.Documents = search.Rank(r.Documents)
	}
	readTime := timestamppb.New(r.Time)
	if len(r.Documents) == 0 {
		return stream.Send(&firestorepb.RunQueryResponse{ReadTime: readTime,
			SkippedResults: int32(r.Skipped), ContinuationSelector: done})
	}
	for i, doc := range r.Documents {
		res := &firestorepb.RunQueryResponse{Document: q.Project(doc), ReadTime: readTime}
		if i == 0 {
			res.SkippedResults = int32(r.Skipped)
		}
		if i == len(r.Documents)-1 {
			res.ContinuationSelector = done
		}
		if err := stream.Send(res); err != nil {
			return err
		}
	}
	return nil
}

// done says that nothing follows.
var done = &firestorepb.RunQueryResponse_Done{Done: true}

// compile compiles a query, and the search for nearest vectors among its results if it has one.
func compile(db resource.Database, parent string,
	structured *firestorepb.StructuredQuery) (*query.Query, *nearest.Search, error) {
	find := structured.GetFindNearest()
	if find == nil {
		q, err := query.Compile(db, parent, structured)
		return q, nil, err
	}
	search, err := nearest.Compile(find)
	if err != nil {
		return nil, nil, err
	}
	rest := proto.CloneOf(structured)
	rest.FindNearest = nil
	q, err := query.Compile(db, parent, rest)
	if err != nil {
		return nil, nil, err
	}
	return q.Having(search.Field), search, nil
}
