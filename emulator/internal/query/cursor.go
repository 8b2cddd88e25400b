package query

import (
	pb "cloud.google.com/go/firestore/apiv1/firestorepb"

	"hippocampus/emulator/internal/resource"
	"hippocampus/emulator/internal/value"
)

// cursor is a position among the results: just before or just after all that begin with its values.
type cursor struct {
	values []*pb.Value // of the first orders
	name   string      // the value of the order by name, if there is one among them, relative to the root
	before bool
}

func (q *Query) readCursor(db resource.Database, what string, c *pb.Cursor,
	explicit int) (*cursor, error) {
	if c == nil {
		return nil, nil
	}
	values := make([]*pb.Value, len(c.GetValues()))
	for i, v := range c.GetValues() {
		values[i] = stored(v)
	}
	if len(values) > explicit {
		return nil, invalid("%s has %d values, but order_by has %d fields: a cursor can have a value for each field that the query itself orders by; add an order by __name__ to give a document", what, len(values), explicit)
	}
	r := &cursor{values: values, before: c.GetBefore()}
	for i, v := range values {
		err := checkOperand(v)
		if err == nil && q.Orders[i].Name {
			r.name, err = readName(db, what, v)
		}
		if err != nil {
			return nil, err
		}
	}
	return r, nil
}

// isBefore reports whether the cursor is before a document.
func (c *cursor) isBefore(orders []Order, p resource.Path, doc *pb.Document) bool {
	comparison := c.compare(orders, p, doc)
	return comparison < 0 || comparison == 0 && c.before
}

// isAfter reports whether the cursor is after a document.
func (c *cursor) isAfter(orders []Order, p resource.Path, doc *pb.Document) bool {
	comparison := c.compare(orders, p, doc)
	return comparison > 0 || comparison == 0 && !c.before
}

// compare orders the cursor's values and the document's.
func (c *cursor) compare(orders []Order, p resource.Path, doc *pb.Document) int {
	for i, v := range c.values {
		o := &orders[i]
		var comparison int
		if o.Name {
			comparison = resource.CompareNames(c.name, string(p))
		} else {
			w, _ := value.Get(doc.GetFields(), o.Field)
			comparison = value.CompareIndexed(v, w)
		}
		if o.Descending {
			comparison = -comparison
		}
		if comparison != 0 {
			return comparison
		}
	}
	return 0
}
