package store

import (
	"cmp"
	"slices"
	"strings"
	"sync/atomic"

	"cloud.google.com/go/firestore/apiv1/firestorepb"
	"github.com/tidwall/btree"

	"hippocampus/emulator/internal/query"
	"hippocampus/emulator/internal/value"
)

const (
	// worthIndexing is the number of documents from which on a query has an index built.
	worthIndexing = 200
	// maxIndexes bounds the indexes of one collection or group. The one that was not used for
	// longest makes room.
	maxIndexes = 32
)

// index holds the newest versions of the documents of a collection, or of all collections of a
// group, that have all of some fields, ordered by these and then by name.
type index struct {
	shape shape
	tree  *btree.BTreeG[*indexed]
	used  atomic.Int64 // when it was last used, by a counter
}

// shape says what an index orders by. Orders are as in the query, or all reversed so that the first
// is ascending.
type shape struct {
	fields  []query.Order
	name    query.Order
	reverse bool // the query reads the index from its end
	equal   []query.Equality
	id      string
}

// indexed is a place in an index: a document, or the edge of a range.
type indexed struct {
	values   []*firestorepb.Value
	document *document
	edge     int // 0: a document; -1, 1: before, after all documents that begin with these values
}

// indexes are those of one collection or group, by the ids of their shapes.
type indexes struct {
	all  map[string]*index
	uses atomic.Int64
}

// shapeFor returns the shape of the index that serves q, or false if there is nothing to index by.
func shapeFor(q *query.Query) (shape, bool) {
	var s shape
	ordered := func(p value.Path) bool {
		return slices.ContainsFunc(q.Orders, func(o query.Order) bool { return !o.Name && slices.Equal(o.Field, p) })
	}
	for _, e := range q.Equal {
		if ordered(e.Field) || slices.ContainsFunc(s.equal, func(f query.Equality) bool { return slices.Equal(e.Field, f.Field) }) {
			continue
		}
		s.equal = append(s.equal, e)
	}
	slices.SortFunc(s.equal, func(a, b query.Equality) int { return cmp.Compare(a.Field.String(), b.Field.String()) })
	for _, e := range s.equal {
		s.fields = append(s.fields, query.Order{Field: e.Field})
	}
	s.reverse = q.Orders[0].Descending
	for _, o := range q.Orders {
		o.Descending = o.Descending != s.reverse
		if o.Name {
			s.name = o
			break
		}
		s.fields = append(s.fields, o)
	}
	var id strings.Builder
	for _, f := range append(s.fields, s.name) {
		id.WriteString(f.Field.String())
		id.WriteByte(direction(f))
	}
	s.id = id.String()
	return s, len(s.fields) > 0
}

func direction(o query.Order) byte {
	if o.Descending {
		return '>'
	}
	return '<'
}

// less orders the places of an index.
func (s *shape) less(a, b *indexed) bool {
	for i := range min(len(a.values), len(b.values)) {
		if c := value.CompareIndexed(a.values[i], b.values[i]); c != 0 {
			return (c < 0) != s.fields[i].Descending
		}
	}
	if a.edge != b.edge {
		return a.edge < b.edge
	}
	if a.edge != 0 || a.document.key == b.document.key {
		return false
	}
	return (a.document.key < b.document.key) != s.name.Descending
}

// place returns where a version of a document is in the index, or nil if it lacks a field.
func (s *shape) place(d *document, doc *firestorepb.Document) *indexed {
	if doc == nil {
		return nil
	}
	p := &indexed{values: make([]*firestorepb.Value, len(s.fields)), document: d}
	for i, f := range s.fields {
		v, ok := value.Get(doc.GetFields(), f.Field)
		if !ok {
			return nil
		}
		p.values[i] = v
	}
	return p
}

// update moves a document to its new place in all indexes.
func (x *indexes) update(d *document, before, after *firestorepb.Document) {
	for _, ix := range x.all {
		if p := ix.shape.place(d, before); p != nil {
			ix.tree.Delete(p)
		}
		if p := ix.shape.place(d, after); p != nil {
			ix.tree.Set(p)
		}
	}
}

// find returns the index of a shape, or nil.
func (x *indexes) find(s *shape) *index {
	ix := x.all[s.id]
	if ix != nil {
		ix.used.Store(x.uses.Add(1))
	}
	return ix
}

// build makes the index of a shape from the documents that each calls its argument with.
func (x *indexes) build(s shape, each func(func(*document) bool)) {
	if x.all == nil {
		x.all = map[string]*index{}
	}
	if len(x.all) >= maxIndexes {
		var oldest *index
		for _, ix := range x.all {
			if oldest == nil || ix.used.Load() < oldest.used.Load() {
				oldest = ix
			}
		}
		delete(x.all, oldest.shape.id)
	}
	s.equal = nil // the query's own
	ix := &index{shape: s}
	ix.used.Store(x.uses.Add(1))
	ix.tree = btree.NewBTreeGOptions(ix.shape.less, unlocked)
	each(func(d *document) bool {
		if p := s.place(d, d.head.doc); p != nil {
			ix.tree.Set(p)
		}
		return true
	})
	x.all[s.id] = ix
}

// scan calls f with the documents that have the shape's equalities and are within q's bounds, in
// q's order, until it returns false.
func (ix *index) scan(s *shape, q *query.Query, f func(*document) bool) {
	var prefix []*firestorepb.Value
	for _, e := range s.equal {
		prefix = append(prefix, e.Value)
	}
	end := func(b *query.Bound, outward int) *indexed {
		switch {
		case b == nil || q.Orders[0].Name && nameKey(b) == "":
			return &indexed{values: prefix, edge: outward}
		case q.Orders[0].Name:
			return &indexed{values: prefix, document: &document{key: nameKey(b)}}
		}
		return &indexed{values: append(slices.Clone(prefix), b.Value),
			edge: edge(b.Inclusive, outward)}
	}
	low, high := end(q.Lower, -1), end(q.Upper, 1)
	if s.reverse {
		ix.tree.Descend(high, func(p *indexed) bool { return !ix.shape.less(p, low) && f(p.document) })
		return
	}
	ix.tree.Ascend(low, func(p *indexed) bool { return !ix.shape.less(high, p) && f(p.document) })
}

// edge is outward, or inward if the bound is exclusive.
func edge(inclusive bool, outward int) int {
	if inclusive {
		return outward
	}
	return -outward
}
