package eval_test

import (
	"context"
	"flag"
	"log/slog"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"hippocampus/emulator/emulatortest"
	"hippocampus/internal/eval"
	"hippocampus/internal/eval/result"
	"hippocampus/internal/stack"
)

var schedules = flag.Int("eval.schedules", 5, "how many random schedules TestEquivalence runs")

func TestMain(m *testing.M) {
	flag.Parse()
	emulatortest.Main(m)
}

var quiet = slog.New(slog.DiscardHandler)

// start starts the emulator that the environment says, with the product on it.
func start(t *testing.T) *eval.Deployment {
	kind := stack.Embedded
	if emulatortest.Official() {
		kind = stack.Official
	}
	return startKind(t, kind)
}

func startKind(t *testing.T, kind stack.Kind) *eval.Deployment {
	target, err := eval.Start(t.Context(), kind, quiet)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, target.Stack.Close()) })
	return target
}

// small is an evaluation that takes seconds. Its turns are measured in this process.
func small(target *eval.Deployment) eval.Options {
	return eval.Options{
		Sizes: []int{10, 60}, Schedules: 3, Watched: 3, After: []int{1}, RepairSizes: []int{200}, Bursts: []int{10, 100},
		Rates: &result.Rates{Lose: .2, Duplicate: .2, Delay: .2, Reorder: .2}, Prices: result.DefaultPrices(), Logger: quiet,
		Turns: func(ctx context.Context, spec *eval.TurnSpec) ([]result.Turn, error) {
			spec.MaxTurns, spec.MinTurns = 3, 3
			return eval.MeasureTurns(ctx, target.Open, spec)
		},
	}
}

// An evaluation of the true product answers every question with yes, and has measured what it says.
func TestRun(t *testing.T) {
	t.Parallel()
	target := start(t)
	o := small(target)
	var steps []string
	last := eval.Progress{}
	o.Progress = func(p eval.Progress) {
		require.GreaterOrEqual(t, p.Fraction, last.Fraction, p.Doing)
		if p.Doing != last.Doing {
			steps = append(steps, p.Doing)
		}
		last = p
	}
	found, err := eval.Run(t.Context(), target, o)
	require.NoError(t, err)
	require.Len(t, found.Verdicts(), 5)
	for _, v := range found.Verdicts() {
		require.True(t, v.OK, v.Text)
		require.True(t, strings.HasPrefix(v.Text, "Yes: "), v.Text)
	}
	require.True(t, found.OK())
	require.Empty(t, found.Evaluation.Left)
	require.False(t, found.Evaluation.Interrupted)
	require.Len(t, steps, 2+1+2+2+1+2+1)

	require.Len(t, found.Equivalence.Stores, 6)
	for _, s := range found.Equivalence.Stores {
		require.Equal(t, "index", s.Source)
		require.Equal(t, s.Memories, s.Listed)
		require.Greater(t, s.Reads, s.Memories)
	}
	require.Equal(t, 3, found.Equivalence.Schedules.Count)
	require.Greater(t, found.Equivalence.Schedules.Compared, 30)

	require.Len(t, found.Cost.Turns, 2*len(result.Ways))
	for i, turn := range found.Cost.Turns {
		n := []int{10, 60}[i/len(result.Ways)]
		require.Equal(t, n, turn.Memories)
		require.Equal(t, result.Ways[i%len(result.Ways)], turn.Way)
		require.Equal(t, map[result.Way]int{result.FullScan: n, result.NamesScan: n, result.Maps: 8, result.Index: 1, result.Changed: 2}[turn.Way], turn.Documents)
		require.Equal(t, 3, turn.Turns)
		require.Positive(t, turn.MedianMS)
		require.GreaterOrEqual(t, turn.P95MS, turn.MedianMS)
		require.Greater(t, turn.Allocations, int64(100))
		require.InDelta(t, 2100, turn.MemoryBytes, 500)
		if turn.Way == result.FullScan {
			require.Greater(t, turn.Bytes, int64(n*turn.MemoryBytes))
		}
		require.Positive(t, turn.PromptBytes)
		if turn.Way != result.Changed { // which are in another order
			require.Equal(t, found.Cost.Turns[i/len(result.Ways)*len(result.Ways)].PromptBytes, turn.PromptBytes)
		}
	}

	require.Equal(t, []result.After{{Seconds: 1, Turns: 3, Listed: 3}}, found.Freshness.After)
	require.Len(t, found.Freshness.Lags, 2)
	for _, lag := range found.Freshness.Lags {
		require.Equal(t, 3, lag.Writes)
		require.Len(t, lag.MS, 3)
	}
	require.Greater(t, found.Freshness.Lags[1].Others, 100)

	mended := found.Repair.Stores[0]
	require.Positive(t, mended.Lost)
	require.Positive(t, mended.Before.Total(), "events were lost, and nothing drifted")
	require.Zero(t, mended.After.Total())
	require.Equal(t, 20, mended.DeletesFirst)
	require.Positive(t, mended.During)
	require.Positive(t, mended.Duplicated+mended.Delayed+mended.Reordered)
	require.Greater(t, mended.Reads, 100)

	require.Len(t, found.Writes.Bursts, 2)
	for _, burst := range found.Writes.Bursts {
		require.Positive(t, burst.Writes)
		require.LessOrEqual(t, burst.Writes, burst.Commits)
		require.Less(t, burst.Writes, burst.Changes)
	}
	require.Greater(t, found.Writes.Slowdown.With.Writes, 100)
	require.Greater(t, found.Writes.Slowdown.Without.Writes, 100)
}

// The list equals the scan. This is what must fail for every mutant of the product.
func TestEquivalence(t *testing.T) {
	t.Parallel()
	target := start(t)
	o := small(target)
	o.Only, o.Sizes, o.Schedules = []eval.Measurement{eval.Equivalence}, []int{60}, *schedules
	found, err := eval.Run(t.Context(), target, o)
	require.NoError(t, err)
	require.True(t, found.OK(), found.Verdicts())
	require.Len(t, found.Verdicts(), 1)
}

// What is interrupted has what was measured until then, and says what was not.
func TestRunInterrupted(t *testing.T) {
	t.Parallel()
	target := start(t)
	o := small(target)
	o.Only = []eval.Measurement{eval.Cost, eval.Repair, eval.Writes}
	ctx, interrupt := context.WithCancel(t.Context())
	o.Progress = func(p eval.Progress) {
		if strings.HasPrefix(p.Doing, "repair") {
			interrupt()
		}
	}
	found, err := eval.Run(ctx, target, o)
	require.NoError(t, err)
	require.True(t, found.Evaluation.Interrupted)
	require.NotNil(t, found.Cost)
	require.Nil(t, found.Repair)
	require.Nil(t, found.Writes)
	var left []string
	for _, l := range found.Evaluation.Left {
		left = append(left, l.What)
	}
	require.Equal(t, []string{"repair", "writes"}, left)
}

// After a repair was measured events fare well again: they must not count in what is measured next.
// Sizes that are given twice are measured once.
func TestRunRepairLeavesTheEventsAlone(t *testing.T) {
	t.Parallel()
	target := start(t)
	o := small(target)
	o.Only, o.RepairSizes, o.Rates = []eval.Measurement{eval.Repair}, []int{20, 20}, &result.Rates{Duplicate: 1}
	found, err := eval.Run(t.Context(), target, o)
	require.NoError(t, err)
	require.Len(t, found.Repair.Stores, 1)
	require.Positive(t, found.Repair.Stores[0].Duplicated)

	before := target.Stack.Broker.Stats().Duplicated
	_, err = target.Stack.Client.Doc("tenants/acme/memories/YQ").Set(t.Context(), map[string]any{"body": "a"})
	require.NoError(t, err)
	require.NoError(t, target.Stack.Broker.Drain(t.Context()))
	require.Equal(t, before, target.Stack.Broker.Stats().Duplicated)
}

// What is interrupted in the middle of a measurement keeps that part of it.
func TestRunInterruptedInAMeasurement(t *testing.T) {
	t.Parallel()
	target := start(t)
	o := small(target)
	o.Only = []eval.Measurement{eval.Cost}
	ctx, interrupt := context.WithCancel(t.Context())
	o.Progress = func(p eval.Progress) {
		if p.Doing == "cost: 60 memories" {
			interrupt()
		}
	}
	found, err := eval.Run(ctx, target, o)
	require.NoError(t, err)
	require.True(t, found.Evaluation.Interrupted)
	require.Equal(t, []result.Left{{What: "the rest of cost", Why: "the run was interrupted"}}, found.Evaluation.Left)
	require.Len(t, found.Cost.Turns, len(result.Ways))
	require.True(t, found.Cost.Verdict.OK, found.Cost.Verdict.Text)
}

// What is interrupted while writes are watched says nothing of those that were not listed yet.
func TestRunInterruptedWhileItWatches(t *testing.T) {
	t.Parallel()
	target := start(t)
	o := small(target)
	o.Only, o.After, o.Watched = []eval.Measurement{eval.Freshness}, []int{1, 60}, 10
	ctx, interrupt := context.WithCancel(t.Context())
	o.Progress = func(p eval.Progress) {
		if p.Fraction > .05 { // of 75 seconds, so after four writes
			interrupt()
		}
	}
	found, err := eval.Run(ctx, target, o)
	require.NoError(t, err)
	require.True(t, found.Evaluation.Interrupted)
	require.Len(t, found.Freshness.Lags, 1)
	lag := found.Freshness.Lags[0]
	require.Positive(t, lag.Writes)
	require.Equal(t, lag.Writes, lag.Listed)
	require.True(t, found.Freshness.Verdict.OK, found.Freshness.Verdict.Text)
}

func TestResultsHaveWhatTheRunWas(t *testing.T) {
	t.Parallel()
	target := start(t)
	o := small(target)
	o.Only, o.Sizes, o.Seed = []eval.Measurement{eval.Cost}, []int{10}, 17
	begun := time.Now()
	found, err := eval.Run(t.Context(), target, o)
	require.NoError(t, err)
	require.Equal(t, uint64(17), found.Evaluation.Seed)
	require.WithinRange(t, found.Evaluation.Started, begun.Truncate(time.Second), time.Now())
	require.NotEmpty(t, found.Evaluation.Go)
	head, _ := exec.Command("git", "rev-parse", "HEAD").Output() // none in a copy without its history
	require.Equal(t, strings.TrimSpace(string(head)), found.Evaluation.Commit)
	require.Positive(t, found.Evaluation.Machine.Cores)
	require.Contains(t, found.Evaluation.Deployment.Name, "emulator")
	if os.Getenv(emulatortest.Variable) == "" {
		require.Equal(t, result.Embedded, found.Evaluation.Deployment.Kind)
	}
}
