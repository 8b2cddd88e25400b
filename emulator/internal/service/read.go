package service

import (
	"context"

	"cloud.google.com/go/firestore/apiv1/firestorepb"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/types/known/timestamppb"

	"hippocampus/emulator/internal/resource"
	"hippocampus/emulator/internal/value"
)

// GetDocument returns one document.
func (s *Service) GetDocument(_ context.Context,
	req *firestorepb.GetDocumentRequest) (*firestorepb.Document, error) {
	d, path, err := s.document(req.GetName())
	if err != nil {
		return nil, err
	}
	m, err := parseMask(req.GetMask())
	if err != nil {
		return nil, err
	}
	view, err := viewOf(d, req, nil)
	if err != nil {
		return nil, err
	}
	docs, _, err := d.Get(view, path)
	if err != nil {
		return nil, err
	}
	if docs[0] == nil {
		return nil, status.Errorf(codes.NotFound, "there is no document %s", req.GetName())
	}
	return m.apply(docs[0]), nil
}

// BatchGetDocuments returns documents in the order in which they were asked for, each once.
func (s *Service) BatchGetDocuments(req *firestorepb.BatchGetDocumentsRequest,
	stream firestorepb.Firestore_BatchGetDocumentsServer) error {
	d, err := s.named(req.GetDatabase())
	if err != nil {
		return err
	}
	var paths []resource.Path
	seen := map[resource.Path]bool{}
	for _, name := range req.GetDocuments() {
		path, err := d.Name.Document(name)
		if err != nil {
			return err
		}
		if !seen[path] {
			seen[path] = true
			paths = append(paths, path)
		}
	}
	m, err := parseMask(req.GetMask())
	if err != nil {
		return err
	}
	view, err := viewOf(d, req, req.GetNewTransaction())
	if err != nil {
		return err
	}
	docs, at, err := d.Get(view, paths...)
	if err != nil {
		return err
	}
	readTime := timestamppb.New(at)
	if view.Begun != nil {
		if err := stream.Send(&firestorepb.BatchGetDocumentsResponse{Transaction: view.Begun}); err != nil {
			return err
		}
	}
	for i, doc := range docs {
		res := &firestorepb.BatchGetDocumentsResponse{ReadTime: readTime}
		if doc == nil {
			res.Result = &firestorepb.BatchGetDocumentsResponse_Missing{Missing: d.Name.Name(paths[i])}
		} else {
			res.Result = &firestorepb.BatchGetDocumentsResponse_Found{Found: m.apply(doc)}
		}
		if err := stream.Send(res); err != nil {
			return err
		}
	}
	return nil
}

// mask is the fields of a document that are returned; nil is all.
type mask []value.Path

func parseMask(m *firestorepb.DocumentMask) (mask, error) {
	if m == nil {
		return nil, nil
	}
	fields := mask{}
	for _, f := range m.GetFieldPaths() {
		p, err := value.ParsePath(f)
		if err != nil {
			return nil, err
		}
		fields = append(fields, p)
	}
	return fields, nil
}

func (m mask) apply(doc *firestorepb.Document) *firestorepb.Document {
	if m == nil {
		return doc
	}
	var fields map[string]*firestorepb.Value
	for _, p := range m {
		if v, ok := value.Get(doc.GetFields(), p); ok {
			fields = value.Set(fields, p, v)
		}
	}
	return &firestorepb.Document{Name: doc.GetName(), Fields: fields,
		CreateTime: doc.GetCreateTime(), UpdateTime: doc.GetUpdateTime()}
}
