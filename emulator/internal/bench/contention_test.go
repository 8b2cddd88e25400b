package bench_test

import (
	"context"
	"testing"

	"cloud.google.com/go/firestore"
	"cloud.google.com/go/firestore/apiv1/firestorepb"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"hippocampus/emulator/internal/literal"
)

// contended has eight clients add one to the number in one document, each in a transaction.
func contended(b *testing.B, add func(ctx context.Context, s *server) error) {
	compare(b, program{
		clients: 8, slow: true,
		prepare: func(ctx context.Context, s *server) error {
			_, err := s.client.Doc("counters/n").Set(ctx, map[string]any{"n": 0})
			return err
		},
		once: func(ctx context.Context, s *server, _, _ int) error { return add(ctx, s) },
	})
}

// The Go client pauses for up to a second after a loss.
func BenchmarkContendedGoClient(b *testing.B) {
	contended(b, func(ctx context.Context, s *server) error {
		doc := s.client.Doc("counters/n")
		return s.client.RunTransaction(ctx, func(_ context.Context, tx *firestore.Transaction) error {
			got, err := tx.Get(doc)
			if err != nil {
				return err
			}
			return tx.Update(doc, []firestore.Update{{Path: "n", Value: got.Data()["n"].(int64) + 1}})
		}, firestore.MaxAttempts(1000))
	})
}

// These clients try again at once, so that all eight are in each other's way all the time.
func BenchmarkContendedWithoutPause(b *testing.B) {
	contended(b, func(ctx context.Context, s *server) error {
		var transaction []byte
		for {
			err := s.add(ctx, &transaction)
			if status.Code(err) != codes.Aborted {
				return err
			}
		}
	})
}

// add adds one in a transaction, which tries again the one that is given, if it is not nil, and is
// left there.
func (s *server) add(ctx context.Context, transaction *[]byte) error {
	begun, err := s.rpc.BeginTransaction(ctx, &firestorepb.BeginTransactionRequest{
		Database: s.database,
		Options: &firestorepb.TransactionOptions{Mode: &firestorepb.TransactionOptions_ReadWrite_{
			ReadWrite: &firestorepb.TransactionOptions_ReadWrite{RetryTransaction: *transaction},
		}},
	})
	if err != nil {
		return err
	}
	*transaction = begun.GetTransaction()
	doc, err := s.rpc.GetDocument(ctx, &firestorepb.GetDocumentRequest{
		Name:                s.database + "/documents/counters/n",
		ConsistencySelector: &firestorepb.GetDocumentRequest_Transaction{Transaction: *transaction},
	})
	if err != nil {
		return err
	}
	n := doc.GetFields()["n"].GetIntegerValue() + 1
	_, err = s.rpc.Commit(ctx, &firestorepb.CommitRequest{
		Database: s.database, Transaction: *transaction,
		Writes: []*firestorepb.Write{{Operation: &firestorepb.Write_Update{Update: &firestorepb.Document{
			Name:   doc.GetName(),
			Fields: map[string]*firestorepb.Value{"n": literal.Int(n)},
		}}}},
	})
	return err
}
