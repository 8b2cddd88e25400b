package eval_test

import (
	"context"
	"log/slog"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"hippocampus/emulator/emulatortest"
	"hippocampus/eval"
	"hippocampus/eval/price"
	"hippocampus/eval/result"
	"hippocampus/stack"
)

func TestMain(m *testing.M) { emulatortest.Main(m) }

var quiet = slog.New(slog.DiscardHandler)

// start starts the emulator that the environment says, with the product on it.
func start(t *testing.T) *eval.Target {
	kind := stack.Embedded
	if emulatortest.Official() {
		kind = stack.Official
	}
	target, err := eval.Start(t.Context(), kind, quiet)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, target.Stack.Close()) })
	return target
}

// small is an evaluation that takes seconds. Its turns are measured in this process.
func small(target *eval.Target) eval.Options {
	return eval.Options{
		Sizes: []int{10, 60}, Schedules: 3, Watched: 3, After: []int{1}, RepairSizes: []int{60}, Bursts: []int{10, 100},
		Prices: price.Default(), Log: quiet,
		Turns: func(ctx context.Context, spec *eval.TurnSpec) ([]result.Turn, error) {
			spec.Most, spec.Least = 3, 3
			return eval.MeasureTurns(ctx, target.Open, spec)
		},
	}
}

func TestRun(t *testing.T) {
	target := start(t)
	found, err := eval.Run(t.Context(), target, small(target))
	require.NoError(t, err)
	require.NoError(t, found.Write(os.Stdout))
	require.True(t, found.OK())
}
