package serial_test

import (
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"cloud.google.com/go/firestore/apiv1/firestorepb"
	"google.golang.org/protobuf/types/known/timestamppb"
	"google.golang.org/protobuf/types/known/wrapperspb"

	"hippocampus/emulator/internal/literal"
)

// collection is where the documents of a history are: c/0, c/1, ...
const collection = "c"

// view is when a read takes place: in a transaction, which the read may begin, or at a time, or
// now.
type view struct {
	transaction []byte
	begins      *firestorepb.TransactionOptions
	at          time.Time
}

func (x *server) name(document int) string {
	return x.database + "/documents/" + collection + "/" + strconv.Itoa(document)
}

// entry reads the document of an answer.
func entryOf(doc *firestorepb.Document) (entry, error) {
	_, id, _ := strings.Cut(doc.GetName(), "/documents/"+collection+"/")
	document, err := strconv.Atoi(id)
	return entry{document, doc.GetFields()["n"].GetIntegerValue()}, err
}

// get reads documents, and returns the time of the read, or the transaction that it began.
func (x *server) get(v view, documents []int) (all []entry, at time.Time, began []byte, err error) {
	req := &firestorepb.BatchGetDocumentsRequest{Database: x.database}
	switch {
	case v.begins != nil:
		req.ConsistencySelector = &firestorepb.BatchGetDocumentsRequest_NewTransaction{NewTransaction: v.begins}
	case v.transaction != nil:
		req.ConsistencySelector = &firestorepb.BatchGetDocumentsRequest_Transaction{Transaction: v.transaction}
	case !v.at.IsZero():
		req.ConsistencySelector = &firestorepb.BatchGetDocumentsRequest_ReadTime{ReadTime: timestamppb.New(v.at)}
	}
	for _, d := range documents {
		req.Documents = append(req.Documents, x.name(d))
	}
	stream, err := x.rpc.BatchGetDocuments(x.ctx, req)
	if err != nil {
		return nil, at, nil, err
	}
	for {
		res, err := stream.Recv()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, at, began, err
		}
		if res.GetTransaction() != nil {
			began = res.GetTransaction()
		}
		doc := res.GetFound()
		if res.GetResult() == nil {
			continue
		}
		if doc == nil {
			doc = &firestorepb.Document{Name: res.GetMissing()}
		}
		e, err := entryOf(doc)
		if err != nil {
			return nil, at, began, err
		}
		all, at = append(all, e), res.GetReadTime().AsTime()
	}
	if len(all) != len(documents) {
		return nil, at, began, fmt.Errorf("%d of %d documents were answered", len(all), len(documents))
	}
	return all, at, began, nil
}

// find runs a query.
func (x *server) find(v view, q query) (query, time.Time, error) {
	structured := &firestorepb.StructuredQuery{
		From: literal.From(collection, false),
		Where: &firestorepb.StructuredQuery_Filter{FilterType: &firestorepb.StructuredQuery_Filter_FieldFilter{
			FieldFilter: &firestorepb.StructuredQuery_FieldFilter{
				Field: literal.Field("n"),
				Op:    firestorepb.StructuredQuery_FieldFilter_GREATER_THAN_OR_EQUAL, Value: literal.Int(q.atLeast),
			},
		}},
	}
	if q.limit > 0 {
		structured.Limit = wrapperspb.Int32(int32(q.limit))
	}
	if q.counts {
		return x.count(v, q, structured)
	}
	req := &firestorepb.RunQueryRequest{
		Parent: x.database + "/documents", QueryType: &firestorepb.RunQueryRequest_StructuredQuery{StructuredQuery: structured},
	}
	switch {
	case v.transaction != nil:
		req.ConsistencySelector = &firestorepb.RunQueryRequest_Transaction{Transaction: v.transaction}
	case !v.at.IsZero():
		req.ConsistencySelector = &firestorepb.RunQueryRequest_ReadTime{ReadTime: timestamppb.New(v.at)}
	}
	stream, err := x.rpc.RunQuery(x.ctx, req)
	if err != nil {
		return q, time.Time{}, err
	}
	var at time.Time
	for {
		res, err := stream.Recv()
		if errors.Is(err, io.EOF) {
			return q, at, nil
		}
		if err != nil {
			return q, at, err
		}
		if res.GetReadTime() != nil {
			at = res.GetReadTime().AsTime()
		}
		if res.GetDocument() == nil {
			continue
		}
		e, err := entryOf(res.GetDocument())
		if err != nil {
			return q, at, err
		}
		q.found = append(q.found, e)
	}
}

func (x *server) count(v view, q query, structured *firestorepb.StructuredQuery) (query, time.Time, error) {
	req := &firestorepb.RunAggregationQueryRequest{
		Parent: x.database + "/documents",
		QueryType: &firestorepb.RunAggregationQueryRequest_StructuredAggregationQuery{
			StructuredAggregationQuery: &firestorepb.StructuredAggregationQuery{
				QueryType: &firestorepb.StructuredAggregationQuery_StructuredQuery{StructuredQuery: structured},
				Aggregations: []*firestorepb.StructuredAggregationQuery_Aggregation{{
					Alias:    "count",
					Operator: &firestorepb.StructuredAggregationQuery_Aggregation_Count_{Count: &firestorepb.StructuredAggregationQuery_Aggregation_Count{}},
				}},
			},
		},
	}
	switch {
	case v.transaction != nil:
		req.ConsistencySelector = &firestorepb.RunAggregationQueryRequest_Transaction{Transaction: v.transaction}
	case !v.at.IsZero():
		req.ConsistencySelector = &firestorepb.RunAggregationQueryRequest_ReadTime{ReadTime: timestamppb.New(v.at)}
	}
	stream, err := x.rpc.RunAggregationQuery(x.ctx, req)
	if err != nil {
		return q, time.Time{}, err
	}
	res, err := stream.Recv()
	if err != nil {
		return q, time.Time{}, err
	}
	if _, err := stream.Recv(); !errors.Is(err, io.EOF) {
		return q, time.Time{}, fmt.Errorf("a count has a second answer: %v", err)
	}
	q.count = int(res.GetResult().GetAggregateFields()["count"].GetIntegerValue())
	return q, res.GetReadTime().AsTime(), nil
}

// commit makes changes, in a transaction if it is not nil, and fills in the results of additions.
func (x *server) commit(transaction []byte, changes []change) ([]change, time.Time, error) {
	req := &firestorepb.CommitRequest{Database: x.database, Transaction: transaction}
	for _, c := range changes {
		req.Writes = append(req.Writes, x.write(c))
	}
	res, err := x.rpc.Commit(x.ctx, req)
	if err != nil {
		return nil, time.Time{}, err
	}
	done := append([]change(nil), changes...)
	for i := range done {
		if done[i].adds {
			done[i].result = res.GetWriteResults()[i].GetTransformResults()[0].GetIntegerValue()
		}
	}
	return done, res.GetCommitTime().AsTime(), nil
}

func (x *server) write(c change) *firestorepb.Write {
	switch {
	case c.adds:
		return &firestorepb.Write{
			Operation:        &firestorepb.Write_Update{Update: &firestorepb.Document{Name: x.name(c.document)}},
			UpdateMask:       &firestorepb.DocumentMask{},
			UpdateTransforms: []*firestorepb.DocumentTransform_FieldTransform{literal.Increment("n", literal.Int(c.number))},
		}
	case c.number == 0:
		return &firestorepb.Write{Operation: &firestorepb.Write_Delete{Delete: x.name(c.document)}}
	}
	return &firestorepb.Write{Operation: &firestorepb.Write_Update{Update: &firestorepb.Document{
		Name: x.name(c.document), Fields: map[string]*firestorepb.Value{"n": literal.Int(c.number)},
	}}}
}

// begin begins a transaction: one that only reads, or one that tries again another, if that is not
// nil.
func (x *server) begin(o *firestorepb.TransactionOptions) ([]byte, error) {
	res, err := x.rpc.BeginTransaction(x.ctx, &firestorepb.BeginTransactionRequest{Database: x.database, Options: o})
	return res.GetTransaction(), err
}

func (x *server) rollback(transaction []byte) error {
	_, err := x.rpc.Rollback(x.ctx, &firestorepb.RollbackRequest{Database: x.database, Transaction: transaction})
	return err
}

var readOnly = &firestorepb.TransactionOptions{Mode: &firestorepb.TransactionOptions_ReadOnly_{ReadOnly: &firestorepb.TransactionOptions_ReadOnly{}}}

func readWrite(failed []byte) *firestorepb.TransactionOptions {
	return &firestorepb.TransactionOptions{Mode: &firestorepb.TransactionOptions_ReadWrite_{
		ReadWrite: &firestorepb.TransactionOptions_ReadWrite{RetryTransaction: failed},
	}}
}
