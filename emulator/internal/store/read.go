package store

import (
	"strings"
	"time"

	"cloud.google.com/go/firestore/apiv1/firestorepb"

	"hippocampus/emulator/internal/resource"
)

// Get returns the documents at paths as they were at a time, zero for now, in that order, nil where
// there was none; and the time of the read. The error is ErrFuture or ErrTooOld.
func (s *Store) Get(at time.Time,
	paths ...resource.Path) ([]*firestorepb.Document, time.Time, error) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	t, _, err := s.readTime(at)
	if err != nil {
		return nil, time.Time{}, err
	}
	docs := make([]*firestorepb.Document, len(paths))
	for i, p := range paths {
		if d := s.find(p); d != nil {
			docs[i] = d.at(t)
		}
	}
	return docs, timeOf(t), nil
}

// Listed is one line of a listing: a document, or the path of one that does not exist but has
// collections below it.
type Listed struct {
	Path     resource.Path
	Document *firestorepb.Document // nil if it does not exist
}

// List returns the documents of a collection and the missing ones that have documents below them,
// by name, at most limit of them, from the one after the given path on ("" for the first).
func (s *Store) List(at time.Time, in, after resource.Path,
	limit int) ([]Listed, time.Time, error) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	t, _, err := s.readTime(at)
	if err != nil {
		return nil, time.Time{}, err
	}
	from := in.Key()
	if after != "" {
		from = after.Key()
	}
	documents := s.documentsAt(in, from, after, t, limit)
	missing := s.missingAt(in, after, t, limit)
	var all []Listed
	for len(all) < limit && len(documents)+len(missing) > 0 {
		switch {
		case len(missing) == 0 || len(documents) > 0 && documents[0].Path.Key() < missing[0].Path.Key():
			all, documents = append(all, documents[0]), documents[1:]
		case len(documents) > 0 && documents[0].Path == missing[0].Path:
			all, documents, missing = append(all, documents[0]), documents[1:], missing[1:]
		default:
			all, missing = append(all, missing[0]), missing[1:]
		}
	}
	return all, timeOf(t), nil
}

func (s *Store) documentsAt(in resource.Path, from string, after resource.Path, t int64,
	limit int) []Listed {
	c, ok := s.collections.Get(in.Key())
	if !ok {
		return nil
	}
	var found []Listed
	c.documents.Ascend(&document{key: from}, func(d *document) bool {
		if doc := d.at(t); doc != nil && d.path != after {
			found = append(found, Listed{d.path, doc})
		}
		return len(found) < limit
	})
	return found
}

// missingAt returns the first documents of a collection, existing or not, that have documents below
// them.
func (s *Store) missingAt(in, after resource.Path, t int64, limit int) []Listed {
	var found []Listed
	s.below(in, after, t, func(p resource.Path) bool {
		found = append(found, Listed{Path: p})
		return len(found) < limit
	})
	return found
}

// CollectionIDs returns the ids of the collections below a document, or of the root, that had
// documents, or documents below them, at a time: at most limit of them, in order, from the one
// after the given id on.
func (s *Store) CollectionIDs(at time.Time, parent resource.Path, after string,
	limit int) ([]string, time.Time, error) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	t, _, err := s.readTime(at)
	if err != nil {
		return nil, time.Time{}, err
	}
	var ids []string
	var last resource.Path
	if after != "" {
		last = child(parent, after)
	}
	s.below(parent, last, t, func(p resource.Path) bool {
		ids = append(ids, p.ID())
		return len(ids) < limit
	})
	return ids, timeOf(t), nil
}

// below calls f with each child of a path that had a document in or below it at a time, in order,
// from the one after the given child on, until f returns false. Children of a document are
// collections, those of a collection documents.
func (s *Store) below(parent, after resource.Path, t int64, f func(resource.Path) bool) {
	prefix := parent.Key()
	from := prefix
	if after != "" {
		from = behind(after)
	}
	for more := true; more; {
		more = false
		s.collections.Ascend(from, func(key string, c *collection) bool {
			if !strings.HasPrefix(key, prefix) {
				return false
			}
			if len(key) == len(prefix) || !c.existed(t) {
				return true
			}
			p := child(parent, childID(parent, c.path))
			from, more = behind(p), f(p)
			return false
		})
	}
}

// behind is where the keys of p and of all below it end: they go on with the first byte of an id,
// which is less.
func behind(p resource.Path) string { return p.Key() + "\xff" }

// existed reports whether the collection had a document at a time.
func (c *collection) existed(t int64) bool {
	found := false
	c.documents.Scan(func(d *document) bool {
		found = d.at(t) != nil
		return !found
	})
	return found
}

func child(parent resource.Path, id string) resource.Path {
	if parent == "" {
		return resource.Path(id)
	}
	return parent + "/" + resource.Path(id)
}

// childID is the id of the child of parent that p is or is below.
func childID(parent, p resource.Path) string {
	rest := string(p)
	if parent != "" {
		rest = rest[len(parent)+1:]
	}
	id, _, _ := strings.Cut(rest, "/")
	return id
}
