// Package aggregate computes counts, sums and averages of the results of a query.
//
// The rules are those of query.proto, StructuredAggregationQuery, and of
// firebase.google.com/docs/firestore/query-data/aggregation-queries: what is not a number adds
// nothing; a sum of integers is an integer unless it overflows, with a double among them a double;
// an average is a double, null of nothing. As soon as a field is aggregated, only documents that
// have all aggregated fields count, for every aggregation.
package aggregate

import (
	"fmt"
	"math"
	"math/big"

	"cloud.google.com/go/firestore/apiv1/firestorepb"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"hippocampus/emulator/internal/literal"
	"hippocampus/emulator/internal/query"
	"hippocampus/emulator/internal/resource"
	"hippocampus/emulator/internal/value"
)

// most is the number of aggregations that a request may have: query.proto,
// StructuredAggregationQuery.aggregations.
const most = 5

// Aggregation is the aggregations of one request under way. Each document that Query finds is added
// once.
type Aggregation struct {
	// Query finds the documents to add.
	Query *query.Query

	parts []part
	count int
}

// part is one aggregation.
type part struct {
	alias string
	upTo  int        // of a count; -1: without a bound
	field value.Path // nil: a count
	mean  bool       // an average

	numbers int
	integer big.Int // the sum of the integers
	double  float64 // the sum of the doubles,
	lost    float64 // what rounding has taken from it,
	doubles bool    // and whether there is one
}

// Compile reads the aggregations of a request. The errors are those of [query.Compile], or
// INVALID_ARGUMENT.
func Compile(db resource.Database, parent string,
	request *firestorepb.StructuredAggregationQuery) (*Aggregation, error) {
	if n := len(request.GetAggregations()); n == 0 || n > most {
		return nil, invalid("the request has %d aggregations; give 1 to %d", n, most)
	}
	a := &Aggregation{}
	seen := map[string]bool{}
	unnamed := 0
	var fields []value.Path
	for _, r := range request.GetAggregations() {
		p := part{alias: r.GetAlias(), upTo: -1}
		if p.alias == "" {
			unnamed++
			p.alias = fmt.Sprintf("field_%d", unnamed)
		}
		if value.Reserved(p.alias) {
			return nil, invalid("the alias %q is reserved, as all names in two underscores are; choose another", p.alias)
		}
		if seen[p.alias] {
			return nil, invalid("two aggregations have the alias %q; give each its own", p.alias)
		}
		seen[p.alias] = true
		if err := p.read(r); err != nil {
			return nil, err
		}
		if p.field != nil {
			fields = append(fields, p.field)
		}
		a.parts = append(a.parts, p)
	}
	q, err := query.Compile(db, parent, request.GetStructuredQuery())
	if err != nil {
		return nil, err
	}
	if err := checkOrders(q, request.GetStructuredQuery().GetOrderBy(), fields); err != nil {
		return nil, err
	}
	a.Query = q.Aggregating(fields...)
	if bound := a.bound(); bound >= 0 && (q.Limit < 0 || bound < q.Limit) {
		a.Query.Limit = bound
	}
	return a, nil
}

// checkOrders refuses to aggregate fields after names, by which a query says that it orders or
// filters, which all that is below a document is, too: Firestore has no index that goes on after
// them.
func checkOrders(q *query.Query, orders []*firestorepb.StructuredQuery_Order,
	fields []value.Path) error {
	byName := len(orders) > 0 && q.Orders[len(orders)-1].Name
	if below := q.Descendants && q.Parent != ""; !byName && !below && !q.FiltersByName() {
		return nil
	}
	ordered := map[string]bool{}
	for _, o := range q.Orders {
		ordered[o.Field.String()] = true
	}
	for _, f := range fields {
		if !ordered[f.String()] {
			return invalid("%s is aggregated, and the query filters or orders by __name__, but does not order by it before: add an order by %s before __name__", f, f)
		}
	}
	return nil
}

// read reads what is to be aggregated.
func (p *part) read(r *firestorepb.StructuredAggregationQuery_Aggregation) error {
	field := ""
	switch r.GetOperator().(type) {
	case *firestorepb.StructuredAggregationQuery_Aggregation_Count_:
		if bound := r.GetCount().GetUpTo(); bound != nil {
			if bound.GetValue() <= 0 {
				return invalid("up_to of %q is %d; it must be positive", p.alias, bound.GetValue())
			}
			p.upTo = int(bound.GetValue())
		}
		return nil
	case *firestorepb.StructuredAggregationQuery_Aggregation_Sum_:
		field = r.GetSum().GetField().GetFieldPath()
	case *firestorepb.StructuredAggregationQuery_Aggregation_Avg_:
		field, p.mean = r.GetAvg().GetField().GetFieldPath(), true
	default:
		return invalid("the aggregation %q has no operator; give count, sum or avg", p.alias)
	}
	var err error
	if p.field, err = value.ParsePath(field); err != nil {
		return err
	}
	if p.field[0] == value.NameField {
		return invalid("the aggregation %q is of __name__, which is no number; give a field",
			p.alias)
	}
	return nil
}

// bound is how many documents suffice, -1 for all.
func (a *Aggregation) bound() int {
	bound := 0
	for _, p := range a.parts {
		if p.field != nil || p.upTo < 0 {
			return -1
		}
		bound = max(bound, p.upTo)
	}
	return bound
}

// Add adds a document.
func (a *Aggregation) Add(doc *firestorepb.Document) {
	a.count++
	for i := range a.parts {
		p := &a.parts[i]
		if p.field == nil {
			continue
		}
		v, _ := value.Get(doc.GetFields(), p.field)
		switch v := v.GetValueType().(type) {
		case *firestorepb.Value_IntegerValue:
			p.numbers++
			p.integer.Add(&p.integer, big.NewInt(v.IntegerValue))
		case *firestorepb.Value_DoubleValue:
			p.numbers++
			p.doubles = true
			p.addDouble(v.DoubleValue)
		}
	}
}

// addDouble keeps what rounding loses, so that the sum does not depend on the order (Neumaier,
// 1974).
func (p *part) addDouble(f float64) {
	sum := p.double + f
	if math.Abs(p.double) >= math.Abs(f) {
		p.lost += (p.double - sum) + f
	} else {
		p.lost += (f - sum) + p.double
	}
	p.double = sum
}

// Result returns the aggregations of what was added. It is called once.
func (a *Aggregation) Result() *firestorepb.AggregationResult {
	r := &firestorepb.AggregationResult{AggregateFields: make(map[string]*firestorepb.Value,
		len(a.parts))}
	for i := range a.parts {
		r.AggregateFields[a.parts[i].alias] = a.parts[i].result(a.count)
	}
	return r
}

func (p *part) result(count int) *firestorepb.Value {
	if p.field == nil {
		if p.upTo >= 0 {
			count = min(count, p.upTo)
		}
		return literal.Int(int64(count))
	}
	if !p.mean && !p.doubles && p.integer.IsInt64() {
		return literal.Int(p.integer.Int64())
	}
	integers, _ := new(big.Float).SetInt(&p.integer).Float64()
	p.addDouble(integers)
	sum := p.double
	if !math.IsInf(sum, 0) && !math.IsNaN(sum) {
		sum += p.lost
	}
	switch {
	case !p.mean:
		return literal.Double(sum)
	case p.numbers == 0:
		return literal.Null()
	}
	return literal.Double(sum / float64(p.numbers))
}

func invalid(format string, args ...any) error {
	return status.Errorf(codes.InvalidArgument, format, args...)
}
