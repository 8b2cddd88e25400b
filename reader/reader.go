package reader

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"cloud.google.com/go/firestore"

	"hippocampus/index"
	"hippocampus/internal/indexdb"
	"hippocampus/internal/outcome"
	"hippocampus/memory"
)

// Options are the optional parts of a Reader; nil means the defaults.
type Options struct {
	// Schema says how the documents of the collections are to be read. It must
	// be that of the functions which keep the index, else every turn is a scan.
	Schema memory.Schema
	// Logger is told of every scan and of every request that was tried and failed. By default
	// it is slog.Default().
	Logger *slog.Logger
	// AskTimeout bounds the time in which a turn may ask for a build or a
	// compaction. 0 means 2 seconds.
	AskTimeout time.Duration
}

// Reader reads the lists of any number of tenants in one database. It is safe
// for concurrent use.
type Reader struct {
	client *firestore.Client
	schema memory.Schema
	log    *slog.Logger
	asking asking
}

// New returns a reader of the lists in a client's database.
func New(client *firestore.Client, o *Options) *Reader {
	if o == nil {
		o = &Options{}
	}
	r := &Reader{client: client, schema: o.Schema, log: o.Logger}
	if r.log == nil {
		r.log = slog.Default()
	}
	r.asking.timeout = o.AskTimeout
	if r.asking.timeout <= 0 {
		r.asking.timeout = 2 * time.Second
	}
	return r
}

// List returns the list of the memory collection at a path relative to the
// database, such as tenants/acme/memories. A collection without any memory has
// an empty list.
//
// It returns an error if the path is no collection's, if ctx ends first, or if
// neither the index nor the memories can be read. Calls that fail for a reason
// that passes are tried three times. The client waits for a server that it
// cannot reach until ctx ends, so give ctx a deadline.
func (r *Reader) List(ctx context.Context, memories string) (*List, error) {
	x, err := indexdb.Of(r.client, memories)
	if err != nil {
		return nil, fmt.Errorf("list: %w", err)
	}
	list := &List{}
	view, err := r.query(ctx, x, &list.Receipt)
	if err != nil && ctx.Err() != nil {
		return nil, interrupted(ctx, memories, err)
	}
	if err == nil && view.Err == nil {
		if err := r.fromIndex(ctx, list, x, view); err != nil {
			return nil, fmt.Errorf("list %s: %w", memories, err)
		}
		return list, nil
	}
	if err := r.fromScan(ctx, list, memories, x, view, err); err != nil {
		if ctx.Err() != nil {
			return nil, interrupted(ctx, memories, err)
		}
		return nil, fmt.Errorf("list %s: %w", memories, err)
	}
	return list, nil
}

// interrupted is the error of a turn whose context ended. It wraps the
// context's own error, which the client's does not always.
func interrupted(ctx context.Context, memories string, err error) error {
	hint := "it was cancelled"
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		hint = "its deadline passed: check that the server can be reached, or give the turn more time"
	}
	if !errors.Is(err, ctx.Err()) {
		err = fmt.Errorf("%w: %w", ctx.Err(), err)
	}
	return fmt.Errorf("list %s: the context ended before the list was read, %s: %w", memories, hint, err)
}

// query reads the index, one consistent state of it. The view's time is in the receipt, unless the
// index is empty.
func (r *Reader) query(ctx context.Context, x *indexdb.Index,
	receipt *Receipt) (*index.View, error) {
	var found indexdb.Snapshot
	// The client itself tries a query again only while it opens the stream, and a scan in place of
	// an index costs far more than a second query.
	err := outcome.RetryTransient(ctx, func() (err error) {
		found, err = x.Read(ctx, 0)
		receipt.DocumentsRead += found.Reads
		for _, doc := range found.Docs {
			receipt.Bytes += memory.DocumentSize(x.Path()+"/"+doc.ID, doc.Fields)
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	if found.Time != 0 {
		receipt.AsOf = found.Time.Time()
	}
	return index.Read(found.Docs, r.schema), nil
}

// fromIndex fills the list from a view that can be read.
func (r *Reader) fromIndex(ctx context.Context, list *List, x *indexdb.Index,
	view *index.View) error {
	entries, err := view.List()
	if err != nil {
		return err
	}
	r.asking.forgetSettings(x.Path())
	receipt := &list.Receipt
	receipt.Source = FromIndex
	receipt.ScanStarted = view.Meta.ScanStarted.Time()
	list.setEntries(entries)
	receipt.Request = NotNeeded
	if view.Crowded() {
		receipt.Request = r.ask(ctx, x, view, index.Compaction, "crowded")
	}
	return nil
}
