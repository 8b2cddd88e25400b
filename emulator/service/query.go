package service

import (
	"cloud.google.com/go/firestore/apiv1/firestorepb"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/types/known/timestamppb"

	"hippocampus/emulator/database"
	"hippocampus/emulator/query"
)

// RunQuery streams the results of a query.
func (s *Service) RunQuery(req *firestorepb.RunQueryRequest, stream firestorepb.Firestore_RunQueryServer) error {
	if req.GetExplainOptions() != nil {
		return status.Error(codes.Unimplemented, "queries are not explained here: leave explain_options out")
	}
	d, _, err := s.parent(req.GetParent())
	if err != nil {
		return err
	}
	q, err := query.Compile(d.Name, req.GetParent(), req.GetStructuredQuery())
	if err != nil {
		return err
	}
	at, err := timeOf(req.GetReadTime())
	if err != nil {
		return err
	}
	view, err := d.View(database.Selector{Transaction: req.GetTransaction(), New: req.GetNewTransaction(), ReadTime: at})
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
	readTime := timestamppb.New(r.Time)
	if len(r.Documents) == 0 {
		return stream.Send(&firestorepb.RunQueryResponse{ReadTime: readTime, SkippedResults: int32(r.Skipped)})
	}
	for i, doc := range r.Documents {
		res := &firestorepb.RunQueryResponse{Document: q.Project(doc), ReadTime: readTime}
		if i == 0 {
			res.SkippedResults = int32(r.Skipped)
		}
		if err := stream.Send(res); err != nil {
			return err
		}
	}
	return nil
}
