package differential_test

import (
	"strings"

	pb "cloud.google.com/go/firestore/apiv1/firestorepb"
	"google.golang.org/protobuf/types/known/wrapperspb"

	"hippocampus/emulator/internal/literal"
)

// query is a query and its parent. Most are well formed.
func (r *random) query() (parent string, q *pb.StructuredQuery) {
	parent = r.root()
	if r.oneIn(6) {
		parent = r.name(pick(r, "c/a", "c/a", "c/b", "c/é", "c/none", "d/gone"))
	}
	if r.oneIn(200) {
		parent = pick(r, "", "x", r.root()+"/c", r.root()+"/", "projects/p/databases/d")
	}
	q = &pb.StructuredQuery{}
	switch {
	case r.oneIn(12):
		q.From = pick(r, nil, literal.From("", false), literal.From("", true))
	case r.oneIn(100):
		q.From = pick(r, append(literal.From("c", false), literal.From("d", false)...), literal.From("c/d", false), literal.From("__x__", true))
	default:
		q.From = literal.From(pick(r, "c", "c", "c", "c", "c", "d", "é x", "none"), r.oneIn(3))
	}
	if len(q.From) > 0 && q.From[0].AllDescendants && !r.oneIn(6) {
		parent = r.root()
	}
	if everything := len(q.From) == 0 || q.From[0].CollectionId == ""; !everything || r.oneIn(4) {
		r.shape(q)
	}
	if r.oneIn(5) {
		q.Offset = int32(r.IntN(4))
	}
	if r.oneIn(4) {
		q.Limit = wrapperspb.Int32(int32(r.IntN(6)))
	}
	if r.oneIn(200) {
		q.Offset = -1
	}
	if r.oneIn(200) {
		q.Limit = wrapperspb.Int32(-1)
	}
	if r.oneIn(4) {
		q.Select = &pb.StructuredQuery_Projection{}
		for len(q.Select.Fields) == 0 || r.oneIn(2) {
			q.Select.Fields = append(q.Select.Fields, literal.Field(r.queryPath()))
		}
	}
	return parent, q
}

// shape gives a query a filter, orders and cursors, or some of them.
func (r *random) shape(q *pb.StructuredQuery) {
	if !r.oneIn(4) {
		q.Where = r.filter(0)
	}
	for named := false; r.oneIn(3) && len(q.OrderBy) < 4; {
		path := r.queryPath()
		if named && path == "__name__" {
			continue // the official emulator is undecided between two errors
		}
		named = named || path == "__name__"
		q.OrderBy = append(q.OrderBy, r.order(path))
	}
	if len(q.OrderBy) > 0 && r.oneIn(3) && q.OrderBy[len(q.OrderBy)-1].Field.FieldPath != "__name__" {
		q.OrderBy = append(q.OrderBy, r.order("__name__"))
	}
	if len(q.OrderBy) == 0 && r.oneIn(8) {
		q.OrderBy = append(q.OrderBy, r.order("__name__"))
	}
	if r.oneIn(4) {
		q.StartAt = r.cursor(q.OrderBy)
	}
	if r.oneIn(5) {
		q.EndAt = r.cursor(q.OrderBy)
	}
}

func (r *random) queryPath() string {
	if r.oneIn(12) {
		return "__name__"
	}
	for {
		if path := r.fieldPath(); !strings.HasPrefix(path, "__") || r.oneIn(10) {
			return path
		}
	}
}

func (r *random) order(path string) *pb.StructuredQuery_Order {
	return &pb.StructuredQuery_Order{Field: literal.Field(path), Direction: pick(r, pb.StructuredQuery_DIRECTION_UNSPECIFIED,
		pb.StructuredQuery_ASCENDING, pb.StructuredQuery_DESCENDING, pb.StructuredQuery_DESCENDING)}
}

func (r *random) cursor(orders []*pb.StructuredQuery_Order) *pb.Cursor {
	c := &pb.Cursor{Before: r.oneIn(2)}
	for i := range r.IntN(len(orders)+1) + max(0, 1-r.IntN(60)) {
		if i < len(orders) && orders[i].Field.FieldPath == "__name__" && !r.oneIn(30) {
			c.Values = append(c.Values, literal.Ref(r.document()))
		} else {
			c.Values = append(c.Values, r.operand())
		}
	}
	return c
}

// aggregations are at most four.
func (r *random) aggregations() []*pb.StructuredAggregationQuery_Aggregation {
	var all []*pb.StructuredAggregationQuery_Aggregation
	for len(all) == 0 || len(all) < 4 && r.oneIn(2) {
		a := &pb.StructuredAggregationQuery_Aggregation{}
		switch r.IntN(3) {
		case 0:
			count := &pb.StructuredAggregationQuery_Aggregation_Count{}
			if r.oneIn(3) {
				count.UpTo = wrapperspb.Int64(1 + r.Int64N(4))
			}
			a.Operator = &pb.StructuredAggregationQuery_Aggregation_Count_{Count: count}
		case 1:
			a.Operator = &pb.StructuredAggregationQuery_Aggregation_Sum_{Sum: &pb.StructuredAggregationQuery_Aggregation_Sum{Field: literal.Field(r.fieldPath())}}
		default:
			a.Operator = &pb.StructuredAggregationQuery_Aggregation_Avg_{Avg: &pb.StructuredAggregationQuery_Aggregation_Avg{Field: literal.Field(r.fieldPath())}}
		}
		if r.oneIn(3) {
			a.Alias = pick(r, "x", "y", "z", "__x", "é", "field_1")
		}
		all = append(all, a)
	}
	return all
}
