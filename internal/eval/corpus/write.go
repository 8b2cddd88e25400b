package corpus

import (
	"cmp"
	"context"
	"encoding/base64"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"cloud.google.com/go/firestore"
	"golang.org/x/sync/errgroup"
	"golang.org/x/time/rate"
)

// WriteOptions are the optional parts of a Write; nil means the defaults.
type WriteOptions struct {
	PlainIDs  bool   // ids are the names themselves; otherwise the unpadded base64url of them
	DateField string // field of the date; empty means updated_at
	// PerSecond limits the writes that are begun in a second; 0 means as fast as the client can,
	// which is right for emulators only. Firestore asks to begin a collection with at most 500 and
	// to grow by half every 5 minutes.
	PerSecond int
	// Progress, if set, is called with the number of memories that are written, one call at a time.
	Progress func(written int)
}

// id returns the id of the document of the memory with a name.
func (o *WriteOptions) id(name string) string {
	if o.PlainIDs {
		return name
	}
	return base64.RawURLEncoding.EncodeToString([]byte(name))
}

// Write writes memories to a collection, many at a time and in no order. The first write that fails
// ends it, and the error names the memory; some of the others are written then. Names that are no
// ids, or are there twice, are refused before.
func Write(ctx context.Context, client *firestore.Client, collection string, o *WriteOptions,
	memories []Memory) error {
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
	ids := make(map[string]bool, len(memories))
	for _, m := range memories {
		id := o.id(m.Name)
		if id == "" || strings.Contains(id, "/") {
			return fmt.Errorf("write memory %q to %s: it is no id of a document: it is empty or has a slash; use base64url ids",
				m.Name, collection)
		}
		if ids[id] {
			return fmt.Errorf("write memory %q to %s: it is there twice; names have to differ",
				m.Name, collection)
		}
		ids[id] = true
	}
	set := func(ctx context.Context, w *firestore.BulkWriter, m Memory) (*firestore.BulkWriterJob,
		error) {
		if err := limiter.Wait(ctx); err != nil {
			return nil, err
		}
		fields := maps.Clone(m.Fields)
		if fields == nil {
			fields = map[string]any{}
		}
		fields[cmp.Or(o.DateField, "updated_at")] = m.Date
		return w.Set(at.Doc(o.id(m.Name)), fields)
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

// Remove deletes every document of a collection, those of its documents' own collections not, and
// returns how many it has deleted. What is written meanwhile may be left.
func Remove(ctx context.Context, client *firestore.Client,
	collection string) (deleted int, err error) {
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
		remove := func(_ context.Context, w *firestore.BulkWriter,
			s *firestore.DocumentSnapshot) (*firestore.BulkWriterJob, error) {
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

// A client's bulk writer waits a little before each write, so that several write faster than one.
// They send 20 writes at a time, all of theirs at once: more would be no faster, and an emulator on
// a busy machine would leave some without an answer for longer than the client's timeout.
const (
	writersAtOnce = 8
	writesEach    = 60
)

// bulk begins a write for each of all, and hands each with its outcome to done, which is not called
// twice at once. The first error that done returns ends it and is returned. Nothing is under way
// afterwards.
func bulk[T any](ctx context.Context, client *firestore.Client, all []T,
	begin func(context.Context, *firestore.BulkWriter, T) (*firestore.BulkWriterJob,
		error), done func(T, error) error) error {
	writers, ctx := errgroup.WithContext(ctx)
	writers.SetLimit(writersAtOnce)
	var mu sync.Mutex
	finish := func(of T, err error) error {
		mu.Lock()
		defer mu.Unlock()
		return done(of, err)
	}
	for some := range slices.Chunk(all, writesEach) {
		writers.Go(func() error {
			writer := client.BulkWriter(ctx)
			jobs := make([]*firestore.BulkWriterJob, len(some))
			for i, of := range some {
				job, err := begin(ctx, writer, of)
				if err != nil {
					writer.End()
					return finish(of, err)
				}
				jobs[i] = job
			}
			writer.End()
			for i, job := range jobs {
				_, err := job.Results()
				if err := finish(some[i], err); err != nil {
					return err
				}
			}
			return nil
		})
	}
	return writers.Wait()
}
