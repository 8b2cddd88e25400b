package eval

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"cloud.google.com/go/firestore"

	"hippocampus/chaos"
	"hippocampus/emulator/official"
	"hippocampus/eval/corpus"
	"hippocampus/eval/figure"
	"hippocampus/eval/result"
	"hippocampus/index"
	"hippocampus/reader"
)

// largestSeeded is the largest store that is filled through the hook to compare lists.
const largestSeeded = 5000

func (r *run) planEquivalence() (steps []*step, sumUp func()) {
	found := &result.Equivalence{Stores: []result.Store{}}
	for _, n := range r.seededSizes() {
		s := r.hooked(fmt.Sprintf("equal-%d", n))
		steps = append(steps, &step{
			doing: "a store of " + figure.Count(n), weight: 3 + float64(n)/800,
			do: func(ctx context.Context, done func(float64)) error {
				return r.seeded(ctx, s, n, found, done)
			},
		})
	}
	if r.target.Stack == nil {
		r.leave("random schedules", "the events of functions that are deployed somewhere else cannot be made late, lost or repeated")
	} else {
		steps = append(steps, &step{
			doing: plural(r.Schedules, "random schedule", "random schedules"), weight: float64(r.Schedules) * .12,
			do: func(ctx context.Context, done func(float64)) error {
				return r.schedules(ctx, found, done)
			},
		})
	}
	return steps, func() {
		if len(found.Stores) > 0 || found.Schedules != nil {
			found.Verdict, r.found.Equivalence = judgeEquivalence(found), found
		}
	}
}

// seededSizes are the numbers of memories of the stores whose lists are compared: in place of larger ones the largest.
func (o *Options) seededSizes() []int {
	if o.Memories != nil {
		return o.Sizes
	}
	sizes := make([]int, len(o.Sizes))
	for i, n := range o.Sizes {
		sizes[i] = min(n, largestSeeded)
	}
	return slices.Compact(sizes)
}

// seeded fills a store through the hook, changes it in every way there is, and compares the list after the changes,
// after a compaction and after a full fold.
func (r *run) seeded(ctx context.Context, s *store, n int, found *result.Equivalence, done func(float64)) error {
	memories := r.memories(n)
	half := memories[:(n+1)/2]
	if err := s.write(ctx, half, nil); err != nil {
		return err
	}
	done(.2)
	if err := s.fold(ctx, r.Log); err != nil {
		return err
	}
	if err := s.write(ctx, memories[len(half):], nil); err != nil {
		return err
	}
	done(.4)
	if err := s.disturb(ctx, memories, rand.New(rand.NewPCG(r.Seed, uint64(n)))); err != nil {
		return err
	}
	for i, moment := range []struct {
		name string
		make func() error
	}{
		{"after the changes", func() error { return nil }},
		{"after a compaction", func() error { return s.compact(ctx, r.Log) }},
		{"after a full fold", func() error { return s.fold(ctx, r.Log) }},
	} {
		if err := moment.make(); err != nil {
			return fmt.Errorf("%s: %w", moment.name, err)
		}
		row, err := r.settledStore(ctx, s)
		if err != nil {
			return fmt.Errorf("%s: %w", moment.name, err)
		}
		row.Moment = moment.name
		if i == 2 && r.target.Stack != nil { // elsewhere events from before the fold may come after it
			if row.Leftover, err = s.leftover(ctx); err != nil {
				return err
			}
		}
		found.Stores = append(found.Stores, *row)
		done(.6 + .13*float64(i+1))
	}
	return nil
}

// disturb makes every kind of change there is to a twentieth of the memories each.
func (s *store) disturb(ctx context.Context, memories []corpus.Memory, rand *rand.Rand) error {
	field := s.schema().Field()
	changes := []func(ref *firestore.DocumentRef, m corpus.Memory) error{
		func(ref *firestore.DocumentRef, m corpus.Memory) error { // a new date
			_, err := ref.Set(ctx, map[string]any{field: firestore.ServerTimestamp}, firestore.MergeAll)
			return err
		},
		func(ref *firestore.DocumentRef, m corpus.Memory) error { // an older date, and one that others have, too
			_, err := ref.Set(ctx, map[string]any{field: time.UnixMicro(1_700_000_000_000_000).Add(time.Duration(rand.IntN(5)) * time.Hour)}, firestore.MergeAll)
			return err
		},
		func(ref *firestore.DocumentRef, m corpus.Memory) error { // no date
			_, err := ref.Set(ctx, map[string]any{field: firestore.Delete}, firestore.MergeAll)
			return err
		},
		func(ref *firestore.DocumentRef, m corpus.Memory) error { // a date that is no timestamp
			_, err := ref.Set(ctx, map[string]any{field: "yesterday"}, firestore.MergeAll)
			return err
		},
		func(ref *firestore.DocumentRef, m corpus.Memory) error { // all but the date
			_, err := ref.Set(ctx, map[string]any{"seen": rand.IntN(1000)}, firestore.MergeAll)
			return err
		},
		func(ref *firestore.DocumentRef, m corpus.Memory) error { // deleted
			_, err := ref.Delete(ctx)
			return err
		},
		func(ref *firestore.DocumentRef, m corpus.Memory) error { // deleted and written again
			if _, err := ref.Delete(ctx); err != nil {
				return err
			}
			_, err := ref.Set(ctx, map[string]any{field: m.Date})
			return err
		},
		func(ref *firestore.DocumentRef, m corpus.Memory) error { // under an id that is no name's base64url
			_, err := ref.Parent.Doc("id of "+fmt.Sprint(rand.Uint32())).Set(ctx, map[string]any{field: m.Date})
			return err
		},
	}
	each := max(1, len(memories)/20)
	order := rand.Perm(len(memories))
	for i, change := range changes {
		for k := range each {
			if i*each+k >= len(order) {
				return nil
			}
			m := memories[order[i*each+k]]
			ref, err := s.ref(m.Name)
			if err != nil {
				return err
			}
			if err := change(ref, m); err != nil {
				return err
			}
		}
	}
	return nil
}

// settleTime is how long deployed functions may take for the events of what was written, before a difference counts.
const settleTime = 2 * time.Minute

// settledStore compares a store's list when no event is on its way any more or, with functions that are deployed
// somewhere else, when there is no difference or they have had the time.
func (r *run) settledStore(ctx context.Context, s *store) (*result.Store, error) {
	if r.target.Stack != nil {
		if err := r.target.drain(ctx); err != nil {
			return nil, err
		}
		return r.compareNow(ctx, s)
	}
	for pause := time.Second; ; pause *= 2 { // each look costs a scan
		row, err := r.compareNow(ctx, s)
		if err != nil || row.Diff.Total() == 0 || pause > settleTime/2 {
			return row, err
		}
		if err := sleep(ctx, pause); err != nil {
			return nil, err
		}
	}
}

// compareNow compares the list that a turn gets now with a scan as of the same moment.
func (r *run) compareNow(ctx context.Context, s *store) (*result.Store, error) {
	before := r.billed().Reads
	list, err := s.reader(r.Log).List(ctx, s.path)
	if err != nil {
		return nil, err
	}
	if err := sleep(ctx, s.target.SnapshotLag); err != nil { // so that the past can be read
		return nil, err
	}
	scan, _, err := s.scan(ctx, list.Receipt.AsOf)
	if err != nil {
		return nil, err
	}
	row := &result.Store{
		Collection: s.path, AsOf: list.Receipt.AsOf, Source: string(list.Receipt.Source), Reason: list.Receipt.Reason,
		Memories: len(scan), Listed: len(list.Entries), Diff: compare(list.Entries, scan, nil), Reads: r.billed().Reads - before,
	}
	return row, nil
}

// leftover returns the documents of an index that nothing needs after a full fold that ran alone: all but meta and the
// further parts that it names.
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

// mostFound is how many random schedules may find a difference before no more are run.
const mostFound = 5

// schedules runs the random schedules of package chaos.
func (r *run) schedules(ctx context.Context, found *result.Equivalence, done func(float64)) error {
	o := &chaos.Options{First: r.Seed, Count: r.Schedules, Most: mostFound, Progress: func(n int) { done(float64(n) / float64(r.Schedules)) }}
	if own, ok := r.target.Stack.Emulator.(*official.Emulator); ok {
		var worlds atomic.Int64
		o.Firestore = func(context.Context) (chaos.Firestore, error) {
			return own.In(fmt.Sprintf("%s-%d", own.Project(), worlds.Add(1))), nil
		}
	}
	outcome, err := chaos.Run(ctx, o)
	if outcome != nil && outcome.Run > 0 {
		s := &result.Schedules{First: r.Seed, Run: outcome.Run, Compared: outcome.Compared, Differing: []uint64{}}
		for _, f := range outcome.Found {
			s.Differing = append(s.Differing, f.Seed)
		}
		if len(outcome.Found) > 0 {
			s.Example = outcome.Found[0].Text
		}
		found.Schedules = s
	}
	return err
}

func judgeEquivalence(e *result.Equivalence) result.Verdict {
	memories, listed, differences, scanned, leftover := 0, 0, 0, 0, 0
	var bad, good []string
	for i := range e.Stores {
		s := &e.Stores[i]
		memories += s.Memories
		listed += s.Listed
		differences += s.Diff.Total()
		leftover += len(s.Leftover)
		switch {
		case s.Source == string(reader.FromScan):
			scanned++
		case s.Source == inMemorySource && s.Reason == index.Reason(index.ErrMissing):
			good = append(good, "there is no index of "+s.Collection+", and one was built in memory")
		case s.Source == inMemorySource:
			bad = append(bad, fmt.Sprintf("the index of %s cannot be used (%s): hippo repair makes a new one", s.Collection, s.Reason))
		}
	}
	if len(e.Stores) > 0 {
		good = slices.Insert(good, 0, fmt.Sprintf("%s the same by index and by scan, %s in all",
			plural(len(e.Stores), "list is", "lists are"), plural(memories, "memory", "memories")))
	}
	if len(e.Stores) > 0 && memories+listed == 0 {
		bad = append(bad, fmt.Sprintf("nothing was compared, as %s has no memories: is it the right collection?", e.Stores[0].Collection))
	}
	if differences > 0 {
		bad = append(bad, fmt.Sprintf("%s between lists by index and by scan", plural(differences, "difference", "differences")))
	}
	if scanned > 0 {
		bad = append(bad, plural(scanned, "list does not come from the index", "lists do not come from the index"))
	}
	if leftover > 0 {
		bad = append(bad, plural(leftover, "document is left over in an index", "documents are left over in indexes"))
	}
	if s := e.Schedules; s != nil {
		good = append(good, fmt.Sprintf("%s found no difference", plural(s.Run, "random schedule", "random schedules")))
		if len(s.Differing) > 0 {
			bad = append(bad, fmt.Sprintf("%d of %s found a difference", len(s.Differing), plural(s.Run, "random schedule", "random schedules")))
		}
	}
	if len(bad) > 0 {
		return no("%s", strings.Join(bad, "; "))
	}
	return yes("%s", strings.Join(good, "; "))
}

// plural writes a number with the word for it.
func plural(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return figure.Count(n) + " " + many
}

// sleep waits for d or until ctx ends.
func sleep(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
