package functions

import (
	"context"
	"log/slog"
	"time"

	"hippocampus/index"
)

// Committer is the batching commit without Firestore, for tests of its timing.
type Committer struct{ c *committer }

func NewCommitter(interval time.Duration, write func(ctx context.Context, memories, shard string, u *index.Update) error) *Committer {
	return &Committer{(&committer{
		write:    write,
		ask:      func(context.Context, string, string) error { return nil },
		interval: interval,
		timeout:  15 * time.Second,
		log:      slog.New(slog.DiscardHandler),
		stats:    &counters{},
	}).start()}
}

func (c *Committer) Commit(ctx context.Context, memories, id string, u index.Update) error {
	return c.c.commit(ctx, memories, id, u)
}

func (c *Committer) Close(ctx context.Context) error { return c.c.close(ctx) }

func (c *Committer) Asked() int { return int(c.c.stats.asked.Load()) }

// Tenants returns how many indexes are remembered, and how many shards have a worker.
func (c *Committer) Tenants() (tenants, workers int) {
	c.c.mu.Lock()
	defer c.c.mu.Unlock()
	for _, t := range c.c.tenants {
		workers += len(t.shards)
	}
	return len(c.c.tenants), workers
}
