package chaos

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"cloud.google.com/go/firestore"
	"github.com/stretchr/testify/require"

	"hippocampus/index"
	"hippocampus/memory"
	"hippocampus/reader"
	"hippocampus/repair"
)

var jobs = []job{
	{name: "first build", prepare: (*trial).memories, do: full, calls: 7},
	{name: "full fold", prepare: (*trial).changed, do: full, calls: 6},
	{name: "full fold with drift", prepare: (*trial).drifted, do: full, needsFold: true, calls: 9},
	{name: "full fold beside a hook", prepare: beside((*trial).changed), do: full, calls: 8},
	{name: "compaction", prepare: (*trial).changed, do: compact, calls: 3},
	{name: "compaction beside a hook", prepare: beside((*trial).changed), do: compact, calls: 4},
	{name: "request", prepare: requested, do: serve, calls: 5},
	{name: "what is due", prepare: due, do: findDue, calls: 2},
	{name: "scheduled repair", prepare: due, do: repairDue, calls: 8},
	{name: "hook", prepare: (*trial).pending, do: deliverAll(false), calls: 3},
	{name: "hook, events at once", prepare: (*trial).pending, do: deliverAtOnce, calls: 1},
	{name: "hook without payload", prepare: (*trial).pending, do: deliverAll(true), calls: 6},
	{name: "hook at a full shard", prepare: fullShard, do: deliverAll(false), calls: 5},
	{name: "list", prepare: (*trial).changed, do: list, survives: true, calls: 1},
	{name: "list without an index", prepare: (*trial).memories, do: list, survives: true, calls: 3},
	{name: "list from a crowded index", prepare: crowded, do: list, survives: true, calls: 2},
}

func (c *trial) put(n string)    { c.schedule.put(c.tenant, c.named(n), time.Time{}, "put") }
func (c *trial) remove(n string) { c.schedule.delete(c.tenant, c.named(n)) }

func (c *trial) named(n string) *name {
	for _, other := range c.tenant.names {
		if other.name == n {
			return other
		}
	}
	panic("no such name: " + n)
}

// deliverPending delivers the events of all changes so far.
func (c *trial) deliverPending() {
	c.collectChanges()
	for _, e := range c.tenant.pending {
		c.deliverNow(e)
	}
}

// memories makes memories that no base knows.
func (c *trial) memories() {
	c.put("a")
	c.put("b")
	c.put("c")
	c.remove("c")
	c.deliverPending()
}

// changed makes an index, and changes after its base.
func (c *trial) changed() {
	c.memories()
	c.put("d")
	c.deliverPending()
	c.schedule.buildNow(c.tenant)
	c.put("b")
	c.put("c")
	c.remove("d")
	c.deliverPending()
}

// drifted loses the events of a creation, a change and a deletion.
func (c *trial) drifted() {
	c.changed()
	c.put("e")
	c.put("a")
	c.remove("b")
	c.collectChanges()
	t := c.tenant
	t.pending, t.lost = nil, t.pending
}

// pending makes changes whose events are not delivered: a change, a creation and a
// deletion.
func (c *trial) pending() {
	c.changed()
	c.put("a")
	c.put("e")
	c.remove("b")
	c.collectChanges()
}

// beside has an event arrive before the flip, so that a shard is not as it was seen.
func beside(prepare func(*trial)) func(*trial) {
	return func(c *trial) {
		prepare(c)
		c.put("f")
		c.collectChanges()
		c.in.beforeIt = func() { c.deliverNow(c.tenant.pending[0]) }
	}
}

// fullShard has no room in the shard that changes go to.
func fullShard(c *trial) {
	c.pending()
	ref := c.schedule.client.Collection(c.tenant.index).Doc(index.ShardID(0))
	doc, err := ref.Get(c.ctx)
	require.NoError(c.t, err)
	fields := doc.Data()
	fields["filler"] = []byte{}
	room := maxDocument - memory.DocumentSize(c.tenant.index+"/"+ref.ID, fields)
	_, err = ref.Set(c.ctx, map[string]any{"filler": make([]byte, room)}, firestore.MergeAll)
	require.NoError(c.t, err)
}

func requested(c *trial) {
	c.changed()
	ref := c.schedule.client.Collection(c.tenant.index).Doc(index.RequestID)
	_, err := ref.Create(c.ctx, index.Request{Kind: index.Compaction, Reason: "test"}.Fields(firestore.ServerTimestamp))
	require.NoError(c.t, err)
}

// crowded makes more shards than a turn should read.
func crowded(c *trial) {
	c.changed()
	for i := range index.Shards {
		ref := c.schedule.client.Collection(c.tenant.index).Doc(index.ShardID(i))
		key := firestore.FieldPath{index.EntriesField, index.Key(memory.Micros(i+1), "b2xk")}
		_, err := ref.Set(c.ctx, map[string]any{key[0]: map[string]any{key[1]: nil}}, firestore.Merge(key))
		require.NoError(c.t, err)
	}
}

// eager repairs count every difference as drift, which takes more calls.
var eager = repair.Options{Horizon: -1, Page: 2, Logger: quiet}

func full(ctx context.Context, c *trial) error {
	_, err := repair.Build(ctx, c.client, c.tenant.path, &eager)
	return err
}

func compact(ctx context.Context, c *trial) error {
	_, err := repair.Compact(ctx, c.client, c.tenant.path, &eager)
	return err
}

func serve(ctx context.Context, c *trial) error {
	_, err := repair.Serve(ctx, c.client, c.tenant.path, &eager)
	return err
}

func deliverAll(strip bool) func(context.Context, *trial) error {
	return func(ctx context.Context, c *trial) error {
		var errs []error
		for _, e := range c.tenant.pending {
			errs = append(errs, c.try(ctx, e, strip))
		}
		return errors.Join(errs...)
	}
}

// deliverAtOnce delivers the pending events at the same time, so that they share
// commits.
func deliverAtOnce(ctx context.Context, c *trial) error {
	events := slices.Clone(c.tenant.pending)
	errs := make([]error, len(events))
	var all sync.WaitGroup
	for i, e := range events {
		all.Go(func() { errs[i] = c.post(ctx, c.hook, e.msg) })
	}
	all.Wait()
	for i, e := range events {
		if errs[i] == nil {
			c.acknowledged(e)
		}
	}
	return errors.Join(errs...)
}

// list reads the list. A failure may cost the list, or the time of a scan, but
// never makes it wrong.
func list(ctx context.Context, c *trial) error {
	l, err := reader.New(c.client, &reader.Options{Logger: quiet}).List(ctx, c.tenant.path)
	if err != nil {
		return err
	}
	truth, err := scan(c.ctx, c.schedule.client, c.tenant.path)
	require.NoError(c.t, err)
	require.Empty(c.t, differences(linesOf(l.Entries), truth))
	return nil
}
