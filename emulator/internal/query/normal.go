package query

import (
	"crypto/sha256"
	"slices"

	"google.golang.org/protobuf/proto"

	"hippocampus/emulator/internal/value"
)

const (
	// maxDisjunctions of a filter in disjunctive normal form, with IN and ARRAY_CONTAINS_ANY
	// written out (firebase.google.com/docs/firestore/query-data/queries#limits_on_or_queries).
	maxDisjunctions = 30
	// maxTerms is where counting stops: some products have fewer terms than their factors, but not
	// from so many.
	maxTerms = 4096
)

// normal is a filter as Firestore counts it: lists are written out, and what is the same as
// something beside it is left out. key is the same for filters that are the same.
type normal struct {
	kind     kind
	contains bool // of a leaf: about an array's elements
	children []*normal
	key      [sha256.Size]byte
}

// checkNormal checks how big a filter is, which may be nil. parts is how many other parts the query
// has.
func checkNormal(filter *tree, parts int) error {
	n := &normal{kind: allOf}
	if filter != nil {
		n = normalize(filter)
	}
	if total := n.leaves() + parts; total > maxParts {
		return invalid("the query has %d filters, orders and parent documents, each value of a list counted: it can have %d", total, maxParts)
	}
	if n.arrays() > 1 {
		return invalid("the query has more than one ARRAY_CONTAINS or ARRAY_CONTAINS_ANY that a document must satisfy at once: it can have one in each part of an OR")
	}
	set, ok := n.terms(map[[sha256.Size]byte]int{})
	if !ok {
		return invalid("the filter has more than %d disjunctions in disjunctive normal form, each value of IN and ARRAY_CONTAINS_ANY counted: it can have %d", maxTerms, maxDisjunctions)
	}
	if len(set) > maxDisjunctions {
		return invalid("the filter has %d disjunctions in disjunctive normal form, each value of IN and ARRAY_CONTAINS_ANY counted: it can have %d", len(set), maxDisjunctions)
	}
	return nil
}

func normalize(t *tree) *normal {
	if t.kind != leaf {
		children := make([]*normal, len(t.children))
		for i, child := range t.children {
			children[i] = normalize(child)
		}
		return composite(t.kind, children)
	}
	c := t.condition
	switch c.operator {
	case in:
		return composite(anyOf, c.each(equal))
	case containsAny:
		return composite(anyOf, c.each(contains))
	case notIn:
		return composite(allOf, c.each(notEqual))
	default:
		return c.each(c.operator)[0]
	}
}

// composite joins filters, each of which it takes once.
func composite(k kind, children []*normal) *normal {
	slices.SortFunc(children, func(a, b *normal) int { return slices.Compare(a.key[:], b.key[:]) })
	children = slices.CompactFunc(children, func(a, b *normal) bool { return a.key == b.key })
	h := sha256.New()
	h.Write([]byte{byte(k)})
	for _, child := range children {
		h.Write(child.key[:])
	}
	return &normal{kind: k, children: children, key: [sha256.Size]byte(h.Sum(nil))}
}

// each returns a leaf with an operator for each of the condition's values, or one without a value.
func (c *condition) each(o operator) []*normal {
	path := c.path.String()
	if c.name {
		path = value.NameField
	}
	prefix := string([]byte{byte(leaf), byte(o)}) + path + "\x00"
	if len(c.values) == 0 {
		return []*normal{{key: sha256.Sum256([]byte(prefix))}}
	}
	leaves := make([]*normal, len(c.values))
	for i, v := range c.values {
		// What cannot be encoded is not valid UTF-8, which no request can carry.
		encoded, _ := proto.MarshalOptions{Deterministic: true}.Marshal(v)
		leaves[i] = &normal{contains: o == contains,
			key: sha256.Sum256(append([]byte(prefix), encoded...))}
	}
	return leaves
}

// leaves counts the conditions.
func (n *normal) leaves() int {
	if n.kind == leaf {
		return 1
	}
	total := 0
	for _, child := range n.children {
		total += child.leaves()
	}
	return total
}

// arrays is the greatest number of conditions on arrays that must hold at once.
func (n *normal) arrays() int {
	most := 0
	if n.contains {
		most = 1
	}
	for _, child := range n.children {
		if n.kind == allOf {
			most += child.arrays()
		} else {
			most = max(most, child.arrays())
		}
	}
	return most
}

// term is a set of conditions, by their numbers, of which there are at most maxParts.
type term [2]uint64

// terms returns the disjunctions of the normal form, and false if there are too many. numbers has
// those of the conditions seen so far.
func (n *normal) terms(numbers map[[sha256.Size]byte]int) (map[term]bool, bool) {
	switch n.kind {
	case leaf:
		i, ok := numbers[n.key]
		if !ok {
			i = len(numbers)
			numbers[n.key] = i
		}
		var t term
		t[i/64] = 1 << (i % 64)
		return map[term]bool{t: true}, true
	case anyOf:
		sum := map[term]bool{}
		for _, child := range n.children {
			set, ok := child.terms(numbers)
			if !ok {
				return nil, false
			}
			for t := range set {
				sum[t] = true
			}
		}
		return sum, len(sum) <= maxTerms
	default:
		product := map[term]bool{{}: true}
		for _, child := range n.children {
			set, ok := child.terms(numbers)
			if !ok {
				return nil, false
			}
			next := make(map[term]bool, len(product))
			for t := range product {
				for u := range set {
					next[term{t[0] | u[0], t[1] | u[1]}] = true
				}
				if len(next) > maxTerms {
					return nil, false
				}
			}
			product = next
		}
		return product, true
	}
}
