package functions_test

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"hippocampus/functions"
	"hippocampus/index"
	"hippocampus/memory"
)

// The timing of commits, in the time of a test bubble: nothing here really waits.

const interval = 500 * time.Millisecond

// written is a commit that a committer made.
type written struct {
	at    time.Duration // since the start
	index string
	shard string
	keys  int
}

type pace struct {
	t       *testing.T
	c       *functions.Committer
	started time.Time

	mu      sync.Mutex
	commits []written
	version memory.Micros
	fail    func(w written) error // what a commit meets; nil: success
}

func inBubble(t *testing.T, f func(t *testing.T, p *pace)) {
	synctest.Test(t, func(t *testing.T) {
		p := &pace{t: t, started: time.Now()}
		p.c = functions.NewCommitter(interval, p.write)
		t.Cleanup(func() { require.NoError(t, p.c.Close(context.Background())) })
		f(t, p)
	})
}

func (p *pace) write(_ context.Context, memories, shard string, u *index.Update) error {
	<-time.After(20 * time.Millisecond)
	p.mu.Lock()
	defer p.mu.Unlock()
	w := written{time.Since(p.started), memories, shard, len(u.Set)}
	p.commits = append(p.commits, w)
	if p.fail != nil {
		return p.fail(w)
	}
	return nil
}

func (p *pace) wait(d time.Duration) { <-time.After(d) }

// add commits a change of a memory in the background; done is told.
func (p *pace) add(indexPath, id string, done *sync.WaitGroup) {
	p.mu.Lock()
	p.version++
	version := p.version
	p.mu.Unlock()
	var u index.Update
	u.Add(index.Change{ID: id, New: &index.State{Version: version, Date: version}})
	done.Go(func() {
		ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
		defer cancel()
		require.NoError(p.t, p.c.Commit(ctx, indexPath, id, u))
	})
}

func (p *pace) shards() map[string]bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	all := map[string]bool{}
	for _, w := range p.commits {
		all[w.shard] = true
	}
	return all
}

func TestCommitsAreSpacedUnderLoadOnly(t *testing.T) {
	inBubble(t, func(t *testing.T, p *pace) {
		var done sync.WaitGroup
		p.add("i", "quiet", &done)
		done.Wait()
		require.Equal(t, 20*time.Millisecond, p.commits[0].at, "the first goes at once")
		p.wait(time.Second)
		_, workers := p.c.Tenants()
		require.Zero(t, workers, "a quiet index has no worker")
		p.add("i", "quiet", &done)
		done.Wait()
		require.Equal(t, time.Second+40*time.Millisecond, p.commits[1].at, "so does one after a pause")

		for range 400 { // 4 seconds of 100 events a second
			p.add("i", "busy", &done)
			p.wait(10 * time.Millisecond)
		}
		done.Wait()
		for i := 2; i < len(p.commits); i++ {
			require.GreaterOrEqual(t, p.commits[i].at-p.commits[i-1].at, interval-20*time.Millisecond)
		}
		require.InDelta(t, 8, len(p.commits)-2, 2)
		require.Equal(t, map[string]bool{"shard-0": true}, p.shards())
	})
}

func TestContentionSlowsDownAndSpreadsForAWhile(t *testing.T) {
	inBubble(t, func(t *testing.T, p *pace) {
		contended := true
		p.fail = func(written) error {
			if contended {
				return status.Error(codes.Aborted, "contention")
			}
			return nil
		}
		var done sync.WaitGroup
		p.add("i", "a", &done)
		p.wait(10 * time.Second)
		p.mu.Lock()
		require.LessOrEqual(t, len(p.commits), 8, "it waits longer each time")
		contended, p.commits = false, nil
		p.mu.Unlock()
		done.Wait()
		for i := range 64 {
			p.add("i", fmt.Sprint(i), &done)
		}
		done.Wait()
		require.Len(t, p.shards(), index.Shards)

		p.wait(4 * time.Minute)
		p.commits = nil
		for i := range 64 {
			p.add("i", fmt.Sprint(i), &done)
		}
		done.Wait()
		require.Equal(t, map[string]bool{"shard-0": true}, p.shards(), "quiet again")
	})
}

func TestBurstMovesOnBeforeAShardIsFull(t *testing.T) {
	inBubble(t, func(t *testing.T, p *pace) {
		const events, idBytes = 4000, 230 // about 1 MB
		var done sync.WaitGroup
		for i := range events {
			p.add("i", fmt.Sprintf("%04d%s", i, strings.Repeat("x", idBytes)), &done)
			if i%100 == 99 {
				p.wait(interval)
			}
		}
		done.Wait()
		require.GreaterOrEqual(t, len(p.shards()), 6)
		total := map[string]int{}
		for _, w := range p.commits {
			total[w.shard] += w.keys
		}
		for shard, keys := range total {
			require.Less(t, keys*(idBytes+30), 256<<10, shard)
		}
		require.Equal(t, 3, p.c.Asked(), "a compaction is asked for every 256 KB")

		p.wait(2 * time.Minute)
		p.commits = nil
		p.add("i", "later", &done)
		done.Wait()
		require.Equal(t, map[string]bool{"shard-0": true}, p.shards())
	})
}

func TestBatchesAreBounded(t *testing.T) {
	inBubble(t, func(t *testing.T, p *pace) {
		var done sync.WaitGroup
		for i := range 1000 {
			p.add("i", fmt.Sprintf("%04d%s", i, strings.Repeat("x", 1000)), &done)
		}
		done.Wait()
		for _, w := range p.commits {
			require.LessOrEqual(t, w.keys*1024, 257<<10)
		}
	})
}

func TestIdleTenantsAreForgotten(t *testing.T) {
	inBubble(t, func(t *testing.T, p *pace) {
		var done sync.WaitGroup
		const n = 1000
		for i := range n {
			p.add(fmt.Sprint("index/", i), "a", &done)
		}
		done.Wait()
		p.wait(time.Second)
		tenants, workers := p.c.Tenants()
		require.Equal(t, n, tenants)
		require.Zero(t, workers)
		p.wait(11 * time.Minute)
		p.add("index/new", "a", &done)
		done.Wait()
		tenants, _ = p.c.Tenants()
		require.Equal(t, 1, tenants)
	})
}

// What is not contention is not tried again here, but by Eventarc.
func TestOtherErrorsFailTheEventsOfTheBatch(t *testing.T) {
	inBubble(t, func(t *testing.T, p *pace) {
		p.fail = func(written) error { return status.Error(codes.PermissionDenied, "no") }
		var u index.Update
		u.Add(index.Change{ID: "a", New: &index.State{Version: 1, Date: 1}})
		err := p.c.Commit(t.Context(), "i", "a", u)
		require.Equal(t, codes.PermissionDenied, status.Code(err))
		require.ErrorContains(t, err, "shard-0 of the index of i")
		require.Len(t, p.commits, 1)
	})
}
