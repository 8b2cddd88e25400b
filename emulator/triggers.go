package emulator

import (
	"context"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"sync"
	"time"

	"hippocampus/emulator/internal/database"
	"hippocampus/emulator/internal/store"
	"hippocampus/emulator/internal/trigger"
)

// defaultDatabase is the id of the database of a project that asks for no other.
const defaultDatabase = "(default)"

// AddTrigger has the events of a type (such as "google.cloud.firestore.document.v1.written") of the
// documents that match pattern ("tenants/{tenant}/memories/{memory}", or "{document=**}" for all)
// in the default database of this project posted, for the commits that come after it. A trigger of
// the same name is replaced.
func (e *Emulator) AddTrigger(ctx context.Context, name, eventType, pattern string) error {
	err := ctx.Err()
	if err == nil {
		err = e.triggers.of(e.project).Add(trigger.Trigger{Name: name, EventType: eventType,
			Database: defaultDatabase, Pattern: pattern})
	}
	if err != nil {
		return fmt.Errorf("emulator: add trigger %q (%s on %q): %w", name, eventType, pattern, err)
	}
	return nil
}

// Receive has h handle the events that this project's triggers post, one POST to
// /functions/projects/{project}/triggers/{name} each, from now on; nil stops that. An event is
// posted once, after its commit, in this process: no connection is made. The posts of a project
// come one after the other, in the order of its commits. It is an error if Options.Functions sends
// the events elsewhere.
func (e *Emulator) Receive(h http.Handler) error {
	if err := e.triggers.of(e.project).Receive(h); err != nil {
		return fmt.Errorf("emulator: receive events of %s: %w", e.project, err)
	}
	return nil
}

// Settle returns when the events of every commit to this project that had returned before have been
// answered, by what Receive was given or at Options.Functions. It takes as long as that does, so
// give ctx a deadline.
func (e *Emulator) Settle(ctx context.Context) error {
	if err := e.triggers.of(e.project).Settle(ctx); err != nil {
		return fmt.Errorf("emulator: settle %s: %w", e.project, err)
	}
	return nil
}

// triggers are the queues of all projects.
type triggers struct {
	seed      uint64
	functions string

	mu     sync.RWMutex
	queues map[string]*trigger.Queue // by project
}

// of returns the queue of a project, made if there is none.
func (t *triggers) of(project string) *trigger.Queue {
	t.mu.RLock()
	q := t.queues[project]
	t.mu.RUnlock()
	if q != nil {
		return q
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if q = t.queues[project]; q == nil {
		q = trigger.New(trigger.Options{Project: project, Seed: t.seed, Functions: t.functions})
		t.queues[project] = q
	}
	return q
}

// watch has the commits of a database queue their events.
func (t *triggers) watch(d *database.Database) {
	q := t.of(d.Name.Project)
	d.Store.Watch(func(at time.Time, changes []store.Change) { q.Committed(d.Name.ID, at, changes) })
}

// close closes all queues. No commit may be in flight.
func (t *triggers) close() {
	t.mu.RLock()
	queues := slices.Collect(maps.Values(t.queues))
	t.mu.RUnlock()
	for _, q := range queues {
		q.Close()
	}
}
