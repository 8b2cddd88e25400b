package conformance

import (
	"fmt"
	"path"
	"slices"

	pb "cloud.google.com/go/firestore/apiv1/firestorepb"
	"github.com/stretchr/testify/require"
	"google.golang.org/grpc/codes"
)

// docs are documents by their path.
type docs = map[string]fields

// store commits documents at once.
func (t *T) store(all docs) *pb.CommitResponse {
	t.Helper()
	var writes []*pb.Write
	for path, f := range all {
		writes = append(writes, t.set(path, f))
	}
	return t.commit(writes...)
}

// storeEach stores a document c/0, c/1, … with a field v for each value.
func (t *T) storeEach(values ...*pb.Value) {
	t.Helper()
	all := docs{}
	for i, v := range values {
		all[fmt.Sprintf("c/%d", i)] = fields{"v": v}
	}
	t.store(all)
}

// query runs a query of the collections and documents at a path, "" for the root.
func (t *T) query(parent string, q *pb.StructuredQuery) ([]*pb.RunQueryResponse, error) {
	return all(t.Firestore.RunQuery(t.Ctx, &pb.RunQueryRequest{
		Parent: t.parent(parent), QueryType: &pb.RunQueryRequest_StructuredQuery{StructuredQuery: q},
	}))
}

// parent is the name of the root, "", or of a document.
func (t *T) parent(path string) string {
	if path == "" {
		return t.Root()
	}
	return t.Name(path)
}

// results runs a query, which must succeed, and returns its documents.
func (t *T) results(parent string, q *pb.StructuredQuery) []*pb.Document {
	t.Helper()
	answers, err := t.query(parent, q)
	require.NoError(t, err)
	return documents(answers)
}

func documents(answers []*pb.RunQueryResponse) []*pb.Document {
	var found []*pb.Document
	for _, a := range answers {
		if a.GetDocument() != nil {
			found = append(found, a.GetDocument())
		}
	}
	return found
}

// ids are the ids of documents; never nil.
func ids(documents []*pb.Document) []string {
	list := []string{}
	for _, d := range documents {
		list = append(list, path.Base(d.GetName()))
	}
	return list
}

// finds checks that a query at the root finds the documents with these ids, in this order.
func (t *T) finds(q *pb.StructuredQuery, want ...string) {
	t.Helper()
	t.findsIn("", q, want...)
}

// findsIn checks that a query at a path finds the documents with these ids, in this order.
func (t *T) findsIn(parent string, q *pb.StructuredQuery, want ...string) {
	t.Helper()
	require.Equal(t, append([]string{}, want...), ids(t.results(parent, q)))
}

// matches checks that of c's documents exactly those with these ids pass a filter, in any order.
func (t *T) matches(f *pb.StructuredQuery_Filter, want ...string) {
	t.Helper()
	got := ids(t.results("", from("c", where(f))))
	slices.Sort(got)
	require.Equal(t, append([]string{}, want...), got)
	if len(want) == 0 {
		require.NotEmpty(t, t.results("", from("c")), "there was nothing that could match")
	}
}

// refuses checks that a query at the root fails with a code.
func (t *T) refuses(want codes.Code, q *pb.StructuredQuery) {
	t.Helper()
	_, err := t.query("", q)
	t.fails(want, err)
}
