package listen_test

import (
	"testing"
	"time"

	pb "cloud.google.com/go/firestore/apiv1/firestorepb"
	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/types/known/timestamppb"
	"google.golang.org/protobuf/types/known/wrapperspb"

	"hippocampus/emulator/internal/store"
)

// resuming makes a target resume.
type resuming func(*pb.Target)

func token(token []byte) resuming {
	return func(t *pb.Target) { t.ResumeType = &pb.Target_ResumeToken{ResumeToken: token} }
}

func readTime(at time.Time) resuming {
	return func(t *pb.Target) { t.ResumeType = &pb.Target_ReadTime{ReadTime: timestamppb.New(at)} }
}

func expecting(n int32) resuming {
	return func(t *pb.Target) { t.ExpectedCount = wrapperspb.Int32(n) }
}

// begins returns what a new stream begins with for a target.
func (w *world) begins(target *pb.Target, changes ...resuming) []string {
	w.Helper()
	for _, change := range changes {
		change(target)
	}
	c := newClient()
	require.NoError(w, w.stream(c).Add(target))
	return c.told()
}

func TestATargetResumes(t *testing.T) {
	w, c := newWorld(t, store.Options{}), newClient()
	w.commit("c/a v=1", "c/b v=1", "c/c v=1", "c/e v=1")
	require.NoError(t, w.stream(c).Add(querying(7, from("c"))))
	w.commit("c/a v=2", "c/b", "c/d v=1", "c/e v=1 w=1", "c/z v=3")
	w.commit("c/z")

	ones := func() *pb.Target { return querying(7, from("c", where("v", equal, 1))) }
	first := func() *pb.Target { return querying(7, from("c", limit(2))) }
	some := func() *pb.Target { return documents(7, "c/a", "c/b", "c/c", "c/never", "c/z") }
	for name, test := range map[string]struct {
		target *pb.Target
		with   []resuming
		told   []string
	}{
		"a query": {ones(), []resuming{token(c.token)}, []string{
			"c/a v=2 out of 7", "c/b deleted out of 7", "c/d v=1 in 7", "c/e v=1 w=1 in 7",
		}},
		"a query by its read time": {ones(), []resuming{readTime(c.at)}, []string{
			"c/a v=2 out of 7", "c/b deleted out of 7", "c/d v=1 in 7", "c/e v=1 w=1 in 7",
		}},
		"a query by a read time between microseconds": {ones(), []resuming{readTime(c.at.Add(999 * time.Nanosecond))}, []string{
			"c/a v=2 out of 7", "c/b deleted out of 7", "c/d v=1 in 7", "c/e v=1 w=1 in 7",
		}},
		"a query that had as many as expected": {ones(), []resuming{token(c.token), expecting(4)}, []string{
			"c/a v=2 out of 7", "c/b deleted out of 7", "c/d v=1 in 7", "c/e v=1 w=1 in 7",
		}},
		"a query that did not have as many as expected": {ones(), []resuming{token(c.token), expecting(5)}, []string{
			"c/a v=2 out of 7", "c/b deleted out of 7", "c/d v=1 in 7", "c/e v=1 w=1 in 7", "7 has 3",
		}},
		"a limit": {first(), []resuming{token(c.token)}, []string{"c/b deleted out of 7", "c/a v=2 in 7", "c/c v=1 in 7"}},
		"documents": {some(), []resuming{token(c.token), expecting(3)}, []string{
			"c/a v=2 in 7", "c/b deleted out of 7",
		}},
		"documents that were not as many as expected": {some(), []resuming{token(c.token), expecting(1)}, []string{
			"c/a v=2 in 7", "c/b deleted out of 7", "7 has 2",
		}},
		"nothing has changed": {documents(7, "c/c"), []resuming{token(c.token)}, nil},
		"not with a token of nothing": {first(), []resuming{token(nil)}, []string{
			"RESET 7", "c/a v=2 in 7", "c/c v=1 in 7",
		}},
		"not with a token of another kind": {first(), []resuming{token([]byte("0123456789abcdef")), expecting(9)}, []string{
			"RESET 7", "c/a v=2 in 7", "c/c v=1 in 7",
		}},
		"not from before the store was made": {first(), []resuming{readTime(w.Born.Add(-time.Microsecond))}, []string{
			"RESET 7", "c/a v=2 in 7", "c/c v=1 in 7",
		}},
		"not from the future": {first(), []resuming{readTime(w.now.Add(time.Hour))}, []string{
			"RESET 7", "c/a v=2 in 7", "c/c v=1 in 7",
		}},
	} {
		t.Run(name, func(t *testing.T) {
			told := w.begins(test.target, test.with...)
			n := len(told)
			require.Equal(t, []string{"ADD 7", "CURRENT 7", "NO_CHANGE"}, append(told[:1:1], told[n-2:]...))
			require.Equal(t, test.told, append([]string(nil), told[1:n-2]...))
		})
	}
	t.Run("a time that is none is refused", func(t *testing.T) {
		wrong := first()
		wrong.ResumeType = &pb.Target_ReadTime{ReadTime: &timestamppb.Timestamp{Nanos: -1}}
		require.Equal(t, []string{"ADD 7", "REMOVE 7 code 3"}, w.begins(wrong))
	})
}

func TestATargetIsResetWhenTheHistoryIsGone(t *testing.T) {
	w, c := newWorld(t, store.Options{History: time.Minute}), newClient()
	w.commit("c/a v=1", "c/b v=1")
	require.NoError(t, w.stream(c).Add(querying(7, from("c"))))
	w.commit("c/a")
	require.Equal(t, []string{"ADD 7", "c/a deleted out of 7", "CURRENT 7", "NO_CHANGE"}, w.begins(querying(7, from("c")), token(c.token)))
	w.now = w.now.Add(2 * time.Minute)
	for _, target := range []*pb.Target{querying(7, from("c")), querying(7, from("c", limit(2))), documents(7, "c/b")} {
		require.Equal(t, []string{"ADD 7", "RESET 7", "c/b v=1 in 7", "CURRENT 7", "NO_CHANGE"}, w.begins(target, token(c.token)))
	}
}

func TestATokenIsGoodForItsStoreOnly(t *testing.T) {
	old, c := newWorld(t, store.Options{}), newClient()
	old.commit("c/a v=1")
	require.NoError(t, old.stream(c).Add(querying(7, from("c"))))

	for name, born := range map[string]time.Time{
		"a store that is younger than the token": c.at.Add(time.Second),
		"a store that is older than the token":   begin,
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, store.Options{})
			w.now = c.at.Add(time.Minute)
			w.Born = born
			require.Equal(t, []string{"ADD 7", "RESET 7", "CURRENT 7", "NO_CHANGE"}, w.begins(querying(7, from("c")), token(c.token)),
				"else the client would keep what it has of another emulator")
		})
	}
}
