package store

import (
	"slices"
	"strings"
	"time"

	"cloud.google.com/go/firestore/apiv1/firestorepb"

	"hippocampus/emulator/internal/query"
	"hippocampus/emulator/internal/resource"
)

// Result is what a query found.
type Result struct {
	Documents []*firestorepb.Document // not projected
	Time      time.Time               // of the read
	Skipped   int                     // documents that the offset left out
	Examined  int                     // documents that were looked at
}

// Query runs q at a time, zero for now. The error is ErrFuture or ErrTooOld.
func (s *Store) Query(at time.Time, q *query.Query) (Result, error) {
	var documents []*firestorepb.Document
	r, err := s.Each(at, q, func(doc *firestorepb.Document) { documents = append(documents, doc) })
	r.Documents = documents
	return r, err
}

// Each calls f with each document that q finds at a time, zero for now, in order. f must neither
// block nor use the store. The result has no documents; the error is ErrFuture or ErrTooOld.
func (s *Store) Each(at time.Time, q *query.Query, f func(*firestorepb.Document)) (Result, error) {
	var r Result
	err := s.run(at, q, &r, f)
	return r, err
}

func (s *Store) run(at time.Time, q *query.Query, r *Result,
	found func(*firestorepb.Document)) error {
	shape, indexable := shapeFor(q)
	if indexable && at.IsZero() {
		s.prepare(q, shape)
	}
	s.mu.RLock()
	defer s.mu.RUnlock()
	t, newest, err := s.readTime(at)
	if err != nil {
		return err
	}
	r.Time = timeOf(t)
	left := q.Limit
	if left == 0 {
		return nil
	}
	page := func(doc *firestorepb.Document) bool {
		if r.Skipped < q.Offset {
			r.Skipped++
			return true
		}
		found(doc)
		left--
		return left != 0
	}
	each := func(d *document) bool {
		doc := d.at(t)
		if doc == nil {
			return true
		}
		r.Examined++
		return !q.Matches(d.path, doc) || page(doc)
	}
	if indexable && newest {
		if x, _ := s.scope(q); x != nil {
			if ix := x.find(&shape); ix != nil {
				ix.scan(&shape, q, each)
				return nil
			}
		}
	}
	if q.Orders[0].Name && !q.Descendants && q.Collection != "" {
		s.scanByName(q, each)
		return nil
	}
	var all []*firestorepb.Document
	s.scan(q, func(d *document) bool {
		if doc := d.at(t); doc != nil {
			r.Examined++
			if q.Matches(d.path, doc) {
				all = append(all, doc)
			}
		}
		return true
	})
	slices.SortFunc(all, q.Compare)
	for _, doc := range all {
		if !page(doc) {
			break
		}
	}
	return nil
}

// scope returns the indexes that can serve q and how many documents it covers, or nil.
func (s *Store) scope(q *query.Query) (*indexes, int) {
	switch {
	case q.Collection == "":
		return nil, 0
	case !q.Descendants:
		if c, ok := s.collections.Get(child(q.Parent, q.Collection).Key()); ok {
			return &c.indexes, c.documents.Len()
		}
	case q.Parent == "":
		if g := s.groups[q.Collection]; g != nil {
			return &g.indexes, g.documents
		}
	}
	return nil, 0
}

// prepare builds the index for q if it is worth it and there is none.
func (s *Store) prepare(q *query.Query, shape shape) {
	wanted := func() *indexes {
		x, n := s.scope(q)
		if x == nil || n < worthIndexing || x.find(&shape) != nil {
			return nil
		}
		return x
	}
	s.mu.RLock()
	build := wanted() != nil
	s.mu.RUnlock()
	if !build {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if x := wanted(); x != nil {
		x.build(shape, func(f func(*document) bool) { s.scan(q, f) })
	}
}

// scan calls f with every document of the collections that q is about, in any order, until f
// returns false.
func (s *Store) scan(q *query.Query, f func(*document) bool) {
	going := true
	each := func(d *document) bool {
		going = f(d)
		return going
	}
	if !q.Descendants && q.Collection != "" {
		if c, ok := s.collections.Get(child(q.Parent, q.Collection).Key()); ok {
			c.documents.Scan(each)
		}
		return
	}
	within := &s.collections
	if q.Collection != "" {
		g := s.groups[q.Collection]
		if g == nil {
			return
		}
		within = &g.collections
	}
	prefix := q.Parent.Key()
	within.Ascend(prefix, func(key string, c *collection) bool {
		if !strings.HasPrefix(key, prefix) {
			return false
		}
		if len(key) > len(prefix) && (q.Descendants || c.path.Collection() == q.Parent) {
			c.documents.Scan(each)
		}
		return going
	})
}

// scanByName calls f with the documents of q's one collection that are within its bounds, in the
// order of their names that q wants, until f returns false.
func (s *Store) scanByName(q *query.Query, f func(*document) bool) {
	c, ok := s.collections.Get(child(q.Parent, q.Collection).Key())
	if !ok {
		return
	}
	start, end := "", ""
	if q.Lower != nil {
		start = nameKey(q.Lower)
	}
	if q.Upper != nil {
		end = nameKey(q.Upper)
	}
	if q.Orders[0].Descending {
		each := func(d *document) bool { return d.key >= start && f(d) }
		if end == "" {
			c.documents.Reverse(each)
		} else {
			c.documents.Descend(&document{key: end}, each)
		}
		return
	}
	c.documents.Ascend(&document{key: start}, func(d *document) bool { return (end == "" || d.key <= end) && f(d) })
}

// nameKey is the key of the path of a bound by name; "" if it is of no document here.
func nameKey(b *query.Bound) string {
	_, path, ok := strings.Cut(b.Value.GetReferenceValue(), "/documents/")
	if !ok {
		return ""
	}
	return resource.Path(path).Key()
}
