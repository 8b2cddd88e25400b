package memory

import (
	"context"
	"errors"
	"fmt"
	"time"

	"cloud.google.com/go/firestore"
	"google.golang.org/api/iterator"
)

// ScanOptions are the optional parts of a Scan; nil means the defaults.
type ScanOptions struct {
	// ReadTime reads the collection as it was at that time, whole
	// microseconds, at most an hour ago. Zero means now.
	ReadTime time.Time
	// Page is how many documents one query returns; 0 means 20,000. All pages
	// of a scan at a ReadTime belong to one state of the collection; without
	// one, only the documents of a page do.
	Page int
	// Progress, if set, is called after each page with the number of memories
	// so far.
	Progress func(memories int)
}

// Scan reads the record of every memory, ordered by id, and hands each to yield.
// It fetches only the date field, but Firestore bills one read a document all
// the same, and one for an empty collection. An error that yield returns ends
// the scan and is returned as it is.
func (s *Store) Scan(ctx context.Context, o *ScanOptions, yield func(Record) error) error {
	if o == nil {
		o = &ScanOptions{}
	}
	page := o.Page
	if page <= 0 {
		page = 20000
	}
	field := s.schema.Field()
	// A new reference: the client keeps a query's read time in the collection
	// reference that it comes from, for every later query of that reference.
	query := s.client.Collection(s.path).SelectPaths(firestore.FieldPath{field}).OrderBy(firestore.DocumentID, firestore.Asc).Limit(page)
	if !o.ReadTime.IsZero() {
		query = *query.WithReadOptions(firestore.ReadTime(o.ReadTime))
	}
	total := 0
	for next := query; ; {
		count, last, err := s.scanPage(ctx, next, field, yield)
		if err != nil {
			return err
		}
		total += count
		if o.Progress != nil {
			o.Progress(total)
		}
		if count < page {
			return nil
		}
		next = query.StartAfter(last)
	}
}

// scanPage runs one query of a scan and returns how many documents it had and
// the last one's id.
func (s *Store) scanPage(ctx context.Context, query firestore.Query, field string,
	yield func(Record) error) (count int, last string, err error) {
	documents := query.Documents(ctx)
	defer documents.Stop()
	for {
		snapshot, err := documents.Next()
		if errors.Is(err, iterator.Done) {
			return count, last, nil
		}
		if err != nil {
			return 0, "", fmt.Errorf("scan %s: %w", s.path, err)
		}
		version := MicrosOf(snapshot.UpdateTime)
		value, err := snapshot.DataAtPath(firestore.FieldPath{field})
		if err != nil {
			value = nil // the field is missing
		}
		count, last = count+1, snapshot.Ref.ID
		_, dated := value.(time.Time)
		if err := yield(Record{ID: last, Version: version, Date: Date(value, version),
			Undated: !dated}); err != nil {
			return 0, "", err
		}
	}
}
