package query

import "hippocampus/emulator/value"

// Having returns q restricted to documents that have all of some fields, as aggregations of fields do: the restriction
// comes before the offset and the limit.
func (q *Query) Having(fields ...value.Path) *Query {
	having := *q
	having.having = fields
	return &having
}
