package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"os/exec"
	"time"

	"github.com/schollz/progressbar/v3"
	"github.com/spf13/cobra"

	"hippocampus/functions"
	"hippocampus/internal/eval"
	"hippocampus/internal/eval/result"
)

// levelOfLoss is the level of logs that are shown: functions warn of what an evaluation does on
// purpose.
const levelOfLoss = slog.LevelError + 4

// liveTenant begins the names of the tenants of an evaluation on a project.
const liveTenant = "hippo-eval"

// target returns what is measured, after asking if that costs anything. end is called at the end.
func (e *evalOptions) target(ctx context.Context, env *environment,
	o *eval.Options) (t *eval.Deployment, end func() error, err error) {
	if !e.live {
		env.notef("starting the %s Firestore emulator with the functions …", e.emulator)
		t, err := eval.Start(ctx, e.emulator, o.Logger)
		if err != nil {
			return nil, nil, err
		}
		return t, t.Stack.Close, nil
	}
	c, err := env.connect(ctx)
	if err != nil {
		return nil, nil, err
	}
	end = func() error { c.close(); return nil }
	if !e.chosen("sizes") {
		o.Sizes = []int{100, 1000, 5000} // each costs its reads
	}
	t = liveTarget(ctx, env, c)
	if err := eval.Vacant(ctx, t, *o); err != nil {
		return nil, nil, errors.Join(err, end())
	}
	cost := eval.EstimateLive(*o)
	where := c.String()
	question := fmt.Sprintf("%s: going to write to tenants of its own, %s-…, and to remove them again: %s, %.2f %s at the prices of %s (%s); about %s",
		where, t.Tenant, cost, cost.Dollars, o.Prices.Currency, o.Prices.Date, o.Prices.Source, age(cost.Lasts))
	if e.yes {
		env.notef("%s", question)
	}
	if err := env.confirm(ctx, e.yes, question+".\nBegin?", "nothing was written"); err != nil {
		return nil, nil, errors.Join(err, end())
	}
	return t, end, nil
}

// liveTarget is the Firestore of a connection.
func liveTarget(ctx context.Context, env *environment, c *connection) *eval.Deployment {
	t := &eval.Deployment{
		Kind: result.Live, Name: c.String(), Tenant: liveTenant,
		Config: functions.Config{Memories: c.memories, Schema: c.schema},
		Open:   c.open, SnapshotLag: c.lag(ctx),
	}
	if env.connection.tenant != "" {
		t.Tenant = env.connection.tenant
	}
	return t
}

// turnsCommand is the name of the command that measures turns in a process of its own.
const turnsCommand = "eval-turns"

// newEvalTurnsCommand makes the command that eval runs for itself.
func newEvalTurnsCommand(env *environment) *cobra.Command {
	return &cobra.Command{
		Use:    turnsCommand,
		Short:  "Measure turns, for eval: what it reads from standard input says which",
		Hidden: true,
		Args:   cobra.NoArgs,
		RunE: env.runE(func(ctx context.Context, _ []string) error {
			var spec eval.TurnSpec
			if err := json.NewDecoder(env.in).Decode(&spec); err != nil {
				return usagef("%s is run by hippo eval: %v", turnsCommand, err)
			}
			e, err := env.connection.configuration()
			if err != nil {
				return err
			}
			c := &connection{project: e.Project, database: e.Database,
				emulator: os.Getenv(emulatorHost)}
			turns, err := eval.MeasureTurns(ctx, c.open, &spec)
			if err != nil {
				return err
			}
			return env.printJSON(turns)
		}),
	}
}

// turnsIn measures turns in a process of its own: in this one the emulator's allocations, and its
// work, would count.
func turnsIn(env *environment,
	t *eval.Deployment) func(context.Context, *eval.TurnSpec) ([]result.Turn, error) {
	return func(ctx context.Context, spec *eval.TurnSpec) ([]result.Turn, error) {
		program, err := os.Executable()
		if err != nil {
			return nil, err
		}
		input, err := json.Marshal(spec)
		if err != nil {
			return nil, err
		}
		cmd := exec.CommandContext(ctx, program, turnsCommand)
		cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
		cmd.WaitDelay = 10 * time.Second
		cmd.Stdin = bytes.NewReader(input)
		cmd.Env = os.Environ()
		if t.Stack != nil {
			cmd.Env = append(cmd.Env, emulatorHost+"="+t.Stack.Emulator.Host(),
				"GOOGLE_CLOUD_PROJECT="+t.Stack.Emulator.Project(), "HIPPO_DATABASE=",
				"HIPPO_MEMORIES=", "HIPPO_IDS=", "HIPPO_DATE_FIELD=") // the spec has what counts
		} else {
			cmd.Args = append(cmd.Args, "--project", env.connection.project, "--database",
				env.connection.database)
		}
		var out, errs bytes.Buffer
		cmd.Stdout, cmd.Stderr = &out, &errs
		if err := cmd.Run(); err != nil {
			if ctx.Err() != nil {
				return nil, ctx.Err()
			}
			return nil, fmt.Errorf("measure turns in a process of its own: %w: %s", err,
				bytes.TrimSpace(errs.Bytes()))
		}
		var turns []result.Turn
		if err := json.Unmarshal(out.Bytes(), &turns); err != nil {
			return nil, fmt.Errorf("measure turns in a process of its own: %w", err)
		}
		return turns, nil
	}
}

// evalProgress shows how far an evaluation is: as a bar to people, as a line a step otherwise.
type evalProgress struct {
	env   *environment
	bar   *progressbar.ProgressBar
	doing string
}

const barSteps = 1000

func (env *environment) evalProgress() *evalProgress {
	return &evalProgress{env: env, bar: progressbar.NewOptions(barSteps,
		progressbar.OptionSetWriter(env.errs),
		progressbar.OptionSetVisibility(!env.quiet && isTerminal(env.errs)),
		progressbar.OptionThrottle(100*time.Millisecond),
		progressbar.OptionSetPredictTime(false), // ours knows the steps to come
		progressbar.OptionSetElapsedTime(false),
		progressbar.OptionClearOnFinish(),
		progressbar.OptionSetSpinnerChangeInterval(0),
	)}
}

func (p *evalProgress) show(state eval.Progress) {
	left := ""
	if state.Left > 0 {
		left = ", about " + age(state.Left.Round(time.Second)) + " left"
	}
	if state.Doing != p.doing && !isTerminal(p.env.errs) {
		p.env.notef("%3.0f %%  %s%s", 100*state.Fraction, state.Doing, left)
	}
	p.doing = state.Doing
	p.bar.Describe(state.Doing + left)
	_ = p.bar.Set(min(barSteps-1, int(barSteps*state.Fraction)))
}

func (p *evalProgress) end() { _ = p.bar.Finish() }
