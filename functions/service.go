package functions

import (
	"context"
	"fmt"
	"log/slog"
	"sync/atomic"
	"time"

	"cloud.google.com/go/firestore"

	"hippocampus/index"
	"hippocampus/internal/indexdb"
	"hippocampus/repair"
)

// Options are the optional settings of a Service; nil means the defaults.
type Options struct {
	// Deadline bounds the handling of one event by OnMemoryWritten. 0 means 30
	// seconds, half of what a function's request has by default.
	Deadline time.Duration
	// CommitInterval is the time between two commits to one shard document under
	// load. 0 means 500 ms.
	CommitInterval time.Duration
	// RequestDeadline bounds the handling of one request by OnRequest. 0 means 8
	// minutes: event functions are stopped after 9.
	RequestDeadline time.Duration
	// Repair holds the settings of repairs. Its Schema is that of Config.
	Repair repair.Options
	// Parallel is how many collections RepairDue repairs at once. 0 means 4.
	Parallel int
	// Logger takes what the functions have to say; nil means slog.Default.
	Logger *slog.Logger
}

// Service is the functions of one database. It is safe for concurrent use.
type Service struct {
	client    *firestore.Client
	root      databaseRoot
	config    Config
	pattern   pattern
	options   Options
	log       *slog.Logger
	committer *committer
	stats     counters
}

// New returns a service over the client's database. The client stays the
// caller's. The error says which part of the configuration is wrong.
func New(client *firestore.Client, config Config, o *Options) (*Service, error) {
	s := &Service{client: client, root: rootOf(client), config: config}
	if o != nil {
		s.options = *o
	}
	var err error
	if s.pattern, err = parsePattern(config.Memories); err != nil {
		return nil, fmt.Errorf("functions: %w", err)
	}
	if err := checkDateField(config.Schema.DateField); err != nil {
		return nil, fmt.Errorf("functions: %w", err)
	}
	if s.config.Memories == "" {
		s.config.Memories = DefaultMemories
	}
	s.options.complete()
	if s.config.RepairBudget <= 0 {
		s.config.RepairBudget = DefaultRepairBudget
	}
	s.log = s.options.Logger
	s.options.Repair.Schema = config.Schema
	if s.options.Repair.Logger == nil {
		s.options.Repair.Logger = s.log
	}
	s.committer = (&committer{
		write:    s.writeShard,
		ask:      s.askCompaction,
		interval: s.options.CommitInterval,
		timeout:  s.options.Deadline / 2,
		log:      s.log,
		stats:    &s.stats,
	}).start()
	return s, nil
}

func (o *Options) complete() {
	for _, d := range []struct {
		value        *time.Duration
		defaultValue time.Duration
	}{
		{&o.Deadline, 30 * time.Second},
		{&o.CommitInterval, 500 * time.Millisecond},
		{&o.RequestDeadline, 8 * time.Minute},
	} {
		if *d.value <= 0 {
			*d.value = d.defaultValue
		}
	}
	if o.Parallel <= 0 {
		o.Parallel = 4
	}
	if o.Logger == nil {
		o.Logger = slog.Default()
	}
}

// Close takes no more events and returns when those taken are committed or have
// failed. When ctx ends it cancels what is under way and says so.
func (s *Service) Close(ctx context.Context) error { return s.committer.close(ctx) }

// Stats counts what a Service has done since it was made.
type Stats struct {
	Events    int // of memories, redeliveries too
	Unchanged int // of these, with nothing to write
	Read      int // of these, without payload: the memory was read
	Malformed int // events that cannot be understood, acknowledged
	Poison    int // changes that Firestore refuses anywhere, acknowledged
	Commits   int // sent to shards, failed ones too
	Contended int // of these, aborted because others wrote the same document
	Refused   int // of these, refused as invalid
	Full      int // times that a shard was found full
	Asked     int // requests for a compaction
	Waiting   int // changes that wait for their commit, or for its end, now
}

type counters struct {
	events, unchanged, read, malformed, poison, commits, contended, refused, full, asked, waiting atomic.Int64
}

// Stats returns the counts.
func (s *Service) Stats() Stats {
	c := &s.stats
	return Stats{
		Events:    int(c.events.Load()),
		Unchanged: int(c.unchanged.Load()),
		Read:      int(c.read.Load()),
		Malformed: int(c.malformed.Load()),
		Poison:    int(c.poison.Load()),
		Commits:   int(c.commits.Load()),
		Contended: int(c.contended.Load()),
		Refused:   int(c.refused.Load()),
		Full:      int(c.full.Load()),
		Asked:     int(c.asked.Load()),
		Waiting:   int(c.waiting.Load()),
	}
}

// writeShard merges an update into a shard of a collection's index with one blind write.
func (s *Service) writeShard(ctx context.Context, memories, shard string, u *index.Update) error {
	x, err := indexdb.Of(s.client, memories)
	if err != nil {
		return err
	}
	return x.Merge(ctx, shard, u)
}
