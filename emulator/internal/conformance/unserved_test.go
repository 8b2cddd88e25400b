package conformance

import (
	"io"

	"cloud.google.com/go/firestore/apiv1/firestorepb"
	"github.com/stretchr/testify/require"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/metadata"

	"hippocampus/emulator/internal/client"
	"hippocampus/emulator/internal/literal"
)

// unserved are about what the emulator in the process leaves to the official one: calls that it
// does not serve, and callers that are not the owner. What is stated here is not Firestore's
// behaviour but an emulator's that says no.
var unserved = []Check{
	unservedCall("CreateDocument", func(t *T) error {
		_, err := t.Firestore.CreateDocument(t.Ctx, &firestorepb.CreateDocumentRequest{Parent: t.Root(), CollectionId: "c", DocumentId: "d", Document: &firestorepb.Document{}})
		return err
	}),
	unservedCall("UpdateDocument", func(t *T) error {
		_, err := t.Firestore.UpdateDocument(t.Ctx, &firestorepb.UpdateDocumentRequest{Document: &firestorepb.Document{Name: t.Name("c/d")}})
		return err
	}),
	unservedCall("DeleteDocument", func(t *T) error {
		_, err := t.Firestore.DeleteDocument(t.Ctx, &firestorepb.DeleteDocumentRequest{Name: t.Name("c/d")})
		return err
	}),
	unservedCall("Write", func(t *T) error {
		stream, err := t.Firestore.Write(metadata.AppendToOutgoingContext(t.Ctx, "google-cloud-resource-prefix", t.Database))
		if err != nil {
			return err
		}
		if err := stream.Send(&firestorepb.WriteRequest{Database: t.Database}); err != nil && err != io.EOF {
			return err
		}
		_, err = stream.Recv()
		return err
	}),
	{
		Name: "PartitionQuery is not served",
		Run: func(t *T) {
			_, err := t.Firestore.PartitionQuery(t.Ctx, &firestorepb.PartitionQueryRequest{Parent: t.Root(), PartitionCount: 2,
				QueryType: &firestorepb.PartitionQueryRequest_StructuredQuery{StructuredQuery: &firestorepb.StructuredQuery{
					From:    literal.From("c", true),
					OrderBy: []*firestorepb.StructuredQuery_Order{{Field: literal.Field("__name__"), Direction: firestorepb.StructuredQuery_ASCENDING}},
				}}})
			t.fails(codes.Unimplemented, err)
		},
	},
	{
		Name:       "ExecutePipeline is not served",
		Run:        func(t *T) { t.fails(codes.Unimplemented, t.pipeline()) },
		Difference: "a pipeline fails with UNKNOWN and no message",
		Official:   func(t *T) { t.fails(codes.Unknown, t.pipeline()) },
	},
	strangerCall("a read without a token", func(t *T, client firestorepb.FirestoreClient) error {
		_, err := client.GetDocument(t.Ctx, &firestorepb.GetDocumentRequest{Name: t.Name("c/d")})
		return err
	}),
	strangerCall("a write without a token", func(t *T, client firestorepb.FirestoreClient) error {
		_, err := client.Commit(t.Ctx, &firestorepb.CommitRequest{Database: t.Database, Writes: []*firestorepb.Write{t.set("c/d", nil)}})
		return err
	}),
	strangerCall("a query without a token", func(t *T, client firestorepb.FirestoreClient) error {
		_, err := all(client.RunQuery(t.Ctx, &firestorepb.RunQueryRequest{Parent: t.Root(), QueryType: &firestorepb.RunQueryRequest_StructuredQuery{
			StructuredQuery: &firestorepb.StructuredQuery{From: literal.From("c", false)}}}))
		return err
	}),
}

// unservedCall is the check of a call that the official emulator serves only.
func unservedCall(method string, call func(t *T) error) Check {
	return loose(method+" is served", Check{
		Name: method + " is left to the official emulator",
		Run:  func(t *T) { t.fails(codes.Unimplemented, call(t)) },
	}, func(t *T) { require.NoError(t, call(t)) })
}

// strangerCall is the check of a call that says nothing of who calls. The project has no rules.
func strangerCall(what string, call func(t *T, client firestorepb.FirestoreClient) error) Check {
	return loose("without rules everybody is allowed everything; with rules they are evaluated", Check{
		Name: what + " is refused",
		Page: "firestore/security/get-started",
		Run:  func(t *T) { t.fails(codes.PermissionDenied, call(t, t.stranger())) },
	}, func(t *T) {
		t.commit(t.set("c/d", nil))
		require.NoError(t, call(t, t.stranger()))
	})
}

// stranger is a client that carries no token.
func (t *T) stranger() firestorepb.FirestoreClient {
	conn, err := client.Dial(t.Server.Host, "")
	require.NoError(t, err)
	t.Cleanup(func() { _ = conn.Close() })
	return firestorepb.NewFirestoreClient(conn)
}

// pipeline runs a pipeline of the documents of a collection.
func (t *T) pipeline() error {
	_, err := all(t.Firestore.ExecutePipeline(t.Ctx, &firestorepb.ExecutePipelineRequest{Database: t.Database,
		PipelineType: &firestorepb.ExecutePipelineRequest_StructuredPipeline{StructuredPipeline: &firestorepb.StructuredPipeline{
			Pipeline: &firestorepb.Pipeline{Stages: []*firestorepb.Pipeline_Stage{{Name: "collection", Args: []*firestorepb.Value{literal.Ref("/c")}}}}}}}))
	return err
}
