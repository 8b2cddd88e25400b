package chaos

import (
	"context"
	"fmt"
	"math/rand/v2"
	"regexp"

	"cloud.google.com/go/firestore"

	"hippocampus/memory"
)

// schedule is one run of random operations, decided by its seed.
type schedule struct {
	*world
	ctx        context.Context
	seed       uint64
	rand       *rand.Rand
	tenants    []*tenant
	lossy      bool
	fillsShard bool // fills a shard at some moment
	epoch      memory.Micros
	started    []memory.Micros // when operations began, by Firestore's clock
	events     int             // numbered so far
	trace      []string
	actors     map[*actor]struct{} // under way

	refusals int // of commits, by a full shard
}

func newSchedule(ctx context.Context, w *world, seed uint64) *schedule {
	return &schedule{world: w, ctx: ctx, seed: seed, rand: rand.New(rand.NewPCG(seed, 20260801)),
		actors: map[*actor]struct{}{}}
}

// run runs the schedule and returns what it found, nil if the list always was as it should be. The
// error says that it could not go on to its end.
func (s *schedule) run() (found *Failure, err error) {
	var cancel context.CancelFunc
	s.ctx, cancel = context.WithTimeout(s.ctx, longest)
	defer cancel()
	defer func() {
		if thrown := recover(); thrown != nil {
			found, err = s.caught(thrown)
			s.abandon()
		}
	}()
	s.begin()
	for n := 30 + s.rand.IntN(20); n > 0; n-- {
		s.check(s.operate(), "after this operation")
	}
	s.end()
	return nil, nil
}

// operate makes one random operation and returns in which tenant.
func (s *schedule) operate() *tenant {
	t := s.tenants[0] // most happens in one tenant, so that it meets there
	if s.chance(.25) {
		t = pick(s, s.tenants)
	}
	s.started = append(s.started, s.now())
	var options []operation
	add := func(weight int, possible bool, do func(*tenant)) {
		if possible {
			options = append(options, operation{weight, do})
		}
	}
	add(24, true, s.change)
	add(24, len(t.pending) > 0, s.deliverOne)
	add(4, len(t.pending) > 1, s.deliverBurst)
	add(5, len(t.done) > 0, s.redeliver)
	add(4, s.lossy && len(t.pending) > 0, s.lose)
	add(8, s.idleRunner() != nil, s.startFold)
	add(7, s.idleRunner() != nil && t.built, s.startCompaction)
	add(3, s.idleRunner() != nil && t.built, s.foldPast)
	add(20, len(s.runsOf(t)) > 0, s.stepRun)
	add(4, len(s.runsOf(t)) > 0, s.killRun)
	add(10, len(s.deliveriesOf(t)) > 0, s.stepDelivery)
	add(6, len(t.requests) > 0 && s.idleInstance() != nil, s.serveRequest)
	add(6, s.fillsShard, s.fillShard)
	choose(s, options)(t)
	return t
}

type operation struct {
	weight int
	do     func(*tenant)
}

func choose(s *schedule, options []operation) func(*tenant) {
	total := 0
	for _, o := range options {
		total += o.weight
	}
	n := s.rand.IntN(total)
	for _, o := range options {
		if n < o.weight {
			return o.do
		}
		n -= o.weight
	}
	panic("unreachable: the weights add up to total")
}

func (s *schedule) chance(p float64) bool { return s.rand.Float64() < p }

func pick[T any](s *schedule, from []T) T { return from[s.rand.IntN(len(from))] }

func shuffled[T any](s *schedule, from []T) []T {
	all := append([]T(nil), from...)
	s.rand.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	return all
}

// moments are times that are not counted from the schedule's beginning.
var moments = regexp.MustCompile(`\d{4}-\d\d-\d\dT[\d:.]+Z`)

// note adds a line to the schedule's log, which is the same whenever the schedule is run.
func (s *schedule) note(format string, args ...any) {
	s.trace = append(s.trace, moments.ReplaceAllString(fmt.Sprintf(format, args...), "…"))
}

// now returns Firestore's time.
func (s *schedule) now() memory.Micros {
	nothing, err := s.client.GetAll(s.ctx, []*firestore.DocumentRef{s.client.Doc("chaos/nothing")})
	s.mustFirestore(err)
	return memory.MicrosOf(nothing[0].ReadTime)
}
