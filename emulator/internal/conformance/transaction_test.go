package conformance

import (
	"cloud.google.com/go/firestore/apiv1/firestorepb"
	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/types/known/timestamppb"
)

// readWrite are the options of a transaction that reads and writes, and that tries another one
// again if it is given.
func readWrite(again []byte) *firestorepb.TransactionOptions {
	return &firestorepb.TransactionOptions{Mode: &firestorepb.TransactionOptions_ReadWrite_{
		ReadWrite: &firestorepb.TransactionOptions_ReadWrite{RetryTransaction: again}}}
}

// readOnly are the options of a transaction that only reads, at a time if it is given.
func readOnly(at *timestamppb.Timestamp) *firestorepb.TransactionOptions {
	o := &firestorepb.TransactionOptions_ReadOnly{}
	if at != nil {
		o.ConsistencySelector = &firestorepb.TransactionOptions_ReadOnly_ReadTime{ReadTime: at}
	}
	return &firestorepb.TransactionOptions{Mode: &firestorepb.TransactionOptions_ReadOnly_{ReadOnly: o}}
}

// begin begins a transaction; nil are the default options.
func (t *T) begin(o *firestorepb.TransactionOptions) []byte {
	t.Helper()
	res, err := t.Firestore.BeginTransaction(t.Ctx, &firestorepb.BeginTransactionRequest{Database: t.Database, Options: o})
	require.NoError(t, err)
	require.NotEmpty(t, res.Transaction)
	return res.Transaction
}

// reading begins a transaction that has read a document.
func (t *T) reading(path string) []byte {
	t.Helper()
	tx := t.begin(nil)
	_, err := t.getIn(tx, path)
	require.NoError(t, err)
	return tx
}

// commitIn commits a transaction.
func (t *T) commitIn(transaction []byte, writes ...*firestorepb.Write) (*firestorepb.CommitResponse, error) {
	return t.Firestore.Commit(t.Ctx, &firestorepb.CommitRequest{Database: t.Database, Writes: writes, Transaction: transaction})
}

// rollback gives a transaction up.
func (t *T) rollback(transaction []byte) error {
	_, err := t.Firestore.Rollback(t.Ctx, &firestorepb.RollbackRequest{Database: t.Database, Transaction: transaction})
	return err
}

// getIn reads a document in a transaction; nil means that it is missing.
func (t *T) getIn(transaction []byte, path string) (*firestorepb.Document, error) {
	answers, err := all(t.Firestore.BatchGetDocuments(t.Ctx, &firestorepb.BatchGetDocumentsRequest{
		Database: t.Database, Documents: []string{t.Name(path)},
		ConsistencySelector: &firestorepb.BatchGetDocumentsRequest_Transaction{Transaction: transaction}}))
	if err != nil {
		return nil, err
	}
	require.Len(t, answers, 1)
	return answers[0].GetFound(), nil
}

// findIn reads the documents of a collection in a transaction, by a query.
func (t *T) findIn(transaction []byte, collection string) ([]*firestorepb.Document, error) {
	answers, err := all(t.Firestore.RunQuery(t.Ctx, &firestorepb.RunQueryRequest{
		Parent:              t.Root(),
		QueryType:           &firestorepb.RunQueryRequest_StructuredQuery{StructuredQuery: from(collection)},
		ConsistencySelector: &firestorepb.RunQueryRequest_Transaction{Transaction: transaction}}))
	return documents(answers), err
}
