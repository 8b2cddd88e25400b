package repair

import (
	"context"
	"slices"

	"cloud.google.com/go/firestore"

	"hippocampus/index"
	"hippocampus/memory"
)

// Drift is how an index differs from the store at one moment.
type Drift struct {
	Missing int `json:"missing"` // in the store, not in the list
	Ghosts  int `json:"ghosts"`  // in the list, not in the store
	Stale   int `json:"stale"`   // listed with another date than the store's
	// InFlight counts, apart from the above, the differences that events not
	// yet delivered may explain: the memory was written or deleted after the horizon.
	InFlight int          `json:"in_flight"`
	Examples []Difference `json:"examples,omitempty"` // a few of each kind
}

// Difference is one memory on which index and store disagree.
type Difference struct {
	Kind     string        `json:"kind"` // missing, ghost or stale
	Name     string        `json:"name"`
	InFlight bool          `json:"in_flight,omitempty"`
	Index    memory.Micros `json:"index_date_us,omitempty"`
	Store    memory.Micros `json:"store_date_us,omitempty"`
}

// Kinds of differences.
const (
	Missing = "missing"
	Ghost   = "ghost"
	Stale   = "stale"
)

// Total returns how many differences are drift: those in flight do not count.
func (d *Drift) Total() int { return d.Missing + d.Ghosts + d.Stale }

// examplesEach is how many examples of each kind a report shows.
const examplesEach = 5

// drift compares the list of the index at F with the scan at F, or returns nil if the index
// cannot be read. A difference is drift if the memory was last written or deleted before the
// horizon: its event had long enough to arrive. What exists tells when it was written: its
// version. What is gone does not tell when it was deleted, so those that were listed before the
// horizon are read as of the horizon: one that was still there has been deleted since. If that
// read fails they count as drift: a report never fails a repair.
func (r *run) drift(ctx context.Context, seen *observation) (*Drift, error) {
	if seen.view.Err != nil {
		return nil, nil
	}
	list, err := seen.view.List()
	if err != nil {
		return nil, err
	}
	horizon := seen.snapshotTime - memory.Micros(r.Horizon.Microseconds())
	stored := make(map[string]index.Entry, len(seen.store))
	for _, e := range seen.store {
		stored[e.ID()] = e
	}
	d := &Drift{}
	var ghosts []index.Entry
	for _, listed := range list {
		e, exists := stored[listed.ID()]
		switch {
		case !exists && listed.Version > horizon:
			d.add(Difference{Kind: Ghost, Name: listed.Name, InFlight: true, Index: listed.Date})
		case !exists:
			ghosts = append(ghosts, listed)
		case e.Date != listed.Date:
			d.add(Difference{Kind: Stale, Name: e.Name, InFlight: e.Version > horizon,
				Index: listed.Date, Store: e.Date})
		}
		delete(stored, listed.ID())
	}
	for _, e := range seen.store {
		if _, missing := stored[e.ID()]; missing {
			d.add(Difference{Kind: Missing, Name: e.Name, InFlight: e.Version > horizon,
				Store: e.Date})
		}
	}
	r.addGhosts(ctx, d, ghosts, horizon)
	return d, ctx.Err()
}

// addGhosts adds entries whose memories are gone. One that still existed at the
// horizon was deleted since.
func (r *run) addGhosts(ctx context.Context, d *Drift, ghosts []index.Entry,
	horizon memory.Micros) {
	for batch := range slices.Chunk(ghosts, 300) {
		existed, err := r.existed(ctx, batch, horizon)
		if err != nil {
			r.Logger.WarnContext(ctx, "memories that are listed and gone could not be read as they were: all count as drift", "collection", r.memories, "error", err.Error())
		}
		for i, e := range batch {
			d.add(Difference{Kind: Ghost, Name: e.Name, InFlight: err == nil && existed[i],
				Index: e.Date})
		}
	}
}

// existed reports of each entry whether its memory existed at a past time.
func (r *run) existed(ctx context.Context, entries []index.Entry,
	at memory.Micros) ([]bool, error) {
	memories := r.client.Collection(r.memories)
	refs := make([]*firestore.DocumentRef, len(entries))
	for i, e := range entries {
		refs[i] = memories.Doc(e.ID())
	}
	existed := make([]bool, len(entries))
	err := r.client.RunTransaction(ctx, func(_ context.Context, then *firestore.Transaction) error {
		snapshots, err := then.GetAll(refs)
		for i, s := range snapshots {
			existed[i] = s.Exists()
		}
		return err
	}, firestore.TransactionReadTime(at.Time()))
	r.result.Reads += len(entries)
	return existed, err
}

func (d *Drift) add(difference Difference) {
	count := &d.InFlight
	if !difference.InFlight {
		switch difference.Kind {
		case Missing:
			count = &d.Missing
		case Ghost:
			count = &d.Ghosts
		case Stale:
			count = &d.Stale
		}
	}
	*count++
	if *count <= examplesEach {
		d.Examples = append(d.Examples, difference)
	}
}
