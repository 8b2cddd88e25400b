package limit

import (
	"encoding/json"
	"fmt"

	"hippocampus/emulator/internal/value"
)

// Indexes are those of a database, as a firestore.indexes.json sets them. Nil is what a database
// has without one: for every field an ascending and a descending index, and one of an array's
// elements (query-data/index-overview#automatic_indexing).
type Indexes struct {
	groups map[string]*group // by collection id
}

// group is what is set for all collections of an id.
type group struct {
	fields     *node // overrides by the names of their path
	all        *node // the override of the field *, or nil
	composites []composite
}

// node is a field that has an override, or is above one that has.
type node struct {
	set      bool // whether there is an override; otherwise that of the field above counts
	indexes  []single
	children map[string]*node
}

// single is an index of one field.
type single struct {
	contains bool // of an array's elements, not of whole values
	group    bool // of all collections of the id together
}

type composite struct {
	group  bool
	fields []part
}

// part is one field of a composite index.
type part struct {
	path     value.Path
	contains bool
	vector   bool
}

// automatic are the indexes of a field without an override.
var automatic = []single{{}, {}, {contains: true}}

// file is a firestore.indexes.json: firebase.google.com/docs/reference/firestore/indexes. Ascending
// and descending indexes have the same entries, so the order is only checked.
type file struct {
	Indexes []struct {
		CollectionGroup string
		QueryScope      string
		Fields          []struct {
			FieldPath, Order, ArrayConfig string
			VectorConfig                  json.RawMessage
		}
	}
	FieldOverrides []struct {
		CollectionGroup, FieldPath string
		Indexes                    *[]struct{ Order, ArrayConfig, QueryScope string }
	}
}

// ParseIndexes reads a firestore.indexes.json. As the Firebase tools do, it takes comments in it.
func ParseIndexes(data []byte) (*Indexes, error) {
	var f file
	if err := json.Unmarshal(withoutComments(data), &f); err != nil {
		return nil, fmt.Errorf("read firestore.indexes.json: %w", err)
	}
	ix := &Indexes{groups: map[string]*group{}}
	for i, c := range f.Indexes {
		at := fmt.Sprintf("firestore.indexes.json: indexes[%d]", i)
		if c.CollectionGroup == "" || len(c.Fields) == 0 {
			return nil, fmt.Errorf("%s has no collectionGroup or no fields", at)
		}
		var made composite
		var err error
		if made.group, err = isGroup(c.QueryScope); err != nil {
			return nil, fmt.Errorf("%s: %w", at, err)
		}
		for _, field := range c.Fields {
			if field.FieldPath == value.NameField {
				continue // every entry has the name
			}
			path, err := value.ParsePath(field.FieldPath)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", at, err)
			}
			made.fields = append(made.fields,
				part{path: path, contains: field.ArrayConfig != "",
					vector: len(field.VectorConfig) > 0})
		}
		g := ix.group(c.CollectionGroup)
		g.composites = append(g.composites, made)
	}
	for i, o := range f.FieldOverrides {
		at := fmt.Sprintf("firestore.indexes.json: fieldOverrides[%d]", i)
		if o.CollectionGroup == "" || o.Indexes == nil {
			return nil, fmt.Errorf("%s has no collectionGroup or no indexes: write \"indexes\": [] to have none", at)
		}
		made := []single{}
		for _, s := range *o.Indexes {
			scope, err := isGroup(s.QueryScope)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", at, err)
			}
			if (s.Order == "") == (s.ArrayConfig == "") {
				return nil, fmt.Errorf("%s: an index has an order or an arrayConfig", at)
			}
			made = append(made, single{contains: s.ArrayConfig != "", group: scope})
		}
		if err := ix.group(o.CollectionGroup).override(o.FieldPath, made); err != nil {
			return nil, fmt.Errorf("%s: %w", at, err)
		}
	}
	return ix, nil
}

// isGroup reads a queryScope.
func isGroup(scope string) (bool, error) {
	switch scope {
	case "", "COLLECTION":
		return false, nil
	case "COLLECTION_GROUP":
		return true, nil
	default:
		return false, fmt.Errorf("the queryScope %q is neither COLLECTION nor COLLECTION_GROUP", scope)
	}
}

// group returns that of a collection id, made if there is none.
func (ix *Indexes) group(id string) *group {
	g := ix.groups[id]
	if g == nil {
		g = &group{fields: &node{}}
		ix.groups[id] = g
	}
	return g
}

// override sets the indexes of a field and of those in it.
func (g *group) override(path string, indexes []single) error {
	if path == "*" {
		g.all = &node{set: true, indexes: indexes}
		return nil
	}
	names, err := value.ParsePath(path)
	if err != nil {
		return err
	}
	n := g.fields
	for _, name := range names {
		if n.children == nil {
			n.children = map[string]*node{}
		}
		child := n.children[name]
		if child == nil {
			child = &node{}
			n.children[name] = child
		}
		n = child
	}
	n.set, n.indexes = true, indexes
	return nil
}

// child returns what is set for a field in n, or nil.
func (n *node) child(name string) *node {
	if n == nil {
		return nil
	}
	return n.children[name]
}
