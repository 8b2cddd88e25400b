package eventarc_test

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"regexp"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"hippocampus/emulator/eventarc"
)

// Drain waits for the events of what the functions write, too, through a chain of three.
func TestDrainFollowsWhatFunctionsWrite(t *testing.T) { onBoth(t, drainFollowsWhatFunctionsWrite) }

func drainFollowsWhatFunctionsWrite(t *testing.T, em eventarc.Firestore) {
	ctx := t.Context()
	client := newClient(t, em)
	b := start(t, &eventarc.Options{Provider: em})
	last := newFunction(t)
	add(t, b, eventarc.Trigger{Name: "z", Pattern: "z/{id}", URL: last.url})
	for _, step := range [][2]string{{"x", "y"}, {"y", "z"}} {
		f := newFunction(t)
		f.respond(func(_ int, r request) int {
			_, id, _ := strings.Cut(r.document(), "/")
			if _, err := client.Doc(step[1]+"/"+id).Set(ctx, map[string]any{"a": 1}); err != nil {
				return http.StatusInternalServerError
			}
			return http.StatusOK
		})
		add(t, b, eventarc.Trigger{Name: step[0], Pattern: step[0] + "/{id}", URL: f.url})
	}
	const rounds, writes = 10, 5
	for round := range rounds {
		for n := range writes {
			_, err := client.Doc(fmt.Sprintf("x/%d-%d", round, n)).Set(ctx, map[string]any{"a": 1})
			require.NoError(t, err)
		}
		drain(t, b)
		require.Len(t, last.got(), (round+1)*writes)
		require.Zero(t, b.Stats().Pending)
	}
}

// Under chaos and concurrent writers every event that is not dropped arrives, and Drain waits for
// all.
func TestChaosWithTheEmulator(t *testing.T) { onBoth(t, chaosWithTheEmulator) }

func chaosWithTheEmulator(t *testing.T, em eventarc.Firestore) {
	ctx := t.Context()
	client := newClient(t, em)
	f := newFunction(t)
	b := start(t, &eventarc.Options{Provider: em})
	add(t, b, eventarc.Trigger{Name: "t", Pattern: "x/{id}", URL: f.url})
	require.NoError(t, b.Misbehave(eventarc.Chaos{
		Seed: 1, Duplicate: 0.3, Delay: 0.3, Reorder: 0.3, Fail: 0.2, LoseAck: 0.2, MaxDelay: 10 * time.Millisecond,
	}))
	const writers, writes = 4, 25
	var wg sync.WaitGroup
	for w := range writers {
		wg.Go(func() {
			for n := range writes {
				if _, err := client.Doc(fmt.Sprintf("x/%d", w)).Set(ctx, map[string]any{"n": n}); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	drain(t, b)
	ids, versions := map[string]bool{}, map[string]bool{}
	for _, r := range f.got() {
		ids[r.header.Get("ce-id")] = true
		versions[r.document()+" "+r.data.GetValue().GetUpdateTime().String()] = true
	}
	require.Len(t, ids, writers*writes)
	require.Len(t, versions, writers*writes)
	stats := b.Stats()
	require.Equal(t, writers*writes, stats.Matched)
	require.Equal(t, stats.Matched+stats.Duplicated, stats.Delivered)
	require.Greater(t, len(f.got()), stats.Delivered, "lost acknowledgements make more")
}

func TestDrainGivesUpWithItsContext(t *testing.T) {
	f := newFunction(t)
	f.respond(func(int, request) int { return http.StatusInternalServerError })
	b := start(t, &eventarc.Options{MinBackoff: time.Hour, MaxBackoff: time.Hour})
	add(t, b, eventarc.Trigger{Name: "t", Pattern: "x/{id}", URL: f.url})
	require.NoError(t, b.Publish(eventarc.Event{Data: document("x/1", 1, 0)}))
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	err := b.Drain(ctx)
	require.ErrorIs(t, err, context.DeadlineExceeded)
	require.ErrorContains(t, err, "1 messages are still undelivered")
}

// releasing is an emulator; what happens while a Drain waits for it is up to the test.
type releasing struct {
	eventarc.Firestore
	settled func()
}

func (r *releasing) Settle(ctx context.Context) error {
	err := r.Firestore.Settle(ctx)
	r.settled()
	return err
}

// What Release lets go while Drain waits for the source may have made a function write, so Drain
// waits for it again.
func TestDrainNoticesRelease(t *testing.T) { onBoth(t, drainNoticesRelease) }

func drainNoticesRelease(t *testing.T, em eventarc.Firestore) {
	f := newFunction(t)
	source := &releasing{Firestore: em, settled: func() {}}
	b := start(t, &eventarc.Options{Provider: source})
	add(t, b, eventarc.Trigger{Name: "t", Pattern: "x/{id}", URL: f.url})
	b.Hold()
	_, err := newClient(t, em).Doc("x/1").Set(t.Context(), map[string]any{"a": 1})
	require.NoError(t, err)
	drain(t, b)
	require.Equal(t, 1, b.Stats().Held)
	settles := 0
	source.settled = func() {
		settles++
		if settles == 1 {
			b.Release()
			require.Eventually(t, func() bool { return b.Stats().Delivered == 1 && b.Stats().Pending == 0 }, 30*time.Second, time.Millisecond)
		}
	}
	drain(t, b)
	require.Equal(t, 2, settles)
}

// slowLog takes the time it is given to note a line.
type slowLog struct {
	slog.Handler
	entered chan struct{}
	leave   chan struct{}
	once    sync.Once
	noted   atomic.Int64
}

func (l *slowLog) Handle(context.Context, slog.Record) error {
	l.once.Do(func() { close(l.entered) })
	<-l.leave
	l.noted.Add(1)
	return nil
}

func (l *slowLog) WithAttrs([]slog.Attr) slog.Handler     { return l }
func (*slowLog) Enabled(context.Context, slog.Level) bool { return true }

// goroutines returns the stacks of all goroutines.
func goroutines() []string {
	stacks := make([]byte, 1<<20)
	return strings.Split(string(stacks[:runtime.Stack(stacks, true)]), "\n\n")
}

// blockedInClose counts the calls of Close that wait for something.
func blockedInClose() int {
	blocked := regexp.MustCompile(`^goroutine \d+ .*\[sync\.(Mutex\.Lock|WaitGroup\.Wait)`)
	n := 0
	for _, stack := range goroutines() {
		if blocked.MatchString(stack) && strings.Contains(stack, "eventarc.(*Broker).Close") {
			n++
		}
	}
	return n
}

// Close, the second one too, waits until the last delivery has been settled, here one whose failure
// is still being logged.
func TestCloseWaitsForDeliveries(t *testing.T) {
	log := &slowLog{entered: make(chan struct{}), leave: make(chan struct{})}
	leave := sync.OnceFunc(func() { close(log.leave) })
	f := newFunction(t)
	f.respond(func(int, request) int { return http.StatusInternalServerError })
	b := start(t, &eventarc.Options{Logger: slog.New(log)})
	t.Cleanup(leave) // before the Close of start
	add(t, b, eventarc.Trigger{Name: "t", Pattern: "x/{id}", URL: f.url, NoRetry: true})
	require.NoError(t, b.Publish(eventarc.Event{Data: document("x/1", 1, 0)}))
	<-log.entered
	const closers = 2
	errs := make(chan error, closers)
	for range closers {
		go func() { errs <- b.Close() }()
	}
	require.Eventually(t, func() bool { return blockedInClose() == closers }, 10*time.Second, time.Millisecond)
	leave()
	for range closers {
		require.NoError(t, <-errs)
	}
	require.EqualValues(t, 1, log.noted.Load())
	require.Equal(t, 1, b.Stats().Expired)
}

// Nothing runs on after Close, even if much was in flight and in wait.
func TestNothingRunsAfterClose(t *testing.T) {
	running := func() int {
		return strings.Count(strings.Join(goroutines(), "\n"), "emulator/eventarc.(*queue)")
	}
	require.Eventually(t, func() bool { return running() == 0 }, 10*time.Second, time.Millisecond, "of other tests")
	f := newFunction(t)
	f.respond(func(n int, _ request) int { return []int{200, 500}[n%2] })
	b := start(t, nil)
	add(t, b, eventarc.Trigger{Name: "t", Pattern: "x/{id}", URL: f.url})
	add(t, b, eventarc.Trigger{Name: "gone", Pattern: "x/{id}", URL: "http://127.0.0.1:1/"})
	for n := range 500 {
		require.NoError(t, b.Publish(eventarc.Event{Data: document(fmt.Sprint("x/", n), 1, 0)}))
	}
	require.NotZero(t, running())
	require.NoError(t, b.Close())
	// The last may still be on their way out, with nothing left to do.
	require.Eventually(t, func() bool { return running() == 0 }, 10*time.Second, time.Millisecond)
}
