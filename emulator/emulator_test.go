package emulator_test

import (
	"context"
	"errors"
	"io"
	"net"
	"os"
	"testing"
	"time"

	"cloud.google.com/go/firestore"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"
	"google.golang.org/api/iterator"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"hippocampus/emulator"
	"hippocampus/emulator/fault"
	"hippocampus/emulator/internal/client"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// start returns a new emulator and a client of it.
func start(t testing.TB, o *emulator.Options) (*emulator.Emulator, *firestore.Client) {
	t.Helper()
	em, err := emulator.Start(t.Context(), o)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, em.Close()) })
	c, err := em.Client(t.Context())
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, c.Close()) })
	return em, c
}

func TestAClientWritesAndReads(t *testing.T) {
	_, c := start(t, nil)
	doc := c.Doc("cities/SF")
	_, err := doc.Set(t.Context(), map[string]any{"name": "San Francisco", "population": 800_000})
	require.NoError(t, err)
	got, err := doc.Get(t.Context())
	require.NoError(t, err)
	require.Equal(t, map[string]any{"name": "San Francisco", "population": int64(800_000)}, got.Data())

	all, err := c.Collection("cities").Where("population", ">", 1_000).Documents(t.Context()).GetAll()
	require.NoError(t, err)
	require.Len(t, all, 1)
	_, err = c.Collection("none").Documents(t.Context()).Next()
	require.ErrorIs(t, err, iterator.Done)
}

func TestATransactionIsTriedAgain(t *testing.T) {
	em, c := start(t, nil)
	doc := c.Doc("counters/n")
	_, err := doc.Set(t.Context(), map[string]any{"n": 0})
	require.NoError(t, err)
	_, err = em.Inject(fault.Rule{RPC: "Commit", Code: codes.Aborted})
	require.NoError(t, err)
	tries := 0
	err = c.RunTransaction(t.Context(), func(_ context.Context, tx *firestore.Transaction) error {
		tries++
		got, err := tx.Get(doc)
		if err != nil {
			return err
		}
		return tx.Set(doc, map[string]any{"n": got.Data()["n"].(int64) + 1})
	})
	require.NoError(t, err)
	require.Equal(t, 2, tries)
	got, err := doc.Get(t.Context())
	require.NoError(t, err)
	require.EqualValues(t, 1, got.Data()["n"])
}

func TestProjectsAreApart(t *testing.T) {
	em, c := start(t, nil)
	other, err := em.In("demo-other").Client(t.Context())
	require.NoError(t, err)
	defer other.Close()
	_, err = c.Doc("c/d").Set(t.Context(), map[string]any{})
	require.NoError(t, err)
	_, err = other.Doc("c/d").Get(t.Context())
	require.Equal(t, codes.NotFound, status.Code(err))
	require.NoError(t, em.In("demo-other").Close())
	_, err = c.Doc("c/d").Get(t.Context())
	require.NoError(t, err, "closing a view closes nothing")
}

func TestOnlyTheOwnerIsServed(t *testing.T) {
	em, _ := start(t, nil)
	for name, token := range map[string]string{"anonymous": "", "a user": "eyJhbGciOiJub25lIn0.e30."} {
		t.Run(name, func(t *testing.T) {
			c, err := client.New(t.Context(), em.Host(), em.Project(), token)
			require.NoError(t, err)
			defer c.Close()
			_, err = c.Doc("c/d").Get(t.Context())
			require.Equal(t, codes.PermissionDenied, status.Code(err))
			require.ErrorContains(t, err, "official emulator")
			_, err = c.Collection("c").Documents(t.Context()).Next()
			require.Equal(t, codes.PermissionDenied, status.Code(err))
		})
	}
}

func TestThePortIsFreeAfterClose(t *testing.T) {
	em, err := emulator.Start(t.Context(), nil)
	require.NoError(t, err)
	_, err = emulator.Start(t.Context(), &emulator.Options{Port: em.Port()})
	require.ErrorIs(t, err, emulator.ErrPortInUse)
	require.NoError(t, em.Close())
	require.NoError(t, em.Close(), "a second time")
	l, err := net.Listen("tcp4", em.Host())
	require.NoError(t, err)
	require.NoError(t, l.Close())
}

// Close does not wait for clients that have connected and not yet said, or not to the end, what
// they want.
func TestCloseDoesNotWaitForSilentConnections(t *testing.T) {
	for name, begun := range map[string]string{
		"nothing":          "",
		"part of a method": "PRI",
		"HTTP/2 begun":     "PRI * HTTP/2.0\r\n",
		"no settings":      "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
		"HTTP/1 begun":     "GET / HTTP/1.1\r\n",
		"a body begun":     "POST /emulator/v1/projects/p/eventarcTrigger HTTP/1.1\r\nHost: h\r\nContent-Length: 9\r\n\r\n{",
	} {
		t.Run(name, func(t *testing.T) {
			em, err := emulator.Start(t.Context(), nil)
			require.NoError(t, err)
			silent, err := net.Dial("tcp4", em.Host())
			require.NoError(t, err)
			defer silent.Close()
			_, err = silent.Write([]byte(begun))
			require.NoError(t, err)
			c, err := em.Client(t.Context())
			require.NoError(t, err)
			defer c.Close()
			_, err = c.Doc("c/d").Set(t.Context(), map[string]any{}) // connections are accepted in their order
			require.NoError(t, err)

			closed := make(chan error, 1)
			go func() { closed <- em.Close() }()
			select {
			case err := <-closed:
				require.NoError(t, err)
			case <-time.After(10 * time.Second):
				require.Fail(t, "it waits")
			}
			require.NoError(t, silent.SetReadDeadline(time.Now().Add(10*time.Second)))
			_, err = io.Copy(io.Discard, silent)
			require.False(t, errors.Is(err, os.ErrDeadlineExceeded), "the connection is still open")
		})
	}
}

func TestWrongOptions(t *testing.T) {
	for name, o := range map[string]emulator.Options{
		"port":    {Port: 65_536},
		"history": {HistoryBytes: -1},
		"indexes": {Indexes: []byte("{")},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := emulator.Start(t.Context(), &o)
			require.ErrorContains(t, err, "emulator: start: ")
		})
	}
}

func TestOptionsOfLimits(t *testing.T) {
	exempt := func(collection string) []byte {
		return []byte(`{"fieldOverrides":[{"collectionGroup":"` + collection + `","fieldPath":"a","indexes":[]}]}`)
	}
	for name, c := range map[string]struct {
		options emulator.Options
		want    codes.Code
	}{
		"by default":         {emulator.Options{}, codes.InvalidArgument},
		"exempt":             {emulator.Options{Indexes: exempt("c")}, codes.OK},
		"exempt elsewhere":   {emulator.Options{Indexes: exempt("other")}, codes.InvalidArgument},
		"without all limits": {emulator.Options{Unlimited: true}, codes.OK},
	} {
		t.Run(name, func(t *testing.T) {
			_, client := start(t, &c.options)
			entries := make([]int, 40_001) // an index entry each, one more than there may be
			for i := range entries {
				entries[i] = i
			}
			_, err := client.Doc("c/d").Set(t.Context(), map[string]any{"a": entries})
			require.Equal(t, c.want, status.Code(err), "%v", err)
		})
	}
}

func TestClear(t *testing.T) {
	em, c := start(t, nil)
	for _, path := range []string{"a/b", "a/b/c/d", "e/f"} {
		_, err := c.Doc(path).Set(t.Context(), map[string]any{})
		require.NoError(t, err)
	}
	require.NoError(t, em.Clear(t.Context()))
	ids, err := c.Collections(t.Context()).GetAll()
	require.NoError(t, err)
	require.Empty(t, ids)
}
