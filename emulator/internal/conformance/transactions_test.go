package conformance

import (
	"cloud.google.com/go/firestore/apiv1/firestorepb"
	"github.com/stretchr/testify/require"
	"google.golang.org/grpc/codes"
	"google.golang.org/protobuf/types/known/timestamppb"

	"hippocampus/emulator/internal/literal"
)

const transactionPage = "firestore/manage-data/transactions"

// transactions are about the life of a transaction that nobody else disturbs.
var transactions = []Check{
	{
		Name: "transactions have ids of their own",
		Page: "proto firestore.proto, BeginTransactionResponse.transaction",
		Run: func(t *T) {
			require.NotEqual(t, t.begin(nil), t.begin(nil))
			require.NotEqual(t, t.begin(readOnly(nil)), t.begin(readOnly(nil)))
		},
	},
	{
		Name: "a transaction may write unless it says otherwise",
		Page: "proto firestore.proto, BeginTransactionRequest.options: defaults to read-write",
		Run: func(t *T) {
			for i, o := range []*firestorepb.TransactionOptions{nil, {}, readWrite(nil)} {
				res, err := t.commitIn(t.begin(o), t.set("c/"+autoID(i), nil))
				require.NoError(t, err)
				t.same(res.CommitTime, t.get("c/"+autoID(i)).UpdateTime)
			}
		},
	},
	{
		Name: "a transaction reads what is there and what is missing",
		Page: transactionPage,
		Run: func(t *T) {
			t.commit(t.set("c/d", fields{"a": literal.Int(1)}))
			tx := t.begin(nil)
			doc, err := t.getIn(tx, "c/d")
			require.NoError(t, err)
			t.is(literal.Int(1), doc.Fields["a"])
			doc, err = t.getIn(tx, "c/missing")
			require.NoError(t, err)
			require.Nil(t, doc)
			require.NoError(t, t.rollback(tx))
		},
	},
	{
		Name: "a single document may be read in a transaction",
		Page: "proto firestore.proto, GetDocumentRequest.transaction",
		Run: func(t *T) {
			t.commit(t.set("c/d", fields{"a": literal.Int(1)}))
			tx := t.begin(nil)
			doc, err := t.Firestore.GetDocument(t.Ctx, &firestorepb.GetDocumentRequest{Name: t.Name("c/d"),
				ConsistencySelector: &firestorepb.GetDocumentRequest_Transaction{Transaction: tx}})
			require.NoError(t, err)
			t.is(literal.Int(1), doc.Fields["a"])
			require.NoError(t, t.rollback(tx))
		},
	},
	{
		Name: "a transaction reads by a query",
		Page: "proto firestore.proto, RunQueryRequest.transaction",
		Run: func(t *T) {
			t.commit(t.set("c/a", nil), t.set("c/b", nil))
			tx := t.begin(nil)
			docs, err := t.findIn(tx, "c")
			require.NoError(t, err)
			require.Len(t, docs, 2)
			_, err = t.commitIn(tx, t.remove("c/a"), t.remove("c/b"))
			require.NoError(t, err)
			require.Nil(t, t.get("c/a"))
		},
	},
	{
		Name: "a transaction writes what it read",
		Page: transactionPage,
		Run: func(t *T) {
			t.commit(t.set("c/d", fields{"n": literal.Int(1)}))
			tx := t.begin(nil)
			doc, err := t.getIn(tx, "c/d")
			require.NoError(t, err)
			_, err = t.commitIn(tx, t.set("c/d", fields{"n": literal.Int(doc.Fields["n"].GetIntegerValue() + 1)}))
			require.NoError(t, err)
			t.has("c/d", fields{"n": literal.Int(2)})
		},
	},
	{
		Name: "a transaction that has begun reads what was committed before its read",
		Run: func(t *T) {
			t.commit(t.set("c/d", fields{"n": literal.Int(1)}))
			tx := t.begin(nil)
			t.commit(t.set("c/d", fields{"n": literal.Int(2)}))
			doc, err := t.getIn(tx, "c/d")
			require.NoError(t, err)
			t.is(literal.Int(2), doc.Fields["n"])
			_, err = t.commitIn(tx, t.set("c/d", fields{"n": literal.Int(3)}))
			require.NoError(t, err)
		},
	},
	{
		Name: "a transaction reads a document twice as the same",
		Page: "firestore/transaction-data-contention, isolation",
		Run: func(t *T) {
			t.commit(t.set("c/d", fields{"n": literal.Int(1)}))
			tx := t.begin(nil)
			first, err := t.getIn(tx, "c/d")
			require.NoError(t, err)
			t.commit(t.set("c/e", nil))
			second, err := t.getIn(tx, "c/d")
			require.NoError(t, err)
			t.same(first, second)
			require.NoError(t, t.rollback(tx))
		},
	},
	{
		Name: "a transaction that only read can be committed",
		Page: transactionPage,
		Run: func(t *T) {
			t.commit(t.set("c/d", nil))
			tx := t.reading("c/d")
			_, err := t.commitIn(tx)
			require.NoError(t, err)
		},
	},
	{
		Name: "a transaction's writes are atomic",
		Page: "proto firestore.proto, CommitRequest.writes: atomically",
		Run: func(t *T) {
			_, err := t.commitIn(t.begin(nil), t.set("c/a", nil), onlyIf(true, t.set("c/missing", nil)))
			t.fails(codes.NotFound, err)
			require.Nil(t, t.get("c/a"))
		},
	},
	over("that was committed", func(t *T, tx []byte) error { _, err := t.commitIn(tx, t.set("c/first", nil)); return err }),
	over("that was committed without writes", func(t *T, tx []byte) error { _, err := t.commitIn(tx); return err }),
	over("that was rolled back", func(t *T, tx []byte) error { return t.rollback(tx) }),
	over("whose commit failed", func(t *T, tx []byte) error {
		_, err := t.commitIn(tx, onlyIf(true, t.set("c/missing", nil)))
		t.fails(codes.NotFound, err)
		return nil
	}),
	{
		Name: "a transaction may be rolled back twice and after its commit",
		Run: func(t *T) {
			tx := t.begin(nil)
			require.NoError(t, t.rollback(tx))
			require.NoError(t, t.rollback(tx))
			tx = t.begin(nil)
			_, err := t.commitIn(tx, t.set("c/d", nil))
			require.NoError(t, err)
			require.NoError(t, t.rollback(tx))
			require.NotNil(t, t.get("c/d"))
		},
	},
	{
		Name: "a transaction that was never begun is refused",
		Run: func(t *T) {
			for _, tx := range [][]byte{{1}, []byte("never begun"), []byte("0123456789abcdef0123456789abcdef")} {
				_, err := t.commitIn(tx, t.set("c/d", nil))
				t.fails(codes.InvalidArgument, err)
				_, err = t.getIn(tx, "c/d")
				t.fails(codes.InvalidArgument, err)
				_, err = t.findIn(tx, "c")
				t.fails(codes.InvalidArgument, err)
				t.fails(codes.InvalidArgument, t.rollback(tx))
				_, err = t.Firestore.BeginTransaction(t.Ctx, &firestorepb.BeginTransactionRequest{Database: t.Database, Options: readWrite(tx)})
				t.fails(codes.InvalidArgument, err)
			}
			require.Nil(t, t.get("c/d"))
		},
	},
	{
		Name: "a rollback of no transaction is refused",
		Page: "proto firestore.proto, RollbackRequest.transaction: required",
		Run:  func(t *T) { t.fails(codes.InvalidArgument, t.rollback(nil)) },
	},
	{
		Name: "a transaction may name one to try again",
		Page: "proto common.proto, TransactionOptions.ReadWrite.retry_transaction",
		Run: func(t *T) {
			first := t.begin(nil)
			require.NoError(t, t.rollback(first))
			second := t.begin(readWrite(first))
			require.NotEqual(t, first, second)
			_, err := t.commitIn(second, t.set("c/d", nil))
			require.NoError(t, err)
		},
	},
	{
		Name: "a transaction that only reads cannot write",
		Page: "proto common.proto, TransactionOptions.ReadOnly",
		Run: func(t *T) {
			_, err := t.commitIn(t.begin(readOnly(nil)), t.set("c/d", nil))
			t.fails(codes.InvalidArgument, err)
			require.Nil(t, t.get("c/d"))
		},
	},
	{
		Name: "a transaction that only reads can be committed and rolled back",
		Page: "proto common.proto, TransactionOptions.ReadOnly",
		Run: func(t *T) {
			_, err := t.commitIn(t.begin(readOnly(nil)))
			require.NoError(t, err)
			require.NoError(t, t.rollback(t.begin(readOnly(nil))))
		},
	},
	{
		Name: "a transaction that only reads sees the time of its beginning",
		Page: "firestore/transaction-data-contention, isolation",
		Run: func(t *T) {
			t.commit(t.set("c/d", fields{"n": literal.Int(1)}))
			tx := t.begin(readOnly(nil))
			t.commit(t.set("c/d", fields{"n": literal.Int(2)}), t.set("c/e", nil))
			doc, err := t.getIn(tx, "c/d")
			require.NoError(t, err)
			t.is(literal.Int(1), doc.Fields["n"])
			t.commit(t.set("c/d", fields{"n": literal.Int(3)}))
			docs, err := t.findIn(tx, "c")
			require.NoError(t, err)
			require.Len(t, docs, 1)
			t.is(literal.Int(1), docs[0].Fields["n"])
		},
	},
	{
		Name: "a transaction that only reads may begin at a past time",
		Page: "proto common.proto, TransactionOptions.ReadOnly.read_time",
		Run: func(t *T) {
			at := t.commit(t.set("c/d", fields{"n": literal.Int(1)})).CommitTime
			t.commit(t.set("c/d", fields{"n": literal.Int(2)}), t.set("c/e", nil))
			tx := t.begin(readOnly(at))
			doc, err := t.getIn(tx, "c/d")
			require.NoError(t, err)
			t.is(literal.Int(1), doc.Fields["n"])
			doc, err = t.getIn(tx, "c/e")
			require.NoError(t, err)
			require.Nil(t, doc)
			docs, err := t.findIn(tx, "c")
			require.NoError(t, err)
			require.Len(t, docs, 1)
			_, err = t.commitIn(tx)
			require.NoError(t, err)
		},
	},
	{
		Name: "a transaction cannot begin in the future",
		Page: "proto common.proto, TransactionOptions.ReadOnly.read_time: within the past one hour",
		Run: func(t *T) {
			at := t.commit(t.set("c/d", nil)).CommitTime
			_, err := t.Firestore.BeginTransaction(t.Ctx, &firestorepb.BeginTransactionRequest{
				Database: t.Database, Options: readOnly(&timestamppb.Timestamp{Seconds: at.Seconds + 3600})})
			t.fails(codes.InvalidArgument, err)
		},
	},
}

// over is the check that a transaction is of no use any more.
func over(what string, end func(t *T, tx []byte) error) Check {
	return Check{
		Name: "a transaction " + what + " is over",
		Run: func(t *T) {
			tx := t.begin(nil)
			require.NoError(t, end(t, tx))
			_, err := t.getIn(tx, "c/d")
			t.fails(codes.InvalidArgument, err)
			_, err = t.findIn(tx, "c")
			t.fails(codes.InvalidArgument, err)
			_, err = t.commitIn(tx, t.set("c/d", nil))
			t.fails(codes.InvalidArgument, err)
			require.Nil(t, t.get("c/d"))
		},
	}
}
