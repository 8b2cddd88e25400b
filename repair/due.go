package repair

import (
	"context"
	"errors"
	"fmt"
	"time"

	"cloud.google.com/go/firestore"
	"google.golang.org/api/iterator"

	"hippocampus/index"
	"hippocampus/internal/indexdb"
)

// Task is a memory collection whose index is due for a run.
type Task struct {
	Collection string     `json:"collection"` // path of the memory collection
	Kind       index.Kind `json:"kind"`       // what is due: a build if the nightly one is
	Due        time.Time  `json:"due"`        // since when
	// Reason is the request's, if there is one.
	Reason string `json:"reason,omitempty"`
}

// Due returns the collections that are due for a repair or have a request,
// most overdue first, by the server's time. It reads one document and one for
// each that it finds, and fetches no base.
func Due(ctx context.Context, client *firestore.Client) ([]Task, error) {
	now, err := indexdb.ServerTime(ctx, client.Collection(index.Root).Doc(index.VersionID(index.Version)))
	if err != nil {
		return nil, fmt.Errorf("find what is due: %w", err)
	}
	return tasks(ctx, client.CollectionGroup(index.CollectionID).Where(index.DueField, "<=",
		now.Time()), func(version string) bool {
		return version == index.VersionID(index.Version)
	})
}

// All returns every collection that has an index or a request for one, due or
// not, most overdue first; an index of another version of the stored form too,
// since a fold of it in this version ends that one.
func All(ctx context.Context, client *firestore.Client) ([]Task, error) {
	return tasks(ctx, client.CollectionGroup(index.CollectionID).Query, func(string) bool { return true })
}

func tasks(ctx context.Context, query firestore.Query,
	wanted func(version string) bool) ([]Task, error) {
	docs := query.OrderBy(index.DueField, firestore.Asc).Select(index.DueField, index.KindField,
		index.ReasonField).Documents(ctx)
	defer docs.Stop()
	var found []Task
	at := map[string]int{} // of a collection in found
	for {
		doc, err := docs.Next()
		if errors.Is(err, iterator.Done) {
			return found, nil
		}
		if err != nil {
			return nil, fmt.Errorf("find what is due: %w", err)
		}
		t, ok := taskOf(doc, wanted)
		if !ok {
			continue
		}
		i, seen := at[t.Collection]
		if !seen {
			at[t.Collection] = len(found)
			found = append(found, t)
			continue
		}
		if t.Kind == index.Build {
			found[i].Kind = index.Build
		}
		if found[i].Reason == "" {
			found[i].Reason = t.Reason
		}
	}
}

// taskOf reads a document of the due query. Applications may have collections of
// the same id: those are passed over, as are versions that are not wanted.
func taskOf(doc *firestore.DocumentSnapshot, wanted func(version string) bool) (Task, bool) {
	version, memories, err := index.SplitPath(relative(doc.Ref.Parent))
	if err != nil || !wanted(version) {
		return Task{}, false
	}
	fields := doc.Data()
	due, ok := fields[index.DueField].(time.Time)
	if !ok {
		return Task{}, false
	}
	t := Task{Collection: memories, Kind: index.Build, Due: due}
	switch doc.Ref.ID {
	case index.MetaID:
		return t, true
	case index.RequestID:
		request := index.ParseRequest(fields)
		t.Kind, t.Reason = request.Kind, request.Reason
		return t, true
	}
	return Task{}, false
}

// relative returns the path of a collection relative to its database.
func relative(c *firestore.CollectionRef) string {
	path := c.ID
	for doc := c.Parent; doc != nil; doc = doc.Parent.Parent {
		path = doc.Parent.ID + "/" + doc.ID + "/" + path
	}
	return path
}

// Serve does what the request document of a collection's index asks for, and
// removes it. Without a request it does nothing and returns nil and ErrNoRequest.
func Serve(ctx context.Context, client *firestore.Client, memories string,
	o *Options) (*Result, error) {
	x, err := indexdb.Of(client, memories)
	if err != nil {
		return nil, fmt.Errorf("repair: %w", err)
	}
	docs, _, err := x.Get(ctx, index.RequestID)
	if err != nil {
		return nil, fmt.Errorf("repair %s: read the request: %w", memories, err)
	}
	request := docs[0]
	if request == nil {
		return nil, fmt.Errorf("repair %s: %w", memories, ErrNoRequest)
	}
	if index.ParseRequest(request.Fields).Kind == index.Compaction {
		return Compact(ctx, client, memories, o)
	}
	return Build(ctx, client, memories, o)
}

// ErrNoRequest says that nobody asks for a run any more: it was done meanwhile.
var ErrNoRequest = errors.New("no request")
