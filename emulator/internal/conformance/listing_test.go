package conformance

import (
	"fmt"

	pb "cloud.google.com/go/firestore/apiv1/firestorepb"
	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"
	"google.golang.org/grpc/codes"
	"google.golang.org/protobuf/testing/protocmp"
	"google.golang.org/protobuf/types/known/timestamppb"

	"hippocampus/emulator/internal/literal"
)

const listProto = "proto firestore.proto, ListDocumentsRequest"

// list lists the documents of c, or as the request says.
func (t *T) list(change func(*pb.ListDocumentsRequest)) (*pb.ListDocumentsResponse, error) {
	req := &pb.ListDocumentsRequest{Parent: t.Root(), CollectionId: "c"}
	change(req)
	return t.Firestore.ListDocuments(t.Ctx, req)
}

// lists checks which documents a list has on its first page.
func (t *T) lists(change func(*pb.ListDocumentsRequest), want ...string) *pb.ListDocumentsResponse {
	t.Helper()
	res, err := t.list(change)
	require.NoError(t, err)
	require.Equal(t, append([]string{}, want...), ids(res.GetDocuments()))
	return res
}

// pages lists all pages of a size.
func (t *T) pages(size int32, change func(*pb.ListDocumentsRequest)) [][]string {
	t.Helper()
	var all [][]string
	token := ""
	for {
		res, err := t.list(func(r *pb.ListDocumentsRequest) {
			change(r)
			r.PageSize, r.PageToken = size, token
		})
		require.NoError(t, err)
		require.LessOrEqual(t, len(res.GetDocuments()), int(size))
		if len(res.GetDocuments()) > 0 {
			all = append(all, ids(res.GetDocuments()))
		}
		if token = res.GetNextPageToken(); token == "" {
			return all
		}
		require.Less(t, len(all), 100, "the list has no end")
	}
}

func listAll(*pb.ListDocumentsRequest) {}

// listRefused checks that a list of c is an invalid argument.
func listRefused(name string, change func(*pb.ListDocumentsRequest)) Check {
	return Check{Name: name, Page: listProto, Run: func(t *T) {
		t.store(docs{"c/a": {"v": one}, "c/b": {"v": one}})
		t.lists(listAll, "a", "b")
		_, err := t.list(change)
		t.fails(codes.InvalidArgument, err)
	}}
}

// listing are about lists of documents.
var listing = []Check{
	{
		Name: "a list has the documents of a collection by name",
		Page: listProto + ".order_by",
		Run: func(t *T) {
			t.store(docs{"c/b": nil, "c/a": nil, "c/__id7__": nil, "d/c": nil, "c/a/c/d": nil})
			t.lists(listAll, "__id7__", "a", "b")
		},
	},
	{
		Name: "a list of nothing is empty",
		Run: func(t *T) {
			t.store(docs{"d/a": nil})
			require.Empty(t, t.lists(listAll).GetNextPageToken())
			t.lists(func(r *pb.ListDocumentsRequest) { r.CollectionId = "d" }, "a")
		},
	},
	{
		Name: "a list has fields and times",
		Page: "proto document.proto, Document",
		Run: func(t *T) {
			t.store(docs{"c/a": {"v": one}})
			got := t.lists(listAll, "a").GetDocuments()[0]
			require.Empty(t, cmp.Diff(t.get("c/a"), got, protocmp.Transform()))
		},
	},
	{
		Name: "a list below a document has its collection",
		Page: listProto + ".parent",
		Run: func(t *T) {
			t.store(docs{"a/x/c/1": nil, "a/y/c/2": nil, "c/3": nil, "a/x/c/1/c/4": nil})
			t.lists(func(r *pb.ListDocumentsRequest) { r.Parent = t.Name("a/x") }, "1")
		},
	},
	{
		Name: "pages of a list are the list",
		Page: listProto + ".page_token",
		Run: func(t *T) {
			t.storeEach(numbers(7)...)
			require.Equal(t, [][]string{{"0", "1", "2"}, {"3", "4", "5"}, {"6"}}, t.pages(3, listAll))
		},
	},
	{
		Name: "a list whose last page is full ends",
		Page: "proto firestore.proto, ListDocumentsResponse.next_page_token",
		Run: func(t *T) {
			t.storeEach(numbers(4)...)
			require.Equal(t, [][]string{{"0", "1"}, {"2", "3"}}, t.pages(2, listAll))
		},
	},
	{
		Name: "pages in an order go on in it",
		Page: listProto + ".order_by",
		Run: func(t *T) {
			t.storeEach(one, literal.Int(2), one, literal.Int(2), one)
			order := func(r *pb.ListDocumentsRequest) { r.OrderBy = "v desc" }
			require.Equal(t, [][]string{{"3", "1"}, {"4", "2"}, {"0"}}, t.pages(2, order))
		},
		Difference: "the second page of a list in an order fails with UNKNOWN",
		Official: func(t *T) {
			t.storeEach(one, literal.Int(2), one)
			token := t.lists(func(r *pb.ListDocumentsRequest) { r.OrderBy, r.PageSize = "v", 2 }, "0", "2").GetNextPageToken()
			_, err := t.list(func(r *pb.ListDocumentsRequest) { r.OrderBy, r.PageSize, r.PageToken = "v", 2, token })
			t.fails(codes.Unknown, err)
		},
	},
	{
		Name: "the size of pages may change from page to page",
		Page: listProto + ".page_token",
		Run: func(t *T) {
			t.storeEach(numbers(5)...)
			token := t.lists(func(r *pb.ListDocumentsRequest) { r.PageSize = 1 }, "0").GetNextPageToken()
			t.lists(func(r *pb.ListDocumentsRequest) { r.PageSize, r.PageToken = 3, token }, "1", "2", "3")
		},
	},
	{
		Name: "a list without a size of pages has pages as well",
		Page: listProto + ".page_size",
		Run: func(t *T) {
			all := docs{}
			for i := range 350 {
				all[fmt.Sprintf("c/%03d", i)] = nil
			}
			t.store(all)
			total, token := 0, ""
			for {
				res, err := t.list(func(r *pb.ListDocumentsRequest) { r.PageToken = token })
				require.NoError(t, err)
				total += len(res.GetDocuments())
				if token = res.GetNextPageToken(); token == "" {
					break
				}
			}
			require.Equal(t, 350, total)
		},
	},
	{
		Name: "a list in an order has the documents with its field",
		Page: listProto + ".order_by",
		Run: func(t *T) {
			t.store(docs{"c/a": {"v": literal.Int(2), "w": one}, "c/b": {"v": one, "w": one}, "c/c": nil, "c/d": {"v": one, "w": literal.Int(2)}})
			t.lists(func(r *pb.ListDocumentsRequest) { r.OrderBy = "v" }, "b", "d", "a")
			t.lists(func(r *pb.ListDocumentsRequest) { r.OrderBy = "v desc" }, "a", "d", "b")
			t.lists(func(r *pb.ListDocumentsRequest) { r.OrderBy = "v asc, w desc" }, "d", "b", "a")
			t.lists(func(r *pb.ListDocumentsRequest) { r.OrderBy = "__name__" }, "a", "b", "c", "d")
		},
	},
	{
		Name: "a mask of a list leaves its fields",
		Page: listProto + ".mask",
		Run: func(t *T) {
			t.store(docs{"c/a": {"v": one, "w": one, "m": literal.Map(fields{"x": one, "y": one})}, "c/b": {"w": one}})
			res := t.lists(func(r *pb.ListDocumentsRequest) { r.Mask = &pb.DocumentMask{FieldPaths: []string{"v", "m.x"}} }, "a", "b")
			require.Empty(t, cmp.Diff(fields{"v": one, "m": literal.Map(fields{"x": one})}, res.GetDocuments()[0].GetFields(), protocmp.Transform()))
			require.Empty(t, res.GetDocuments()[1].GetFields())
		},
	},
	{
		Name: "an empty mask of a list leaves names and times",
		Page: "proto common.proto, DocumentMask",
		Run: func(t *T) {
			t.store(docs{"c/a": {"v": one}})
			res := t.lists(func(r *pb.ListDocumentsRequest) { r.Mask = &pb.DocumentMask{} }, "a")
			require.Empty(t, res.GetDocuments()[0].GetFields())
			require.NoError(t, res.GetDocuments()[0].GetUpdateTime().CheckValid())
		},
	},
	{
		Name: "a list at a past time has what there was",
		Page: listProto + ".read_time",
		Run: func(t *T) {
			at := t.store(docs{"c/a": {"v": one}, "c/b": nil}).GetCommitTime()
			t.commit(t.remove("c/b"), t.set("c/a", nil), t.set("c/c", nil))
			res := t.lists(func(r *pb.ListDocumentsRequest) {
				r.ConsistencySelector = &pb.ListDocumentsRequest_ReadTime{ReadTime: at}
			}, "a", "b")
			require.Len(t, res.GetDocuments()[0].GetFields(), 1)
		},
	},
	{
		Name: "a list in a read-only transaction has what there was",
		Page: listProto + ".transaction",
		Run: func(t *T) {
			at := t.store(docs{"c/a": nil}).GetCommitTime()
			tx := t.begin(readOnly(at))
			t.commit(t.remove("c/a"), t.set("c/b", nil))
			t.lists(func(r *pb.ListDocumentsRequest) {
				r.ConsistencySelector = &pb.ListDocumentsRequest_Transaction{Transaction: tx}
			}, "a")
		},
	},
	listRefused("a negative size of pages is refused", func(r *pb.ListDocumentsRequest) { r.PageSize = -1 }),
	listRefused("a page's token that is no token is refused", func(r *pb.ListDocumentsRequest) { r.PageToken = "none" }),
	listRefused("an order that is no order is refused", func(r *pb.ListDocumentsRequest) { r.OrderBy = "v up" }),
	listRefused("an order of a path with an empty segment is refused", func(r *pb.ListDocumentsRequest) { r.OrderBy = "a..b" }),
	listRefused("a mask of a path with an empty segment is refused", func(r *pb.ListDocumentsRequest) {
		r.Mask = &pb.DocumentMask{FieldPaths: []string{"a..b"}}
	}),
	listRefused("a collection id with a slash is refused", func(r *pb.ListDocumentsRequest) { r.CollectionId = "c/a/d" }),
	listRefused("a parent that is a collection is refused", func(r *pb.ListDocumentsRequest) { r.Parent += "/c" }),
	listRefused("a list in the future is refused", func(r *pb.ListDocumentsRequest) {
		r.ConsistencySelector = &pb.ListDocumentsRequest_ReadTime{ReadTime: &timestamppb.Timestamp{Seconds: 4_000_000_000}}
	}),
}
