package conformance

import (
	"cloud.google.com/go/firestore/apiv1/firestorepb"
	"github.com/stretchr/testify/require"
	"google.golang.org/grpc/codes"

	"hippocampus/emulator/internal/literal"
)

const batchGetPage = "proto firestore.proto, BatchGetDocumentsRequest"

// gettingMany is about reading many documents at once.
var gettingMany = []Check{
	{
		Name: "every document is answered, found or missing, with a time",
		Page: "proto firestore.proto, BatchGetDocumentsResponse",
		Run: func(t *T) {
			t.commit(t.set("c/a", fields{"n": literal.Int(1)}), t.set("c/b", nil), t.set("x/y/z/a", fields{"n": literal.Int(3)}))
			found, missing := t.sorted(t.batchGet(&firestorepb.BatchGetDocumentsRequest{
				Documents: []string{t.Name("x/y/z/a"), t.Name("c/missing"), t.Name("c/b"), t.Name("x/y"), t.Name("c/a")}}))
			require.Len(t, found, 3)
			t.is(literal.Int(1), found[t.Name("c/a")].Fields["n"])
			t.is(literal.Int(3), found[t.Name("x/y/z/a")].Fields["n"])
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
			_, err := t.commitIn(answers[0].Transaction, t.set("c/a", fields{"a": literal.Int(1)}))
			require.NoError(t, err)
			t.has("c/a", fields{"a": literal.Int(1)})
		},
	},
	{
		Name: "a past time reads the documents as they were, found and missing",
		Page: batchGetPage + ".read_time",
		Run: func(t *T) {
			at := t.commit(t.set("c/a", fields{"n": literal.Int(1)})).CommitTime
			t.commit(t.set("c/a", fields{"n": literal.Int(2)}), t.set("c/b", nil))
			answers := t.batchGet(&firestorepb.BatchGetDocumentsRequest{Documents: []string{t.Name("c/a"), t.Name("c/b")},
				ConsistencySelector: &firestorepb.BatchGetDocumentsRequest_ReadTime{ReadTime: at}})
			found, missing := t.sorted(answers)
			t.is(literal.Int(1), found[t.Name("c/a")].Fields["n"])
			require.Equal(t, []string{t.Name("c/b")}, missing)
			t.same(at, answers[0].ReadTime)
		},
	},
}

// sorted returns the documents that were found by name, and the names of those that were not. Each
// has a read time.
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

// batchGet reads many documents. The request's database is set.
func (t *T) batchGet(req *firestorepb.BatchGetDocumentsRequest) []*firestorepb.BatchGetDocumentsResponse {
	t.Helper()
	req.Database = t.Database
	answers, err := all(t.Firestore.BatchGetDocuments(t.Ctx, req))
	require.NoError(t, err)
	return answers
}
