package conformance

import (
	"cloud.google.com/go/firestore/apiv1/firestorepb"
	"github.com/stretchr/testify/require"
	"google.golang.org/grpc/codes"
	"google.golang.org/protobuf/types/known/timestamppb"
)

const (
	getPage      = "proto firestore.proto, GetDocumentRequest"
	batchGetPage = "proto firestore.proto, BatchGetDocumentsRequest"
)

// getting is about reading one document.
var getting = []Check{
	{
		Name: "a document is read with its name, fields and times",
		Page: getPage,
		Run: func(t *T) {
			at := t.commit(t.set("c/d", fields{"a": integer(1)})).CommitTime
			t.same(&firestorepb.Document{Name: t.Name("c/d"), Fields: fields{"a": integer(1)}, CreateTime: at, UpdateTime: at}, t.get("c/d"))
		},
	},
	{
		Name: "a missing document is not found",
		Page: getPage,
		Run: func(t *T) {
			_, err := t.Firestore.GetDocument(t.Ctx, &firestorepb.GetDocumentRequest{Name: t.Name("c/d")})
			t.fails(codes.NotFound, err)
		},
	},
	{
		Name: "a document that has only documents below it is not found",
		Page: "firestore/data-model: subcollections",
		Run: func(t *T) {
			t.commit(t.set("c/d/s/e", nil))
			_, err := t.Firestore.GetDocument(t.Ctx, &firestorepb.GetDocumentRequest{Name: t.Name("c/d")})
			t.fails(codes.NotFound, err)
		},
	},
	{
		Name: "a read sees the last commit",
		Page: "proto firestore.proto, GetDocumentRequest: strong consistency",
		Run: func(t *T) {
			for n := range int64(20) {
				t.commit(t.set("c/d", fields{"n": integer(n)}))
				t.has("c/d", fields{"n": integer(n)})
			}
		},
	},
	reads("a mask chooses the fields", []string{"a", "c"}, fields{"a": integer(1)}),
	reads("a mask chooses keys of a map", []string{"m.x"}, fields{"m": mapOf(fields{"x": integer(2)})}),
	reads("a mask with keys of one map keeps them together", []string{"m.x", "m.y", "a"},
		fields{"a": integer(1), "m": mapOf(fields{"x": integer(2), "y": integer(3)})}),
	reads("a mask with a path around another reads the whole", []string{"m.x", "m"},
		fields{"m": mapOf(fields{"x": integer(2), "y": integer(3)})}),
	reads("a mask with a key that is not there reads no map", []string{"m.z"}, fields{}),
	reads("a mask with a path through a value that is no map reads nothing", []string{"a.b"}, fields{}),
	reads("a mask with a quoted name reads the field of that name", []string{"`p.q`"}, fields{"p.q": integer(4)}),
	reads("a mask does not look into arrays", []string{"l.`0`"}, fields{}),
	reads("the mask __name__ reads no field", []string{"__name__"}, fields{}),
	{
		Name: "a mask of no paths reads no field",
		Page: getPage + ".mask",
		Run: func(t *T) {
			t.commit(t.set("c/d", fields{"a": integer(1)}))
			doc, err := t.Firestore.GetDocument(t.Ctx, &firestorepb.GetDocumentRequest{Name: t.Name("c/d"), Mask: &firestorepb.DocumentMask{}})
			require.NoError(t, err)
			require.Empty(t, doc.Fields)
		},
	},
	{
		Name: "a mask of a field that is not there still finds the document",
		Page: getPage + ".mask",
		Run: func(t *T) {
			at := t.commit(t.set("c/d", fields{"a": integer(1)})).CommitTime
			doc, err := t.Firestore.GetDocument(t.Ctx, &firestorepb.GetDocumentRequest{Name: t.Name("c/d"), Mask: &firestorepb.DocumentMask{FieldPaths: []string{"b"}}})
			require.NoError(t, err)
			t.same(&firestorepb.Document{Name: t.Name("c/d"), CreateTime: at, UpdateTime: at}, doc)
		},
	},
	{
		Name: "a mask with a path that is none is refused",
		Page: getPage + ".mask",
		Run: func(t *T) {
			t.commit(t.set("c/d", nil))
			_, err := t.Firestore.GetDocument(t.Ctx, &firestorepb.GetDocumentRequest{Name: t.Name("c/d"), Mask: &firestorepb.DocumentMask{FieldPaths: []string{"a..b"}}})
			t.fails(codes.InvalidArgument, err)
		},
	},
}

// reads is the check of what a mask reads of a document, alone and among many.
func reads(name string, mask []string, want fields) Check {
	return Check{
		Name: name,
		Page: getPage + ".mask",
		Run: func(t *T) {
			t.commit(t.set("c/d", fields{"a": integer(1), "b": integer(5), "m": mapOf(fields{"x": integer(2), "y": integer(3)}),
				"p.q": integer(4), "l": array(integer(6))}))
			m := &firestorepb.DocumentMask{FieldPaths: mask}
			doc, err := t.Firestore.GetDocument(t.Ctx, &firestorepb.GetDocumentRequest{Name: t.Name("c/d"), Mask: m})
			require.NoError(t, err)
			t.same(&firestorepb.MapValue{Fields: want}, &firestorepb.MapValue{Fields: doc.Fields})
			answers := t.batchGet(&firestorepb.BatchGetDocumentsRequest{Documents: []string{t.Name("c/d")}, Mask: m})
			t.same(doc, answers[0].GetFound())
		},
	}
}

// batchGet reads many documents. The request's database is set.
func (t *T) batchGet(req *firestorepb.BatchGetDocumentsRequest) []*firestorepb.BatchGetDocumentsResponse {
	t.Helper()
	req.Database = t.Database
	answers, err := all(t.Firestore.BatchGetDocuments(t.Ctx, req))
	require.NoError(t, err)
	return answers
}

// gettingMany is about reading many documents at once.
var gettingMany = []Check{
	{
		Name: "every document is answered, found or missing, with a time",
		Page: "proto firestore.proto, BatchGetDocumentsResponse",
		Run: func(t *T) {
			t.commit(t.set("c/a", fields{"n": integer(1)}), t.set("c/b", nil), t.set("x/y/z/a", fields{"n": integer(3)}))
			found, missing := t.sorted(t.batchGet(&firestorepb.BatchGetDocumentsRequest{
				Documents: []string{t.Name("x/y/z/a"), t.Name("c/missing"), t.Name("c/b"), t.Name("x/y"), t.Name("c/a")}}))
			require.Len(t, found, 3)
			t.is(integer(1), found[t.Name("c/a")].Fields["n"])
			t.is(integer(3), found[t.Name("x/y/z/a")].Fields["n"])
			require.ElementsMatch(t, []string{t.Name("c/missing"), t.Name("x/y")}, missing)
		},
	},
	{
		Name: "a name that is given twice is answered once",
		Page: batchGetPage + ".documents: duplicate names will be elided",
		Run: func(t *T) {
			t.commit(t.set("c/a", nil))
			answers := t.batchGet(&firestorepb.BatchGetDocumentsRequest{Documents: []string{t.Name("c/a"), t.Name("c/a"), t.Name("c/b"), t.Name("c/b")}})
			require.Len(t, answers, 2)
		},
	},
	{
		Name: "no names are answered with nothing",
		Run: func(t *T) {
			for _, a := range t.batchGet(&firestorepb.BatchGetDocumentsRequest{}) {
				require.Nil(t, a.Result)
			}
		},
	},
	{
		Name: "all documents of an answer are of one time",
		Page: "proto firestore.proto, BatchGetDocumentsResponse.read_time",
		Run: func(t *T) {
			t.commit(t.set("c/a", nil), t.set("c/b", nil))
			answers := t.batchGet(&firestorepb.BatchGetDocumentsRequest{Documents: []string{t.Name("c/a"), t.Name("c/b"), t.Name("c/missing")}})
			for _, a := range answers {
				t.same(answers[0].ReadTime, a.ReadTime)
			}
		},
	},
	{
		Name: "three hundred documents may be read at once",
		Run: func(t *T) {
			var writes []*firestorepb.Write
			var names []string
			for i := range 300 {
				writes = append(writes, t.set("c/"+autoID(i), nil))
				names = append(names, t.Name("c/"+autoID(i)))
			}
			t.commit(writes...)
			found, _ := t.sorted(t.batchGet(&firestorepb.BatchGetDocumentsRequest{Documents: names}))
			require.Len(t, found, 300)
		},
	},
	{
		Name: "a new transaction comes in the first answer, alone",
		Page: batchGetPage + ".new_transaction: returned as the first response",
		Run: func(t *T) {
			t.commit(t.set("c/a", nil))
			answers := t.batchGet(&firestorepb.BatchGetDocumentsRequest{Documents: []string{t.Name("c/a")},
				ConsistencySelector: &firestorepb.BatchGetDocumentsRequest_NewTransaction{NewTransaction: &firestorepb.TransactionOptions{}}})
			require.Len(t, answers, 2)
			require.NotEmpty(t, answers[0].Transaction)
			require.Nil(t, answers[0].Result)
			require.Empty(t, answers[1].Transaction)
			require.NotNil(t, answers[1].GetFound())
		},
	},
	{
		Name: "a new transaction is only for reading unless it says otherwise",
		Page: batchGetPage + ".new_transaction: defaults to a read-only transaction",
		Run: func(t *T) {
			answers := t.batchGet(&firestorepb.BatchGetDocumentsRequest{Documents: []string{t.Name("c/a")},
				ConsistencySelector: &firestorepb.BatchGetDocumentsRequest_NewTransaction{NewTransaction: &firestorepb.TransactionOptions{}}})
			_, err := t.commitIn(answers[0].Transaction, t.set("c/a", nil))
			t.fails(codes.InvalidArgument, err)
		},
	},
	{
		Name: "a new transaction may be for writing",
		Page: batchGetPage + ".new_transaction",
		Run: func(t *T) {
			answers := t.batchGet(&firestorepb.BatchGetDocumentsRequest{Documents: []string{t.Name("c/a")},
				ConsistencySelector: &firestorepb.BatchGetDocumentsRequest_NewTransaction{NewTransaction: readWrite(nil)}})
			_, err := t.commitIn(answers[0].Transaction, t.set("c/a", fields{"a": integer(1)}))
			require.NoError(t, err)
			t.has("c/a", fields{"a": integer(1)})
		},
	},
	{
		Name: "a past time reads the documents as they were, found and missing",
		Page: batchGetPage + ".read_time",
		Run: func(t *T) {
			at := t.commit(t.set("c/a", fields{"n": integer(1)})).CommitTime
			t.commit(t.set("c/a", fields{"n": integer(2)}), t.set("c/b", nil))
			answers := t.batchGet(&firestorepb.BatchGetDocumentsRequest{Documents: []string{t.Name("c/a"), t.Name("c/b")},
				ConsistencySelector: &firestorepb.BatchGetDocumentsRequest_ReadTime{ReadTime: at}})
			found, missing := t.sorted(answers)
			t.is(integer(1), found[t.Name("c/a")].Fields["n"])
			require.Equal(t, []string{t.Name("c/b")}, missing)
			t.same(at, answers[0].ReadTime)
		},
	},
}

// sorted returns the documents that were found by name, and the names of those that were not. Each has a read time.
func (t *T) sorted(answers []*firestorepb.BatchGetDocumentsResponse) (found map[string]*firestorepb.Document, missing []string) {
	t.Helper()
	found = map[string]*firestorepb.Document{}
	for _, a := range answers {
		require.NotNil(t, a.ReadTime)
		if doc := a.GetFound(); doc != nil {
			found[doc.Name] = doc
		} else {
			missing = append(missing, a.GetMissing())
		}
	}
	return found, missing
}

// at is the read of a document at a time.
func (t *T) at(path string, at *timestamppb.Timestamp) (*firestorepb.Document, error) {
	return t.Firestore.GetDocument(t.Ctx, &firestorepb.GetDocumentRequest{Name: t.Name(path),
		ConsistencySelector: &firestorepb.GetDocumentRequest_ReadTime{ReadTime: at}})
}
