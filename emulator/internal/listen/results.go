package listen

import (
	"slices"
	"time"

	pb "cloud.google.com/go/firestore/apiv1/firestorepb"

	"hippocampus/emulator/internal/query"
	"hippocampus/emulator/internal/resource"
)

// results are those of a query without limit and offset. Whether a document is one depends on
// nothing but itself, so they need not be remembered.
type results struct {
	Database
	query *query.Query
}

func (r *results) concerns(p resource.Path) bool { return r.query.In(p) }

func (r *results) show(doc *pb.Document) *pb.Document { return r.query.Project(doc) }

func (r *results) all(at time.Time) (difference, error) {
	found, err := r.Store.Query(at, r.query)
	return everything(found.Documents, found.Time), err
}

// everything is the difference of a result from nothing.
func everything(docs []*pb.Document, at time.Time) difference {
	d := difference{at: at, after: len(docs), events: make([]event, len(docs))}
	for i, doc := range docs {
		d.events[i] = came(doc)
	}
	return d
}

func (r *results) since(from, to time.Time) (difference, error) {
	found, err := r.Store.Query(to, r.query)
	if err != nil {
		return difference{}, err
	}
	older, err := r.Store.Query(from, r.query)
	if err != nil {
		return difference{}, err
	}
	return r.difference(older.Documents, found.Documents, found.Time)
}

// difference of what was found at a time from what was found before.
func (s Database) difference(older, found []*pb.Document, at time.Time) (difference, error) {
	events, err := diff(older, found, func(left []*pb.Document) ([]*pb.Document, error) {
		paths := make([]resource.Path, len(left))
		for i, doc := range left {
			paths[i] = s.path(doc)
		}
		docs, _, err := s.Store.Get(at, paths...)
		return docs, err
	})
	return difference{at: at, events: events, before: len(older), after: len(found)}, err
}

// path of a stored document.
func (s Database) path(doc *pb.Document) resource.Path {
	return resource.Path(doc.GetName()[len(s.Name.Root())+1:])
}

func (r *results) commit(c commit) ([]event, error) {
	var left, here []*pb.Document
	now := map[*pb.Document]*pb.Document{}
	for _, change := range c.changes {
		if !r.query.In(change.Path) {
			continue
		}
		switch {
		case change.After != nil && r.query.Matches(change.Path, change.After):
			here = append(here, change.After)
		case change.Before != nil && r.query.Matches(change.Path, change.Before):
			left = append(left, change.Before)
			now[change.Before] = change.After
		}
	}
	slices.SortFunc(left, r.query.Compare)
	slices.SortFunc(here, r.query.Compare)
	var events []event
	for _, doc := range left {
		events = append(events, event{name: doc.GetName(), doc: now[doc]})
	}
	for _, doc := range here {
		events = append(events, came(doc))
	}
	return events, nil
}
