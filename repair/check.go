package repair

import (
	"context"
	"fmt"

	"cloud.google.com/go/firestore"

	"hippocampus/index"
	"hippocampus/memory"
)

// Report is the result of a Check.
type Report struct {
	At memory.Micros // the server time of the reading
	// View is the index, and Store the scan of the memory collection, in list
	// order; Drift compares them, nil if the index cannot be read.
	View  *index.View
	Store []index.Entry
	Drift *Drift
	// Undated are the memories of Store whose date field is missing or no
	// timestamp, ordered by id: the list dates them by their last change.
	Undated []index.Entry
	Reads   int
}

// Check compares an index with its store at one moment and writes nothing. It
// costs one read a memory, one or two a document of the index, and one more for each memory
// that is listed and gone.
func Check(ctx context.Context, client *firestore.Client, memories string,
	o *Options) (*Report, error) {
	r, err := newRun(client, memories, index.Build, o)
	if err != nil {
		return nil, err
	}
	seen, err := r.observe(ctx)
	if err != nil {
		return nil, fmt.Errorf("check the index of %s: %w", memories, err)
	}
	drift, err := r.drift(ctx, seen)
	if err != nil {
		return nil, fmt.Errorf("check the index of %s: %w", memories, err)
	}
	return &Report{At: seen.snapshotTime, View: seen.view, Store: seen.store, Undated: seen.undated,
		Drift: drift, Reads: r.result.Reads}, nil
}
