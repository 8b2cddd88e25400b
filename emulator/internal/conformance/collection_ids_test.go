package conformance

import (
	"fmt"

	pb "cloud.google.com/go/firestore/apiv1/firestorepb"
	"github.com/stretchr/testify/require"
	"google.golang.org/grpc/codes"
)

const collectionIDsProto = "proto firestore.proto, ListCollectionIdsRequest"

// collections checks the ids of the collections of a parent.
func (t *T) collections(parent string, want ...string) {
	t.Helper()
	res, err := t.Firestore.ListCollectionIds(t.Ctx, &pb.ListCollectionIdsRequest{Parent: t.parent(parent)})
	require.NoError(t, err)
	require.Empty(t, res.GetNextPageToken())
	require.Equal(t, append([]string{}, want...), append([]string{}, res.GetCollectionIds()...))
}

// collectionIDs are about lists of collections.
var collectionIDs = []Check{
	{
		Name: "the collections of the root, each once, by id",
		Page: collectionIDsProto + ".parent",
		Run: func(t *T) {
			t.store(docs{"b/1": nil, "b/2": nil, "a/1": nil, "B/1": nil, "é/1": nil, "a/1/c/1": nil})
			t.collections("", "B", "a", "b", "é")
		},
	},
	{
		Name: "the collections of a document",
		Page: collectionIDsProto + ".parent",
		Run: func(t *T) {
			t.store(docs{"a/1/c/1": nil, "a/1/b/1": nil, "a/2/d/1": nil, "a/1/c/1/e/1": nil})
			t.collections("a/1", "b", "c")
			t.collections("a/1/c/1", "e")
		},
	},
	{
		Name: "a collection of missing documents is one",
		Page: "firestore/data-model",
		Run: func(t *T) {
			t.store(docs{"a/ghost/b/ghost/c/1": nil})
			t.collections("", "a")
			t.collections("a/ghost", "b")
			t.collections("a/ghost/b/ghost", "c")
		},
	},
	{
		Name: "a parent without collections has none",
		Run: func(t *T) {
			t.store(docs{"a/1": nil})
			t.collections("a/1")
			t.collections("a/none")
			t.collections("", "a")
		},
	},
	{
		Name: "an empty database has no collections",
		Run:  func(t *T) { t.collections("") },
	},
	{
		Name: "a collection ends with its last document",
		Page: "firestore/manage-data/delete-data",
		Run: func(t *T) {
			t.store(docs{"a/1": nil, "a/2": nil, "b/1": nil})
			t.commit(t.remove("a/1"))
			t.collections("", "a", "b")
			t.commit(t.remove("a/2"))
			t.collections("", "b")
		},
	},
	{
		Name: "a collection outlasts its documents while there are some below",
		Page: "firestore/manage-data/delete-data",
		Run: func(t *T) {
			t.store(docs{"a/1": nil, "a/1/b/1": nil})
			t.commit(t.remove("a/1"))
			t.collections("", "a")
			t.commit(t.remove("a/1/b/1"))
			t.collections("")
		},
	},
	{
		Name: "pages of collections are the list",
		Page: collectionIDsProto + ".page_token",
		Run: func(t *T) {
			all := docs{}
			var want []string
			for i := range 5 {
				all[fmt.Sprintf("c%d/1", i)] = nil
				want = append(want, fmt.Sprintf("c%d", i))
			}
			t.store(all)
			var got []string
			token := ""
			for {
				res, err := t.Firestore.ListCollectionIds(t.Ctx, &pb.ListCollectionIdsRequest{Parent: t.Root(), PageSize: 2, PageToken: token})
				require.NoError(t, err)
				require.LessOrEqual(t, len(res.GetCollectionIds()), 2)
				got = append(got, res.GetCollectionIds()...)
				if token = res.GetNextPageToken(); token == "" {
					break
				}
				require.LessOrEqual(t, len(got), len(want), "the list has no end")
			}
			require.Equal(t, want, got)
		},
	},
	{
		Name: "collections at a past time",
		Page: collectionIDsProto + ".read_time",
		Run: func(t *T) {
			at := t.store(docs{"a/1": nil}).GetCommitTime()
			t.commit(t.remove("a/1"), t.set("b/1", nil))
			res, err := t.Firestore.ListCollectionIds(t.Ctx, &pb.ListCollectionIdsRequest{
				Parent: t.Root(), ConsistencySelector: &pb.ListCollectionIdsRequest_ReadTime{ReadTime: at},
			})
			require.NoError(t, err)
			require.Equal(t, []string{"a"}, res.GetCollectionIds())
		},
	},
	{
		Name: "a page of collections whose token is no token is refused",
		Page: collectionIDsProto + ".page_token",
		Run: func(t *T) {
			t.store(docs{"a/1": nil})
			_, err := t.Firestore.ListCollectionIds(t.Ctx, &pb.ListCollectionIdsRequest{Parent: t.Root(), PageToken: "none"})
			t.fails(codes.InvalidArgument, err)
		},
	},
	{
		Name: "the collections of a collection are refused",
		Page: collectionIDsProto + ".parent",
		Run: func(t *T) {
			for _, parent := range []string{t.Name("a"), t.Database, "", "a/1"} {
				_, err := t.Firestore.ListCollectionIds(t.Ctx, &pb.ListCollectionIdsRequest{Parent: parent})
				t.fails(codes.InvalidArgument, err)
			}
		},
	},
	{
		Name: "a negative size of pages of collections is refused",
		Page: collectionIDsProto + ".page_size",
		Run: func(t *T) {
			_, err := t.Firestore.ListCollectionIds(t.Ctx, &pb.ListCollectionIdsRequest{Parent: t.Root(), PageSize: -1})
			t.fails(codes.InvalidArgument, err)
		},
	},
}
