package functions_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	pb "cloud.google.com/go/firestore/apiv1/firestorepb"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"hippocampus/emulator/eventarc"
	"hippocampus/functions"
	"hippocampus/internal/tenanttest"
	"hippocampus/memory"
)

// inOneBatch has the first commit aborted once n events have come, so that the next
// one is of all of them.
func inOneBatch(t *testing.T, n int, stats func() functions.Stats, then func(context.Context, *pb.CommitRequest, func() error) error) func(context.Context, *pb.CommitRequest, func() error) error {
	var first sync.Once
	return func(ctx context.Context, r *pb.CommitRequest, send func() error) error {
		var err error
		first.Do(func() {
			assert.Eventually(t, func() bool { return stats().Events == n }, time.Minute, time.Millisecond)
			err = status.Error(codes.Aborted, "one more time")
		})
		if err != nil {
			return err
		}
		return then(ctx, r, send)
	}
}

// shardOf returns the shard document that a commit writes, "" for another.
func shardOf(r *pb.CommitRequest) string {
	name := r.Writes[0].GetUpdate().GetName()
	if id := name[strings.LastIndexByte(name, '/')+1:]; strings.HasPrefix(id, "shard-") {
		return id
	}
	return ""
}

// handleAll gives events to services, in turn and all at once, and again until
// each is acknowledged, as Eventarc does. It returns how often that was needed.
func handleAll(t testing.TB, messages []eventarc.Message, services ...*functions.Service) (again int) {
	var handlers sync.WaitGroup
	var failures atomic.Int64
	for i, m := range messages {
		handlers.Go(func() {
			for services[i%len(services)].OnMemoryWritten(t.Context(), event(m)) != nil && t.Context().Err() == nil {
				failures.Add(1)
			}
		})
	}
	handlers.Wait()
	return int(failures.Load())
}

func TestBurstTakesFewCommits(t *testing.T) {
	w := newWorld(t, setting{interval: 500 * time.Millisecond})
	w.build()
	w.broker.Hold()
	w.Import(tenanttest.Numbered("burst/", 1000), t0, time.Second)
	require.Zero(t, handleAll(t, w.held(1000), w.service))
	w.requireListed(1000)
	require.LessOrEqual(t, w.service.Stats().Commits, 1000/20)
	require.Equal(t, []string{"shard-0"}, w.shardIDs(), "one instance alone needs one shard")
}

// BenchmarkBurst is a burst of 1,000 events on one instance, delivered over HTTP all
// at once and again until each is acknowledged.
func BenchmarkBurst(b *testing.B) {
	const events = 1000
	commits, attempts := 0, 0
	for b.Loop() {
		b.StopTimer()
		w := newWorld(b, setting{interval: 500 * time.Millisecond})
		w.broker.Hold()
		w.Import(tenanttest.Numbered("burst/", events), t0, time.Second)
		messages := w.held(events)
		b.StartTimer()
		w.deliverAtOnce(messages)
		b.StopTimer()
		stats := w.service.Stats()
		commits += stats.Commits
		attempts += stats.Events
		b.StartTimer()
	}
	b.ReportMetric(float64(commits)/float64(b.N*events), "commits/event")
	b.ReportMetric(float64(attempts)/float64(b.N*events), "deliveries/event")
}

// deliverAtOnce posts events at the same time, each again until it is acknowledged.
func (w *world) deliverAtOnce(messages []eventarc.Message) {
	var posts sync.WaitGroup
	for _, m := range messages {
		posts.Go(func() {
			for w.t.Context().Err() == nil {
				status, err := w.broker.Deliver(w.t.Context(), m)
				if err == nil && status == http.StatusOK {
					return
				}
			}
		})
	}
	posts.Wait()
}

func TestContentionOfTwoInstances(t *testing.T) {
	w := newWorld(t, setting{})
	w.build()
	w.broker.Hold()
	w.Import(tenanttest.Numbered("a/", 400), t0, time.Second)
	other := w.newService(w.setting)
	handleAll(t, w.held(400), w.service, other)
	w.requireListed(400)
	require.Positive(t, other.Stats().Commits)
	require.Zero(t, other.Stats().Poison+w.service.Stats().Poison)
}

func TestContentionIsWaitedOutAndSpread(t *testing.T) {
	var aborted atomic.Int64
	w := newWorld(t, setting{client: tenanttest.Commits(func(_ context.Context, r *pb.CommitRequest, send func() error) error {
		if shardOf(r) == "shard-0" && aborted.Add(1) <= 3 {
			return status.Error(codes.Aborted, "too much contention")
		}
		return send()
	})})
	w.build()
	w.Put("first", t0)
	w.drain()
	stats := w.service.Stats()
	require.Equal(t, 3, stats.Contended)
	require.Equal(t, 4, stats.Commits)
	require.Zero(t, w.broker.Stats().Retried, "no event fails")
	for _, name := range tenanttest.Numbered("a/", 40) {
		w.Put(name, t0)
	}
	w.drain()
	w.requireListed(41)
	require.Greater(t, len(w.shardIDs()), 1)
}

// TestPoison refuses one change wherever it is put.
func TestPoison(t *testing.T) {
	id, err := memory.ID("poison")
	require.NoError(t, err)
	var w *world
	w = newWorld(t, setting{client: tenanttest.Commits(inOneBatch(t, 61, func() functions.Stats { return w.service.Stats() }, func(_ context.Context, r *pb.CommitRequest, send func() error) error {
		for _, path := range r.Writes[0].GetUpdateMask().GetFieldPaths() {
			if strings.Contains(path, "-"+id) {
				return status.Error(codes.InvalidArgument, "no such thing")
			}
		}
		return send()
	}))})
	w.build()
	w.broker.Hold()
	w.Import(append(tenanttest.Numbered("a/", 30), append([]string{"poison"}, tenanttest.Numbered("b/", 30)...)...), t0, time.Second)
	messages := w.held(61)
	require.Zero(t, handleAll(t, messages, w.service))
	require.Len(t, w.list(), 60)
	stats := w.service.Stats()
	require.Equal(t, 1, stats.Poison)
	require.Zero(t, stats.Full)
	require.Less(t, stats.Commits, 25, "the batch is halved, not tried one by one")
	require.Len(t, w.log.lines(`"severity":"ERROR"`, "no shard can hold"), 1)
	require.Equal(t, []string{"shard-0"}, w.shardIDs(), "the probe leaves nothing")
	require.Nil(t, w.View().Request)
	w.build()
	w.requireListed(61)
}

func TestIDTooLongForTheIndex(t *testing.T) {
	w := newWorld(t, setting{config: functions.Config{Schema: memory.Schema{IDs: memory.Plain}}})
	w.build()
	for _, size := range []int{memory.MaxIDBytes, memory.MaxIDBytes + 1} {
		_, err := w.Client.Doc(acme+"/"+strings.Repeat("x", size)).Set(t.Context(), map[string]any{"updated_at": t0})
		require.NoError(t, err)
	}
	w.drain()
	require.Len(t, w.list(), 1)
	require.Equal(t, 1, w.service.Stats().Poison)
	require.Len(t, w.log.lines(`"severity":"ERROR"`, "1481 bytes"), 1)
	require.Zero(t, w.broker.Stats().Retried)
	w.build()
	w.requireListed(2)
}

// TestNthCommitFails fails the n-th commit of a service, for n = 0, 1, 2 … until
// there are no more. Nothing may be lost once the events have come again.
func TestNthCommitFails(t *testing.T) {
	for name, fault := range map[string]func(ctx context.Context, send func() error) error{
		"unavailable":       func(context.Context, func() error) error { return status.Error(codes.Unavailable, "try again") },
		"aborted":           func(context.Context, func() error) error { return status.Error(codes.Aborted, "contention") },
		"deadline exceeded": func(context.Context, func() error) error { return status.Error(codes.DeadlineExceeded, "slow") },
		"permission denied": func(context.Context, func() error) error { return status.Error(codes.PermissionDenied, "not yet") },
		"cut after the commit": func(_ context.Context, send func() error) error {
			return errors.Join(status.Error(codes.Unavailable, "connection cut"), send())
		},
		"late after the commit": func(_ context.Context, send func() error) error {
			return errors.Join(status.Error(codes.DeadlineExceeded, "no answer"), send())
		},
	} {
		t.Run(name, func(t *testing.T) {
			var left atomic.Int64 // commits until the fault
			left.Store(-1)
			w := newWorld(t, setting{interval: time.Millisecond, client: tenanttest.Commits(func(ctx context.Context, _ *pb.CommitRequest, send func() error) error {
				if left.Add(-1) == -1 {
					return fault(ctx, send)
				}
				return send()
			})})
			w.build()
			faults := 0
			for n := 0; ; n++ {
				left.Store(int64(n))
				for _, name := range []string{"a", "b"} {
					w.Put(name, t0.Add(time.Duration(n)*time.Hour))
				}
				w.Delete("a")
				w.Put(fmt.Sprintf("new/%d", n), t0)
				w.drain()
				w.requireListed(n + 2)
				if left.Load() >= 0 {
					break
				}
				faults++
			}
			require.Positive(t, faults)
		})
	}
}

// TestCommitHangs has the first commit never answered.
func TestCommitHangs(t *testing.T) {
	var first atomic.Bool
	w := newWorld(t, setting{deadline: 2 * time.Second, client: tenanttest.Commits(func(ctx context.Context, _ *pb.CommitRequest, send func() error) error {
		if first.CompareAndSwap(false, true) {
			<-ctx.Done()
			return status.FromContextError(ctx.Err()).Err()
		}
		return send()
	})})
	w.build()
	w.Put("a", t0)
	w.drain()
	w.requireListed(1)
	require.Equal(t, 1, w.broker.Stats().Retried)
}

func TestCloseCommitsWhatWasTaken(t *testing.T) {
	entered, release := make(chan struct{}), make(chan struct{})
	var once sync.Once
	w := newWorld(t, setting{interval: time.Hour, client: tenanttest.Commits(func(_ context.Context, _ *pb.CommitRequest, send func() error) error {
		once.Do(func() {
			close(entered)
			<-release
		})
		return send()
	})})
	w.build()
	w.broker.Hold()
	w.Import(tenanttest.Numbered("a/", 20), t0, time.Second)
	messages := w.held(20)
	results := make(chan error, len(messages))
	handle := func(m eventarc.Message) { results <- w.service.OnMemoryWritten(t.Context(), event(m)) }
	go handle(messages[0])
	<-entered
	for _, m := range messages[1:] {
		go handle(m) // would wait for an hour
	}
	require.Eventually(t, func() bool { return w.service.Stats().Events == 20 }, 10*time.Second, time.Millisecond)
	closed := make(chan error)
	go func() { closed <- w.service.Close(t.Context()) }()
	close(release)
	require.NoError(t, <-closed)
	taken := 0
	for range messages {
		if <-results == nil {
			taken++
		}
	}
	require.Positive(t, taken)
	require.Len(t, w.list(), taken)
	require.ErrorContains(t, w.service.OnMemoryWritten(t.Context(), event(messages[0])), "closed")
}

func TestHandlerReturnsAtItsDeadline(t *testing.T) {
	w := newWorld(t, setting{client: tenanttest.Commits(func(ctx context.Context, _ *pb.CommitRequest, _ func() error) error {
		<-ctx.Done()
		return status.FromContextError(ctx.Err()).Err()
	})})
	w.broker.Hold()
	w.Put("a", t0)
	message := w.held(1)[0]
	ctx, cancel := context.WithCancel(t.Context())
	result := make(chan error)
	go func() { result <- w.service.OnMemoryWritten(ctx, event(message)) }()
	require.Eventually(t, func() bool { return w.service.Stats().Commits == 1 }, 10*time.Second, time.Millisecond)
	cancel()
	require.ErrorIs(t, <-result, context.Canceled)
	over, cancel := context.WithCancel(t.Context())
	cancel()
	require.ErrorIs(t, w.service.Close(over), context.Canceled, "what cannot be drained is cancelled")
}

// pathHas reports whether a document's name contains a part of a path.
func pathHas(name, part string) bool { return strings.Contains(name, "/"+part) }
