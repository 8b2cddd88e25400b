package differential_test

import (
	"context"
	"fmt"
	"maps"
	"math"
	"os"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	pb "cloud.google.com/go/firestore/apiv1/firestorepb"
	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"
	"google.golang.org/grpc/codes"

	"hippocampus/emulator"
	"hippocampus/emulator/official/officialtest"
	"hippocampus/internal/mutant"
)

// atOnce is how many programs run at the same time.
const atOnce = 12

// patience is how long a program may take. A server that does not answer is a difference.
const patience = 20 * time.Second

// servers are both emulators.
type servers struct {
	official, ours pb.FirestoreClient
	projects       atomic.Int64
}

func start(t *testing.T) *servers {
	em, err := emulator.Start(t.Context(), nil)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, em.Close()) })
	return &servers{
		official: pb.NewFirestoreClient(officialtest.Dial(t, officialHost(t))),
		ours:     pb.NewFirestoreClient(officialtest.Dial(t, em.Host())),
	}
}

// found is a difference.
type found struct {
	seed           uint64
	steps          []int // that were done
	program        *program
	official, ours string
}

// tally counts what programs did, by the kind of request and its code.
type tally struct {
	sync.Mutex
	steps map[string]int
}

// try runs some steps of a program, all if without is nil, in a new project, and returns the first
// difference, or nil.
func (s *servers) try(ctx context.Context, seed uint64, without func(*program, int) bool, counts *tally) *found {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	p := newProgram(seed, fmt.Sprintf("demo-differential-%d-%d-%d", seed, os.Getpid(), s.projects.Add(1)))
	official, ours := newSide(s.official, p.database), newSide(s.ours, p.database)
	f := &found{seed: seed, program: p}
	for i, st := range p.steps {
		if without != nil && without(p, i) {
			continue
		}
		f.steps = append(f.steps, i)
		answer := make(chan string)
		go func() { answer <- ours.do(ctx, i, st) }()
		f.official = official.do(ctx, i, st)
		f.ours = <-answer
		if f.official != f.ours {
			f.official, f.ours = f.official+official.says+"\n", f.ours+ours.says+"\n"
			return f
		}
		if counts != nil {
			code, _, _ := strings.Cut(f.ours, "\n")
			counts.Lock()
			counts.steps[fmt.Sprintf("%T %s", st.request, code)]++
			if len(st.targets) > 0 {
				counts.steps["listeners "+code]++
			}
			counts.Unlock()
		}
	}
	return nil
}

// smaller leaves out steps of a program as long as it finds a difference.
func (s *servers) smaller(ctx context.Context, f *found) *found {
	if slow := codes.DeadlineExceeded.String(); strings.Contains(f.official+f.ours, slow) {
		return f // each try would be as slow
	}
	last := f.steps[len(f.steps)-1]
	needed := f.program.steps[last].group
	left := map[int]bool{}
	for i := needed - 1; i > 0; i-- {
		if f.program.steps[i].group != i {
			continue
		}
		left[i] = true
		g := s.try(ctx, f.seed, func(p *program, n int) bool { return left[p.steps[n].group] || n > last }, nil)
		if g == nil {
			delete(left, i)
			continue
		}
		f = g
	}
	return f
}

func (f *found) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "program %d differs at step %d; run it with -differential.seed=%d\n", f.seed, f.steps[len(f.steps)-1], f.seed)
	for _, i := range f.steps {
		fmt.Fprintf(&b, "-- step %d: %s\n", i, f.program.steps[i])
	}
	fmt.Fprintf(&b, "== the official emulator:\n%s== ours:\n%s== official -, ours +:\n%s", f.official, f.ours,
		cmp.Diff(strings.Split(f.official, "\n"), strings.Split(f.ours, "\n")))
	return strings.ReplaceAll(b.String(), f.program.root(), "~")
}

// Every program gives the same on both servers, at every step.
func TestPrograms(t *testing.T) {
	s := start(t)
	if *seed != 0 {
		for i, st := range newProgram(*seed, "demo-p").steps {
			t.Logf("-- step %d: %s", i, st)
		}
		if f := s.try(t.Context(), *seed, nil, nil); f != nil {
			t.Fatal(s.smaller(t.Context(), f))
		}
		return
	}
	counts := &tally{steps: map[string]int{}}
	var next, least atomic.Uint64
	next.Store(*first)
	least.Store(math.MaxUint64)
	var mu sync.Mutex
	var differs []*found
	var workers sync.WaitGroup
	for range atOnce {
		workers.Go(func() {
			for {
				n := next.Add(1) - 1
				if n >= *first+uint64(*runs) || n > least.Load() && !*every {
					return
				}
				if f := s.try(t.Context(), n, nil, counts); f != nil {
					mu.Lock()
					differs = append(differs, f)
					least.Store(min(least.Load(), n))
					mu.Unlock()
				}
			}
		})
	}
	workers.Wait()
	for _, f := range differs {
		if f.seed == least.Load() || *every {
			if os.Getenv(mutant.Variable) == "" {
				f = s.smaller(t.Context(), f)
			}
			t.Error(f)
		}
	}
	t.Log(counts)
	if *runs >= 500 {
		counts.check(t)
	}
}

// check checks that programs do everything, and most of it with success.
func (c *tally) check(t *testing.T) {
	kinds := map[string]int{}
	for kind, n := range c.steps {
		name, code, _ := strings.Cut(kind, " ")
		if code != codes.OK.String() {
			n = -n
		}
		kinds[name] += n
	}
	require.Len(t, kinds, 11)
	for name, n := range kinds {
		require.Positive(t, n, "%s: more errors than answers", name)
	}
}

func (c *tally) String() string {
	var b strings.Builder
	for _, kind := range slices.Sorted(maps.Keys(c.steps)) {
		fmt.Fprintf(&b, "%s: %d\n", kind, c.steps[kind])
	}
	return b.String()
}
