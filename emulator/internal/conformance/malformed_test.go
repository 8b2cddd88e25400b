package conformance

import (
	"strings"

	"cloud.google.com/go/firestore/apiv1/firestorepb"
	"github.com/stretchr/testify/require"
	"google.golang.org/grpc/codes"

	"hippocampus/emulator/internal/literal"
)

// malformed are about requests that say too little or nonsense.
var malformed = []Check{
	refusesCall("a commit without a database", "proto firestore.proto, CommitRequest.database: required", func(t *T) error {
		_, err := t.Firestore.Commit(t.Ctx, &firestorepb.CommitRequest{Writes: []*firestorepb.Write{t.set("c/d", nil)}})
		return err
	}),
	refusesCall("a read of many without a database", "proto firestore.proto, BatchGetDocumentsRequest.database: required", func(t *T) error {
		_, err := all(t.Firestore.BatchGetDocuments(t.Ctx, &firestorepb.BatchGetDocumentsRequest{Documents: []string{t.Name("c/d")}}))
		return err
	}),
	refusesCall("a batch of writes without a database", "proto firestore.proto, BatchWriteRequest.database: required", func(t *T) error {
		_, err := t.Firestore.BatchWrite(t.Ctx, &firestorepb.BatchWriteRequest{Writes: []*firestorepb.Write{t.set("c/d", nil)}})
		return err
	}),
	refusesCall("a beginning of a transaction without a database", "proto firestore.proto, BeginTransactionRequest.database: required", func(t *T) error {
		_, err := t.Firestore.BeginTransaction(t.Ctx, &firestorepb.BeginTransactionRequest{})
		return err
	}),
	refusesCall("a rollback without a database", "proto firestore.proto, RollbackRequest.database: required", func(t *T) error {
		_, err := t.Firestore.Rollback(t.Ctx, &firestorepb.RollbackRequest{Transaction: t.begin(nil)})
		return err
	}),
	refusesCall("a read without a name", "proto firestore.proto, GetDocumentRequest.name: required", func(t *T) error {
		_, err := t.Firestore.GetDocument(t.Ctx, &firestorepb.GetDocumentRequest{})
		return err
	}),
	refusesCall("a read of a name that is none", "proto firestore.proto, GetDocumentRequest.name", func(t *T) error {
		_, err := t.Firestore.GetDocument(t.Ctx, &firestorepb.GetDocumentRequest{Name: "c/d"})
		return err
	}),
	refusesCall("a read of the root", "proto firestore.proto, GetDocumentRequest.name", func(t *T) error {
		_, err := t.Firestore.GetDocument(t.Ctx, &firestorepb.GetDocumentRequest{Name: t.Root()})
		return err
	}),
	refusesCall("a write without an operation", "proto write.proto, Write.operation", func(t *T) error {
		_, err := t.tryCommit(&firestorepb.Write{})
		return err
	}),
	refusesCall("an update without a document", "proto write.proto, Write.update", func(t *T) error {
		_, err := t.tryCommit(&firestorepb.Write{Operation: &firestorepb.Write_Update{Update: &firestorepb.Document{}}})
		return err
	}),
	refusesCall("a write of only transforms without a document", "proto write.proto, DocumentTransform.document", func(t *T) error {
		w := t.oldTransform("c/d", literal.Increment("a", literal.Int(1)))
		w.GetTransform().Document = ""
		_, err := t.tryCommit(w)
		return err
	}),
	refusesCall("a batch with a write without an operation", "proto write.proto, Write.operation", func(t *T) error {
		_, err := t.Firestore.BatchWrite(t.Ctx, &firestorepb.BatchWriteRequest{Database: t.Database, Writes: []*firestorepb.Write{{}}})
		return err
	}),
	refusesDatabase("a project alone", func(t *T) string { return strings.TrimSuffix(t.Database, "/databases/(default)") }),
	refusesDatabase("a database without a name", func(t *T) string { return strings.TrimSuffix(t.Database, "(default)") }),
	refusesDatabase("a project without a name", func(*T) string { return "projects//databases/(default)" }),
	refusesDatabase("the root of the documents", func(t *T) string { return t.Root() }),
	refusesDatabase("a name that ends with a slash", func(t *T) string { return t.Database + "/" }),
	refusesDatabase("some text", func(*T) string { return "nonsense" }),
	{
		Name: "a project and a database need not be made before they are used",
		Run: func(t *T) {
			database := strings.Replace(t.Database, "(default)", "never-made", 1)
			name := database + "/documents/c/d"
			_, err := t.Firestore.GetDocument(t.Ctx, &firestorepb.GetDocumentRequest{Name: name})
			t.fails(codes.NotFound, err)
			_, err = t.Firestore.Commit(t.Ctx, &firestorepb.CommitRequest{Database: database, Writes: []*firestorepb.Write{
				{Operation: &firestorepb.Write_Update{Update: &firestorepb.Document{Name: name}}}}})
			require.NoError(t, err)
			_, err = t.Firestore.GetDocument(t.Ctx, &firestorepb.GetDocumentRequest{Name: name})
			require.NoError(t, err)
		},
	},
}

// refusesCall is the check that a call is malformed.
func refusesCall(what, page string, call func(t *T) error) Check {
	return Check{
		Name: what + " is refused",
		Page: page,
		Run:  func(t *T) { t.fails(codes.InvalidArgument, call(t)) },
	}
}

// refusesDatabase is the check that something is no name of a database.
func refusesDatabase(what string, name func(t *T) string) Check {
	return refusesCall(what+" as the database", "proto firestore.proto, CommitRequest.database: projects/P/databases/D", func(t *T) error {
		_, err := t.Firestore.BeginTransaction(t.Ctx, &firestorepb.BeginTransactionRequest{Database: name(t)})
		t.fails(codes.InvalidArgument, err)
		_, err = t.Firestore.Commit(t.Ctx, &firestorepb.CommitRequest{Database: name(t)})
		return err
	})
}
