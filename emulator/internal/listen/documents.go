package listen

import (
	"maps"
	"slices"
	"time"

	pb "cloud.google.com/go/firestore/apiv1/firestorepb"

	"hippocampus/emulator/internal/resource"
)

// documents are watched by their names. One that does not exist is told of as deleted.
type documents struct {
	Database
	names []string
	paths []resource.Path
	index map[resource.Path]int
}

func watchDocuments(source Database, names []string) (*documents, error) {
	d := &documents{Database: source, index: map[resource.Path]int{}}
	for _, name := range names {
		p, err := source.Name.Document(name)
		if err != nil {
			return nil, err
		}
		if _, twice := d.index[p]; twice {
			continue
		}
		d.index[p] = len(d.paths)
		d.names, d.paths = append(d.names, name), append(d.paths, p)
	}
	return d, nil
}

func (d *documents) concerns(p resource.Path) bool {
	_, ok := d.index[p]
	return ok
}

func (d *documents) show(doc *pb.Document) *pb.Document { return doc }

// event of a document that is now doc, which may be nil.
func (d *documents) event(i int, doc *pb.Document) event {
	return event{name: d.names[i], doc: doc, in: doc != nil}
}

func (d *documents) all(at time.Time) (difference, error) {
	docs, at, err := d.Store.Get(at, d.paths...)
	diff := difference{at: at, after: existing(docs)}
	for i, doc := range docs {
		diff.events = append(diff.events, d.event(i, doc))
	}
	return diff, err
}

func (d *documents) since(from, to time.Time) (difference, error) {
	docs, to, err := d.Store.Get(to, d.paths...)
	if err != nil {
		return difference{}, err
	}
	older, _, err := d.Store.Get(from, d.paths...)
	if err != nil {
		return difference{}, err
	}
	diff := difference{at: to, before: existing(older), after: existing(docs)}
	for i, doc := range docs {
		if doc != older[i] {
			diff.events = append(diff.events, d.event(i, doc))
		}
	}
	return diff, nil
}

func existing(docs []*pb.Document) int {
	n := 0
	for _, doc := range docs {
		if doc != nil {
			n++
		}
	}
	return n
}

func (d *documents) commit(c commit) ([]event, error) {
	now := map[int]*pb.Document{}
	for _, change := range c.changes {
		if i, ok := d.index[change.Path]; ok {
			now[i] = change.After
		}
	}
	var events []event
	for _, i := range slices.Sorted(maps.Keys(now)) {
		events = append(events, d.event(i, now[i]))
	}
	return events, nil
}
