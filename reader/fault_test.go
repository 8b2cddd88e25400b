package reader_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"hippocampus/index"
	"hippocampus/reader"
)

func isIndex(c call) bool { return strings.HasSuffix(c.about, "/"+index.CollectionID) }

// TestNthCallFails fails the n-th call of a turn, for n = 0, 1, 2 … until the
// turn has fewer calls, on the path of the index and on that of the scan.
func TestNthCallFails(t *testing.T) {
	for _, built := range []bool{true, false} {
		for _, code := range []codes.Code{codes.Unavailable, codes.Aborted, codes.DeadlineExceeded, codes.Internal} {
			t.Run(fmt.Sprintf("built=%t %s", built, code), func(t *testing.T) {
				tn := newTenant(t)
				tn.put("pages/a", "pages/b")
				if built {
					tn.build()
				}
				want := tn.Scan()
				failed := true
				n := 0
				for ; failed; n++ {
					failed = false
					var s spy
					s.fail = func(_ context.Context, i int, _ call) error {
						if i == n {
							failed = true
							return status.Error(code, "as the test wants")
						}
						return nil
					}
					list, err := reader.New(s.client(t, tn), quiet).List(t.Context(), memories)
					require.NoError(t, err)
					require.Equal(t, want, list.Entries)
					require.True(t, list.Receipt.Complete)
					require.Equal(t, s.read(), list.Receipt.DocumentsRead)
					require.Equal(t, built, list.Receipt.Source == reader.FromIndex)
					if !built {
						require.Equal(t, "missing", list.Receipt.Reason)
						require.Equal(t, reader.Asked, list.Receipt.Request)
						tn.remove(index.RequestID) // or the next turn would have a call less
					}
				}
				require.GreaterOrEqual(t, n, map[bool]int{true: 2, false: 5}[built], "the calls of a turn, and once more")
			})
		}
	}
}

// TestStreamIsCut ends a query after some of its documents.
func TestStreamIsCut(t *testing.T) {
	for _, built := range []bool{true, false} {
		t.Run(fmt.Sprintf("built=%t", built), func(t *testing.T) {
			tn := newTenant(t)
			tn.put("pages/a", "pages/b", "pages/c")
			want := tn.Scan()
			if built {
				tn.build()
				tn.Deliver(0, index.Change{ID: "YQ", Old: &index.State{Version: 1}})
				tn.Deliver(1, index.Change{ID: "Yg", Old: &index.State{Version: 1}})
			}
			cuts := 0
			s := spy{cut: func(c call, received int) error {
				if c.method == "RunQuery" && isIndex(c) == built && received == 3 && cuts == 0 {
					cuts++
					return status.Error(codes.Unavailable, "cut")
				}
				return nil
			}}
			list, err := reader.New(s.client(t, tn), quiet).List(t.Context(), memories)
			require.NoError(t, err)
			require.Equal(t, 1, cuts)
			require.Equal(t, want, list.Entries, "no entry twice")
			require.Equal(t, built, list.Receipt.Request == reader.NotNeeded, "nor a shard: four would ask for a compaction")
			require.Equal(t, s.read(), list.Receipt.DocumentsRead, "what came before the cut is billed")
		})
	}
}

func TestIndexQueryFailsForGood(t *testing.T) {
	for code, queries := range map[codes.Code]int{
		codes.Unavailable:       3,
		codes.DeadlineExceeded:  3,
		codes.PermissionDenied:  1,
		codes.ResourceExhausted: 1,
	} {
		t.Run(code.String(), func(t *testing.T) {
			tn := newTenant(t)
			tn.put("pages/a", "pages/b")
			tn.build()
			tried := 0
			s := spy{fail: func(_ context.Context, _ int, c call) error {
				if isIndex(c) {
					tried++
					return status.Error(code, "as the test wants")
				}
				return nil
			}}
			list, err := reader.New(s.client(t, tn), quiet).List(t.Context(), memories)
			require.NoError(t, err)
			require.Equal(t, queries, tried)
			require.Equal(t, []string{"pages/a", "pages/b"}, names(list))
			require.Equal(t, reader.FromScan, list.Receipt.Source)
			require.Equal(t, reader.Unreadable, list.Receipt.Reason)
			require.Contains(t, list.Receipt.Detail, code.String())
			require.Equal(t, reader.NotNeeded, list.Receipt.Request)
			require.Equal(t, 3, list.Receipt.DocumentsRead)
			require.Equal(t, s.read(), list.Receipt.DocumentsRead)
			require.Zero(t, s.count("Commit"))
		})
	}
}

func TestNothingCanBeRead(t *testing.T) {
	tn := newTenant(t)
	s := spy{fail: func(context.Context, int, call) error { return status.Error(codes.ResourceExhausted, "quota") }}
	list, err := reader.New(s.client(t, tn), quiet).List(t.Context(), memories)
	require.Nil(t, list)
	require.ErrorContains(t, err, "list tenants/acme/memories: the index cannot be read")
	require.ErrorContains(t, err, "and the memories cannot be scanned")
	require.Equal(t, codes.ResourceExhausted, status.Code(err))
}

// TestContextEnds ends the context before each call of a turn and while a call
// waits for its answer.
func TestContextEnds(t *testing.T) {
	for _, built := range []bool{true, false} {
		for _, method := range []string{"RunQuery index", "BatchGetDocuments", "RunQuery memories"} {
			if built && method != "RunQuery index" {
				continue // the only call there is
			}
			t.Run(fmt.Sprintf("built=%t %s", built, method), func(t *testing.T) {
				tn := newTenant(t)
				tn.put("pages/a")
				if built {
					tn.build()
				}
				ctx, cancel := context.WithCancel(t.Context())
				s := spy{fail: func(callCtx context.Context, _ int, c call) error {
					name := c.method
					if name == "RunQuery" && isIndex(c) {
						name += " index"
					} else if name == "RunQuery" {
						name += " memories"
					}
					if name != method {
						return nil
					}
					cancel()
					<-callCtx.Done()
					return status.FromContextError(callCtx.Err()).Err()
				}}
				list, err := reader.New(s.client(t, tn), quiet).List(ctx, memories)
				require.Nil(t, list)
				require.ErrorIs(t, err, context.Canceled)
				require.ErrorContains(t, err, "list tenants/acme/memories: the context ended before the list was read")
			})
		}
	}
	t.Run("while another asks", func(t *testing.T) {
		tn := newTenant(t)
		ctx, cancel := context.WithCancel(t.Context())
		s := spy{fail: func(callCtx context.Context, _ int, c call) error {
			if c.method == "Commit" {
				cancel()
				<-callCtx.Done()
				return status.FromContextError(callCtx.Err()).Err()
			}
			if c.method == "RunQuery" && !isIndex(c) {
				<-ctx.Done()
			}
			return nil
		}}
		r := reader.New(s.client(t, tn), &reader.Options{Logger: quiet.Logger, AskTimeout: 5 * time.Minute})
		late, stop := context.WithTimeout(context.Background(), time.Minute)
		defer stop()
		_, err := r.List(ctx, memories)
		require.ErrorIs(t, err, context.Canceled)
		require.NoError(t, late.Err(), "a turn that ended does not wait for the answer")
	})
	t.Run("deadline passed before", func(t *testing.T) {
		tn := newTenant(t)
		ctx, cancel := context.WithDeadline(t.Context(), time.Unix(1, 0))
		defer cancel()
		_, err := reader.New(tn.Client, quiet).List(ctx, memories)
		require.ErrorIs(t, err, context.DeadlineExceeded)
		require.ErrorContains(t, err, "give the turn more time")
	})
}
