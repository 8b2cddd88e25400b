package service

import (
	"context"

	"cloud.google.com/go/firestore/apiv1/firestorepb"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/types/known/emptypb"
)

func unimplemented(method, instead string) error {
	return status.Errorf(codes.Unimplemented,
		"%s is not served here: %s, or use the official emulator", method, instead)
}

// CreateDocument is not served.
func (s *Service) CreateDocument(context.Context,
	*firestorepb.CreateDocumentRequest) (*firestorepb.Document, error) {
	return nil, unimplemented("CreateDocument",
		"call Commit with a write whose document must not exist")
}

// UpdateDocument is not served.
func (s *Service) UpdateDocument(context.Context,
	*firestorepb.UpdateDocumentRequest) (*firestorepb.Document, error) {
	return nil, unimplemented("UpdateDocument", "call Commit")
}

// DeleteDocument is not served.
func (s *Service) DeleteDocument(context.Context,
	*firestorepb.DeleteDocumentRequest) (*emptypb.Empty, error) {
	return nil, unimplemented("DeleteDocument", "call Commit")
}

// PartitionQuery is not served.
func (s *Service) PartitionQuery(context.Context,
	*firestorepb.PartitionQueryRequest) (*firestorepb.PartitionQueryResponse, error) {
	return nil, unimplemented("PartitionQuery", "run the query in pages, with a limit and a cursor")
}

// Write is not served.
func (s *Service) Write(firestorepb.Firestore_WriteServer) error {
	return unimplemented("Write", "call Commit or BatchWrite")
}

// ExecutePipeline is not served.
func (s *Service) ExecutePipeline(*firestorepb.ExecutePipelineRequest,
	firestorepb.Firestore_ExecutePipelineServer) error {
	return unimplemented("ExecutePipeline", "call RunQuery")
}
