package chaos

import (
	"context"
	"slices"

	"cloud.google.com/go/firestore"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
)

// run is a fold or a compaction under the schedule's control.
type run struct {
	tenant     *tenant
	what       string
	isBuild    bool // a full fold, as far as the schedule knows
	mortal     bool
	actor      *actor
	flipped    bool // it was: meta is its own, or was
	superseded bool // a flip of it failed its precondition
	flips      int  // the tenant's, when it flipped
	release    func()
}

// start starts a run on an idle runner.
func (s *schedule) start(t *tenant, what string, full bool,
	work func(context.Context, *firestore.Client) error) *run {
	on := s.idleRunner()
	if on == nil { // at the end only
		s.finishRun(s.runners[0].run)
		on = s.runners[0]
	}
	r := &run{tenant: t, what: what, isBuild: full, mortal: true, release: func() { on.run = nil }}
	on.run = r
	s.begun(r)
	r.actor = s.act(what, on.gate, s.watch(r), func(ctx context.Context) error { return work(ctx, on.client) })
	s.ended(r)
	return r
}

// overtaken reports whether another run flipped after this one.
func (r *run) overtaken() bool { return r.flipped && r.flips < r.tenant.flips }

func (s *schedule) stepRunBy(r *run, v verdict) {
	if r.overtaken() {
		s.cover.add(lateCleanup, 1)
	}
	r.actor.step(v)
	s.ended(r)
}

// ended notes how a run has ended, if it has.
func (s *schedule) ended(r *run) {
	if !r.actor.ended() {
		return
	}
	r.release()
	result := "done"
	if err := r.actor.err; err != nil {
		result = err.Error()
		if expected := r.actor.dead.Load() || (r.superseded || r.overtaken()) &&
			s.sys.isSuperseded(err); !expected {
			s.unexpected(err, "%s: %s", r.tenant.path, r.what)
		}
	}
	s.note("    %s ends: %s", r.what, result)
}

// watch follows a run by its calls.
func (s *schedule) watch(r *run) func(*actor, *call, error) {
	return func(_ *actor, c *call, err error) {
		t := r.tenant
		if r.superseded && r.isBuild && c.method == "RunQuery" {
			r.superseded = false
			s.cover.add(restarted, 1)
		}
		if !c.flips() {
			return
		}
		switch status.Code(err) {
		case codes.OK:
			r.flipped = true
			t.built = true
			t.flips++
			r.flips = t.flips
			if r.isBuild {
				t.folds++
			} else {
				t.compactions++
			}
		case codes.FailedPrecondition, codes.AlreadyExists, codes.NotFound:
			if r.flipped && !r.overtaken() {
				return // it was made again, as the first answer was lost
			}
			r.superseded = true
			s.cover.add(supersededRuns, 1)
		}
	}
}

func (s *schedule) idleRunner() *runner {
	for _, r := range s.runners {
		if r.run == nil {
			return r
		}
	}
	return nil
}

// allRuns returns the runs under way.
func (s *schedule) allRuns() []*run {
	var all []*run
	for _, r := range s.runners {
		if r.run != nil {
			all = append(all, r.run)
		}
	}
	for _, i := range s.instances {
		if i.run != nil {
			all = append(all, i.run)
		}
	}
	return all
}

func (s *schedule) runsOf(t *tenant) []*run {
	return slices.DeleteFunc(s.allRuns(), func(r *run) bool { return r.tenant != t })
}
