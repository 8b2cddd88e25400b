package functions_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"cloud.google.com/go/firestore"
	pb "cloud.google.com/go/firestore/apiv1/firestorepb"
	"github.com/stretchr/testify/require"

	"hippocampus/emulator/eventarc"
	"hippocampus/functions"
	"hippocampus/index"
	"hippocampus/internal/deep"
	"hippocampus/internal/tenanttest"
	"hippocampus/memory"
	"hippocampus/repair"
)

func TestCase10_ImportedAtOnce(t *testing.T) {
	w := newWorld(t, setting{
		serve:    true,
		lag:      time.Second,            // folds run while the hook writes
		interval: 500 * time.Millisecond, // as deployed
		trigger:  eventarc.Trigger{Concurrency: 500},
	})
	n := deep.Choose(5_000, 20_000)
	w.Import(tenanttest.Numbered("pages/imported in one go/", n), t0, time.Second)
	w.drain()
	w.requireListed(n)
	stats := w.service.Stats()
	t.Logf("%+v", stats)
	require.Equal(t, n, stats.Events-stats.Malformed)
	require.Zero(t, stats.Full, "a shard overflowed")
	require.Zero(t, stats.Refused)
	require.Positive(t, stats.Asked)
	require.LessOrEqual(t, stats.Commits, n/20)
	require.Less(t, w.View().ShardBytes(), 3*index.CrowdedBytes, "compactions kept up")
}

// fill fills a shard with tombstones of memories long gone, until not even the
// smallest entry fits.
func (w *world) fill(shard string) {
	w.t.Helper()
	path, err := index.Path(acme)
	require.NoError(w.t, err)
	version := memory.Micros(1_000_000_000_000_000)
	for _, size := range []int{1000, 100, 1} {
		for n := 100; n > 0; {
			entries := map[string]any{}
			var paths []firestore.FieldPath
			for range n {
				version++
				key := index.Key(version, strings.Repeat("x", size))
				entries[key] = nil
				paths = append(paths, firestore.FieldPath{index.EntriesField, key})
			}
			_, err := w.Client.Doc(path+"/"+shard).Set(w.t.Context(), map[string]any{index.EntriesField: entries}, firestore.Merge(paths...))
			if err != nil {
				n /= 2
			}
		}
	}
}

func (w *world) shardIDs() []string {
	var ids []string
	for _, shard := range w.View().Shards {
		ids = append(ids, shard.ID)
	}
	return ids
}

func TestCase11_ShardIsFull(t *testing.T) {
	w := newWorld(t, setting{})
	w.build()
	w.fill("shard-0")
	for _, name := range tenanttest.Numbered("a/", 50) {
		w.Put(name, t0)
	}
	w.drain()
	w.requireListed(50)
	require.Equal(t, 1, w.service.Stats().Full)
	require.Zero(t, w.broker.Stats().Retried)
	view := w.View()
	require.NotNil(t, view.Request)
	require.Equal(t, "shard-0 is full", index.ParseRequest(view.Request.Fields).Reason)

	o := w.repairOptions()
	result, err := repair.Serve(t.Context(), w.Client, acme, &o)
	require.NoError(t, err)
	require.Equal(t, index.Compaction, result.Kind)
	require.Empty(t, w.shardIDs())
	require.Nil(t, w.View().Request)
	w.requireListed(50)
}

// TestCase11_BatchMeetsAFullShard has a batch refused, not one event.
func TestCase11_BatchMeetsAFullShard(t *testing.T) {
	const n = 300
	var w *world
	w = newWorld(t, setting{client: tenanttest.Commits(inOneBatch(t, n, func() functions.Stats { return w.service.Stats() },
		func(_ context.Context, _ *pb.CommitRequest, send func() error) error { return send() }))})
	w.build()
	w.fill("shard-0")
	w.fill("shard-1")
	w.broker.Hold()
	w.Import(tenanttest.Numbered("a/", n), t0, time.Second)
	require.Zero(t, handleAll(t, w.held(n), w.service), "no event fails")
	w.requireListed(n)
	stats := w.service.Stats()
	require.Equal(t, 2, stats.Full)
	require.Zero(t, stats.Poison)
	require.Less(t, stats.Commits, 40)
	fresh := 0
	for _, id := range w.shardIDs() {
		if len(id) > len("shard-0") {
			fresh++
		}
	}
	require.Equal(t, 1, fresh, "one overflow shard, however many are full; the others' events go to the eight")
}

func TestCase11_ShardIsFullOfRubble(t *testing.T) {
	w := newWorld(t, setting{serve: true})
	w.build()
	// What nested keys leave behind when they are removed.
	path, err := index.Path(acme)
	require.NoError(t, err)
	rubble := map[string]any{}
	for i := range 5000 {
		rubble[fmt.Sprintf("%017d", i)] = map[string]any{}
	}
	_, err = w.Client.Doc(path+"/shard-0").Set(t.Context(), map[string]any{index.EntriesField: rubble})
	require.NoError(t, err)
	w.fill("shard-0")
	require.ErrorIs(t, w.View().Err, index.ErrDamaged)
	w.Put("a", t0)
	w.drain()
	w.requireListed(1)
	require.Equal(t, 1, w.service.Stats().Full)
	require.NotContains(t, w.shardIDs(), "shard-0", "the request was served")
	require.Zero(t, w.broker.Stats().Retried)
	require.Empty(t, w.log.lines("ERROR"))
}

func TestCase11_AllShardsAreFull(t *testing.T) {
	w := newWorld(t, setting{})
	w.build()
	for i := range index.Shards {
		w.fill(index.ShardID(i))
	}
	for _, name := range tenanttest.Numbered("a/", 30) {
		w.Put(name, t0)
	}
	w.drain()
	w.requireListed(30)
	stats := w.service.Stats()
	require.Equal(t, index.Shards, stats.Full)
	require.Len(t, w.shardIDs(), index.Shards+1, "one overflow shard for all of them")
	require.Zero(t, stats.Poison)
	require.Zero(t, w.broker.Stats().Retried)
	o := w.repairOptions()
	_, err := repair.Serve(t.Context(), w.Client, acme, &o)
	require.NoError(t, err)
	require.Empty(t, w.shardIDs(), "overflow shards are folded too")
	w.requireListed(30)
}
