package bench_test

import (
	"context"
	"fmt"
	"net"
	"testing"
	"time"

	"cloud.google.com/go/firestore/apiv1/firestorepb"
	"github.com/stretchr/testify/require"
	"google.golang.org/grpc"
	"google.golang.org/protobuf/types/known/timestamppb"
)

// canned serves writes, reads and queries with answers that it has ready.
type canned struct {
	firestorepb.UnimplementedFirestoreServer
	commit *firestorepb.CommitResponse
	found  *firestorepb.Document
	at     *timestamppb.Timestamp
}

func serveCanned(b *testing.B) (host string) {
	b.Helper()
	at := timestamppb.New(time.Now())
	listener, err := net.Listen("tcp4", "127.0.0.1:0")
	require.NoError(b, err)
	server := grpc.NewServer()
	firestorepb.RegisterFirestoreServer(server, &canned{
		commit: &firestorepb.CommitResponse{CommitTime: at, WriteResults: []*firestorepb.WriteResult{{UpdateTime: at}}},
		found:  &firestorepb.Document{Fields: fields, CreateTime: at, UpdateTime: at},
		at:     at,
	})
	served := make(chan error, 1)
	go func() { served <- server.Serve(listener) }()
	b.Cleanup(func() {
		server.Stop()
		require.NoError(b, <-served)
	})
	return listener.Addr().String()
}

func (c *canned) Commit(context.Context, *firestorepb.CommitRequest) (*firestorepb.CommitResponse, error) {
	return c.commit, nil
}

func (c *canned) BatchGetDocuments(req *firestorepb.BatchGetDocumentsRequest, stream firestorepb.Firestore_BatchGetDocumentsServer) error {
	for _, name := range req.GetDocuments() {
		doc := &firestorepb.Document{Name: name, Fields: c.found.Fields, CreateTime: c.at, UpdateTime: c.at}
		res := &firestorepb.BatchGetDocumentsResponse{Result: &firestorepb.BatchGetDocumentsResponse_Found{Found: doc}, ReadTime: c.at}
		if err := stream.Send(res); err != nil {
			return err
		}
	}
	return nil
}

func (c *canned) RunQuery(req *firestorepb.RunQueryRequest, stream firestorepb.Firestore_RunQueryServer) error {
	fields := c.found.GetFields()
	if req.GetStructuredQuery().GetSelect() != nil {
		fields = nil
	}
	for i := range many {
		doc := &firestorepb.Document{Name: fmt.Sprintf("%s/many/%04d", req.GetParent(), i), Fields: fields, CreateTime: c.at, UpdateTime: c.at}
		if err := stream.Send(&firestorepb.RunQueryResponse{Document: doc, ReadTime: c.at}); err != nil {
			return err
		}
	}
	return nil
}
