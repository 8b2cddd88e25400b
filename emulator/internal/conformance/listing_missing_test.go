package conformance

import (
	pb "cloud.google.com/go/firestore/apiv1/firestorepb"
	"github.com/stretchr/testify/require"
	"google.golang.org/grpc/codes"
)

func showMissing(r *pb.ListDocumentsRequest) { r.ShowMissing = true }

// missingDocuments are about lists of documents that do not exist but have some below them.
var missingDocuments = []Check{
	{
		Name: "a list leaves out missing documents unless they are wanted",
		Page: listProto + ".show_missing",
		Run: func(t *T) {
			t.store(docs{"c/b": nil, "c/a/d/1": nil, "c/c/d/2/e/3": nil})
			t.lists(listAll, "b")
			t.lists(showMissing, "a", "b", "c")
		},
	},
	{
		Name: "a missing document has a name and nothing else",
		Page: listProto + ".show_missing",
		Run: func(t *T) {
			t.store(docs{"c/a/d/1": {"v": one}})
			d := t.lists(showMissing, "a").GetDocuments()[0]
			require.Equal(t, t.Name("c/a"), d.GetName())
			require.Nil(t, d.GetCreateTime())
			require.Nil(t, d.GetUpdateTime())
			require.Empty(t, d.GetFields())
		},
	},
	{
		Name: "a missing document is listed once for many documents below it",
		Page: listProto + ".show_missing",
		Run: func(t *T) {
			t.store(docs{"c/a/d/1": nil, "c/a/d/2": nil, "c/a/e/1": nil, "c/a/d/1/f/1": nil})
			t.lists(showMissing, "a")
		},
	},
	{
		Name: "a document that was deleted is missing while it has documents below it",
		Page: listProto + ".show_missing",
		Run: func(t *T) {
			t.store(docs{"c/a": {"v": one}, "c/a/d/1": nil})
			require.NotNil(t, t.lists(showMissing, "a").GetDocuments()[0].GetUpdateTime())
			t.commit(t.remove("c/a"))
			require.Nil(t, t.lists(showMissing, "a").GetDocuments()[0].GetUpdateTime())
			t.commit(t.remove("c/a/d/1"))
			t.lists(showMissing)
		},
		Difference: "a deleted document is listed as updated when it was deleted",
		Official: func(t *T) {
			t.store(docs{"c/a": {"v": one}, "c/a/d/1": nil})
			at := t.commit(t.remove("c/a")).GetCommitTime()
			d := t.lists(showMissing, "a").GetDocuments()[0]
			require.Nil(t, d.GetCreateTime())
			require.True(t, at.AsTime().Equal(d.GetUpdateTime().AsTime()))
			t.commit(t.remove("c/a/d/1"))
			t.lists(showMissing)
		},
	},
	{
		Name: "pages with missing documents are the list",
		Page: listProto + ".page_token",
		Run: func(t *T) {
			t.store(docs{"c/a/d/1": nil, "c/b": nil, "c/c/d/1": nil, "c/d/d/1": nil, "c/e": nil})
			require.Equal(t, [][]string{{"a", "b"}, {"c", "d"}, {"e"}}, t.pages(2, showMissing))
		},
	},
	{
		Name: "missing documents are listed below a document",
		Page: listProto + ".show_missing",
		Run: func(t *T) {
			t.store(docs{"a/x/c/1/d/1": nil, "a/y/c/2/d/1": nil})
			t.lists(func(r *pb.ListDocumentsRequest) { r.Parent, r.ShowMissing = t.Name("a/x"), true }, "1")
		},
	},
	{
		Name: "missing documents go with a mask",
		Page: listProto + ".show_missing",
		Run: func(t *T) {
			t.store(docs{"c/a/d/1": nil, "c/b": {"v": one, "w": one}})
			res := t.lists(func(r *pb.ListDocumentsRequest) {
				r.ShowMissing, r.Mask = true, &pb.DocumentMask{FieldPaths: []string{"v"}}
			}, "a", "b")
			require.Len(t, res.GetDocuments()[1].GetFields(), 1)
		},
		Difference: "a mask is ignored along with missing documents",
		Official: func(t *T) {
			t.store(docs{"c/b": {"v": one, "w": one}})
			res := t.lists(func(r *pb.ListDocumentsRequest) {
				r.ShowMissing, r.Mask = true, &pb.DocumentMask{FieldPaths: []string{"v"}}
			}, "b")
			require.Len(t, res.GetDocuments()[0].GetFields(), 2)
		},
	},
	listRefused("missing documents in an order are refused", func(r *pb.ListDocumentsRequest) { r.ShowMissing, r.OrderBy = true, "v" }),
	{
		Name: "queries do not find missing documents",
		Page: "firestore/data-model",
		Run: func(t *T) {
			t.store(docs{"c/a/d/1": nil})
			t.finds(from("c"))
			t.counts(0, from("c"))
		},
	},
	{
		Name: "a list of no collection id has the documents of every collection of its parent",
		Page: listProto + ".collection_id",
		Run: func(t *T) {
			t.store(docs{"b/2": nil, "a/1": nil, "a/1/c/3": nil})
			t.lists(func(r *pb.ListDocumentsRequest) { r.CollectionId = "" }, "1", "2")
			t.lists(func(r *pb.ListDocumentsRequest) { r.CollectionId, r.Parent = "", t.Name("a/1") }, "3")
		},
	},
	{
		Name: "a list of a reserved collection id is refused",
		Page: "firestore/quotas",
		Run: func(t *T) {
			_, err := t.list(func(r *pb.ListDocumentsRequest) { r.CollectionId = "__c__" })
			t.fails(codes.InvalidArgument, err)
		},
	},
}
