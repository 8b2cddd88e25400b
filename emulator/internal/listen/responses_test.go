package listen_test

import (
	"fmt"
	"testing"

	pb "cloud.google.com/go/firestore/apiv1/firestorepb"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"hippocampus/emulator/internal/literal"
	"hippocampus/emulator/internal/store"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// step commits, or nothing if there are no writes, and says what the client is then told.
type step struct {
	commit []put
	told   []string
}

func TestResponses(t *testing.T) {
	for name, test := range map[string]struct {
		before  []put
		targets []*pb.Target
		begins  []string
		steps   []step
	}{
		"a document that does not exist is told of as deleted, and then what becomes of it": {
			targets: []*pb.Target{documents(7, "c/a")},
			begins:  []string{"ADD 7", "c/a deleted out of 7", "CURRENT 7", "NO_CHANGE"},
			steps: []step{
				{[]put{"c/a v=1"}, []string{"c/a v=1 in 7", "NO_CHANGE"}},
				{[]put{"c/a v=2"}, []string{"c/a v=2 in 7", "NO_CHANGE"}},
				{[]put{"c/b v=2"}, nil},
				{[]put{"c/a"}, []string{"c/a deleted out of 7", "NO_CHANGE"}},
			},
		},
		"documents are told of in the order of the target, each once": {
			before:  []put{"c/a v=1", "c/b v=1"},
			targets: []*pb.Target{documents(7, "c/b", "c/x", "c/a", "c/b")},
			begins:  []string{"ADD 7", "c/b v=1 in 7", "c/x deleted out of 7", "c/a v=1 in 7", "CURRENT 7", "NO_CHANGE"},
			steps: []step{
				{[]put{"c/a v=2", "c/b v=2"}, []string{"c/b v=2 in 7", "c/a v=2 in 7", "NO_CHANGE"}},
			},
		},
		"no documents": {
			targets: []*pb.Target{documents(7)},
			begins:  []string{"ADD 7", "CURRENT 7", "NO_CHANGE"},
			steps:   []step{{[]put{"c/a v=1"}, nil}},
		},
		"what leaves a query comes first, then what it has new, in its order": {
			before:  []put{"c/a v=1", "c/b v=1 w=1", "c/c v=1 w=2", "c/d v=2"},
			targets: []*pb.Target{querying(7, from("c", where("v", equal, 1), by("w", down)))},
			begins:  []string{"ADD 7", "c/c v=1 w=2 in 7", "c/b v=1 w=1 in 7", "CURRENT 7", "NO_CHANGE"},
			steps: []step{
				{[]put{"c/a v=1 w=1", "c/b v=2", "c/c", "c/d v=1 w=3"}, []string{
					"c/c deleted out of 7", "c/b v=2 out of 7", "c/d v=1 w=3 in 7", "c/a v=1 w=1 in 7", "NO_CHANGE",
				}},
				{[]put{"c/b v=3"}, nil},
				{[]put{"d/b v=1 w=1", "c/a/c/b v=1 w=1"}, nil},
			},
		},
		"a query of a group": {
			targets: []*pb.Target{querying(7, from("c", func(q *pb.StructuredQuery) { q.From[0].AllDescendants = true }))},
			begins:  []string{"ADD 7", "CURRENT 7", "NO_CHANGE"},
			steps:   []step{{[]put{"x/a/c/b v=1", "c/z v=1"}, []string{"c/z v=1 in 7", "x/a/c/b v=1 in 7", "NO_CHANGE"}}},
		},
		"a limit is filled again, and what is pushed out is removed": {
			before:  []put{"c/a v=1", "c/b v=2", "c/c v=3", "c/d v=4"},
			targets: []*pb.Target{querying(7, from("c", by("v", up), limit(2)))},
			begins:  []string{"ADD 7", "c/a v=1 in 7", "c/b v=2 in 7", "CURRENT 7", "NO_CHANGE"},
			steps: []step{
				{[]put{"c/z v=0"}, []string{"c/b pushed out of 7", "c/z v=0 in 7", "NO_CHANGE"}},
				{[]put{"c/z"}, []string{"c/z deleted out of 7", "c/b v=2 in 7", "NO_CHANGE"}},
				{[]put{"c/a v=9"}, []string{"c/a v=9 out of 7", "c/c v=3 in 7", "NO_CHANGE"}},
				{[]put{"c/b v=100", "c/c v=101"}, []string{"c/b v=100 out of 7", "c/c v=101 out of 7", "c/d v=4 in 7", "c/a v=9 in 7", "NO_CHANGE"}},
				{[]put{"c/q v=50"}, nil},
				{[]put{"c/d v=9", "c/a v=4"}, []string{"c/a v=4 in 7", "c/d v=9 in 7", "NO_CHANGE"}},
			},
		},
		"an offset": {
			before:  []put{"c/a v=1", "c/b v=2", "c/c v=3"},
			targets: []*pb.Target{querying(7, from("c", by("v", down), offset(2)))},
			begins:  []string{"ADD 7", "c/a v=1 in 7", "CURRENT 7", "NO_CHANGE"},
			steps: []step{
				{[]put{"c/z v=0"}, []string{"c/z v=0 in 7", "NO_CHANGE"}},
				{[]put{"c/y v=9"}, []string{"c/b v=2 in 7", "NO_CHANGE"}},
				{[]put{"c/c", "c/b"}, []string{"c/b deleted out of 7", "c/a pushed out of 7", "NO_CHANGE"}},
			},
		},
		"a limit of nothing": {
			before:  []put{"c/a v=1"},
			targets: []*pb.Target{querying(7, from("c", limit(0)))},
			begins:  []string{"ADD 7", "CURRENT 7", "NO_CHANGE"},
			steps:   []step{{[]put{"c/a v=2"}, nil}},
		},
		"a projection": {
			targets: []*pb.Target{querying(7, from("c", func(q *pb.StructuredQuery) {
				q.Select = &pb.StructuredQuery_Projection{Fields: []*pb.StructuredQuery_FieldReference{literal.Field("v")}}
			}))},
			begins: []string{"ADD 7", "CURRENT 7", "NO_CHANGE"},
			steps:  []step{{[]put{"c/a v=1 w=2"}, []string{"c/a v=1 in 7", "NO_CHANGE"}}},
		},
		"several targets, in the order in which they were added": {
			before:  []put{"c/a v=1"},
			targets: []*pb.Target{querying(9, from("c")), documents(3, "c/a"), querying(5, from("c", where("v", equal, 1)))},
			begins: []string{
				"ADD 9", "c/a v=1 in 9", "CURRENT 9", "NO_CHANGE", "ADD 3", "c/a v=1 in 3", "CURRENT 3", "NO_CHANGE",
				"ADD 5", "c/a v=1 in 5", "CURRENT 5", "NO_CHANGE",
			},
			steps: []step{
				{[]put{"c/a v=2"}, []string{"c/a v=2 in 9", "c/a v=2 in 3", "c/a v=2 out of 5", "NO_CHANGE"}},
				{[]put{"c/a"}, []string{"c/a deleted out of 9", "c/a deleted out of 3", "NO_CHANGE"}},
			},
		},
		"once": {
			before:  []put{"c/a v=1"},
			targets: []*pb.Target{once(documents(3, "c/a")), once(documents(3, "c/a"))},
			begins: []string{
				"ADD 3", "c/a v=1 in 3", "CURRENT 3", "NO_CHANGE", "REMOVE 3", "ADD 3", "c/a v=1 in 3", "CURRENT 3", "NO_CHANGE", "REMOVE 3",
			},
			steps: []step{{[]put{"c/a v=2"}, nil}},
		},
		"ids of the stream's choice": {
			targets: []*pb.Target{documents(3), documents(0), documents(0)},
			begins:  []string{"ADD 3", "CURRENT 3", "NO_CHANGE", "ADD 4", "CURRENT 4", "NO_CHANGE", "ADD 5", "CURRENT 5", "NO_CHANGE"},
		},
		"no id of the client's choice after one of the stream's": {
			targets: []*pb.Target{documents(0), documents(3)},
			begins:  []string{"ADD 1", "CURRENT 1", "NO_CHANGE", "REMOVE 3 code 3"},
		},
		"there is room after the greatest id": {
			targets: []*pb.Target{documents(1<<31 - 1), documents(0)},
			begins:  []string{"ADD 2147483647", "CURRENT 2147483647", "NO_CHANGE", "ADD 1", "CURRENT 1", "NO_CHANGE"},
		},
		"an id twice removes both": {
			targets: []*pb.Target{documents(3, "c/a"), documents(3, "c/b")},
			begins:  []string{"ADD 3", "c/a deleted out of 3", "CURRENT 3", "NO_CHANGE", "REMOVE 3 code 6"},
			steps:   []step{{[]put{"c/a v=1"}, nil}},
		},
		"wrong targets are removed, with the cause": {
			targets: []*pb.Target{
				{TargetId: 1}, documents(2, "c"), documents(3, "c/a", "c/b/d"), querying(4, nil), querying(5, from("a/b")), querying(6, from("c", limit(-1))),
			},
			begins: []string{
				"ADD 1", "REMOVE 1 code 3", "ADD 2", "REMOVE 2 code 3", "ADD 3", "REMOVE 3 code 3", "ADD 4", "REMOVE 4 code 3",
				"ADD 5", "REMOVE 5 code 3", "ADD 6", "REMOVE 6 code 3",
			},
			steps: []step{{[]put{"c/a v=1"}, nil}},
		},
	} {
		t.Run(name, func(t *testing.T) {
			w, c := newWorld(t, store.Options{}), newClient()
			w.commit(test.before...)
			s := w.stream(c)
			for _, target := range test.targets {
				require.NoError(t, s.Add(target))
			}
			require.Equal(t, test.begins, c.told())
			for _, step := range test.steps {
				at := w.commit(step.commit...)
				require.NoError(t, s.Flush())
				require.Equal(t, step.told, c.told())
				if step.told != nil {
					require.Equal(t, at, c.at, "the snapshot is at the commit")
				}
			}
		})
	}
}

func once(t *pb.Target) *pb.Target {
	t.Once = true
	return t
}

func TestANegativeIDEndsTheStream(t *testing.T) {
	w, c := newWorld(t, store.Options{}), newClient()
	require.ErrorContains(t, w.stream(c).Add(documents(-1)), "give a positive one")
}

func TestRemove(t *testing.T) {
	w, c := newWorld(t, store.Options{}), newClient()
	s := w.stream(c)
	require.NoError(t, s.Add(documents(1, "c/a")))
	require.NoError(t, s.Add(documents(2, "c/b")))
	c.told()
	require.NoError(t, s.Remove(7))
	require.Empty(t, c.told(), "there is no such target")
	w.commit("c/a v=1")
	require.NoError(t, s.Remove(1))
	require.Equal(t, []string{"c/a v=1 in 1", "NO_CHANGE", "REMOVE 1"}, c.told(), "what was before the removal comes before it")
	w.commit("c/a v=2", "c/b v=2")
	require.NoError(t, s.Flush())
	require.Equal(t, []string{"c/b v=2 in 2", "NO_CHANGE"}, c.told())
	require.NoError(t, s.Add(documents(1, "c/a")))
	require.Equal(t, []string{"ADD 1", "c/a v=2 in 1", "CURRENT 1", "NO_CHANGE"}, c.told())
}

func TestACommitIsBeforeTheTargetThatIsAddedAfterIt(t *testing.T) {
	w, c := newWorld(t, store.Options{}), newClient()
	s := w.stream(c)
	require.NoError(t, s.Add(querying(1, from("c"))))
	c.told()
	w.commit("c/a v=1")
	w.commit("c/b v=1")
	require.NoError(t, s.Add(documents(2, "c/b")))
	require.Equal(t, []string{"c/a v=1 in 1", "NO_CHANGE", "c/b v=1 in 1", "NO_CHANGE", "ADD 2", "c/b v=1 in 2", "CURRENT 2", "NO_CHANGE"}, c.told())
	require.NoError(t, s.Flush())
	require.Empty(t, c.told())
}

func TestAWindowGrowsAndShrinksBeyondWhatIsHeld(t *testing.T) {
	w, c := newWorld(t, store.Options{}), newClient()
	s := w.stream(c)
	require.NoError(t, s.Add(querying(1, from("c", limit(2)))))
	const documents = 400
	var grow []put
	for i := range documents {
		grow = append(grow, set("c/%03d v=1", i))
	}
	w.commit(grow...)
	require.NoError(t, s.Flush())
	c.told()
	for i := 0; i < documents; i += 40 {
		var shrink []put
		for j := range 40 {
			shrink = append(shrink, set("c/%03d", i+j))
		}
		w.commit(shrink...)
		require.NoError(t, s.Flush())
		want := []string{fmt.Sprintf("c/%03d deleted out of 1", i), fmt.Sprintf("c/%03d deleted out of 1", i+1)}
		if i+41 < documents {
			want = append(want, fmt.Sprintf("c/%03d v=1 in 1", i+40), fmt.Sprintf("c/%03d v=1 in 1", i+41))
		}
		require.Equal(t, append(want, "NO_CHANGE"), c.told())
	}
}
