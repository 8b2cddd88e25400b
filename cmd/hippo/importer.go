package main

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"

	"cloud.google.com/go/firestore"
	"golang.org/x/sync/errgroup"
	"google.golang.org/api/iterator"

	"hippocampus/internal/outcome"
	"hippocampus/memory"
)

const (
	// sourceField says of an imported memory where it comes from.
	sourceField = "imported_from"
	// importBatch is how many notes are compared with the store in one read.
	importBatch = 100
	// importWriters is how many writes are under way at once: well below the 500
	// a second that Firestore wants a new collection to begin with.
	importWriters = 16
)

// importer brings the notes of one folder into one collection.
type importer struct {
	store  *memory.Store
	dir    string
	source string
	done   func(notes int) // progress

	mu     sync.Mutex
	result *imported
	files  map[string]string // the file of each name
}

// run imports files and returns what it did, also with an error. A note that
// cannot be a memory is in the result and no error.
func (i *importer) run(ctx context.Context, files []string) (*imported, error) {
	i.result = &imported{Folder: i.dir, Collection: i.store.Path(), Source: i.source,
		Refused: []badNote{}}
	i.files = map[string]string{}
	for len(files) > 0 {
		n := min(len(files), importBatch)
		if err := i.batch(ctx, i.read(files[:n])); err != nil {
			return i.result, err
		}
		files = files[n:]
	}
	return i.result, nil
}

// read reads notes, and puts those that cannot be memories aside.
func (i *importer) read(files []string) []*note {
	var notes []*note
	for _, file := range files {
		n, err := readNote(i.dir, file)
		if err == nil {
			err = i.check(n)
		}
		if err != nil {
			i.refuse(file, err)
			continue
		}
		i.files[n.name] = file
		notes = append(notes, n)
	}
	return notes
}

// check finds what Firestore or the store would refuse.
func (i *importer) check(n *note) error {
	size, err := sizeOf(i.store, n.name, i.fields(n))
	if err != nil {
		return err
	}
	if other, taken := i.files[n.name]; taken {
		return fmt.Errorf("it would be the same memory as %+q: rename one of them", other)
	}
	if size > maxDocumentBytes {
		return fmt.Errorf("as a memory it has %d bytes, and a document of Firestore has at most %d: split it", size, maxDocumentBytes)
	}
	return nil
}

func (i *importer) fields(n *note) map[string]any {
	return map[string]any{bodyField: n.body, sourceField: i.source}
}

func (i *importer) refuse(file string, err error) {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.result.Refused = append(i.result.Refused, badNote{file, err.Error()})
	i.done(1)
}

// batch compares notes with the store in one read and writes what differs.
func (i *importer) batch(ctx context.Context, notes []*note) error {
	names := make([]string, len(notes))
	for k, n := range notes {
		names[k] = n.name
	}
	stored, err := i.store.Open(ctx, names...)
	if err != nil && !errors.Is(err, memory.ErrNotFound) {
		return err
	}
	byName := make(map[string]memory.Memory, len(stored))
	for _, m := range stored {
		byName[m.Name] = m
	}
	writers, ctx := errgroup.WithContext(ctx)
	writers.SetLimit(importWriters)
	for _, n := range notes {
		m, exists := byName[n.name]
		if exists && sameMemory(m, n, i.source) {
			i.count(&i.result.Unchanged)
			continue
		}
		counter := &i.result.Added
		if exists {
			counter = &i.result.Changed
		}
		writers.Go(func() error { return i.write(ctx, n, counter) })
	}
	return writers.Wait()
}

// write writes one note. What Firestore refuses for its content is the note's
// fault; any other error ends the import.
func (i *importer) write(ctx context.Context, n *note, counter *int) error {
	err := i.store.Put(ctx, n.name, i.fields(n), &memory.PutOptions{Date: n.date.Time()})
	if outcome.Of(err) == outcome.Invalid {
		i.refuse(n.file, err)
		return nil
	}
	if err != nil {
		return err
	}
	i.count(counter)
	return nil
}

func (i *importer) count(counter *int) {
	i.mu.Lock()
	defer i.mu.Unlock()
	*counter++
	i.done(1)
}

// gone returns the names of the memories of this source that have no note, in
// the order of their ids. It costs a read a memory of this source.
func (i *importer) gone(ctx context.Context, client *firestore.Client) ([]string, error) {
	documents := client.Collection(i.store.Path()).Where(sourceField, "==",
		i.source).Select().Documents(ctx)
	defer documents.Stop()
	var gone []string
	for {
		doc, err := documents.Next()
		if errors.Is(err, iterator.Done) {
			return gone, nil
		}
		if err != nil {
			return nil, fmt.Errorf("look for memories without a note: %w", err)
		}
		name, err := i.store.Schema().IDs.Name(doc.Ref.ID)
		if err != nil {
			continue // no import has written that
		}
		if _, exists := i.files[name]; !exists {
			gone = append(gone, name)
		}
	}
}

// deleteAll deletes memories and returns how many were there to be deleted.
func (i *importer) deleteAll(ctx context.Context, names []string) (int, error) {
	var count atomic.Int64
	writers, ctx := errgroup.WithContext(ctx)
	writers.SetLimit(importWriters)
	for _, name := range names {
		writers.Go(func() error {
			err := i.store.Delete(ctx, name)
			if errors.Is(err, memory.ErrNotFound) {
				return nil // somebody was quicker
			}
			if err != nil {
				return err
			}
			count.Add(1)
			return nil
		})
	}
	err := writers.Wait()
	return int(count.Load()), err
}
