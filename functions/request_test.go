package functions_test

import (
	"context"
	"net/http"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	pb "cloud.google.com/go/firestore/apiv1/firestorepb"
	"github.com/stretchr/testify/require"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"hippocampus/emulator/emulatortest"
	"hippocampus/index"
	"hippocampus/internal/tenanttest"
	"hippocampus/repair"
)

// What passes is tried again by Eventarc, after this instance's own attempts.
func TestOnRequestIsDeliveredAgainWhenThatCanHelp(t *testing.T) {
	var refusals atomic.Int32
	w := newWorld(t, setting{serve: true, client: tenanttest.Commits(func(_ context.Context, r *pb.CommitRequest, send func() error) error {
		if pathHas(r.Writes[0].GetUpdate().GetName(), "memory_shards/meta") && refusals.Add(1) <= 3 {
			return status.Error(codes.Internal, "not now")
		}
		return send()
	})})
	w.Put("a", t0)
	w.drain()
	w.Request(index.Build)
	w.drain()
	require.Positive(t, w.broker.Stats().Retried)
	require.Nil(t, w.View().Request)
	require.Empty(t, w.log.lines(`"severity":"ERROR"`))
	w.requireListed(1)
}

// A fold that began before a compaction was asked for wins over it, and leaves the
// request there, which it has not seen. No event tells of that request again.
func TestOnRequestServesWhatTheWinnerHasNotSeen(t *testing.T) {
	var fold func()
	w := newWorld(t, setting{serve: true, client: tenanttest.Commits(func(_ context.Context, r *pb.CommitRequest, send func() error) error {
		if fold != nil && pathHas(r.Writes[0].GetUpdate().GetName(), "memory_shards/meta") {
			fold()
			fold = nil
		}
		return send()
	})})
	w.Put("a", t0)
	w.drain()
	w.build()
	w.Put("b", t0)
	w.drain()

	// The fold waits before its flip until the compaction comes to its own.
	begun, flip, flipped := make(chan struct{}), make(chan struct{}), make(chan error, 1)
	var once sync.Once
	client := emulatortest.Client(t, w.Emulator, tenanttest.Commits(func(_ context.Context, _ *pb.CommitRequest, send func() error) error {
		once.Do(func() {
			close(begun)
			<-flip
		})
		return send()
	})...)
	o := w.repairOptions()
	go func() {
		_, err := repair.Build(t.Context(), client, acme, &o)
		flipped <- err
	}()
	<-begun
	fold = func() {
		close(flip)
		require.NoError(t, <-flipped)
		require.NotNil(t, w.View().Request, "the fold has not seen the request")
	}
	w.Request(index.Compaction)
	w.drain()
	require.Nil(t, fold, "the fold won inside the compaction")
	require.Nil(t, w.View().Request)
	w.requireListed(2)
}

// What takes longer than an event function has is left to the scheduled run, and
// not delivered again.
func TestOnRequestAtItsDeadline(t *testing.T) {
	var hangs atomic.Bool
	hangs.Store(true)
	w := newWorld(t, setting{serve: true, request: time.Second, client: tenanttest.Commits(func(ctx context.Context, r *pb.CommitRequest, send func() error) error {
		if hangs.Load() && pathHas(r.Writes[0].GetUpdate().GetName(), "memory_shards/meta") {
			<-ctx.Done()
			return status.FromContextError(ctx.Err()).Err()
		}
		return send()
	})})
	w.Put("a", t0)
	w.drain()
	w.Request(index.Build)
	w.drain()
	require.Zero(t, w.broker.Stats().Retried)
	require.Len(t, w.log.lines(`"severity":"ERROR"`, "request not served", "DeadlineExceeded"), 1)
	require.NotNil(t, w.View().Request)
	require.ErrorIs(t, w.View().Err, index.ErrMissing)

	hangs.Store(false)
	code, summary := w.repairDue()
	require.Equal(t, http.StatusOK, code, summary)
	require.Len(t, summary.Repaired, 1)
	require.Nil(t, w.View().Request)
	w.requireListed(1)
}

func TestEventWithoutPayloadInAMissingDatabase(t *testing.T) {
	// It answers NotFound, as a missing document does.
	w := newWorld(t, setting{client: (&tenanttest.Wire{Call: func(_ context.Context, c tenanttest.Call, send func() error) error {
		if c.Stream {
			return status.Error(codes.NotFound, "the database (default) does not exist")
		}
		return send()
	}}).Options()})
	w.broker.Hold()
	w.Put("a", t0)
	err := w.service.OnMemoryWritten(t.Context(), event(w.held(1)[0].WithoutPayload()))
	require.ErrorContains(t, err, "does not exist")
	require.Empty(t, w.View().Shards)
}
