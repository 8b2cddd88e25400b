// Package ways makes the list of a turn the ways in which a backend without our index makes it: by
// reading every memory, by reading every memory's date, or from maps of fields that are kept next
// to the memories.
//
// It is written from the definition of the list and shares no code with the packages that keep and
// read our index, so that it is also the reference which the list by the index is held to:
//
//   - a memory is a document of the collection;
//   - its name is what its id is the unpadded base64url of (RFC 4648, section 5), if that is 1 to 1,110 bytes of valid UTF-8,
//     and otherwise the id itself;
//   - its date is its date field, if that is a timestamp, and otherwise the time of its last write;
//   - the list is ordered by date, newest first, then by name, bytewise; of two documents with one name, the one whose id is
//     the base64url of it comes first.
package ways

import (
	"cmp"
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"slices"
	"time"
	"unicode/utf8"

	"cloud.google.com/go/firestore"
	"google.golang.org/api/iterator"
)

// Options say how the documents of a collection are to be read. The zero value is the default
// layout, as it is now.
type Options struct {
	PlainIDs  bool      // ids are the names themselves
	DateField string    // top-level field that dates a memory; empty means updated_at
	ReadTime  time.Time // whole microseconds, at most an hour ago; zero means now
}

func (o Options) field() string { return cmp.Or(o.DateField, "updated_at") }

// Entry is one memory in the list. Date and Version, the time of the document's last write, are
// microseconds since the Unix epoch.
type Entry struct {
	Name          string
	Date, Version int64
	RawID         bool // the document's id is Name as it stands
}

// FullScan reads every memory whole, in one query, as most backends do. It also returns how many
// documents were read, as billed: a query without results is one.
func FullScan(ctx context.Context, client *firestore.Client, collection string,
	o Options) ([]Entry, int, error) {
	c, err := open(client, collection)
	if err != nil {
		return nil, 0, err
	}
	return list(ctx, c.Query, collection, o)
}

// NamesScan reads of every memory only the date, in one query. It is billed as FullScan is.
func NamesScan(ctx context.Context, client *firestore.Client, collection string,
	o Options) ([]Entry, int, error) {
	c, err := open(client, collection)
	if err != nil {
		return nil, 0, err
	}
	return list(ctx, c.SelectPaths(firestore.FieldPath{o.field()}), collection, o)
}

// open returns a new reference each time: the client keeps the read time of a query in the
// reference that it comes from.
func open(client *firestore.Client, collection string) (*firestore.CollectionRef, error) {
	if c := client.Collection(collection); c != nil {
		return c, nil
	}
	return nil, fmt.Errorf("%q is no path of a collection: it should look like tenants/acme/memories", collection)
}

func list(ctx context.Context, q firestore.Query, collection string,
	o Options) ([]Entry, int, error) {
	var entries []Entry
	err := each(ctx, q, o.ReadTime, func(s *firestore.DocumentSnapshot) error {
		e := named(s.Ref.ID, o.PlainIDs)
		e.Version = s.UpdateTime.UnixMicro()
		e.Date = e.Version
		if date, ok := s.Data()[o.field()].(time.Time); ok {
			e.Date = date.UnixMicro()
		}
		entries = append(entries, e)
		return nil
	})
	if err != nil {
		return nil, 0, fmt.Errorf("list %s: %w", collection, err)
	}
	slices.SortFunc(entries, compare)
	return entries, max(1, len(entries)), nil
}

// each hands the documents of a query's result to yield.
func each(ctx context.Context, q firestore.Query, at time.Time,
	yield func(*firestore.DocumentSnapshot) error) error {
	if !at.IsZero() {
		q = *q.WithReadOptions(firestore.ReadTime(at))
	}
	documents := q.Documents(ctx)
	defer documents.Stop()
	for {
		s, err := documents.Next()
		if errors.Is(err, iterator.Done) {
			return nil
		}
		if err != nil {
			return err
		}
		if err := yield(s); err != nil {
			return err
		}
	}
}

const maxNameBytes = 1110

// named returns an entry with the name of the memory whose document has the id.
func named(id string, plain bool) Entry {
	if plain {
		return Entry{Name: id, RawID: true}
	}
	name, err := base64.RawURLEncoding.DecodeString(id)
	// Encoding it again tells ids with stray bits or line breaks, which decode too.
	canonical := base64.RawURLEncoding.EncodeToString(name) == id
	if err != nil || !canonical || len(name) == 0 || len(name) > maxNameBytes || !utf8.Valid(name) {
		return Entry{Name: id, RawID: true}
	}
	return Entry{Name: string(name)}
}

// id is the inverse of named.
func (e Entry) id() string {
	if e.RawID {
		return e.Name
	}
	return base64.RawURLEncoding.EncodeToString([]byte(e.Name))
}

func compare(a, b Entry) int {
	if a.Date != b.Date {
		return cmp.Compare(b.Date, a.Date)
	}
	if a.Name != b.Name {
		return cmp.Compare(a.Name, b.Name)
	}
	if a.RawID == b.RawID {
		return 0
	}
	if b.RawID {
		return -1
	}
	return 1
}
