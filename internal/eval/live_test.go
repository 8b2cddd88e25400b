package eval_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"cloud.google.com/go/firestore"
	"cloud.google.com/go/firestore/apiv1/firestorepb"
	"github.com/stretchr/testify/require"
	"google.golang.org/api/option"
	"google.golang.org/grpc"

	"hippocampus/emulator"
	"hippocampus/emulator/emulatortest"
	"hippocampus/functions"
	"hippocampus/internal/deep"
	"hippocampus/internal/eval"
	"hippocampus/internal/eval/result"
	"hippocampus/internal/stack"
	"hippocampus/memory"
)

// deployed returns a Firestore as an evaluation sees that of a project: the functions are deployed,
// and not in its hands.
func deployed(t *testing.T) (*eval.Deployment, *emulator.Emulator) {
	return deployedWith(t, functions.Config{Memories: functions.DefaultMemories})
}

func deployedWith(t *testing.T, config functions.Config) (*eval.Deployment, *emulator.Emulator) {
	s, err := stack.Start(t.Context(), &stack.Options{Kind: stack.Embedded, Project: "demo-deployed", Config: config, Logger: quiet})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, s.Close()) })
	return &eval.Deployment{Kind: result.Live, Name: "project demo-deployed", Open: s.Emulator.Client, Tenant: "eval",
		Config: config, Events: s.Broker.Drain}, embedded(t, s)
}

// embedded is the emulator of a stack.
func embedded(t *testing.T, s *stack.Stack) *emulator.Emulator {
	em, ok := s.Emulator.(*emulator.Emulator)
	require.True(t, ok)
	return em
}

// On a project the evaluation works in tenants of its own, costs no more than it said, and leaves
// nothing.
func TestRunOnAProject(t *testing.T) {
	t.Parallel()
	target, em := deployed(t)
	client := emulatortest.Client(t, em)
	_, err := client.Doc("tenants/acme/memories/YQ").Set(t.Context(), map[string]any{"body": "somebody's"})
	require.NoError(t, err)
	o := small(target)
	estimate := eval.EstimateLive(o)
	em.ResetUsage()
	found, err := eval.Run(t.Context(), target, o)
	require.NoError(t, err)
	for _, v := range found.Verdicts() {
		require.True(t, v.OK, v.Text)
	}
	require.Len(t, found.Verdicts(), 4)
	require.Nil(t, found.Repair)
	require.Nil(t, found.Equivalence.Schedules)
	require.Empty(t, found.Writes.Bursts)
	var left []string
	for _, l := range found.Evaluation.Left {
		left = append(left, l.What)
	}
	require.Equal(t, []string{"random schedules", "repair", "commits in bursts"}, left)

	used := em.Usage()[""]
	require.LessOrEqual(t, int(used.Reads), estimate.Reads)
	require.LessOrEqual(t, int(used.Writes), estimate.Writes)
	require.LessOrEqual(t, int(used.Deletes), estimate.Deletes)
	t.Logf("estimated %+v, used %+v", estimate, used)

	docs, err := client.CollectionGroup("memories").Documents(t.Context()).GetAll()
	require.NoError(t, err)
	require.Len(t, docs, 1, "somebody's, and no other")
	for _, group := range []string{"memory_shards", "shards"} {
		docs, err = client.CollectionGroup(group).Documents(t.Context()).GetAll()
		require.NoError(t, err)
		for _, doc := range docs {
			require.Contains(t, doc.Ref.Path, "/tenants/acme/", "left behind")
		}
	}
}

// A pattern may have several wildcards, and needs one; ids may be the names, and dates in any
// field.
func TestRunOnAProjectWithAnotherLayout(t *testing.T) {
	deep.Only(t)
	t.Parallel()
	target, _ := deployedWith(t, functions.Config{Memories: "orgs/{org}/users/{user}/notes",
		Schema: memory.Schema{IDs: memory.Plain, DateField: "seen"}})
	o := small(target)
	o.Only, o.Sizes = []eval.Measurement{eval.Equivalence, eval.Cost, eval.Freshness}, []int{10}
	found, err := eval.Run(t.Context(), target, o)
	require.NoError(t, err)
	require.True(t, found.OK(), found.Verdicts())
	require.Equal(t, "orgs/eval-equal-10/users/eval-equal-10/notes", found.Equivalence.Stores[0].Collection)

	target.Config.Memories = "notes"
	_, err = eval.Run(t.Context(), target, o)
	require.ErrorContains(t, err, "HIPPO_MEMORIES=notes has no wildcard")
}

// The functions follow the removal, and write to an index while it is dropped.
func TestRunOnAProjectRemovesWhatIsWrittenMeanwhile(t *testing.T) {
	t.Parallel()
	target, em := deployed(t)
	client := emulatortest.Client(t, em)
	o := small(target)
	o.Only, o.Sizes = []eval.Measurement{eval.Equivalence}, []int{10}
	removing, overtaken := false, false
	o.Progress = func(p eval.Progress) { removing = p.Doing == "removing what was written" }
	open := target.Open
	target.Open = func(ctx context.Context, opts ...option.ClientOption) (*firestore.Client, error) {
		return open(ctx, append(opts, option.WithGRPCDialOption(grpc.WithChainUnaryInterceptor(func(ctx context.Context, method string,
			req, res any, cc *grpc.ClientConn, invoke grpc.UnaryInvoker, opts ...grpc.CallOption) error {
			if commit, ok := req.(*firestorepb.CommitRequest); ok && removing && !overtaken {
				overtaken = true
				_, path, _ := strings.Cut(commit.GetWrites()[0].GetDelete(), "/documents/")
				_, err := client.Doc(path).Set(ctx, map[string]any{"written": "meanwhile"}, firestore.MergeAll)
				require.NoError(t, err)
			}
			return invoke(ctx, method, req, res, cc, opts...)
		})))...)
	}
	_, err := eval.Run(t.Context(), target, o)
	require.NoError(t, err)
	require.True(t, overtaken)
	docs, err := client.CollectionGroup("memory_shards").Documents(t.Context()).GetAll()
	require.NoError(t, err)
	require.Empty(t, docs)
}

// Lists of large stores are compared on the largest that is filled through the hook: never on none.
func TestEstimateOfLargeStores(t *testing.T) {
	o := eval.Options{Only: []eval.Measurement{eval.Equivalence}, Sizes: []int{5000}, Prices: result.DefaultPrices()}
	expected := eval.EstimateLive(o)
	require.Greater(t, expected.Writes, 10_000)
	require.Greater(t, expected.Lasts, 10*time.Second)
	o.Sizes = []int{20000, 6000}
	require.Equal(t, expected, eval.EstimateLive(o))
}

// A tenant that has memories is left alone.
func TestRunOnAProjectLeavesOthersAlone(t *testing.T) {
	t.Parallel()
	target, em := deployed(t)
	client := emulatortest.Client(t, em)
	ref := client.Doc("tenants/eval-fresh-idle/memories/YQ")
	_, err := ref.Set(t.Context(), map[string]any{"body": "somebody's"})
	require.NoError(t, err)
	o := small(target)
	o.Only = []eval.Measurement{eval.Freshness}
	_, err = eval.Run(t.Context(), target, o)
	require.ErrorContains(t, err, "tenants/eval-fresh-idle/memories has documents")
	_, err = ref.Get(t.Context())
	require.NoError(t, err, "it was removed")
}

// Before anything is begun or asked, it is known whether the evaluation would be in anybody's way.
func TestVacant(t *testing.T) {
	t.Parallel()
	target, em := deployed(t)
	o := small(target)
	require.NoError(t, eval.Vacant(t.Context(), target, o))
	client := emulatortest.Client(t, em)
	for _, path := range []string{"tenants/eval-equal-60/memories/a", "hippo-eval/eval-maps-10/shards/0", "tenants/eval-writes-with/memories/a"} {
		ref := client.Doc(path)
		_, err := ref.Set(t.Context(), map[string]any{})
		require.NoError(t, err)
		err = eval.Vacant(t.Context(), target, o)
		require.ErrorContains(t, err, ref.Parent.ID+" has documents", path)
		_, err = ref.Delete(t.Context())
		require.NoError(t, err)
	}
}

// What is interrupted on a project is removed, too.
func TestRunOnAProjectInterrupted(t *testing.T) {
	t.Parallel()
	target, em := deployed(t)
	o := small(target)
	ctx, interrupt := context.WithCancel(t.Context())
	o.Progress = func(p eval.Progress) {
		if strings.HasPrefix(p.Doing, "cost") {
			interrupt()
		}
	}
	found, err := eval.Run(ctx, target, o)
	require.NoError(t, err)
	require.True(t, found.Evaluation.Interrupted)
	docs, err := emulatortest.Client(t, em).CollectionGroup("memories").Documents(t.Context()).GetAll()
	require.NoError(t, err)
	require.Empty(t, docs)
}
