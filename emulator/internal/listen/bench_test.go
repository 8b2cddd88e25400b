package listen_test

import (
	"fmt"
	"testing"

	pb "cloud.google.com/go/firestore/apiv1/firestorepb"
	"github.com/stretchr/testify/require"

	"hippocampus/emulator/internal/listen"
	"hippocampus/emulator/internal/store"
)

// What telling a stream of one changed document costs does not grow with what its target has.
func BenchmarkACommit(b *testing.B) {
	for _, documents := range []int{10, 10_000} {
		for name, target := range map[string]*pb.Target{"query": querying(1, from("c")), "limit of 10": querying(1, from("c", limit(10)))} {
			b.Run(fmt.Sprintf("%s of %d documents", name, documents), func(b *testing.B) {
				w := newWorld(b, store.Options{})
				var all []put
				for i := range documents {
					all = append(all, set("c/%05d v=1", i))
				}
				w.commit(all...)
				s := listen.New(w.Database, func(*pb.ListenResponse) error { return nil })
				defer s.Close()
				require.NoError(b, s.Add(target))
				for b.Loop() {
					w.commit("c/00003 v=1")
					require.NoError(b, s.Flush())
				}
			})
		}
	}
}
