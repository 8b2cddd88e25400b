package chaos

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"time"

	"cloud.google.com/go/firestore"

	"hippocampus/functions"
	"hippocampus/memory"
	"hippocampus/reader"
	"hippocampus/repair"
)

// system is what a schedule puts to the test: a hook, a repair and a reader.
type system struct {
	// hook makes an instance of the functions, over a client.
	hook func(client *firestore.Client) (hook, error)
	// build and compact repair the index of a collection.
	build func(ctx context.Context, client *firestore.Client, memories string,
		o repairOptions) error
	compact func(ctx context.Context, client *firestore.Client, memories string) error
	// patience is how long they may take from one call to the next.
	patience time.Duration
	// isSuperseded reports whether a run ended because another one won.
	isSuperseded func(error) bool
	// full shards are provided for.
	fills bool
	// list reads the list of a collection.
	list func(ctx context.Context, client *firestore.Client, memories string) (listing, error)
}

// hook serves events.
type hook struct {
	http.Handler
	waiting func() int                  // changes that wait for a commit; nil if each has its own
	close   func(context.Context) error // may be nil
}

type repairOptions struct {
	lag  time.Duration // how far in the past to read
	page int           // memories a query
}

type listing struct {
	lines       []string
	fromIndex   bool
	scanStarted memory.Micros
	reason      string // why not from the index
}

// hangTimeout: what takes longer than this hangs.
const hangTimeout = 2 * time.Minute

// product is the real one.
var product = system{
	hook: func(client *firestore.Client) (hook, error) {
		service, err := functions.New(client, functions.Config{}, &functions.Options{
			Deadline:       hangTimeout,
			CommitInterval: time.Nanosecond,
			Repair:         repair.Options{Logger: quiet},
			Logger:         quiet,
		})
		if err != nil {
			return hook{}, err
		}
		return hook{service.Handler(), func() int { return service.Stats().Waiting }, service.Close}, nil
	},
	build: func(ctx context.Context, client *firestore.Client, memories string,
		o repairOptions) error {
		_, err := repair.Build(ctx, client, memories,
			&repair.Options{SnapshotLag: o.lag, Page: o.page, Sleep: noSleep, Logger: quiet})
		return err
	},
	compact: func(ctx context.Context, client *firestore.Client, memories string) error {
		_, err := repair.Compact(ctx, client, memories, &repair.Options{Logger: quiet})
		return err
	},
	patience: hangTimeout,
	fills:    true,
	isSuperseded: func(err error) bool {
		return errors.Is(err, repair.ErrSuperseded) || errors.Is(err, repair.ErrOvertaken)
	},
	list: func(ctx context.Context, client *firestore.Client, memories string) (listing, error) {
		l, err := reader.New(client, &reader.Options{Logger: quiet}).List(ctx, memories)
		if err != nil {
			return listing{}, err
		}
		return listing{linesOf(l.Entries), l.Receipt.Source == reader.FromIndex,
			memory.MicrosOf(l.Receipt.ScanStarted), l.Receipt.Reason}, nil
	},
}

var quiet = slog.New(slog.DiscardHandler)

// noSleep lets a fold read the past at once: nothing else runs meanwhile.
func noSleep(context.Context, time.Duration) error { return nil }
