package eval

import (
	"context"
	"strings"
	"time"

	"hippocampus/index"
	"hippocampus/internal/eval/result"
)

// eventGrace is how long deployed functions may take for the events of what was written, before a
// difference counts.
const eventGrace = 2 * time.Minute

// compareAfterEvents compares a store's list after all events were handled. Functions that are
// deployed somewhere else cannot be asked: there it repeats the comparison until nothing
// differs or eventGrace is over.
func (r *evaluation) compareAfterEvents(ctx context.Context, s *store) (*result.Store, error) {
	if r.target.Stack != nil {
		if err := r.target.drain(ctx); err != nil {
			return nil, err
		}
		return r.compareNow(ctx, s)
	}
	for pause := time.Second; ; pause *= 2 { // each look costs a scan
		row, err := r.compareNow(ctx, s)
		if err != nil || row.Diff.Total() == 0 || pause > eventGrace/2 {
			return row, err
		}
		if err := sleep(ctx, pause); err != nil {
			return nil, err
		}
	}
}

// compareNow compares the list that a turn gets now with a scan as of the same moment.
func (r *evaluation) compareNow(ctx context.Context, s *store) (*result.Store, error) {
	before := r.billed().Reads
	list, err := s.reader(r.Logger).List(ctx, s.path)
	if err != nil {
		return nil, err
	}
	if err := sleep(ctx, s.target.SnapshotLag); err != nil { // so that the past can be read
		return nil, err
	}
	scan, err := s.scan(ctx, list.Receipt.AsOf)
	if err != nil {
		return nil, err
	}
	row := &result.Store{
		Collection: s.path, AsOf: list.Receipt.AsOf, Source: string(list.Receipt.Source),
		Reason:   list.Receipt.Reason,
		Memories: len(scan), Listed: len(list.Entries), Diff: compare(list.Entries, scan, nil),
		Reads: r.billed().Reads - before,
	}
	return row, nil
}

// leftover returns the documents of an index that nothing needs after a full fold that ran alone:
// all but meta and the further parts that it names.
func (s *store) leftover(ctx context.Context) ([]string, error) {
	docs, err := s.client.Collection(s.indexed).Documents(ctx).GetAll()
	if err != nil {
		return nil, err
	}
	parts := 0
	var further, left []string
	for _, doc := range docs {
		switch id := doc.Ref.ID; {
		case id == index.MetaID:
			meta, err := index.ParseMeta(doc.Data())
			if err != nil {
				return nil, err
			}
			parts = meta.Parts
		case strings.HasPrefix(id, index.BasePrefix):
			further = append(further, id)
		default:
			left = append(left, id)
		}
	}
	if len(further) > max(0, parts-1) {
		left = append(left, further...)
	}
	return left, nil
}
