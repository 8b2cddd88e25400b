package query

import (
	"slices"

	pb "cloud.google.com/go/firestore/apiv1/firestorepb"

	"hippocampus/emulator/internal/value"
)

// readOrders sets Orders and returns how many of them the query gives itself. The others are, as
// query.proto says, the fields with inequalities, by name, and then the document's name, all in the
// direction of the last one given.
func (q *Query) readOrders(given []*pb.StructuredQuery_Order) (explicit int, err error) {
	if len(given) > maxParts {
		return 0, invalid("the query has %d orders: filters, orders and a parent document together can be %d", len(given), maxParts)
	}
	descending, named := false, false
	for _, g := range given {
		path, name, err := readField(g.GetField())
		if err != nil {
			return 0, err
		}
		switch g.GetDirection() {
		case pb.StructuredQuery_DIRECTION_UNSPECIFIED, pb.StructuredQuery_ASCENDING:
			descending = false
		case pb.StructuredQuery_DESCENDING:
			descending = true
		default:
			return 0, invalid("the order by %s has the direction %s: use ASCENDING or DESCENDING",
				g.GetField().GetFieldPath(), g.GetDirection())
		}
		if named {
			return 0, invalid("the order by %s comes after __name__, which leaves nothing to order: put __name__ last", g.GetField().GetFieldPath())
		}
		if q.ordersBy(path) {
			return 0, invalid("the order by %s is given twice: leave one out", path)
		}
		named = name
		q.Orders = append(q.Orders, Order{Field: path, Name: name, Descending: descending})
	}
	explicit = len(q.Orders)
	for _, path := range q.inequalities() {
		if q.ordersBy(path) {
			continue
		}
		if named {
			return 0, invalid("the field %s has an inequality, so results are ordered by it, but the query orders by __name__ before: add an order by %s before __name__", path, path)
		}
		q.Orders = append(q.Orders, Order{Field: path, Descending: descending})
	}
	if !named {
		q.Orders = append(q.Orders, Order{Name: true, Descending: descending})
	}
	return explicit, nil
}

func (q *Query) ordersBy(path value.Path) bool {
	return path != nil && slices.ContainsFunc(q.Orders, func(o Order) bool { return slices.Equal(o.Field, path) })
}

// inequalities returns the fields, but not the name, that have inequalities, each once, in order.
func (q *Query) inequalities() []value.Path {
	var paths []value.Path
	q.filter.each(func(c *condition) {
		if c.inequality() && !c.name {
			paths = append(paths, c.path)
		}
	})
	slices.SortFunc(paths, slices.Compare)
	return slices.CompactFunc(paths, slices.Equal)
}
