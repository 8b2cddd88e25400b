package eval

import (
	"context"
	"fmt"
	"time"

	"cloud.google.com/go/firestore"

	"hippocampus/index"
	"hippocampus/internal/eval/corpus"
	"hippocampus/internal/eval/result"
	"hippocampus/internal/figure"
	"hippocampus/internal/ways"
	"hippocampus/memory"
)

// changedPart: one of so many memories has changed since the last fold.
const changedPart = 10

func (r *evaluation) planCost() (steps []*step, sumUp func()) {
	cost := &result.Cost{Prices: r.Prices, Turns: []result.Turn{}}
	for _, n := range r.Sizes {
		s := r.quiet(fmt.Sprintf("cost-%d", n))
		maps := r.own(fmt.Sprintf("hippo-eval/%s-maps-%d/shards", r.target.Tenant, n))
		steps = append(steps, &step{
			doing:  figure.Count(n) + " memories",
			weight: 4 + float64(n)/700,
			do: func(ctx context.Context, done func(float64)) error {
				turns, err := r.turns(ctx, s, maps, n, done)
				cost.Turns = append(cost.Turns, turns...)
				return err
			},
		})
	}
	return steps, func() {
		if len(cost.Turns) > 0 {
			cost.Verdict, r.found.Cost = judgeCost(cost), cost
		}
	}
}

// turns measures a turn with n memories in each way.
func (r *evaluation) turns(ctx context.Context, s, maps *store, n int,
	done func(float64)) ([]result.Turn, error) {
	memories := r.memories(n)
	if err := s.write(ctx, memories, func(written int) { done(.3 * float64(written) / float64(n)) }); err != nil {
		return nil, err
	}
	scan, err := s.scan(ctx, time.Time{})
	if err != nil {
		return nil, err
	}
	if err := ways.WriteMaps(ctx, s.client, maps.path, scan); err != nil {
		return nil, err
	}
	if err := s.fold(ctx, r.Logger); err != nil {
		return nil, err
	}
	spec := r.spec(s, n)
	spec.Maps, spec.Ways = maps.path, []result.Way{result.FullScan, result.NamesScan, result.Maps,
		result.Index}
	turns, err := r.Turns(ctx, spec)
	if err != nil {
		return turns, err
	}
	done(.85)
	if err := s.changeSome(ctx, memories[:max(1, n/changedPart)]); err != nil {
		return turns, err
	}
	spec = r.spec(s, n)
	spec.Ways = []result.Way{result.Changed}
	changed, err := r.Turns(ctx, spec)
	turns = append(turns, changed...)
	bytes := averageBytes(s, memories)
	for i := range turns {
		turns[i].MemoryBytes = bytes
		turns[i].Dollars = r.Prices.AMillionTurns(turns[i].Documents)
	}
	return turns, err
}

func (r *evaluation) spec(s *store, n int) *TurnSpec {
	spec := &TurnSpec{Collection: s.path, IDs: s.schema().IDs.String(),
		DateField: s.schema().Field(), Memories: n,
		MinTurns: 20, MaxTurns: 101, Seconds: 6} // of fewer, the 95th percentile would be the longest
	if s.target.Kind == result.Live {
		spec.MinTurns, spec.MaxTurns = liveTurns, liveTurns // each costs its reads
	}
	return spec
}

// liveTurns is how many turns of a way are measured on a project.
const liveTurns = 5

// averageBytes is the size of a memory's document, as Firestore counts it.
func averageBytes(s *store, memories []corpus.Memory) int {
	sum := 0
	for _, m := range memories {
		id, err := s.schema().IDs.ID(m.Name)
		if err != nil {
			continue // it was not written either
		}
		sum += memory.DocumentSize(s.path+"/"+id, m.Fields) + len(s.schema().Field()) + 1 + 8
	}
	return sum / max(1, len(memories))
}

// shardBytes is how much is written to one shard here: less than Firestore's 1 MiB a document.
const shardBytes = 800_000

// changeSome dates memories anew and writes to the shards what the hook would, in as few shards as
// they fit: the hook of a quiet tenant uses one.
func (s *store) changeSome(ctx context.Context, memories []corpus.Memory) error {
	date := time.Now().UTC().Truncate(time.Microsecond)
	changed := make([]corpus.Memory, len(memories))
	for i, m := range memories {
		m.Date = date.Add(time.Duration(i) * time.Millisecond)
		changed[i] = m
	}
	before, err := s.scan(ctx, time.Time{})
	if err != nil {
		return err
	}
	if err := s.write(ctx, changed, nil); err != nil {
		return err
	}
	after, err := s.scan(ctx, time.Time{})
	if err != nil {
		return err
	}
	old := make(map[string]ways.Entry, len(before))
	for _, e := range before {
		old[e.Name] = e
	}
	shard := 0
	var u index.Update
	for i, e := range after {
		if was := old[e.Name]; was.Version != e.Version {
			id, err := s.schema().IDs.ID(e.Name)
			if err != nil {
				return err
			}
			u.Add(index.Change{ID: id, Old: stateOf(was), New: stateOf(e)})
		}
		if u.Bytes() < shardBytes && i < len(after)-1 {
			continue
		}
		if err := s.writeShard(ctx, shard, &u); err != nil {
			return err
		}
		shard, u = shard+1, index.Update{}
	}
	return nil
}

func stateOf(e ways.Entry) *index.State {
	return &index.State{Version: memory.Micros(e.Version), Date: memory.Micros(e.Date)}
}

func (s *store) writeShard(ctx context.Context, shard int, u *index.Update) error {
	if len(u.Set) == 0 {
		return nil
	}
	entries := make(map[string]any, len(u.Set))
	for key, date := range u.Set {
		entries[key] = nil
		if date != nil {
			entries[key] = date.Time()
		}
	}
	_, err := s.client.Collection(s.indexed).Doc(index.ShardID(shard)).Set(ctx,
		map[string]any{index.EntriesField: entries}, firestore.MergeAll)
	return err
}

// memoriesAPart is how many memories one document of the base holds at least, about.
const memoriesAPart = 40_000

// memoriesAShard is how many memories a store has at least, about, if the changes of a tenth of
// them fill a shard.
const memoriesAShard = 20_000

// judgeCost says whether a turn's cost stops growing.
func judgeCost(c *result.Cost) result.Verdict {
	var first, last, names, changed *result.Turn
	for i := range c.Turns {
		t := &c.Turns[i]
		switch t.Way {
		case result.NamesScan:
			names = t
		case result.Index:
			if first == nil {
				first = t
			}
			last = t
		case result.Changed:
			changed = t
		}
	}
	if last == nil || names == nil {
		return no("no turn was measured in both ways")
	}
	summary := fmt.Sprintf("a turn reads %s at %s",
		figure.Plural(first.Documents, "document", "documents"),
		figure.Plural(first.Memories, "memory", "memories"))
	if first != last {
		summary += fmt.Sprintf(" and %s at %s", figure.Count(last.Documents),
			figure.Count(last.Memories))
	}
	summary += fmt.Sprintf("; a names-only scan reads %s", figure.Count(names.Documents))
	if first == last {
		summary += " (growth: more --sizes)"
	}
	parts := last.Memories / memoriesAPart
	if last.Documents > first.Documents+parts || last.Documents > max(1, names.Documents/10) {
		return no("%s", summary)
	}
	// What has changed is in one shard, or a few of a large store.
	if changed != nil && changed.Memories == last.Memories &&
		changed.Documents > last.Documents+1+last.Memories/memoriesAShard {
		return no("%s; when a tenth has changed a turn reads %s", summary,
			figure.Count(changed.Documents))
	}
	return yes("%s", summary)
}
