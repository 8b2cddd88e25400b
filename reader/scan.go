package reader

import (
	"context"
	"fmt"
	"time"

	"hippocampus/index"
	"hippocampus/internal/indexdb"
	"hippocampus/internal/outcome"
	"hippocampus/memory"
)

// Unreadable is the reason for a scan when the query on the index failed. The
// other reasons are those of index.Reason: missing, format, settings, damaged.
const Unreadable = "unreadable"

// fromScan fills the list from the memories themselves. The index could not be
// read: view says why or, if it is nil, cause does.
func (r *Reader) fromScan(ctx context.Context, list *List, memories string, x *indexdb.Index,
	view *index.View, cause error) error {
	receipt := &list.Receipt
	receipt.Source = FromScan
	receipt.Reason = Unreadable
	request := make(chan string, 1)
	if view != nil {
		cause = view.Err
		receipt.Reason = index.Reason(cause)
		// Beside the scan, which takes longer.
		go func() { request <- r.ask(ctx, x, view, index.Build, receipt.Reason) }()
	} else {
		request <- NotNeeded // no build mends an index that is there and cannot be read
	}
	receipt.Detail = cause.Error()
	r.log.WarnContext(ctx, "the list needs a scan", "memories", memories, "reason", receipt.Reason,
		"detail", receipt.Detail)

	entries, err := r.scan(ctx, memories, receipt)
	receipt.Request = <-request
	if err != nil {
		return fmt.Errorf("the index cannot be read (%w) and the memories cannot be scanned: %w",
			cause, err)
	}
	receipt.ScanStarted = receipt.AsOf
	list.setEntries(entries)
	return nil
}

// scan returns the list of the memories as they were at one server time, which
// is the receipt's: that of the query on the index, if it had a result.
func (r *Reader) scan(ctx context.Context, memories string,
	receipt *Receipt) ([]index.Entry, error) {
	store, err := memory.NewStore(r.client, memories, r.schema)
	if err != nil {
		return nil, err
	}
	if receipt.AsOf.IsZero() {
		var now memory.Micros
		err := outcome.RetryTransient(ctx, func() (err error) {
			now, err = indexdb.ServerTime(ctx, r.client.Collection(memories).Doc("-")) // where a reader may read
			return err
		})
		if err != nil {
			return nil, err
		}
		receipt.AsOf = now.Time()
		receipt.DocumentsRead++
	}
	// A memory comes as its id and its date.
	size := memory.DocumentSize(memories+"/", map[string]any{r.schema.Field(): time.Time{}})
	var entries []index.Entry
	err = outcome.RetryTransient(ctx, func() error {
		entries = entries[:0]
		pages := 0
		return store.Scan(ctx, &memory.ScanOptions{
			ReadTime: receipt.AsOf,
			Progress: func(total int) {
				if total == pages {
					receipt.DocumentsRead++ // an empty page is billed as one
				}
				pages = total
			},
		}, func(record memory.Record) error {
			entries = append(entries, index.EntryOf(r.schema.IDs, record))
			receipt.DocumentsRead++
			receipt.Bytes += size + len(record.ID)
			return nil
		})
	})
	if err != nil {
		return nil, err
	}
	index.Sort(entries)
	return entries, nil
}
