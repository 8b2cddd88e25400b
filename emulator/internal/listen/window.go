package listen

import (
	"slices"
	"time"

	pb "cloud.google.com/go/firestore/apiv1/firestorepb"

	"hippocampus/emulator/internal/query"
	"hippocampus/emulator/internal/resource"
)

// spare is the number of documents beyond a window that are held, to move up when others leave. The
// query is run again when they are used up.
const spare = 50

// window is the results of a query with an offset or a limit.
//
//	in the query's order:  held[0] … held[offset-1] │ the window: limit documents │ the spare ones │ edge … not held
type window struct {
	Database
	query *query.Query
	wide  *query.Query   // the same from the first result to the spare ones
	held  []*pb.Document // all that match and come no later than edge
	edge  *pb.Document   // nil: all that match are held
	known bool           // held has been read
}

func watchWindow(source Database, q *query.Query) *window {
	wide := *q
	wide.Offset = 0
	if q.Limit >= 0 {
		wide.Limit = q.Offset + q.Limit + spare
	}
	return &window{Database: source, query: q, wide: &wide}
}

func (w *window) concerns(p resource.Path) bool { return w.query.In(p) }

func (w *window) show(doc *pb.Document) *pb.Document { return w.query.Project(doc) }

// within is the part of held that is in the window.
func (w *window) within(held []*pb.Document) []*pb.Document {
	held = held[min(w.query.Offset, len(held)):]
	if w.query.Limit >= 0 {
		held = held[:min(w.query.Limit, len(held))]
	}
	return held
}

// read returns what is to be held at a time.
func (w *window) read(
	at time.Time) (held []*pb.Document, edge *pb.Document, t time.Time, err error) {
	found, err := w.Store.Query(at, w.wide)
	held = found.Documents
	if len(held) == w.wide.Limit {
		edge = held[len(held)-1]
	}
	return held, edge, found.Time, err
}

func (w *window) all(at time.Time) (difference, error) {
	held, edge, at, err := w.read(at)
	if err != nil {
		return difference{}, err
	}
	w.held, w.edge, w.known = held, edge, true
	return everything(w.within(held), at), nil
}

func (w *window) since(from, to time.Time) (difference, error) {
	held, edge, to, err := w.read(to)
	if err != nil {
		return difference{}, err
	}
	older := w.within(w.held)
	if !w.known {
		found, err := w.Store.Query(from, w.query)
		if err != nil {
			return difference{}, err
		}
		older = found.Documents
	}
	d, err := w.difference(older, w.within(held), to)
	if err != nil {
		return difference{}, err
	}
	w.held, w.edge, w.known = held, edge, true
	return d, nil
}

func (w *window) commit(c commit) ([]event, error) {
	held, edge := slices.Clone(w.held), w.edge
	after := map[string]*pb.Document{}
	for _, change := range c.changes {
		if !w.query.In(change.Path) {
			continue
		}
		if w.holds(change.Path, change.Before) {
			if i, ok := slices.BinarySearchFunc(held, change.Before, w.query.Compare); ok {
				held = slices.Delete(held, i, i+1)
			}
			after[change.Before.GetName()] = change.After
		}
		if w.holds(change.Path, change.After) {
			i, _ := slices.BinarySearchFunc(held, change.After, w.query.Compare)
			held = slices.Insert(held, i, change.After)
		}
	}
	if w.wide.Limit >= 0 {
		needed := w.wide.Limit - spare
		if edge != nil && len(held) < needed {
			var err error
			if held, edge, _, err = w.read(c.at); err != nil {
				return nil, err
			}
		}
		if len(held) > w.wide.Limit+spare {
			held = slices.Clone(held[:w.wide.Limit])
			edge = held[len(held)-1]
		}
	}
	events, err := diff(w.within(w.held), w.within(held),
		func(left []*pb.Document) ([]*pb.Document, error) {
			current := make([]*pb.Document, len(left))
			for i, doc := range left {
				current[i] = doc
				if now, changed := after[doc.GetName()]; changed {
					current[i] = now
				}
			}
			return current, nil
		})
	w.held, w.edge = held, edge
	return events, err
}

// holds reports whether a version of a document belongs to what is held.
func (w *window) holds(p resource.Path, doc *pb.Document) bool {
	return doc != nil && w.query.Matches(p, doc) &&
		(w.edge == nil || w.query.Compare(doc, w.edge) <= 0)
}
