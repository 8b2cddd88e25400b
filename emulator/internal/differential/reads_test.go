package differential_test

import (
	"slices"

	pb "cloud.google.com/go/firestore/apiv1/firestorepb"
	"google.golang.org/protobuf/types/known/timestamppb"
)

// time is that of a commit, or just before one that is not the first.
func (p *program) time() *timestamppb.Timestamp {
	step := p.IntN(len(p.steps))
	if step > 0 && p.oneIn(4) {
		return before(step)
	}
	return timeOf(step)
}

func (p *program) getMany() *pb.BatchGetDocumentsRequest {
	r := &pb.BatchGetDocumentsRequest{Database: p.database}
	for range 1 + p.IntN(5) {
		r.Documents = append(r.Documents, p.document())
	}
	if p.oneIn(3) {
		r.Mask = p.mask(3)
	}
	if p.oneIn(2) {
		r.ConsistencySelector = &pb.BatchGetDocumentsRequest_ReadTime{ReadTime: p.time()}
	}
	return r
}

func (p *program) runQuery() *pb.RunQueryRequest {
	parent, q := p.query()
	r := &pb.RunQueryRequest{Parent: parent, QueryType: &pb.RunQueryRequest_StructuredQuery{StructuredQuery: q}}
	if p.oneIn(4) {
		r.ConsistencySelector = &pb.RunQueryRequest_ReadTime{ReadTime: p.time()}
	}
	return r
}

func (p *program) aggregate() *pb.RunAggregationQueryRequest {
	parent, q := p.query()
	q.Select = nil
	r := &pb.RunAggregationQueryRequest{Parent: parent, QueryType: &pb.RunAggregationQueryRequest_StructuredAggregationQuery{
		StructuredAggregationQuery: &pb.StructuredAggregationQuery{
			QueryType:    &pb.StructuredAggregationQuery_StructuredQuery{StructuredQuery: q},
			Aggregations: p.aggregations(),
		},
	}}
	if p.oneIn(4) {
		r.ConsistencySelector = &pb.RunAggregationQueryRequest_ReadTime{ReadTime: p.time()}
	}
	return r
}

// parent is the root or a document that has collections, perhaps.
func (p *program) parent() string {
	if p.oneIn(2) {
		return p.root()
	}
	return p.name(pick(&p.random, "c/a", "c/b", "d/gone", "c/é", "c/none", "c/a/d/b"))
}

func (p *program) list() {
	r := &pb.ListDocumentsRequest{Parent: p.parent(), CollectionId: pick(&p.random, "c", "c", "c", "d", "d", "é x", "none", "")}
	if p.oneIn(2) {
		r.PageSize = 1 + p.Int32N(4)
	}
	if p.oneIn(3) {
		r.Mask = p.mask(3)
	}
	switch {
	case p.oneIn(3):
		r.ShowMissing = true
	case p.oneIn(2):
		r.OrderBy = pick(&p.random, "a", "a desc", "b, a desc", "m.x", "`m-x`", "__name__", "a, __name__", "arr desc, b", "é", "a  asc , b", "`a.b` desc, `m-x`", "m.`m-x`", "`\\`\\\\`", "a, a", "a b", "a,,b", "a up")
	}
	if p.oneIn(4) {
		r.ConsistencySelector = &pb.ListDocumentsRequest_ReadTime{ReadTime: p.time()}
	}
	p.add(r)
}

func (p *program) listCollections() {
	r := &pb.ListCollectionIdsRequest{Parent: p.parent()}
	if p.oneIn(2) {
		r.PageSize = 1 + p.Int32N(3)
	}
	if p.oneIn(4) {
		r.ConsistencySelector = &pb.ListCollectionIdsRequest_ReadTime{ReadTime: p.time()}
	}
	p.add(r)
}

// transaction adds a whole one. Nothing else happens meanwhile, which would have to wait for it.
func (p *program) transaction() {
	defer p.join(len(p.steps))
	begun := transactionOf(len(p.steps))
	if p.oneIn(3) { // a read begins it
		r := p.getMany()
		r.ConsistencySelector = &pb.BatchGetDocumentsRequest_NewTransaction{NewTransaction: &pb.TransactionOptions{
			Mode: &pb.TransactionOptions_ReadWrite_{ReadWrite: &pb.TransactionOptions_ReadWrite{}},
		}}
		p.add(r)
	} else {
		p.add(&pb.BeginTransactionRequest{Database: p.database})
	}
	for range p.IntN(4) {
		p.readIn(begun)
	}
	switch {
	case p.oneIn(4):
		p.add(&pb.RollbackRequest{Database: p.database, Transaction: begun})
	case p.oneIn(8):
		p.add(&pb.CommitRequest{Database: p.database, Transaction: begun})
	default:
		p.look(p.commit(begun))
		p.add(&pb.RollbackRequest{Database: p.database, Transaction: begun}) // in case that it has failed
	}
	if p.oneIn(10) { // it is over
		r := p.getMany()
		r.ConsistencySelector = &pb.BatchGetDocumentsRequest_Transaction{Transaction: begun}
		p.add(r)
	}
}

// readOnly adds a transaction that reads while others write.
func (p *program) readOnly() {
	defer p.join(len(p.steps))
	begun := transactionOf(len(p.steps))
	only := &pb.TransactionOptions_ReadOnly{}
	if p.oneIn(2) {
		only.ConsistencySelector = &pb.TransactionOptions_ReadOnly_ReadTime{ReadTime: p.time()}
	}
	p.add(&pb.BeginTransactionRequest{Database: p.database, Options: &pb.TransactionOptions{Mode: &pb.TransactionOptions_ReadOnly_{ReadOnly: only}}})
	for range 1 + p.IntN(3) {
		p.commit(nil)
		p.readIn(begun)
	}
	p.add(&pb.RollbackRequest{Database: p.database, Transaction: begun})
}

func (p *program) readIn(transaction []byte) {
	switch p.IntN(4) {
	case 0:
		r := p.runQuery()
		r.ConsistencySelector = &pb.RunQueryRequest_Transaction{Transaction: transaction}
		p.add(r)
	case 1:
		p.add(&pb.GetDocumentRequest{Name: p.document(), ConsistencySelector: &pb.GetDocumentRequest_Transaction{Transaction: transaction}})
	case 2:
		r := p.aggregate()
		r.ConsistencySelector = &pb.RunAggregationQueryRequest_Transaction{Transaction: transaction}
		p.add(r)
	default:
		r := p.getMany()
		r.ConsistencySelector = &pb.BatchGetDocumentsRequest_Transaction{Transaction: transaction}
		p.add(r)
	}
}

// listen opens a listener, once in a program.
func (p *program) listen() {
	if p.listening {
		return
	}
	p.listening = true
	var targets []*pb.Target
	for range 1 + p.IntN(2) {
		target := &pb.Target{TargetId: int32(1 + len(targets))}
		if p.oneIn(3) {
			documents := &pb.Target_DocumentsTarget{}
			for range 1 + p.IntN(3) {
				if name := p.document(); !slices.Contains(documents.Documents, name) {
					documents.Documents = append(documents.Documents, name)
				}
			}
			target.TargetType = &pb.Target_Documents{Documents: documents}
		} else {
			parent, q := p.query()
			for len(q.From) != 1 || q.From[0].CollectionId == "" { // the official emulator never tells of changes
				parent, q = p.query()
			}
			q = avoid(&pb.RunQueryRequest{Parent: parent, QueryType: &pb.RunQueryRequest_StructuredQuery{StructuredQuery: q}}).(*pb.RunQueryRequest).GetStructuredQuery()
			target.TargetType = &pb.Target_Query{Query: &pb.Target_QueryTarget{
				Parent: parent, QueryType: &pb.Target_QueryTarget_StructuredQuery{StructuredQuery: q},
			}}
		}
		targets = append(targets, target)
	}
	p.add(&pb.CommitRequest{Database: p.database})
	p.steps[len(p.steps)-1].targets = targets
}
