package serial_test

import (
	"context"
	"testing"
	"time"

	"cloud.google.com/go/firestore"
	"cloud.google.com/go/firestore/apiv1/firestorepb"
	"github.com/stretchr/testify/require"

	"hippocampus/emulator"
	"hippocampus/emulator/clock"
	"hippocampus/emulator/official/officialtest"
)

// server is one project of an emulator. All that uses it gives up when its context ends.
type server struct {
	ctx      context.Context
	rpc      firestorepb.FirestoreClient
	client   *firestore.Client
	database string
	official bool
}

// embedded starts an emulator with a clock, nil for the system's.
func embedded(t *testing.T, c clock.Clock) *server {
	t.Helper()
	em, err := emulator.Start(t.Context(), &emulator.Options{Clock: c})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, em.Close()) })
	client, err := em.Client(t.Context())
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, client.Close()) })
	return newTarget(t, client, em.Host(), em.Project())
}

// official is a project of the official emulator. It makes a commit or two a second where
// transactions meet.
func official(t *testing.T) *server {
	t.Helper()
	em := officialtest.Start(t)
	x := newTarget(t, officialtest.Client(t, em), em.Host(), em.Project())
	x.official = true
	return x
}

func newTarget(t *testing.T, client *firestore.Client, host, project string) *server {
	t.Helper()
	conn := officialtest.Dial(t, host)
	wait := *patience
	if deadline, ok := t.Deadline(); ok {
		wait = min(wait, time.Until(deadline)*9/10)
	}
	ctx, cancel := context.WithTimeout(t.Context(), wait)
	t.Cleanup(cancel)
	return &server{
		ctx: ctx, rpc: firestorepb.NewFirestoreClient(conn), client: client,
		database: "projects/" + project + "/databases/(default)",
	}
}

// onBoth runs a test on this emulator and on the official one, with its own size.
func onBoth(t *testing.T, size, officialSize int, test func(*testing.T, *server, int)) {
	t.Run("embedded", func(t *testing.T) { test(t, embedded(t, nil), size) })
	t.Run("official", func(t *testing.T) { test(t, official(t), officialSize) })
}

// together runs f n times at once and returns the first error.
func together(n int, f func(i int) error) error {
	errs := make(chan error, n)
	for i := range n {
		go func() { errs <- f(i) }()
	}
	var first error
	for range n {
		if err := <-errs; first == nil {
			first = err
		}
	}
	return first
}
