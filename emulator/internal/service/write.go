package service

import (
	"context"

	"cloud.google.com/go/firestore/apiv1/firestorepb"
	rpcstatus "google.golang.org/genproto/googleapis/rpc/status"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/types/known/emptypb"
)

// Commit makes all writes or none.
func (s *Service) Commit(ctx context.Context,
	req *firestorepb.CommitRequest) (*firestorepb.CommitResponse, error) {
	d, err := s.named(req.GetDatabase())
	if err != nil {
		return nil, err
	}
	return d.Commit(ctx, req)
}

// BatchWrite makes each write by itself.
func (s *Service) BatchWrite(ctx context.Context,
	req *firestorepb.BatchWriteRequest) (*firestorepb.BatchWriteResponse, error) {
	d, err := s.named(req.GetDatabase())
	if err != nil {
		return nil, err
	}
	results, errs, err := d.BatchWrite(ctx, req.GetWrites())
	if err != nil {
		return nil, err
	}
	res := &firestorepb.BatchWriteResponse{WriteResults: results,
		Status: make([]*rpcstatus.Status, len(errs))}
	for i, err := range errs {
		res.Status[i] = status.Convert(err).Proto()
		if res.Status[i] == nil {
			res.Status[i] = &rpcstatus.Status{}
		}
	}
	return res, nil
}

// Rollback ends a transaction.
func (s *Service) Rollback(_ context.Context,
	req *firestorepb.RollbackRequest) (*emptypb.Empty, error) {
	d, err := s.named(req.GetDatabase())
	if err != nil {
		return nil, err
	}
	if err := d.Rollback(req.GetTransaction()); err != nil {
		return nil, err
	}
	return &emptypb.Empty{}, nil
}
