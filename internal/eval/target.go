package eval

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"time"

	"cloud.google.com/go/firestore"
	"google.golang.org/api/option"

	"hippocampus/functions"
	"hippocampus/index"
	"hippocampus/internal/eval/bill"
	"hippocampus/internal/eval/corpus"
	"hippocampus/internal/eval/result"
	"hippocampus/internal/indexdb"
	"hippocampus/internal/stack"
	"hippocampus/internal/ways"
	"hippocampus/memory"
	"hippocampus/reader"
	"hippocampus/repair"
)

// Deployment is the Firestore that is measured, and what of the product runs on it.
type Deployment struct {
	Kind result.Kind
	Name string // for people
	// Open returns a client that the caller closes.
	Open func(ctx context.Context, opts ...option.ClientOption) (*firestore.Client, error)
	// Config is that of the functions which keep the indexes.
	Config functions.Config
	// Tenant begins the names of the tenants of the evaluation's own. It writes to no other.
	Tenant string
	// SnapshotLag is what repairs need there; see repair.Options.
	SnapshotLag time.Duration
	// Stack is the product, where it runs in this process. Nil: the functions are deployed
	// somewhere else, and events cannot be made to go wrong.
	Stack *stack.Stack
	// Events returns when functions that are deployed somewhere else have handled the events of
	// every commit so far, as well as can be known. Nil gives them five seconds.
	Events func(context.Context) error

	functions *bill.Meter // of what the functions of Stack call
}

// Start starts an emulator with the product on it. The caller closes its Stack.
func Start(ctx context.Context, kind stack.Kind, log *slog.Logger) (*Deployment, error) {
	t := &Deployment{
		Kind: result.Kind(kind), Name: fmt.Sprintf("the %s emulator", kind), Tenant: "eval",
		Config: functions.Config{Memories: functions.DefaultMemories}, SnapshotLag: kind.Lag(),
	}
	var err error
	t.functions = &bill.Meter{}
	t.Stack, err = stack.Start(ctx, &stack.Options{Kind: kind, Project: "demo-hippo-eval",
		Config: t.Config, Logger: log, Client: t.functions.Options()})
	if err != nil {
		return nil, err
	}
	t.Open = t.Stack.Emulator.Client
	return t, nil
}

// store is a collection of the evaluation's own.
type store struct {
	path    string
	indexed string // path of its index
	client  *firestore.Client
	target  *Deployment
}

// hooked returns the store of a tenant, whose changes the functions follow.
func (r *evaluation) hooked(what string) *store {
	path, err := fill(r.target.Config.Memories, r.target.Tenant+"-"+what)
	if err != nil {
		r.refused = err
	}
	return r.own(path)
}

// quiet returns a store that no function follows, so that nothing but what is measured is at work.
func (r *evaluation) quiet(what string) *store {
	return r.own("hippo-eval/" + r.target.Tenant + "-" + what + "/memories")
}

// own returns a store of the evaluation's own. All stores are known before the first is written to.
func (r *evaluation) own(path string) *store {
	indexed, err := index.Path(path)
	if err != nil && r.refused == nil {
		r.refused = err
	}
	s := &store{path: path, indexed: indexed, client: r.client, target: r.target}
	r.stores = append(r.stores, s)
	return s
}

// vacant requires of the stores that they are empty: all of them are removed in the end.
func (r *evaluation) vacant(ctx context.Context) error {
	for _, s := range r.stores {
		docs, err := r.client.Collection(s.path).Limit(1).Documents(ctx).GetAll()
		if err != nil {
			return err
		}
		if len(docs) > 0 {
			return fmt.Errorf("%s has documents, and an evaluation removes all of its own: give another --tenant or, if an earlier evaluation was killed, %s",
				s.path, byHand(s.path))
		}
	}
	return nil
}

// byHand says how to remove what an evaluation has left.
func byHand(path string) string {
	return fmt.Sprintf("remove it: firebase firestore:delete --recursive %s, and then hippo drop --collection %s", path, path)
}

// fill puts a tenant's name in the place of each wildcard of a pattern.
func fill(pattern, tenant string) (string, error) {
	segments := strings.Split(pattern, "/")
	wildcards := 0
	for i, s := range segments {
		if strings.ContainsAny(s, "{}*") {
			segments[i] = tenant
			wildcards++
		}
	}
	if wildcards == 0 {
		return "", fmt.Errorf("HIPPO_MEMORIES=%s has no wildcard, so there can be no tenants of the evaluation's own: measure with --only cost, and compare what is there with --collection", pattern)
	}
	return strings.Join(segments, "/"), nil
}

func (s *store) schema() memory.Schema { return s.target.Config.Schema }

// named returns a name that the store can have: where ids are the names, they have no slash.
func (t *Deployment) named(name string) string {
	if t.Config.Schema.IDs == memory.Plain {
		return strings.ReplaceAll(name, "/", ":")
	}
	return name
}

// ref returns the document of a memory.
func (s *store) ref(name string) (*firestore.DocumentRef, error) {
	id, err := s.schema().IDs.ID(name)
	if err != nil {
		return nil, err
	}
	return s.client.Collection(s.path).Doc(id), nil
}

func (s *store) write(ctx context.Context, memories []corpus.Memory, done func(written int)) error {
	o := &corpus.WriteOptions{PlainIDs: s.schema().IDs == memory.Plain,
		DateField: s.schema().Field(), Progress: done}
	if s.target.Kind == result.Live {
		o.PerSecond = livePerSecond
	}
	return corpus.Write(ctx, s.client, s.path, o, memories)
}

// livePerSecond is how fast a project is written to: Firestore wants new collections to begin at
// 500 a second.
const livePerSecond = 450

func (s *store) reader(log *slog.Logger) *reader.Reader {
	return reader.New(s.client, &reader.Options{Schema: s.schema(), Logger: log})
}

// scan returns the list as the store has it, at a server time, or now if that is zero.
func (s *store) scan(ctx context.Context, at time.Time) ([]ways.Entry, error) {
	list, _, err := ways.NamesScan(ctx, s.client, s.path, s.ways(at))
	return list, err
}

func (s *store) ways(at time.Time) ways.Options {
	return ways.Options{PlainIDs: s.schema().IDs == memory.Plain, DateField: s.schema().Field(),
		ReadTime: at}
}

// fold makes a full fold, unless another one has just been made.
func (s *store) fold(ctx context.Context, log *slog.Logger) error {
	_, err := repair.Build(ctx, s.client, s.path, s.repairOptions(log))
	if errors.Is(err, repair.ErrSuperseded) {
		return nil
	}
	return err
}

// compact makes a compaction, unless another run has just been made.
func (s *store) compact(ctx context.Context, log *slog.Logger) error {
	_, err := repair.Compact(ctx, s.client, s.path, s.repairOptions(log))
	if errors.Is(err, repair.ErrSuperseded) {
		return nil
	}
	return err
}

func (s *store) repairOptions(log *slog.Logger) *repair.Options {
	return &repair.Options{Schema: s.schema(), SnapshotLag: s.target.SnapshotLag, Horizon: -1,
		Logger: log}
}

// drain returns when the functions have handled the events of every commit so far. It needs a
// stack.
func (t *Deployment) drain(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, drainTimeout)
	defer cancel()
	if err := t.Stack.Broker.Drain(ctx); err != nil {
		return fmt.Errorf("the events of the changes are not handled within %s, smaller sizes may be: %v", drainTimeout, err)
	}
	return nil
}

// awaitEvents returns when the functions have handled the events of every commit so far or, where
// they run somewhere else, are taken to have.
func (t *Deployment) awaitEvents(ctx context.Context) error {
	switch {
	case t.Stack != nil:
		return t.drain(ctx)
	case t.Events != nil:
		return t.Events(ctx)
	}
	return sleep(ctx, quietTime)
}

// drainTimeout bounds how long the events of one step may take.
const drainTimeout = 15 * time.Minute

// quietTime is how long functions that run somewhere else are given for events. So long the index
// of a removed store must stay gone, too: they handle the events of the removal.
const quietTime = 5 * time.Second

// remove deletes all that the evaluation has written. Events that come later than anything before
// them may still leave a shard without an index, which hippo drop removes.
func (r *evaluation) remove(ctx context.Context) error {
	var errs []error
	failed := func(s *store, err error) {
		if err != nil {
			errs = append(errs, fmt.Errorf("clean up: %w; %s", err, byHand(s.path)))
		}
	}
	for _, s := range r.stores {
		_, err := corpus.Remove(ctx, s.client, s.path)
		failed(s, err)
	}
	for gone := false; !gone && len(errs) == 0; {
		gone = true
		for _, s := range r.stores {
			n, err := repair.Drop(ctx, s.client, s.path)
			if indexdb.WrittenSince(err) {
				n, err = 1, nil // the functions have written to it meanwhile
			}
			failed(s, err)
			gone = gone && n == 0
		}
		if !gone {
			failed(r.stores[0], r.target.awaitEvents(ctx))
		}
	}
	return errors.Join(errs...)
}
