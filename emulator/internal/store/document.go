package store

import (
	"cloud.google.com/go/firestore/apiv1/firestorepb"
	"github.com/tidwall/btree"

	"hippocampus/emulator/internal/resource"
)

// document is a document with its history.
type document struct {
	path resource.Path
	key  string // the path's: orders documents
	in   *collection
	head *version // the newest
}

// version is a document as one commit left it.
type version struct {
	at    int64
	doc   *firestorepb.Document // nil if it was deleted
	bytes int                   // encoded size
	older *version              // nil at the end of the history
}

// at returns the document as it was at a time, nil if there was none.
func (d *document) at(t int64) *firestorepb.Document {
	for v := d.head; v != nil; v = v.older {
		if v.at <= t {
			return v.doc
		}
	}
	return nil
}

// collection is the documents of one collection, deleted ones too while the history needs them.
type collection struct {
	path      resource.Path
	key       string
	group     *group
	documents *btree.BTreeG[*document]
	indexes   indexes
}

// group is the collections of one id, wherever they are.
type group struct {
	collections btree.Map[string, *collection] // by the key of their paths
	documents   int
	indexes     indexes
}

func byKey(a, b *document) bool { return a.key < b.key }

// find returns the document at path with its history, or nil.
func (s *Store) find(p resource.Path) *document {
	c, ok := s.collections.Get(p.Collection().Key())
	if !ok {
		return nil
	}
	d, _ := c.documents.Get(&document{key: p.Key()})
	return d
}

// place returns the document at path, made if there is none.
func (s *Store) place(p resource.Path) *document {
	path := p.Collection()
	key := path.Key()
	c, ok := s.collections.Get(key)
	if !ok {
		id := p.CollectionID()
		g := s.groups[id]
		if g == nil {
			g = &group{}
			s.groups[id] = g
		}
		c = &collection{path: path, key: key, group: g,
			documents: btree.NewBTreeGOptions(byKey, unlocked)}
		s.collections.Set(key, c)
		g.collections.Set(key, c)
	}
	d := &document{path: p, key: p.Key(), in: c}
	if found, ok := c.documents.Get(d); ok {
		return found
	}
	c.documents.Set(d)
	c.group.documents++
	return d
}

// discard forgets a document that has been deleted for longer than the history.
func (s *Store) discard(d *document) {
	c := d.in
	c.documents.Delete(d)
	c.group.documents--
	if c.documents.Len() > 0 {
		return
	}
	s.collections.Delete(c.key)
	c.group.collections.Delete(c.key)
	if c.group.collections.Len() == 0 {
		delete(s.groups, c.path.ID())
	}
}

// unlocked: the store has its own lock.
var unlocked = btree.Options{NoLocks: true}
