package repair

import (
	"context"
	"fmt"
	"time"

	"hippocampus/index"
	"hippocampus/internal/indexdb"
	"hippocampus/internal/outcome"
	"hippocampus/memory"
)

// observation is the index and the store as they were at F.
type observation struct {
	snapshotTime memory.Micros
	meta         metaState
	view         *index.View   // the index at F
	store        []index.Entry // the scan at F, in list order
	// undated are those of store without a date of their own, ordered by id.
	undated []index.Entry
}

// metaState is meta as it was when the run began: the flip's precondition.
type metaState struct {
	written    time.Time // when it was last written; zero: there is none
	generation int64
	asOf       memory.Micros
	readTime   memory.Micros // the server's time of the reading
	request    *index.Doc    // nil if there is none
}

// readMeta reads meta, or its absence, and with it the server's time.
func (r *run) readMeta(ctx context.Context) (metaState, error) {
	docs, at, err := r.index.Get(ctx, index.MetaID, index.RequestID)
	if err != nil {
		return metaState{}, fmt.Errorf("read meta: %w", err)
	}
	r.result.Reads += 2
	meta := docs[0]
	s := metaState{readTime: at, request: docs[1]}
	if meta == nil {
		return s, nil
	}
	s.written = meta.UpdateTime
	parsed, err := index.ParseMeta(meta.Fields)
	s.generation, s.asOf = parsed.Generation, parsed.AsOf
	if err != nil || s.asOf > s.readTime {
		// Whoever damaged it did so after the run that wrote it, so no fold read
		// the index later than this.
		s.asOf = memory.MicrosOf(meta.UpdateTime)
	}
	return s, nil
}

// observe reads the index and the store at one moment F.
func (r *run) observe(ctx context.Context) (*observation, error) {
	if r.SnapshotLag > 0 {
		if err := r.Sleep(ctx, r.SnapshotLag); err != nil {
			return nil, err
		}
	}
	meta, err := r.readMeta(ctx)
	if err != nil {
		return nil, err
	}
	// F never lies before the reading of a compaction, or the fold would forget
	// deletions that the compaction has taken in.
	o := &observation{meta: meta, snapshotTime: max(meta.readTime-memory.Micros(r.SnapshotLag.Microseconds()), meta.asOf)}
	if early := r.SnapshotLag - o.age(); early > 0 {
		if err := r.Sleep(ctx, early); err != nil {
			return nil, err
		}
	}
	found, err := r.readIndex(ctx, o.snapshotTime)
	if err != nil {
		return nil, tooOld(err)
	}
	o.view = index.Read(found.Docs, r.Schema)
	scan := &memory.ScanOptions{ReadTime: o.snapshotTime.Time(), Page: r.Page, Progress: r.pages()}
	err = r.store.Scan(ctx, scan, func(m memory.Record) error {
		e := index.EntryOf(r.Schema.IDs, m)
		o.store = append(o.store, e)
		if m.Undated {
			o.undated = append(o.undated, e)
		}
		return nil
	})
	if err != nil {
		return nil, tooOld(err)
	}
	index.Sort(o.store)
	return o, nil
}

// pages returns a function for after each page of a scan. It counts the reads: one a memory,
// and one for an empty page, which follows a last page that was full.
func (r *run) pages() func(memories int) {
	before := 0
	return func(memories int) {
		r.result.Reads += max(1, memories-before)
		before = memories
		if r.Progress != nil {
			r.Progress(memories)
		}
	}
}

// age is how long F lay before the server's time when meta was read.
func (o *observation) age() time.Duration {
	return time.Duration(o.meta.readTime-o.snapshotTime) * time.Microsecond
}

// readIndex reads the index as of a time, or now if that is 0, and counts the reads.
func (r *run) readIndex(ctx context.Context, at memory.Micros) (indexdb.Snapshot, error) {
	found, err := r.index.Read(ctx, at)
	r.result.Reads += found.Reads
	return found, err
}

// tooOld adds errTooOld to the error of a read at F that Firestore refuses for
// its time.
func tooOld(err error) error {
	switch outcome.Of(err) {
	case outcome.Changed, outcome.Invalid:
		return fmt.Errorf("%w: %w", errTooOld, err)
	}
	return err
}
