package chaos

import (
	"context"
	"slices"
	"time"

	"cloud.google.com/go/firestore"

	"hippocampus/index"
	"hippocampus/memory"
)

// startFold starts a full fold, which now and then reads the past.
func (s *schedule) startFold(t *tenant) {
	o := repairOptions{page: s.rand.IntN(3)}
	if s.chance(.4) {
		o.lag = s.since(s.started[max(0, len(s.started)-1-s.rand.IntN(8))])
	}
	s.goOn(s.startFull(t, o))
}

// foldPast changes a memory, has a compaction take that in, and then starts a full
// fold that would read the time before.
func (s *schedule) foldPast(t *tenant) {
	begun := s.now()
	s.change(t)
	s.deliverAll(t, t.pending)
	s.compactNow(t)
	s.goOn(s.startFull(t, repairOptions{lag: s.since(begun)}))
}

// since returns how long ago a moment was, by Firestore's clock.
func (s *schedule) since(m memory.Micros) time.Duration { return s.now().Time().Sub(m.Time()) }

func (s *schedule) startFull(t *tenant, o repairOptions) *run {
	what := "full fold"
	if o.lag > 0 {
		what += " " + o.lag.Round(time.Microsecond).String() + " ago"
		s.cover.add(backwardsInTime, 1)
	}
	return s.start(t, what, true, func(ctx context.Context, client *firestore.Client) error { return s.sys.build(ctx, client, t.path, o) })
}

func (s *schedule) startCompaction(t *tenant) {
	r := s.start(t, "compaction", false, func(ctx context.Context, client *firestore.Client) error { return s.sys.compact(ctx, client, t.path) })
	s.goOn(r)
}

// serveRequest delivers the event of a request to the functions, which run what
// it asks for, or loses it.
func (s *schedule) serveRequest(t *tenant) {
	m := t.requests[0]
	t.requests = t.requests[1:]
	if s.chance(.2) {
		s.note("%s: lose a request", t.path)
		return
	}
	on := s.idleInstance()
	kind := m.Event.Data.GetValue().GetFields()[index.KindField].GetStringValue()
	r := &run{tenant: t, what: "requested " + kind, isBuild: kind != string(index.Compaction), release: func() { on.run = nil }}
	on.run = r
	s.begun(r)
	r.actor = s.act(r.what, on.gate, s.watch(r), func(ctx context.Context) error { return s.post(ctx, on, m) })
	s.ended(r)
	s.cover.add(served, 1)
	s.goOn(r)
}

func (s *schedule) begun(r *run) {
	if len(s.runsOf(r.tenant)) > 1 {
		s.cover.add(atOnce, 1)
	}
	s.note("%s: start %s", r.tenant.path, r.what)
}

// goOn lets a run go on for a few calls, or to its end.
func (s *schedule) goOn(r *run) {
	steps := s.rand.IntN(4)
	if s.chance(.25) {
		steps = 1000
	}
	for ; steps > 0 && !r.actor.ended(); steps-- {
		s.stepRunBy(r, pass)
	}
	s.waits(r)
}

func (s *schedule) waits(r *run) {
	if !r.actor.ended() {
		s.note("    %s waits at %s", r.what, r.actor.at)
	}
}

func (s *schedule) stepRun(t *tenant) {
	r := pick(s, s.runsOf(t))
	at, v := r.actor.at, pass
	s.note("%s: %s goes on at %s", t.path, r.what, at)
	switch {
	case at.method != "Commit":
	case s.chance(.03):
		v = contend
	case s.chance(map[bool]float64{true: .3, false: .05}[at.flips()]):
		v = unheard
		s.note("    whose answer is lost")
		if at.flips() {
			s.cover.add(unheardFlips, 1)
		}
	}
	s.stepRunBy(r, v)
	s.goOn(r)
}

// killRun has a run die at the call that it waits for, before or after it.
func (s *schedule) killRun(t *tenant) {
	mortals := slices.DeleteFunc(s.runsOf(t), func(r *run) bool { return !r.mortal })
	if len(mortals) == 0 {
		return
	}
	s.kill(pick(s, mortals))
}

func (s *schedule) kill(r *run) {
	before := r.flipped
	v, when := dieBefore, "before"
	if s.chance(.6) {
		v, when = dieAfter, "after"
	}
	s.note("%s: %s dies %s %s", r.tenant.path, r.what, when, r.actor.at)
	s.stepRunBy(r, v)
	switch {
	case before:
		s.cover.add(cleanupsDied, 1)
	case r.flipped:
		s.cover.add(diedAfterFlip, 1)
	case r.isBuild:
		s.cover.add(foldsDied, 1)
	default:
		s.cover.add(compactionsDied, 1)
	}
}
