package listen

import (
	"time"

	pb "cloud.google.com/go/firestore/apiv1/firestorepb"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"hippocampus/emulator/internal/query"
	"hippocampus/emulator/internal/resource"
)

// watched is what a target listens to. The errors of its reads are the store's.
type watched interface {
	// concerns reports whether what happens to the document at p can matter. It may be called at
	// any time.
	concerns(p resource.Path) bool
	// all is what there is at a time, zero for now.
	all(at time.Time) (difference, error)
	// since is what has changed between two times, the second one zero for now. The first is that
	// of the last call of all, since or commit, if there was one.
	since(from, to time.Time) (difference, error)
	// commit is what a commit has changed, the next one of all that concern it.
	commit(c commit) ([]event, error)
	// show is a document as the client is sent it.
	show(doc *pb.Document) *pb.Document
}

// watch reads what a target listens to. The error is the cause of its removal.
func (s *Stream) watch(req *pb.Target) (watched, error) {
	switch req.GetTargetType().(type) {
	case *pb.Target_Documents:
		return watchDocuments(s.source, req.GetDocuments().GetDocuments())
	case *pb.Target_Query:
		q, err := query.Compile(s.source.Name, req.GetQuery().GetParent(),
			req.GetQuery().GetStructuredQuery())
		if err != nil {
			return nil, err
		}
		if q.Limit >= 0 || q.Offset > 0 {
			return watchWindow(s.source, q), nil
		}
		return &results{s.source, q}, nil
	}
	return nil, status.Error(codes.InvalidArgument,
		"the target has neither documents nor a query; set one of them")
}
