package listen_test

import (
	"fmt"
	"maps"
	"runtime"
	"slices"
	"sync/atomic"
	"testing"

	pb "cloud.google.com/go/firestore/apiv1/firestorepb"
	"github.com/stretchr/testify/require"

	"hippocampus/emulator/internal/listen"
	"hippocampus/emulator/internal/literal"
	"hippocampus/emulator/internal/store"
)

func TestEveryCommitHasASnapshotUntilTooManyWait(t *testing.T) {
	for name, test := range map[string]struct {
		changes   int
		snapshots int
	}{
		"as many as may wait": {listen.MaxChanges, listen.MaxChanges - 1}, // the first commit has two
		"one more":            {listen.MaxChanges + 1, 1},
	} {
		t.Run(name, func(t *testing.T) {
			w, c := newWorld(t, store.Options{}), newClient()
			w.commit("c/gone v=1", "c/moved v=1")
			s := w.stream(c)
			require.NoError(t, s.Add(querying(1, from("c", where("v", less, 5000)))))
			require.NoError(t, s.Add(querying(2, from("c", by("v", down), limit(1)))))
			require.NoError(t, s.Add(documents(3, "c/gone")))
			c.told()
			snapshots := 0
			c.each = func() { snapshots++ }
			w.commit("c/gone", "c/moved v=6000")
			for i := range test.changes - 2 {
				w.commit(set("c/a v=%d", i))
			}
			require.NoError(t, s.Flush())
			require.Equal(t, test.snapshots, snapshots)
			require.Equal(t, map[int32][]string{
				1: {fmt.Sprintf("c/a v=%d", test.changes-3)}, 2: {"c/moved v=6000"}, 3: {},
			}, c.contents())

			<-s.Wake()
			c.told()
			w.commit("c/a v=1")
			w.commit("c/a v=2")
			<-s.Wake()
			require.NoError(t, s.Flush())
			require.Equal(t, []string{"c/a v=1 in 1", "NO_CHANGE", "c/a v=2 in 1", "NO_CHANGE"}, c.told(), "nothing is forgotten any more")
		})
	}
}

// contents are the documents of each target.
func (c *client) contents() map[int32][]string {
	all := map[int32][]string{}
	for id, docs := range c.has {
		all[id] = texts(slices.Collect(maps.Values(docs)))
	}
	return all
}

func TestFewChangesWaitIfTheyAreLarge(t *testing.T) {
	w, c := newWorld(t, store.Options{}), newClient()
	s := w.stream(c)
	require.NoError(t, s.Add(documents(1, "c/a")))
	snapshots := 0
	c.each = func() { snapshots++ }
	const size = listen.MaxBytes / 4
	flush := func(commits, bytes, want int) {
		snapshots = 0
		for range commits {
			_, err := w.Store.Commit(func(tx *store.Tx) error {
				tx.Put("c/a", &pb.Document{Name: database.Name("c/a"), Fields: map[string]*pb.Value{"b": literal.Bytes(string(make([]byte, bytes)))}})
				return nil
			})
			require.NoError(t, err)
		}
		require.NoError(t, s.Flush())
		require.Equal(t, want, snapshots)
	}
	flush(3, size, 3)
	flush(3, size, 3)
	flush(5, size, 1)
	flush(1, 2*listen.MaxBytes, 1)
}

func TestWhatConcernsNoTargetDoesNotWait(t *testing.T) {
	w, c := newWorld(t, store.Options{}), newClient()
	s := w.stream(c)
	require.NoError(t, s.Add(querying(1, from("c"))))
	c.told()
	w.commit("d/a v=1")
	require.Empty(t, s.Wake())
	w.commit("c/a v=1")
	require.Len(t, s.Wake(), 1)
	<-s.Wake()
	require.NoError(t, s.Flush())
	require.Equal(t, []string{"c/a v=1 in 1", "NO_CHANGE"}, c.told())
}

func TestASlowClientIsResetWhenTheHistoryIsGone(t *testing.T) {
	w, c := newWorld(t, store.Options{HistoryBytes: 1}), newClient()
	w.commit("c/a v=1", "c/b v=1")
	s := w.stream(c)
	require.NoError(t, s.Add(querying(1, from("c"))))
	require.NoError(t, s.Add(querying(2, from("c", limit(1)))))
	c.told()
	w.commit("c/a")
	for i := range listen.MaxChanges {
		w.commit(set("c/b v=%d", i))
	}
	require.NoError(t, s.Flush())
	require.Equal(t, []string{
		"RESET 1", "c/b v=999 in 1", "CURRENT 1", "c/a deleted out of 2", "c/b v=999 in 2", "NO_CHANGE",
	}, c.told(), "what a window has is remembered")
}

func TestNothingIsLeftOfAStreamThatWasClosed(t *testing.T) {
	w := newWorld(t, store.Options{})
	var freed atomic.Int32
	const streams = 20
	for range streams {
		c := newClient()
		s := listen.New(w.Database, c.receive)
		require.NoError(t, s.Add(querying(1, from("c", limit(3)))))
		w.commit("c/a v=1")
		require.NoError(t, s.Flush())
		w.commit("c/a v=2")
		s.Close()
		runtime.AddCleanup(s, func(*atomic.Int32) { freed.Add(1) }, &freed)
		runtime.AddCleanup(c, func(*atomic.Int32) { freed.Add(1) }, &freed)
	}
	require.Eventually(t, func() bool {
		runtime.GC()
		return freed.Load() == 2*streams
	}, waiting, tick, "the store holds on to streams")
	w.commit("c/a v=3")
}
