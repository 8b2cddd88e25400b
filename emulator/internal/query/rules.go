package query

import (
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
)

// Limits of a query (firebase.google.com/docs/firestore/quotas and
// /query-data/multiple-range-fields).
const (
	maxParts        = 100 // filters, orders given and 1 for a parent
	maxInequalities = 10  // fields with inequalities
)

// checkFilter checks what the parts of the filter allow each other
// (firebase.google.com/docs/firestore/query-data/queries#query_limitations and the comments in
// query.proto).
func (q *Query) checkFilter() error {
	if err := q.checkOperators(); err != nil {
		return err
	}
	return q.checkNames()
}

// checkRules checks what the parts of the query allow each other. explicit is how many orders it
// gives.
func (q *Query) checkRules(explicit int) error {
	parts := explicit
	if q.Parent != "" {
		parts++
	}
	if err := checkNormal(q.filter, parts); err != nil {
		return err
	}
	if q.Collection == "" {
		return q.checkEveryCollection(explicit)
	}
	return q.checkGroup()
}

// checkOperators checks which operators are used together.
func (q *Query) checkOperators() error {
	var negative, list *condition
	excluded, twice := "", false
	q.filter.each(func(c *condition) {
		if c.operator.negative() {
			twice = twice || negative != nil
			negative = c
		}
		switch c.operator {
		case notIn:
			list = c
		case in, containsAny:
			excluded = c.operator.String()
		}
	})
	if twice {
		return invalid("the query has more than one filter of NOT_EQUAL, NOT_IN, IS_NOT_NULL and IS_NOT_NAN: it can have one of them")
	}
	if q.filter.hasAny() {
		excluded = "OR"
	}
	if list != nil && excluded != "" {
		return invalid("the query has NOT_IN and %s: NOT_IN cannot be used together with IN, ARRAY_CONTAINS_ANY or OR", excluded)
	}
	return nil
}

func (t *tree) hasAny() bool {
	if t == nil {
		return false
	}
	for _, child := range t.children {
		if child.hasAny() {
			return true
		}
	}
	return t.kind == anyOf
}

// checkNames checks conditions on __name__ beside inequalities of fields.
func (q *Query) checkNames() error {
	fields := q.inequalities()
	n, names, equalities := len(fields), false, false
	q.filter.each(func(c *condition) {
		if c.name {
			names = names || c.inequality()
			equalities = equalities || c.operator == equal || c.operator == in
		}
	})
	if names {
		n++
	}
	if n > maxInequalities {
		return invalid("the query has inequalities on %d fields: it can have them on %d", n,
			maxInequalities)
	}
	if equalities && n > 0 && !names {
		return invalid("the query has an equality on __name__ and an inequality on %s only: get the documents by name instead and look at the field there", fields[0])
	}
	return nil
}

// checkEveryCollection checks a query without a collection id.
func (q *Query) checkEveryCollection(explicit int) error {
	var err error
	q.filter.each(func(c *condition) {
		if !c.name && err == nil {
			err = invalid("the query filters by %s but names no collection: set the collection id, or filter by __name__ only", c.path)
		}
	})
	if err == nil && explicit > 0 && (!q.Orders[0].Name || q.Orders[0].Descending) {
		err = invalid("the query has an order but names no collection: set the collection id, or order by __name__ ascending")
	}
	return err
}

// checkGroup refuses to look at fields in a part of a collection group: indexes are of the whole
// group.
func (q *Query) checkGroup() error {
	if q.Descendants && q.Parent != "" && (q.onFields() || !q.Orders[0].Name) {
		return invalid("the query filters or orders a collection group by a field, below the document %s only: query the whole group, with the root as parent, or filter by __name__ only", q.Parent)
	}
	return nil
}

// onFields reports whether the filter looks at fields, not only at __name__.
func (q *Query) onFields() bool {
	fields := false
	q.filter.each(func(c *condition) { fields = fields || !c.name })
	return fields
}

// checkScan refuses to read collections from their end. Firestore has no index for that; a filter
// on a field brings one in.
func (q *Query) checkScan() error {
	if !q.Orders[0].Name || !q.Orders[0].Descending || q.onFields() {
		return nil
	}
	return status.Error(codes.FailedPrecondition,
		"Firestore has no index for documents by descending __name__ alone: order ascending, by a field that holds the id, or add a filter on a field")
}
