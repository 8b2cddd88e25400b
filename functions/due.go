package functions

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"sync"
	"time"

	"hippocampus/index"
	"hippocampus/repair"
)

// Summary is what RepairDue answers.
type Summary struct {
	// Found is how many collections are due or have a request.
	Found int `json:"found"`
	// Repaired holds what was done, in the order in which it was finished.
	Repaired []*repair.Result `json:"repaired"`
	// Superseded is how many were repaired by others at the same time.
	Superseded int `json:"lost"`
	// Failed holds those whose repair failed; the next run tries them again.
	Failed []Failure `json:"failed"`
	// Left is how many there was no time for.
	Left int `json:"left"`
	// Error says why nothing could be done.
	Error  string `json:"error,omitempty"`
	TookMS int64  `json:"took_ms"`
}

// Failure is a collection whose repair failed.
type Failure struct {
	Collection string `json:"collection"`
	Error      string `json:"error"`
}

// RepairDue repairs the collections that are due or have a request, most overdue
// first, until the budget is used up. It takes a POST and answers with a Summary:
// 200, or 500 if something failed, so that Cloud Scheduler tries again.
func (s *Service) RepairDue(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodPost {
		w.Header().Set("Allow", http.MethodPost)
		http.Error(w, "RepairDue takes a POST: it writes", http.StatusMethodNotAllowed)
		return
	}
	summary := s.repairDue(r.Context())
	status := http.StatusOK
	if summary.Error != "" || len(summary.Failed) > 0 {
		status = http.StatusInternalServerError
	}
	s.log.InfoContext(r.Context(), "repair of what is due", "found", summary.Found, "repaired",
		len(summary.Repaired),
		"lost", summary.Superseded, "failed", len(summary.Failed), "left", summary.Left, "error", summary.Error)
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	if err := json.NewEncoder(w).Encode(summary); err != nil {
		s.log.WarnContext(r.Context(), "the summary was not delivered", "error", err.Error())
	}
}

func (s *Service) repairDue(ctx context.Context) *Summary {
	started := time.Now()
	run := &repairDueCall{service: s, summary: &Summary{Repaired: []*repair.Result{},
		Failed: []Failure{}}}
	ctx, cancel := context.WithTimeout(ctx, s.config.RepairBudget)
	defer cancel()
	due, err := repair.Due(ctx, s.client)
	if err != nil {
		run.summary.Error = err.Error()
	}
	for _, target := range due {
		// Others' collections may have an index in this database, too.
		if s.pattern.matches(target.Collection) {
			run.targets = append(run.targets, target)
		}
	}
	run.summary.Found = len(run.targets)
	run.do(ctx)
	run.summary.TookMS = time.Since(started).Milliseconds()
	return run.summary
}

// repairDueCall is one call of RepairDue.
type repairDueCall struct {
	service *Service

	mu      sync.Mutex
	targets []repair.Task // still to do
	summary *Summary
}

func (d *repairDueCall) do(ctx context.Context) {
	var workers sync.WaitGroup
	for range min(d.service.options.Parallel, len(d.targets)) {
		workers.Go(func() {
			for {
				target, ok := d.next(ctx)
				if !ok {
					return
				}
				d.repair(ctx, target)
			}
		})
	}
	workers.Wait()
	d.summary.Left += len(d.targets)
}

func (d *repairDueCall) next(ctx context.Context) (repair.Task, bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if len(d.targets) == 0 || ctx.Err() != nil {
		return repair.Task{}, false
	}
	next := d.targets[0]
	d.targets = d.targets[1:]
	return next, true
}

func (d *repairDueCall) repair(ctx context.Context, target repair.Task) {
	s := d.service
	started := time.Now()
	do := repair.Build
	if target.Kind == index.Compaction {
		do = repair.Compact
	}
	result, err := do(ctx, s.client, target.Collection, &s.options.Repair)
	d.mu.Lock()
	defer d.mu.Unlock()
	switch {
	case err == nil:
		d.summary.Repaired = append(d.summary.Repaired, result)
		if result.Drift != nil && result.Drift.Total() > 0 {
			s.log.WarnContext(ctx, "the index had drifted from its store, and was repaired: events were lost", "collection", target.Collection, "drift", result.Drift)
		}
	case errors.Is(err, repair.ErrSuperseded):
		d.summary.Superseded++
	case ctx.Err() != nil && time.Since(started) < s.config.RepairBudget/2:
		d.summary.Left++ // being the most overdue it has the whole budget next time
	default:
		if ctx.Err() != nil {
			err = fmt.Errorf("%w: it needs more than this run's time: raise %s, or repair it from a machine with hippo repair", err, envBudget)
		}
		d.summary.Failed = append(d.summary.Failed,
			Failure{Collection: target.Collection, Error: err.Error()})
		s.log.ErrorContext(ctx, "repair failed: the next scheduled run tries again", "collection",
			target.Collection, "error", err.Error())
	}
}
