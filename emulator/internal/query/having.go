package query

import (
	"slices"

	"hippocampus/emulator/internal/value"
)

// Having returns q restricted to documents that have all of some fields: the restriction comes
// before the offset and the limit.
func (q *Query) Having(fields ...value.Path) *Query {
	having := *q
	having.having = fields
	return &having
}

// Aggregating returns q restricted to documents that have all of the fields that are aggregated,
// and ordered by them, too, by their paths, before the names: that decides what the offset and the
// limit leave. q orders by a name only if it orders by these fields, or neither says so nor filters
// by names.
func (q *Query) Aggregating(fields ...value.Path) *Query {
	aggregating := q.Having(fields...)
	last := len(q.Orders) - 1
	orders := slices.Clone(q.Orders[:last])
	for _, field := range slices.SortedFunc(slices.Values(fields), slices.Compare) {
		if !slices.ContainsFunc(orders, func(o Order) bool { return slices.Equal(o.Field, field) }) {
			orders = append(orders, Order{Field: field, Descending: q.Orders[last].Descending})
		}
	}
	aggregating.Orders = append(orders, q.Orders[last])
	return aggregating
}

// FiltersByName reports whether a condition is about the names of documents.
func (q *Query) FiltersByName() bool {
	found := false
	q.filter.each(func(c *condition) { found = found || c.name })
	return found
}
