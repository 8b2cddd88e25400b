package corpus

import (
	"cmp"
	"context"
	"encoding/base64"
	"fmt"
	"maps"
	"strings"

	"cloud.google.com/go/firestore"
	"golang.org/x/time/rate"
)

// WriteOptions are the optional parts of a Write; nil means the defaults.
type WriteOptions struct {
	PlainIDs  bool   // ids are the names themselves; otherwise the unpadded base64url of them
	DateField string // field of the date; empty means updated_at
	// PerSecond limits the writes that are begun in a second; 0 means as fast as the client can, which is right for
	// emulators only. Firestore asks to begin a collection with at most 500 and to grow by half every 5 minutes.
	PerSecond int
	// Progress, if set, is called with the number of memories that are written, by one goroutine.
	Progress func(written int)
}

// window is how many writes may be under way.
const window = 2000

// Write writes memories to a collection, many at a time and in no order. The first write that fails ends it, and the error
// names the memory; some of the others are written then.
func Write(ctx context.Context, client *firestore.Client, collection string, o *WriteOptions, memories []Memory) error {
	if o == nil {
		o = &WriteOptions{}
	}
	at := client.Collection(collection)
	if at == nil {
		return noCollection(collection)
	}
	limiter := rate.NewLimiter(rate.Inf, 1)
	if o.PerSecond > 0 {
		limiter.SetLimit(rate.Limit(o.PerSecond))
	}
	set := func(w *firestore.BulkWriter, m Memory) (*firestore.BulkWriterJob, error) {
		if err := limiter.Wait(ctx); err != nil {
			return nil, err
		}
		id := m.Name
		if !o.PlainIDs {
			id = base64.RawURLEncoding.EncodeToString([]byte(m.Name))
		}
		if id == "" || strings.Contains(id, "/") {
			return nil, fmt.Errorf("%q cannot be the id of a document: it is empty or has a slash; use base64url ids", id)
		}
		fields := maps.Clone(m.Fields)
		if fields == nil {
			fields = map[string]any{}
		}
		fields[cmp.Or(o.DateField, "updated_at")] = m.Date
		return w.Set(at.Doc(id), fields)
	}
	written := 0
	return bulk(ctx, client, memories, set, func(m Memory, err error) error {
		if err != nil {
			return fmt.Errorf("write memory %q to %s: %w", m.Name, collection, err)
		}
		if written++; o.Progress != nil {
			o.Progress(written)
		}
		return nil
	})
}

// removePage is how many documents one query of Remove returns.
const removePage = 5000

// Remove deletes every document of a collection, those of its documents' own collections not, and returns how many it has
// deleted. What is written meanwhile may be left.
func Remove(ctx context.Context, client *firestore.Client, collection string) (deleted int, err error) {
	at := client.Collection(collection)
	if at == nil {
		return 0, noCollection(collection)
	}
	query := at.Select().OrderBy(firestore.DocumentID, firestore.Asc).Limit(removePage)
	for next := query; ; {
		page, err := next.Documents(ctx).GetAll()
		if err != nil {
			return deleted, fmt.Errorf("remove %s: %w", collection, err)
		}
		remove := func(w *firestore.BulkWriter, s *firestore.DocumentSnapshot) (*firestore.BulkWriterJob, error) {
			return w.Delete(s.Ref)
		}
		err = bulk(ctx, client, page, remove, func(s *firestore.DocumentSnapshot, err error) error {
			if err != nil {
				return fmt.Errorf("remove %s: document %q: %w", collection, s.Ref.ID, err)
			}
			deleted++
			return nil
		})
		if err != nil || len(page) < removePage {
			return deleted, err
		}
		next = query.StartAfter(page[len(page)-1].Ref.ID)
	}
}

func noCollection(path string) error {
	return fmt.Errorf("%q is no path of a collection: it should look like tenants/acme/memories", path)
}

// bulk begins a write for each of all and hands each with its outcome to done, in order. The first error that done returns
// ends it and is returned. Nothing is under way afterwards.
func bulk[T any](ctx context.Context, client *firestore.Client, all []T,
	begin func(*firestore.BulkWriter, T) (*firestore.BulkWriterJob, error), done func(T, error) error) error {
	type write struct {
		of  T
		job *firestore.BulkWriterJob
		err error
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	begun := make(chan write, window)
	go func() {
		defer close(begun)
		writer := client.BulkWriter(ctx)
		defer writer.End()
		for _, of := range all {
			job, err := begin(writer, of)
			begun <- write{of, job, err}
			if err != nil {
				return
			}
		}
	}()
	var first error
	for w := range begun {
		if first != nil {
			continue
		}
		err := w.err
		if err == nil {
			_, err = w.job.Results()
		}
		if first = done(w.of, err); first != nil {
			cancel()
		}
	}
	return first
}
