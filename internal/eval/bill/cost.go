package bill

import (
	"errors"
	"io"

	pb "cloud.google.com/go/firestore/apiv1/firestorepb"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
)

// cost is that of a call with one response, or an error.
func cost(req, res any, err error) (c Count) {
	if _, ok := req.(*pb.GetDocumentRequest); ok && status.Code(err) == codes.NotFound {
		return Count{Reads: 1}
	}
	if err != nil {
		return Count{}
	}
	switch req := req.(type) {
	case *pb.GetDocumentRequest, *pb.ListCollectionIdsRequest:
		c.Reads = 1
	case *pb.ListDocumentsRequest:
		c.Reads = max(1, len(res.(*pb.ListDocumentsResponse).GetDocuments()))
	case *pb.CommitRequest:
		for _, w := range req.GetWrites() {
			c.write(w)
		}
	case *pb.BatchWriteRequest:
		for i, s := range res.(*pb.BatchWriteResponse).GetStatus() {
			if s.GetCode() == int32(codes.OK) {
				c.write(req.GetWrites()[i])
			}
		}
	}
	return c
}

func (c *Count) write(w *pb.Write) {
	if _, ok := w.GetOperation().(*pb.Write_Delete); ok {
		c.Deletes++
	} else {
		c.Writes++
	}
}

// stream counts the reads of a call whose responses come one by one. One goroutine receives.
type stream struct {
	grpc.ClientStream
	meter   *Meter
	counts  map[string]bool // aliases of an aggregation's counts
	query   bool            // a query, which costs something even without results
	counted bool            // it has cost something
}

func (s *stream) SendMsg(m any) error {
	switch m := m.(type) {
	case *pb.RunQueryRequest:
		s.query = true
	case *pb.RunAggregationQueryRequest:
		s.query, s.counts = true, map[string]bool{}
		for _, a := range m.GetStructuredAggregationQuery().GetAggregations() {
			if _, ok := a.GetOperator().(*pb.StructuredAggregationQuery_Aggregation_Count_); ok {
				s.counts[a.GetAlias()] = true
			}
		}
	}
	return s.ClientStream.SendMsg(m)
}

func (s *stream) RecvMsg(m any) error {
	err := s.ClientStream.RecvMsg(m)
	switch {
	case err == nil:
		s.count(s.reads(m))
	case errors.Is(err, io.EOF) && s.query && !s.counted:
		s.count(1)
	}
	return err
}

func (s *stream) count(reads int) {
	if reads > 0 {
		s.counted = true
		s.meter.add(Count{Reads: reads})
	}
}

// ofAggregation is how many index entries are one read.
const ofAggregation = 1000

func (s *stream) reads(m any) int {
	switch m := m.(type) {
	case *pb.BatchGetDocumentsResponse:
		if m.GetResult() != nil { // found or missing
			return 1
		}
	case *pb.RunQueryResponse:
		reads := int(m.GetSkippedResults())
		if m.GetDocument() != nil {
			reads++
		}
		return reads
	case *pb.RunAggregationQueryResponse:
		entries := int64(0)
		for alias, value := range m.GetResult().GetAggregateFields() {
			if s.counts[alias] {
				entries = max(entries, value.GetIntegerValue())
			}
		}
		return int((entries + ofAggregation - 1) / ofAggregation)
	}
	return 0
}
