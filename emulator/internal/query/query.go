// Package query turns a StructuredQuery into what a store needs to run it: which documents it is
// about, whether one matches, in which order they come, and what is returned of them. It is also
// where wrong queries are refused.
//
// The rules are those of query.proto's comments and of
// firebase.google.com/docs/firestore/query-data/queries and /quotas; where they are silent, of the
// official emulator. Compile does all the work that can be done once: Matches and Compare allocate
// nothing.
package query

import (
	"strings"

	pb "cloud.google.com/go/firestore/apiv1/firestorepb"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"hippocampus/emulator/internal/resource"
	"hippocampus/emulator/internal/value"
)

// Query is a compiled query. It is never changed and safe for concurrent use.
type Query struct {
	// Parent is what the queried collections are in: "" for the root, or a document.
	Parent resource.Path
	// Collection is the id of the queried collections; "" is every collection.
	Collection string
	// Descendants says that collections at any depth below Parent are queried, not only its own.
	Descendants bool
	// Orders is the whole order of the results: what the query gives, what its inequalities imply,
	// and the name last.
	Orders []Order
	// Equal are equalities that every result satisfies, to choose an index by. Matches checks them,
	// too.
	Equal []Equality
	// Lower and Upper enclose the first order's value of every result; nil is no bound. Lower is
	// the smaller one, also when the order is descending. Matches checks what they stand for, and
	// more.
	Lower, Upper *Bound
	// Offset is the number of results to skip, Limit the most to return after that; -1 is no limit.
	Offset, Limit int

	within     string // Parent and a slash, or ""
	root       int    // length of the database's root and a slash in a document's name
	filter     *tree  // nil: none
	start, end *cursor
	mask       *mask // nil: everything is returned
	having     []value.Path
}

// Order is one part of an order.
type Order struct {
	Field      value.Path // nil if Name
	Name       bool       // by the document's name
	Descending bool
}

// Equality says that a field's value is equal to Value, as value.Compare has it. Null and NaN are
// equal to themselves.
type Equality struct {
	Field value.Path
	Value *pb.Value
}

// Bound is the end of a range of values; of a reference value, if the range is of names.
type Bound struct {
	Value     *pb.Value
	Inclusive bool
}

// Compile reads a query on what is below parent, the full name of db's root or of a document. The
// error is INVALID_ARGUMENT for a query that Firestore does not take, FAILED_PRECONDITION for one
// that it has no index for, and UNIMPLEMENTED for a search for nearest vectors.
func Compile(db resource.Database, parent string, q *pb.StructuredQuery) (*Query, error) {
	if q == nil {
		return nil, invalid("the request has no query: set structured_query")
	}
	if q.GetFindNearest() != nil {
		return nil, status.Error(codes.Unimplemented,
			"find_nearest is only served of RunQuery here, not of aggregations and listening: use the official emulator or a real database for those")
	}
	c := &Query{root: len(db.Root()) + 1, Limit: -1}
	var err error
	if c.Parent, err = db.Parent(parent); err != nil {
		return nil, err
	}
	if err := c.readFrom(q.GetFrom()); err != nil {
		return nil, err
	}
	if c.filter, err = readFilter(db, q.GetWhere()); err != nil {
		return nil, err
	}
	if err := c.checkFilter(); err != nil {
		return nil, err
	}
	explicit, err := c.readOrders(q.GetOrderBy())
	if err != nil {
		return nil, err
	}
	if err := c.checkRules(explicit); err != nil {
		return nil, err
	}
	if c.start, err = c.readCursor(db, "start_at", q.GetStartAt(), explicit); err != nil {
		return nil, err
	}
	if c.end, err = c.readCursor(db, "end_at", q.GetEndAt(), explicit); err != nil {
		return nil, err
	}
	if c.mask, err = readMask(q.GetSelect()); err != nil {
		return nil, err
	}
	if c.Offset = int(q.GetOffset()); c.Offset < 0 {
		return nil, invalid("the offset is %d: it must not be negative", c.Offset)
	}
	if q.GetLimit() != nil {
		if c.Limit = int(q.GetLimit().GetValue()); c.Limit < 0 {
			return nil, invalid("the limit is %d: it must not be negative; leave it unset for all results", c.Limit)
		}
	}
	if err := c.checkScan(); err != nil {
		return nil, err
	}
	c.enclose()
	return c, nil
}

func (q *Query) readFrom(from []*pb.StructuredQuery_CollectionSelector) error {
	switch len(from) {
	case 0:
		return nil
	case 1:
	default:
		return invalid("the query has %d collection selectors: it can have one; query the collections one after the other, or a collection group", len(from))
	}
	q.Collection, q.Descendants = from[0].GetCollectionId(), from[0].GetAllDescendants()
	if q.Parent != "" {
		q.within = string(q.Parent) + "/"
	}
	if q.Collection == "" {
		return nil
	}
	if err := resource.CheckCollectionID(q.Collection); err != nil {
		return err
	}
	return checkIDs(q.Collection)
}

// In reports whether the document at p is in a collection that is queried.
func (q *Query) In(p resource.Path) bool {
	if q.Collection != "" && p.CollectionID() != q.Collection {
		return false
	}
	if q.Descendants {
		return strings.HasPrefix(string(p), q.within)
	}
	return p.Parent() == q.Parent
}

// Matches reports whether doc, which is at p and in a collection that is queried, is a result but
// for offset and limit: it has all fields that the results are ordered by or must have, passes the
// filter and is between the cursors.
func (q *Query) Matches(p resource.Path, doc *pb.Document) bool {
	for i := range q.Orders {
		if o := &q.Orders[i]; !o.Name {
			if _, ok := value.Get(doc.GetFields(), o.Field); !ok {
				return false
			}
		}
	}
	for _, field := range q.having {
		if _, ok := value.Get(doc.GetFields(), field); !ok {
			return false
		}
	}
	if q.filter != nil && !q.filter.matches(p, doc) {
		return false
	}
	if q.start != nil && !q.start.isBefore(q.Orders, p, doc) {
		return false
	}
	return q.end == nil || q.end.isAfter(q.Orders, p, doc)
}

// Compare returns -1, 0 or 1 for the order of two documents that match.
func (q *Query) Compare(a, b *pb.Document) int {
	for i := range q.Orders {
		o := &q.Orders[i]
		var c int
		if o.Name {
			c = resource.CompareNames(q.relative(a), q.relative(b))
		} else {
			v, _ := value.Get(a.GetFields(), o.Field)
			w, _ := value.Get(b.GetFields(), o.Field)
			c = value.CompareIndexed(v, w)
		}
		if o.Descending {
			c = -c
		}
		if c != 0 {
			return c
		}
	}
	return 0
}

// relative is a document's name without what the names of all documents of the database have in
// common.
func (q *Query) relative(doc *pb.Document) string {
	name := doc.GetName()
	return name[min(q.root, len(name)):]
}

func invalid(format string, args ...any) error {
	return status.Errorf(codes.InvalidArgument, format, args...)
}
