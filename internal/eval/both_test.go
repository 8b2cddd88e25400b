package eval_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"hippocampus/emulator/official/officialtest"
	"hippocampus/internal/eval"
	"hippocampus/internal/eval/result"
	"hippocampus/internal/stack"
)

// Both emulators give the same reads and the same equivalence.
func TestBothEmulatorsAgree(t *testing.T) {
	officialtest.Need(t)
	found := map[stack.Kind]*result.Results{}
	for _, kind := range []stack.Kind{stack.Embedded, stack.Official} {
		target := startKind(t, kind)
		o := small(target)
		o.Only, o.Sizes = []eval.Measurement{eval.Equivalence, eval.Cost}, []int{30, 300}
		var err error
		found[kind], err = eval.Run(t.Context(), target, o)
		require.NoError(t, err)
		require.Equal(t, result.Kind(kind), found[kind].Evaluation.Deployment.Kind)
	}
	ours, theirs := found[stack.Embedded], found[stack.Official]
	require.Equal(t, theirs.Equivalence.Verdict, ours.Equivalence.Verdict)
	require.True(t, ours.Equivalence.Verdict.OK, ours.Equivalence.Verdict.Text)
	for i, row := range theirs.Equivalence.Stores {
		row.AsOf = ours.Equivalence.Stores[i].AsOf
		if row.Moment == "after the changes" { // events that came together share shards by chance
			row.Reads = ours.Equivalence.Stores[i].Reads
		}
		require.Equal(t, row, ours.Equivalence.Stores[i])
	}
	require.Equal(t, theirs.Equivalence.Schedules.Count, ours.Equivalence.Schedules.Count)
	require.Equal(t, theirs.Cost.Verdict, ours.Cost.Verdict)
	for i, turn := range theirs.Cost.Turns {
		same := ours.Cost.Turns[i]
		require.Equal(t, turn.Way, same.Way)
		require.Equal(t, turn.Memories, same.Memories)
		require.Equal(t, turn.Documents, same.Documents, "%s of %d memories", turn.Way, turn.Memories)
		require.Equal(t, turn.PromptBytes, same.PromptBytes, "%s of %d memories", turn.Way, turn.Memories)
		require.InEpsilon(t, turn.Bytes, same.Bytes, .05, "%s of %d memories", turn.Way, turn.Memories)
	}
}
