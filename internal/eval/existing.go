package eval

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"hippocampus/index"
	"hippocampus/internal/eval/bill"
	"hippocampus/internal/eval/result"
	"hippocampus/internal/ways"
	"hippocampus/memory"
	"hippocampus/repair"
)

// ExistingOptions say which collection is compared.
type ExistingOptions struct {
	Collection string
	Schema     memory.Schema
	// Horizon is how long an event may be under way: a difference of a memory that has changed
	// since is in flight. 0: none.
	Horizon     time.Duration
	SnapshotLag time.Duration // as for repairs
	Logger      *slog.Logger
}

// Existing compares the list of an existing collection by the index with a scan, and writes
// nothing. A collection without an index that can be read has one built in memory. It reads each
// memory twice, and three times if there are differences.
func Existing(ctx context.Context, t *Deployment,
	o *ExistingOptions) (_ *result.Results, err error) {
	found := &result.Results{Schema: result.Schema, Evaluation: describe(t, 0)}
	started := time.Now()
	defer func() { found.Evaluation.TookMS = time.Since(started).Milliseconds() }()
	var meter bill.Meter
	client, err := t.Open(context.WithoutCancel(ctx), meter.Options()...)
	if err != nil {
		return found, err
	}
	defer func() { err = errors.Join(err, client.Close()) }()
	for _, m := range Measurements[1:] {
		found.Evaluation.Left = append(found.Evaluation.Left,
			result.Left{What: string(m), Why: "an existing collection is read only"})
	}
	report, err := repair.Check(ctx, client, o.Collection, &repair.Options{
		Schema: o.Schema, SnapshotLag: o.SnapshotLag, Horizon: -1, Logger: o.Logger})
	if err != nil {
		return found, err
	}
	row := result.Store{Collection: o.Collection, AsOf: report.At.Time(), Source: "index"}
	list, err := report.View.List()
	if err != nil {
		row.Source, row.Reason = inMemorySource, index.Reason(err)
		if list, err = inMemory(report, o.Schema); err != nil {
			return found, err
		}
	}
	scan := func(at time.Time) ([]ways.Entry, error) {
		list, _, err := ways.NamesScan(ctx, client, o.Collection, ways.Options{
			PlainIDs: o.Schema.IDs == memory.Plain, DateField: o.Schema.Field(), ReadTime: at})
		return list, err
	}
	store, err := scan(row.AsOf)
	if err != nil {
		return found, err
	}
	row.Memories, row.Listed = len(store), len(list)
	row.Diff = compare(list, store, nil)
	if row.Diff.Total() > 0 && o.Horizon > 0 {
		moment := row.AsOf.Add(-o.Horizon).Truncate(time.Microsecond)
		before, err := scan(moment)
		if err != nil {
			return found, fmt.Errorf("read the collection as it was %s before, to tell what may be in flight: give a shorter --horizon, or 0: %w", o.Horizon, err)
		}
		row.Diff = compare(list, store, changedSince(memory.MicrosOf(moment), before, store))
	}
	row.Reads = meter.Take().Reads
	found.Equivalence = &result.Equivalence{Stores: []result.Store{row}}
	found.Equivalence.Verdict = judgeEquivalence(found.Equivalence)
	return found, nil
}

// inMemorySource is the Source of a list by an index that was built in memory.
const inMemorySource = "memory"

// inMemory builds an index of what was read as a full fold would, stores it nowhere, and returns
// the list that a reader of it would get.
func inMemory(report *repair.Report, schema memory.Schema) ([]index.Entry, error) {
	parts := index.EncodeParts(report.Store)
	meta := index.Meta{
		Schema: schema, ScanStarted: report.At, AsOf: report.At, Generation: 1, Run: "memory",
		Count: len(report.Store), Parts: len(parts), Sum: index.Checksum(parts), Due: report.At,
		Last: index.LastRun{Kind: index.Build},
	}
	docs := []index.Doc{{ID: index.MetaID, UpdateTime: report.At.Time(),
		Fields: meta.Fields(parts[0])}}
	for i, part := range parts[1:] {
		docs = append(docs, index.Doc{ID: index.PartID(1, meta.Run, i+1),
			UpdateTime: report.At.Time(), Fields: map[string]any{index.BlockField: part}})
	}
	return index.Read(docs, schema).List()
}

// changedSince reports whether a memory, listed with a version, has changed since a moment: it is
// not in both scans as it is in the other, or it was written and deleted again since.
func changedSince(moment memory.Micros, before, now []ways.Entry) func(key, memory.Micros) bool {
	was, is := versions(before), versions(now)
	return func(k key, listed memory.Micros) bool { return was[k] != is[k] || listed > moment }
}

func versions(list []ways.Entry) map[key]int64 {
	all := make(map[key]int64, len(list))
	for _, e := range list {
		all[key{e.Name, e.RawID}] = e.Version
	}
	return all
}
