package functions_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"sync/atomic"
	"testing"
	"time"

	pb "cloud.google.com/go/firestore/apiv1/firestorepb"
	"github.com/stretchr/testify/require"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"hippocampus/functions"
	"hippocampus/index"
	"hippocampus/internal/tenanttest"
	"hippocampus/repair"
)

func (w *world) repairDue() (int, functions.Summary) {
	w.t.Helper()
	res, err := http.Post(w.url+"/RepairDue", "", nil)
	require.NoError(w.t, err)
	defer res.Body.Close()
	var summary functions.Summary
	require.NoError(w.t, json.NewDecoder(res.Body).Decode(&summary))
	return res.StatusCode, summary
}

// tenant makes a tenant with a memory and an index that is due at a time.
func (w *world) tenant(name string, due time.Time) (memories string) {
	w.t.Helper()
	memories = "tenants/" + name + "/memories"
	other := w.of(memories)
	other.Write("YQ", map[string]any{"updated_at": t0})
	w.buildOf(memories)
	other.Patch(index.MetaID, index.DueField, due)
	return memories
}

func (w *world) generation(memories string) int64 {
	w.t.Helper()
	meta := w.of(memories).View().Meta
	require.NotNil(w.t, meta)
	return meta.Generation
}

func TestRepairDue(t *testing.T) {
	w := newWorld(t, setting{})
	due1 := w.tenant("late", t0)
	due2 := w.tenant("later", t0.Add(time.Hour))
	fresh := w.tenant("fresh", time.Now().Add(10*time.Hour))
	asked := w.tenant("asked", time.Now().Add(10*time.Hour))
	w.of(asked).Request(index.Compaction)
	w.of("tenants/new/memories").Request(index.Build)
	foreign := "users/u/notes"
	w.buildOf(foreign)
	w.of(foreign).Request(index.Build)
	w.drain()

	status, summary := w.repairDue()
	require.Equal(t, http.StatusOK, status, summary)
	require.Equal(t, 4, summary.Found)
	kinds := map[string]index.Kind{}
	for _, r := range summary.Repaired {
		kinds[r.Collection] = r.Kind
	}
	require.Equal(t, map[string]index.Kind{
		due1: index.Build, due2: index.Build, asked: index.Compaction, "tenants/new/memories": index.Build,
	}, kinds)
	require.Zero(t, summary.Superseded+summary.Left+len(summary.Failed))
	require.Equal(t, int64(1), w.generation(fresh))
	require.Equal(t, int64(2), w.generation(due1))
	require.Equal(t, int64(1), w.generation(foreign), "not of this pattern")
	require.NotNil(t, w.of(foreign).View().Request)
	require.Nil(t, w.of(asked).View().Request)

	status, summary = w.repairDue()
	require.Equal(t, http.StatusOK, status)
	require.Zero(t, summary.Found, "nothing is due any more")
}

func TestRepairDueReportsFailures(t *testing.T) {
	w := newWorld(t, setting{client: tenanttest.Commits(func(_ context.Context, r *pb.CommitRequest, send func() error) error {
		if name := r.Writes[0].GetUpdate().GetName(); name != "" && pathHas(name, "tenants/bad/") {
			return status.Error(codes.PermissionDenied, "no")
		}
		return send()
	})})
	w.broker.Hold()
	w.tenant("good", t0)
	w.tenant("bad", t0)
	status, summary := w.repairDue()
	require.Equal(t, http.StatusInternalServerError, status)
	require.Len(t, summary.Repaired, 1)
	require.Len(t, summary.Failed, 1)
	require.Equal(t, "tenants/bad/memories", summary.Failed[0].Collection)
	require.Contains(t, summary.Failed[0].Error, "PermissionDenied")
	require.Len(t, w.log.lines(`"severity":"ERROR"`, "tenants/bad/memories"), 1)
}

func TestRepairDueKeepsToItsBudget(t *testing.T) {
	w := newWorld(t, setting{
		config: functions.Config{RepairBudget: time.Second},
		client: tenanttest.Commits(func(ctx context.Context, r *pb.CommitRequest, send func() error) error {
			<-ctx.Done()
			return status.FromContextError(ctx.Err()).Err()
		}),
	})
	w.broker.Hold()
	for i := range 6 {
		w.tenant(fmt.Sprint(i), t0.Add(time.Duration(i)*time.Hour))
	}
	code, summary := w.repairDue()
	require.Equal(t, http.StatusInternalServerError, code)
	require.Equal(t, 6, summary.Found)
	require.Equal(t, 2, summary.Left, "there was no time to begin these")
	require.Len(t, summary.Failed, 4, "each had the whole budget")
	for _, f := range summary.Failed {
		require.Contains(t, f.Error, "HIPPO_REPAIR_BUDGET")
	}
	require.NotContains(t, failedCollections(summary), "tenants/5/memories", "most overdue first")
}

func TestRepairDueTakesTheMostOverdueFirst(t *testing.T) {
	const budget = 3 * time.Second
	var hangs atomic.Bool
	hangs.Store(true)
	w := newWorld(t, setting{
		parallel: 1,
		config:   functions.Config{RepairBudget: budget},
		client: tenanttest.Commits(func(ctx context.Context, r *pb.CommitRequest, send func() error) error {
			if hangs.Load() && pathHas(r.Writes[0].GetUpdate().GetName(), "tenants/a/") {
				<-ctx.Done()
				return status.FromContextError(ctx.Err()).Err()
			}
			return send()
		}),
	})
	w.broker.Hold()
	// Neither in the order of names nor in that of their making.
	overdue := []string{"c", "e", "a", "d", "b"}
	for _, i := range []int{3, 0, 4, 2, 1} {
		w.tenant(overdue[i], t0.Add(time.Duration(i)*time.Hour))
	}
	w.of("tenants/0/memories").Request(index.Build) // due only since now
	collections := []string{}
	for _, name := range append(overdue, "0") {
		collections = append(collections, "tenants/"+name+"/memories")
	}

	code, summary := w.repairDue()
	require.Equal(t, 6, summary.Found)
	require.Equal(t, collections[:2], repairedCollections(summary))
	require.Equal(t, http.StatusInternalServerError, code, "the third had most of the budget")
	require.Equal(t, collections[2:3], failedCollections(summary))
	require.Equal(t, 3, summary.Left, "the least overdue")
	for _, left := range collections[3:5] {
		require.Equal(t, int64(1), w.generation(left))
	}

	hangs.Store(false)
	code, summary = w.repairDue()
	require.Equal(t, http.StatusOK, code, summary)
	require.Equal(t, collections[2:], repairedCollections(summary))
}

func repairedCollections(s functions.Summary) []string {
	var all []string
	for _, r := range s.Repaired {
		all = append(all, r.Collection)
	}
	return all
}

func failedCollections(s functions.Summary) []string {
	var all []string
	for _, f := range s.Failed {
		all = append(all, f.Collection)
	}
	return all
}

func TestOnRequest(t *testing.T) {
	w := newWorld(t, setting{serve: true})
	w.Put("a", t0)
	w.drain()
	w.Request(index.Build)
	w.drain()
	w.requireListed(1)
	require.Nil(t, w.View().Request)
	w.Put("b", t0)
	w.drain()
	w.Request(index.Compaction)
	w.drain()
	w.requireListed(2)
	require.Empty(t, w.shardIDs())
	require.Equal(t, index.Compaction, w.View().Meta.Last.Kind)
	require.Len(t, w.log.lines(`"severity":"INFO"`, "request served"), 2)
}

func TestOnRequestLeavesWhatItCannotDo(t *testing.T) {
	var denied atomic.Bool
	denied.Store(true)
	w := newWorld(t, setting{serve: true, client: tenanttest.Commits(func(_ context.Context, r *pb.CommitRequest, send func() error) error {
		if denied.Load() && pathHas(r.Writes[0].GetUpdate().GetName(), "memory_shards/meta") {
			return status.Error(codes.PermissionDenied, "no")
		}
		return send()
	})})
	w.Put("a", t0)
	w.drain()
	w.Request(index.Build)
	w.drain()
	require.Zero(t, w.broker.Stats().Retried, "not delivered again for a day")
	require.Len(t, w.log.lines(`"severity":"ERROR"`, "request not served"), 1)
	require.NotNil(t, w.View().Request)
	denied.Store(false)
	status, summary := w.repairDue()
	require.Equal(t, http.StatusOK, status)
	require.Len(t, summary.Repaired, 1)
	w.requireListed(1)

	// The event of a request that was served meanwhile.
	w.broker.Hold()
	w.Request(index.Build)
	messages := w.held(1)
	o := w.repairOptions()
	_, err := repair.Serve(t.Context(), w.Client, acme, &o)
	require.NoError(t, err)
	generation := w.generation(acme)
	w.deliver(messages...)
	require.Equal(t, generation, w.generation(acme))
}
