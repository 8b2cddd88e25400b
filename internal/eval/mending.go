package eval

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"sync"
	"time"

	"cloud.google.com/go/firestore"
	"golang.org/x/sync/errgroup"

	"hippocampus/emulator/eventarc"
	"hippocampus/internal/eval/corpus"
	"hippocampus/internal/eval/result"
	"hippocampus/internal/figure"
	"hippocampus/repair"
)

const (
	// disturbedPart: one of so many memories is changed while events fare badly.
	disturbedPart = 5
	// lateDeletes is how many memories are created and deleted with the delete's event delivered
	// first.
	lateDeletes = 20
	// maxDelay bounds how late a delayed event is.
	maxDelay = 200 * time.Millisecond
)

func (r *evaluation) planRepair() (steps []*step, sumUp func()) {
	if r.target.Stack == nil {
		r.leave(string(Repair), "the events of functions that are deployed somewhere else cannot be lost on purpose; hippo doctor compares an index with its store, and the functions log what each repair found")
		return nil, nil
	}
	found := &result.Repair{Rates: *r.Rates, Stores: []result.Mended{}}
	for _, n := range r.RepairSizes {
		s := r.hooked(fmt.Sprintf("repair-%d", n))
		steps = append(steps, &step{
			doing: "a store of " + figure.Count(n), weight: 2 + float64(n)/500,
			do: func(ctx context.Context, done func(float64)) error {
				row, err := r.mend(ctx, s, n, done)
				if err == nil {
					found.Stores = append(found.Stores, *row)
				}
				return err
			},
		})
	}
	return steps, func() {
		if len(found.Stores) > 0 {
			found.Verdict, r.found.Repair = judgeRepair(found), found
		}
	}
}

// mend makes an index drift, repairs it while changes go on, and compares before and after.
func (r *evaluation) mend(ctx context.Context, s *store, n int,
	done func(float64)) (row *result.Mended, err error) {
	memories := r.memories(n)
	if err := s.write(ctx, memories, nil); err != nil {
		return nil, err
	}
	if err := r.target.drain(ctx); err != nil {
		return nil, err
	}
	if err := s.fold(ctx, r.Logger); err != nil {
		return nil, err
	}
	done(.3)
	defer func() { // what is measured next has events that fare well
		err = errors.Join(err, r.target.Stack.Broker.Misbehave(eventarc.Chaos{}))
	}()
	row = &result.Mended{}
	changes := &changer{store: s, memories: memories,
		rand: rand.New(rand.NewPCG(r.Seed, uint64(n)+1))}
	if err := r.misfare(ctx, s, changes, max(10, n/disturbedPart), row); err != nil {
		return nil, err
	}
	if row.DeletesFirst, err = r.deletesFirst(ctx, s); err != nil {
		return nil, err
	}
	row.Changes += 2 * row.DeletesFirst
	before, err := r.compareNow(ctx, s)
	if err != nil {
		return nil, err
	}
	row.Before = before.Diff
	done(.6)
	result, during, err := r.repairDuring(ctx, s, changes)
	if err != nil {
		return nil, err
	}
	row.During, row.Reads, row.Writes, row.MS = during, result.Reads, result.Writes, milliseconds(result.Took)
	done(.8)
	if err := r.target.drain(ctx); err != nil {
		return nil, err
	}
	after, err := r.compareNow(ctx, s)
	if err != nil {
		return nil, err
	}
	row.After, row.Memories, row.Unread = after.Diff, after.Memories, after.Reason
	return row, nil
}

// misfare makes changes whose events fare badly.
func (r *evaluation) misfare(ctx context.Context, s *store, changes *changer, n int,
	row *result.Mended) error {
	broker := r.target.Stack.Broker
	err := broker.Misbehave(eventarc.Chaos{Seed: r.Seed + uint64(len(changes.memories)),
		MaxDelay: maxDelay,
		Lose:     r.Rates.Lose, Duplicate: r.Rates.Duplicate, Delay: r.Rates.Delay, Reorder: r.Rates.Reorder})
	if err != nil {
		return err
	}
	before := broker.Stats()
	for ; row.Changes < n; row.Changes++ {
		if err := changes.change(ctx); err != nil {
			return err
		}
	}
	if err := r.target.drain(ctx); err != nil {
		return err
	}
	now := broker.Stats()
	row.Lost, row.Duplicated = now.Lost-before.Lost, now.Duplicated-before.Duplicated
	row.Delayed, row.Reordered = now.Delayed-before.Delayed, now.Reordered-before.Reordered
	// From here on none is lost: what a repair has not seen yet it could not mend.
	return broker.Misbehave(eventarc.Chaos{Seed: r.Seed, MaxDelay: maxDelay,
		Duplicate: r.Rates.Duplicate, Delay: r.Rates.Delay, Reorder: r.Rates.Reorder})
}

// deletesFirst creates and deletes memories, and delivers each delete's event before that of the
// creation.
func (r *evaluation) deletesFirst(ctx context.Context, s *store) (int, error) {
	broker := r.target.Stack.Broker
	broker.Hold()
	defer broker.Release()
	for i := range lateDeletes {
		ref, err := s.ref(r.target.named(fmt.Sprintf("notebook/short-lived %d", i)))
		if err != nil {
			return 0, err
		}
		if _, err := ref.Create(ctx, map[string]any{s.schema().Field(): firestore.ServerTimestamp}); err != nil {
			return 0, err
		}
		if _, err := ref.Delete(ctx); err != nil {
			return 0, err
		}
	}
	if err := r.target.drain(ctx); err != nil {
		return 0, err
	}
	var deletes, creations []eventarc.Message
	for _, m := range broker.Take() {
		if m.Event.Data.GetValue() != nil {
			creations = append(creations, m)
		} else {
			deletes = append(deletes, m)
		}
	}
	if err := deliver(ctx, broker, deletes); err != nil {
		return 0, err
	}
	return len(deletes), deliver(ctx, broker, creations)
}

// deliver delivers messages at once, and returns when all are acknowledged.
func deliver(ctx context.Context, broker *eventarc.Broker, messages []eventarc.Message) error {
	all, ctx := errgroup.WithContext(ctx)
	for _, m := range messages {
		all.Go(func() error {
			status, err := broker.Deliver(ctx, m)
			if err == nil && status/100 != 2 {
				err = fmt.Errorf("the function answers %d %s", status, http.StatusText(status))
			}
			return err
		})
	}
	return all.Wait()
}

// repairDuring repairs while changes go on.
func (r *evaluation) repairDuring(ctx context.Context, s *store,
	changes *changer) (*repair.Result, int, error) {
	ended := make(chan struct{})
	during := 0
	var failed error
	var writer sync.WaitGroup
	begun := make(chan struct{})
	writer.Go(func() {
		for over := false; !over && failed == nil; {
			failed = changes.change(ctx)
			if during++; during == 1 {
				close(begun)
			}
			select {
			case <-ended:
				over = true
			default:
			}
		}
	})
	<-begun
	result, err := repair.Build(ctx, s.client, s.path, s.repairOptions(r.Logger))
	close(ended)
	writer.Wait()
	if err == nil {
		err = failed
	}
	return result, during, err
}

// changer changes memories at random: it creates, changes and deletes.
type changer struct {
	store    *store
	memories []corpus.Memory
	rand     *rand.Rand
	created  int
}

func (c *changer) change(ctx context.Context) error {
	m := c.memories[c.rand.IntN(len(c.memories))]
	name, field := m.Name, c.store.schema().Field()
	kind := c.rand.IntN(4)
	if kind == 0 {
		c.created++
		name = c.store.target.named(fmt.Sprintf("journal/new %d", c.created))
	}
	ref, err := c.store.ref(name)
	if err != nil {
		return err
	}
	switch kind {
	case 1:
		_, err = ref.Delete(ctx)
	case 2:
		_, err = ref.Set(ctx, map[string]any{field: m.Date.Add(-time.Duration(c.rand.IntN(1000)) * time.Minute)}, firestore.MergeAll)
	default:
		_, err = ref.Set(ctx, map[string]any{field: firestore.ServerTimestamp}, firestore.MergeAll)
	}
	return err
}

func judgeRepair(f *result.Repair) result.Verdict {
	before, after, unread, worst := 0, 0, 0, 0.
	for i := range f.Stores {
		s := &f.Stores[i]
		before += s.Before.Total()
		after += s.After.Total()
		if s.Unread != "" {
			unread++
		}
		worst = max(worst, float64(s.Reads)/float64(max(1, s.Memories)))
	}
	text := fmt.Sprintf("%s before the repair of %s, %s after it; at most %s reads a memory",
		figure.Plural(before, "difference", "differences"), figure.Plural(len(f.Stores), "store",
			"stores"), figure.Count(after), figure.Decimal(worst))
	switch {
	case unread > 0:
		return no("after the repair %s not come from the index; %s",
			figure.Plural(unread, "list does", "lists do"), text)
	case after > 0:
		return no("%s", text)
	case before == 0 && f.Rates.Lose > 0:
		return no("no list had drifted, so that none was mended: lose more events, with a higher --drop or larger --repair-sizes")
	}
	return yes("%s", text)
}
