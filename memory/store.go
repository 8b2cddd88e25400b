package memory

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"cloud.google.com/go/firestore"

	"hippocampus/internal/outcome"
)

// Errors of a Store, to be told apart with errors.Is.
var (
	// ErrNotFound: no memory has that name. A name that is listed may still be
	// missing, if the memory was deleted since.
	ErrNotFound = errors.New("memory not found")
	// ErrExists: a memory has that name already.
	ErrExists = errors.New("memory exists already")
)

// A Memory is one document of the collection, as it was read.
type Memory struct {
	Name    string
	Version Micros
	Date    Micros
	Fields  map[string]any // as the Firestore client returns them
}

// Store is a collection of memories. It is safe for concurrent use, holds no
// state and knows nothing of the index: the write hook sees every change,
// whoever makes it.
type Store struct {
	client     *firestore.Client
	collection *firestore.CollectionRef
	path       string
	schema     Schema
}

// NewStore returns the store over the collection at path, relative to the
// database, such as tenants/acme/memories.
func NewStore(client *firestore.Client, path string, schema Schema) (*Store, error) {
	if err := CollectionPath(path); err != nil {
		return nil, err
	}
	return &Store{client: client, collection: client.Collection(path), path: path,
		schema: schema}, nil
}

// Path returns the collection's path, relative to the database.
func (s *Store) Path() string { return s.path }

// Schema returns how the collection's documents are read.
func (s *Store) Schema() Schema { return s.schema }

const (
	// maxDocumentBytes is Firestore's limit; it tells of what is over it.
	maxDocumentBytes = 1 << 20
	// farTooLarge is what Put does not even send: a request over the transport's
	// limit fails with a code that the client tries again until the deadline.
	farTooLarge = 2 * maxDocumentBytes
)

// PutOptions are the optional parts of a Put; nil means the defaults.
type PutOptions struct {
	// Date is the memory's date, for imports. Zero means the server's time.
	Date time.Time
}

// Put creates the memory or changes the given fields of it; its other fields
// survive. A field that is given is replaced whole, maps and lists too;
// firestore.Delete as a value removes the field. The date field is Put's own
// and may not be among the fields. Firestore keeps at most 1 MiB a document.
func (s *Store) Put(ctx context.Context, name string, fields map[string]any, o *PutOptions) error {
	ref, err := s.ref(name)
	if err != nil {
		return fmt.Errorf("put: %w", err)
	}
	dateField := s.schema.Field()
	if _, taken := fields[dateField]; taken {
		return fmt.Errorf("put %q: %s is the memory's date: pass it as an option, or leave it to the server", name, dateField)
	}
	if size := DocumentSize(ref.Path, fields); size > farTooLarge {
		return fmt.Errorf("put %q: its fields have about %d bytes and Firestore's limit is %d a document: keep large content in a bucket, or in several memories", name, size, maxDocumentBytes)
	}
	data := maps.Clone(fields)
	if data == nil {
		data = map[string]any{}
	}
	data[dateField] = firestore.ServerTimestamp
	if o != nil && !o.Date.IsZero() {
		data[dateField] = o.Date
	}
	// One path a field, and not MergeAll, which passes over empty maps.
	paths := make([]firestore.FieldPath, 0, len(data))
	for field := range data {
		paths = append(paths, firestore.FieldPath{field})
	}
	if _, err := ref.Set(ctx, data, firestore.Merge(paths...)); err != nil {
		return fmt.Errorf("put %q: %w", name, err)
	}
	return nil
}

// Open reads memories, any number of them in one round trip, and returns them
// in the order of names. If some are missing it returns the others, with an
// error that wraps ErrNotFound and names the missing ones.
//
// A document whose id is not that of any name is listed under the id itself,
// and opened by it: names that could be such an id and are not found cost
// another round trip.
func (s *Store) Open(ctx context.Context, names ...string) ([]Memory, error) {
	places := make([][]*firestore.DocumentRef, len(names))
	refs := make([]*firestore.DocumentRef, len(names))
	for i, name := range names {
		var err error
		if places[i], err = s.places(name); err != nil {
			return nil, fmt.Errorf("open: %w", err)
		}
		refs[i] = places[i][0]
	}
	if len(refs) == 0 {
		return nil, nil
	}
	snapshots, err := s.client.GetAll(ctx, refs)
	if err == nil {
		err = s.getElsewhere(ctx, places, snapshots)
	}
	if err != nil {
		return nil, fmt.Errorf("open %d memories: %w", len(names), err)
	}
	var found []Memory
	var missing []error
	for i, snapshot := range snapshots {
		if !snapshot.Exists() {
			missing = append(missing, fmt.Errorf("open %q: %w", names[i], ErrNotFound))
			continue
		}
		fields, err := fieldsOf(snapshot)
		if err != nil {
			return nil, fmt.Errorf("open %q: %w", names[i], err)
		}
		version := MicrosOf(snapshot.UpdateTime)
		found = append(found, Memory{
			Name:    names[i],
			Version: version,
			Date:    Date(fields[s.schema.Field()], version),
			Fields:  fields,
		})
	}
	return found, errors.Join(missing...)
}

// getElsewhere replaces the snapshots of names that were not found in the first
// place by those of their second.
func (s *Store) getElsewhere(ctx context.Context, places [][]*firestore.DocumentRef,
	snapshots []*firestore.DocumentSnapshot) error {
	var refs []*firestore.DocumentRef
	var at []int
	for i, snapshot := range snapshots {
		if !snapshot.Exists() && len(places[i]) > 1 {
			refs, at = append(refs, places[i][1]), append(at, i)
		}
	}
	if len(refs) == 0 {
		return nil
	}
	found, err := s.client.GetAll(ctx, refs)
	if err != nil {
		return err
	}
	for i, snapshot := range found {
		snapshots[at[i]] = snapshot
	}
	return nil
}

// Delete removes the memory, or returns an error that wraps ErrNotFound. The
// memory's subcollections, if the application keeps any, stay.
func (s *Store) Delete(ctx context.Context, name string) error {
	places, err := s.places(name)
	if err != nil {
		return fmt.Errorf("delete: %w", err)
	}
	for _, ref := range places {
		_, err = ref.Delete(ctx, firestore.Exists)
		switch outcome.Of(err) {
		case outcome.OK:
			return nil
		case outcome.NotFound, outcome.Changed:
			err = fmt.Errorf("%w: %w", ErrNotFound, err) // which it may also say of the database
			continue
		}
		break
	}
	return fmt.Errorf("delete %q: %w", name, err)
}

// Rename moves the memory to another name in one commit, with every field of
// it as it was, its date too. It returns an error that wraps ErrNotFound if
// there is no such memory, and ErrExists if the target is taken. Subcollections
// do not move: they stay under the old id; kept says how many there are.
func (s *Store) Rename(ctx context.Context, from, to string) (kept int, err error) {
	places, err := s.places(from)
	if err != nil {
		return 0, fmt.Errorf("rename: %w", err)
	}
	target, err := s.ref(to)
	if err != nil {
		return 0, fmt.Errorf("rename: %w", err)
	}
	if from == to {
		return 0, fmt.Errorf("rename %q to itself: %w", from, ErrExists)
	}
	var source *firestore.DocumentRef
	err = s.client.RunTransaction(ctx, func(_ context.Context, tx *firestore.Transaction) error {
		snapshots, err := tx.GetAll(append([]*firestore.DocumentRef{target}, places...))
		if err != nil {
			return err
		}
		there := slices.IndexFunc(snapshots[1:], (*firestore.DocumentSnapshot).Exists)
		if there < 0 {
			return ErrNotFound
		}
		if snapshots[0].Exists() {
			return fmt.Errorf("%q: %w", to, ErrExists)
		}
		source = places[there]
		fields, err := fieldsOf(snapshots[1+there])
		if err != nil {
			return err
		}
		if err := tx.Create(target, fields); err != nil {
			return err
		}
		return tx.Delete(source)
	})
	if err != nil {
		return 0, fmt.Errorf("rename %q to %q: %w", from, to, err)
	}
	subcollections, err := source.Collections(ctx).GetAll()
	if err != nil {
		return 0, fmt.Errorf("rename %q to %q: done, but its subcollections could not be listed: %w", from, to, err)
	}
	return len(subcollections), nil
}

// fieldsOf is the client's Data without its panic over a value that this version
// of the client does not know.
func fieldsOf(snapshot *firestore.DocumentSnapshot) (map[string]any, error) {
	fields := map[string]any{}
	if err := snapshot.DataTo(&fields); err != nil {
		return nil, fmt.Errorf("a field cannot be read: %w", err)
	}
	return fields, nil
}

func (s *Store) ref(name string) (*firestore.DocumentRef, error) {
	id, err := s.schema.IDs.ID(name)
	if err != nil {
		return nil, err
	}
	return s.collection.Doc(id), nil
}

// places returns where the memory of a name may be, one or two documents: the one
// whose id is the name's, and the one whose id is the name as it stands, unless
// that is the id of another name. The latter is what a document that no name has
// made is listed as.
func (s *Store) places(name string) ([]*firestore.DocumentRef, error) {
	var places []*firestore.DocumentRef
	ref, err := s.ref(name)
	if err == nil {
		places = append(places, ref)
	}
	if _, foreign := s.schema.IDs.Name(name); foreign != nil && checkName(name) == nil &&
		checkPlain(name) == nil {
		places = append(places, s.collection.Doc(name))
	}
	if len(places) == 0 {
		return nil, err
	}
	return places, nil
}
