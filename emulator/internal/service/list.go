package service

import (
	"context"
	"encoding/base64"
	"slices"
	"strings"

	"cloud.google.com/go/firestore/apiv1/firestorepb"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/wrapperspb"

	"hippocampus/emulator/internal/database"
	"hippocampus/emulator/internal/literal"
	"hippocampus/emulator/internal/query"
	"hippocampus/emulator/internal/resource"
	"hippocampus/emulator/internal/store"
	"hippocampus/emulator/internal/value"
)

const (
	// defaultPage is the number of documents or ids of a page for which the request names none.
	defaultPage = 300
	maxPage     = 1_000
)

// ListDocuments lists documents of a collection in pages.
func (s *Service) ListDocuments(_ context.Context,
	req *firestorepb.ListDocumentsRequest) (*firestorepb.ListDocumentsResponse, error) {
	d, parent, err := s.parent(req.GetParent())
	if err != nil {
		return nil, err
	}
	m, err := parseMask(req.GetMask())
	if err != nil {
		return nil, err
	}
	size, err := pageSize(req.GetPageSize())
	if err != nil {
		return nil, err
	}
	view, err := viewOf(d, req, nil)
	if err != nil {
		return nil, err
	}
	var docs []*firestorepb.Document
	var next string
	if req.GetShowMissing() {
		docs, next, err = s.listMissing(d, view, parent, req, size)
	} else {
		docs, next, err = s.listOrdered(d, view, req, size)
	}
	if err != nil {
		return nil, err
	}
	for i, doc := range docs {
		docs[i] = m.apply(doc)
	}
	return &firestorepb.ListDocumentsResponse{Documents: docs, NextPageToken: next}, nil
}

// listMissing lists by name, with the documents that do not exist but have collections below them.
func (s *Service) listMissing(d *database.Database, view database.View, parent resource.Path,
	req *firestorepb.ListDocumentsRequest, size int) ([]*firestorepb.Document, string, error) {
	if req.GetOrderBy() != "" {
		return nil, "", status.Error(codes.InvalidArgument,
			"missing documents have no fields to order by; leave out order_by or show_missing")
	}
	if err := resource.CheckCollectionID(req.GetCollectionId()); err != nil {
		return nil, "", err
	}
	in := resource.Path(req.GetCollectionId())
	if parent != "" {
		in = parent + "/" + in
	}
	var after resource.Path
	if token := req.GetPageToken(); token != "" {
		data, err := base64.RawURLEncoding.DecodeString(token)
		if err != nil {
			return nil, "", badToken()
		}
		if after, err = d.Name.Document(d.Name.Name(resource.Path(data))); err != nil ||
			after.Collection() != in {
			return nil, "", badToken()
		}
	}
	listed, _, err := d.List(view, in, after, size+1)
	if err != nil {
		return nil, "", err
	}
	next := ""
	if len(listed) > size {
		listed = listed[:size]
		next = base64.RawURLEncoding.EncodeToString([]byte(listed[size-1].Path))
	}
	docs := make([]*firestorepb.Document, len(listed))
	for i, l := range listed {
		docs[i] = document(d, l)
	}
	return docs, next, nil
}

// document is a line of a listing as it is returned: a missing one has a name only.
func document(d *database.Database, l store.Listed) *firestorepb.Document {
	if l.Document == nil {
		return &firestorepb.Document{Name: d.Name.Name(l.Path)}
	}
	return l.Document
}

// listOrdered lists existing documents as a query does. A page token is the cursor of the page's
// last document.
func (s *Service) listOrdered(d *database.Database, view database.View,
	req *firestorepb.ListDocumentsRequest, size int) ([]*firestorepb.Document, string, error) {
	orders, err := parseOrders(req.GetOrderBy())
	if err != nil {
		return nil, "", err
	}
	structured := &firestorepb.StructuredQuery{
		From:    literal.From(req.GetCollectionId(), false),
		OrderBy: orders,
		Limit:   wrapperspb.Int32(int32(size + 1)),
	}
	if token := req.GetPageToken(); token != "" {
		data, err := base64.RawURLEncoding.DecodeString(token)
		cursor := &firestorepb.Cursor{}
		if err != nil || proto.Unmarshal(data, cursor) != nil {
			return nil, "", badToken()
		}
		structured.StartAt = cursor
	}
	q, err := query.Compile(d.Name, req.GetParent(), structured)
	if err != nil {
		return nil, "", err
	}
	r, err := d.Query(view, q)
	if err != nil || len(r.Documents) <= size {
		return r.Documents, "", err
	}
	docs := r.Documents[:size]
	token, err := proto.Marshal(cursorAt(q, docs[size-1]))
	if err != nil {
		return nil, "", status.Errorf(codes.Internal, "encode the page token: %v", err)
	}
	return docs, base64.RawURLEncoding.EncodeToString(token), nil
}

// cursorAt is the cursor after a document.
func cursorAt(q *query.Query, doc *firestorepb.Document) *firestorepb.Cursor {
	c := &firestorepb.Cursor{}
	for _, o := range q.Orders {
		v := literal.Ref(doc.GetName())
		if !o.Name {
			v, _ = value.Get(doc.GetFields(), o.Field)
		}
		c.Values = append(c.Values, v)
	}
	return c
}

// parseOrders reads the order_by of a listing: "priority desc, __name__".
func parseOrders(s string) ([]*firestorepb.StructuredQuery_Order, error) {
	if strings.TrimSpace(s) == "" {
		s = "__name__"
	}
	var orders []*firestorepb.StructuredQuery_Order
	for _, part := range splitUnquoted(s, ',') {
		words := splitUnquoted(part, ' ')
		o := &firestorepb.StructuredQuery_Order{Direction: firestorepb.StructuredQuery_ASCENDING}
		switch {
		case len(words) == 2 && strings.EqualFold(words[1], "desc"):
			o.Direction = firestorepb.StructuredQuery_DESCENDING
		case len(words) == 1 || len(words) == 2 && strings.EqualFold(words[1], "asc"):
		default:
			return nil, status.Errorf(codes.InvalidArgument,
				"order_by %q is not understood; write it as: priority desc, __name__", s)
		}
		o.Field = literal.Field(words[0])
		orders = append(orders, o)
	}
	// The name decides between equals. It is explicit, so that a cursor may have it.
	if last := orders[len(orders)-1]; last.GetField().GetFieldPath() != "__name__" {
		orders = append(orders, &firestorepb.StructuredQuery_Order{Field: literal.Field("__name__"),
			Direction: last.GetDirection()})
	}
	return orders, nil
}

// splitUnquoted splits at a separator that is not in backquotes, in which backslashes escape. Empty
// parts are left out if the separator is a space.
func splitUnquoted(s string, separator byte) []string {
	var parts []string
	start, quoted := 0, false
	end := func(i int) {
		if start < i || separator != ' ' {
			parts = append(parts, s[start:i])
		}
		start = i + 1
	}
	for i := 0; i < len(s); i++ {
		switch {
		case quoted && s[i] == '\\':
			i++
		case s[i] == '`':
			quoted = !quoted
		case !quoted && s[i] == separator:
			end(i)
		}
	}
	end(len(s))
	return parts
}

// ListCollectionIds lists the collections below a document or the root in pages.
func (s *Service) ListCollectionIds(_ context.Context, req *firestorepb.ListCollectionIdsRequest) (*firestorepb.ListCollectionIdsResponse, error) {
	d, parent, err := s.parent(req.GetParent())
	if err != nil {
		return nil, err
	}
	at, err := timeOf(req.GetReadTime())
	if err != nil {
		return nil, err
	}
	size, err := pageSize(req.GetPageSize())
	if err != nil {
		return nil, err
	}
	after := ""
	if token := req.GetPageToken(); token != "" {
		data, err := base64.RawURLEncoding.DecodeString(token)
		if err != nil || resource.CheckCollectionID(string(data)) != nil {
			return nil, badToken()
		}
		after = string(data)
	}
	ids, _, err := d.CollectionIDs(at, parent, after, size+1)
	if err != nil {
		return nil, err
	}
	res := &firestorepb.ListCollectionIdsResponse{CollectionIds: ids}
	if len(ids) > size {
		res.CollectionIds = slices.Clip(ids[:size])
		res.NextPageToken = base64.RawURLEncoding.EncodeToString([]byte(ids[size-1]))
	}
	return res, nil
}

func pageSize(n int32) (int, error) {
	if n < 0 {
		return 0, status.Errorf(codes.InvalidArgument, "page_size is %d; it must not be negative", n)
	}
	if n == 0 {
		return defaultPage, nil
	}
	return min(int(n), maxPage), nil
}

func badToken() error {
	return status.Error(codes.InvalidArgument, "the page token is not one of this listing; leave it out to begin again")
}
