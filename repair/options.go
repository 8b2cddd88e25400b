package repair

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"fmt"
	"io"
	"log/slog"
	"time"

	"cloud.google.com/go/firestore"
	"github.com/googleapis/gax-go/v2"

	"hippocampus/index"
	"hippocampus/internal/indexdb"
	"hippocampus/memory"
)

// Options are the optional settings of a run; nil means the defaults.
type Options struct {
	// Schema says how the memory collection's documents are read.
	Schema memory.Schema
	// SnapshotLag: a build first waits this long and then reads the database as it was this
	// long ago, so that it sees all changes made before the call. It is 0 in production, where
	// reads at a past time are stable, and EmulatorLag on the official emulator.
	SnapshotLag time.Duration
	// Horizon: differences younger than this may be events under way and are not called drift.
	// 0 means 10 minutes, negative that all are drift; at most 50 minutes, since Firestore
	// reads one hour back.
	Horizon time.Duration
	// Interval is when the next full fold is due, counted from this one's scan.
	// 0 means 20 hours: less than a day, so that a nightly run finds the night
	// before due.
	Interval time.Duration
	// Page is how many memories one query of a scan returns; 0 means 20,000.
	Page int
	// Progress, if set, is called during a scan with the memories so far.
	Progress func(memories int)
	// Rand is where run ids come from; nil means crypto/rand.
	Rand io.Reader
	// Sleep waits for d or until ctx ends; nil means a timer.
	Sleep func(ctx context.Context, d time.Duration) error
	// Logger takes what a run has to say beside its result; nil means
	// slog.Default.
	Logger *slog.Logger
}

// EmulatorLag is the SnapshotLag that the official emulator needs.
const EmulatorLag = time.Second

const (
	defaultHorizon  = 10 * time.Minute
	defaultInterval = 20 * time.Hour
)

// run is one repair of one collection.
type run struct {
	Options
	id       string
	client   *firestore.Client
	store    *memory.Store
	memories string // path of the memory collection
	index    *indexdb.Index
	started  time.Time // only for how long the run took
	result   Result
}

func newRun(client *firestore.Client, memories string, kind index.Kind, o *Options) (*run, error) {
	x, err := indexdb.Of(client, memories)
	if err != nil {
		return nil, fmt.Errorf("repair: %w", err)
	}
	r := &run{client: client, memories: memories, index: x, started: time.Now()}
	if o != nil {
		r.Options = *o
	}
	switch {
	case r.Horizon == 0:
		r.Horizon = defaultHorizon
	case r.Horizon < 0:
		r.Horizon = 0
	}
	if r.Interval == 0 {
		r.Interval = defaultInterval
	}
	if r.Rand == nil {
		r.Rand = rand.Reader
	}
	if r.Sleep == nil {
		r.Sleep = gax.Sleep
	}
	if r.Logger == nil {
		r.Logger = slog.Default()
	}
	if r.store, err = memory.NewStore(client, memories, r.Schema); err != nil {
		return nil, fmt.Errorf("repair: %w", err)
	}
	id := make([]byte, 8)
	if _, err := io.ReadFull(r.Rand, id); err != nil {
		return nil, fmt.Errorf("repair %s: run id: %w", memories, err)
	}
	r.id = hex.EncodeToString(id)
	r.result = Result{Collection: memories, Run: r.id, Kind: kind}
	return r, nil
}

// Result says what a run did.
type Result struct {
	Collection string     `json:"collection"`
	Run        string     `json:"run"`
	Kind       index.Kind `json:"kind"` // what was done in the end
	// WhyBuild says why a compaction became a build; empty otherwise.
	WhyBuild string `json:"why,omitempty"`
	// Unchanged: there was nothing to merge, so nothing was written.
	Unchanged bool `json:"unchanged,omitempty"`
	Memories  int  `json:"memories"` // listed afterwards
	Parts     int  `json:"parts"`    // of the base
	BaseBytes int  `json:"base_bytes"`
	Reads     int  `json:"reads"`  // documents read, as billed
	Writes    int  `json:"writes"` // documents written or deleted
	// Drift compares the index as the run found it with the store. Nil if there
	// was no index to compare, and for a compaction.
	Drift *Drift `json:"drift,omitempty"`
	// NotCompared says why a build could not compare: the index that it found was
	// missing, damaged, of another format or built with other settings.
	NotCompared string `json:"unread,omitempty"`
	// Uncleaned says what was not cleaned up; the next run does it, and until
	// then it costs a turn reads but changes no list.
	Uncleaned string        `json:"uncleaned,omitempty"`
	Took      time.Duration `json:"took_ns"`
}
