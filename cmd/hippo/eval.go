package main

import (
	"context"
	"fmt"
	"math"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"hippocampus/internal/eval"
	"hippocampus/internal/eval/result"
	"hippocampus/internal/figure"
	"hippocampus/internal/stack"
)

func newEvalCommand(env *environment) *cobra.Command {
	var e evalOptions
	cmd := &cobra.Command{
		Use:   "eval",
		Short: "Measure whether the list is right, what a turn costs, and how soon a write is listed",
		Long: `eval asks five questions and measures the answers:

  equivalence  is the list exactly what a scan gives?
  cost         what does a turn cost, and does that stop growing?
  freshness    how soon is a write in the list?
  repair       does a repair mend what lost events have done?
  writes       what does the hook add to the application's writes?

By default it starts an emulator with the functions on it, which costs nothing and takes
under ten minutes. With --live it works on the Firestore that flags and environment
name, in tenants of its own that must be empty, hippo-eval-… (--tenant NAME makes it
NAME-…), with up to 5,000 memories unless --sizes says otherwise; it says beforehand
about what that costs, asks, and removes all it has written. With --collection it
compares an existing collection and writes nothing.

--out writes report.html, to be looked at, and results.json, which --baseline compares
a later run with. Ctrl-C ends it with what was measured so far.

Exit code 1: an answer is no, a figure is worse than the baseline's, or it was
interrupted.`,
		Example: `  hippo eval --out report
  hippo eval --emulator official --only equivalence,cost
  hippo eval --collection tenants/acme/memories
  hippo eval --live --project my-project --sizes 100,1000`,
		Args: cobra.NoArgs,
		RunE: env.runE(func(ctx context.Context, _ []string) error { return e.run(ctx, env) }),
	}
	e.register(cmd)
	return cmd
}

// evalOptions is what the command line asks for.
type evalOptions struct {
	options  eval.Options
	emulator stack.Kind
	only     []string
	rates    result.Rates
	from     string
	live     bool
	yes      bool
	horizon  time.Duration
	prices   string
	out      string
	baseline string
	chosen   func(flag string) bool // it is on the command line
}

func (e *evalOptions) register(cmd *cobra.Command) {
	flags := cmd.Flags()
	registerEmulator(flags, &e.emulator)
	flags.StringSliceVar(&e.only, "only", nil,
		"make only these `measurements`: "+names(eval.Measurements))
	flags.IntSliceVar(&e.options.Sizes, "sizes", []int{100, 1000, 5000, 20000},
		"numbers of memories for which a turn is measured")
	flags.Uint64Var(&e.options.Seed, "seed", 1,
		"what the stores and all that happens are decided by")
	flags.StringVar(&e.from, "from", "",
		"measure the notes in this `folder` instead of generated memories")
	flags.IntVar(&e.options.Schedules, "schedules", 200,
		"how many random schedules look for a difference")
	flags.IntVar(&e.options.Watched, "watched", 40,
		"how many writes are watched until they are listed")
	flags.IntSliceVar(&e.options.After, "after", []int{1, 5, 30},
		"seconds after a write at which a turn begins")
	flags.IntSliceVar(&e.options.RepairSizes, "repair-sizes", []int{500, 2000, 5000},
		"numbers of memories of the stores that are repaired")
	flags.IntSliceVar(&e.options.Bursts, "bursts", []int{10, 100, 1000, 10000},
		"numbers of memories that are written at once")
	flags.Float64Var(&e.rates.Lose, "drop", .02,
		"probability that an event is lost before a repair")
	flags.Float64Var(&e.rates.Duplicate, "duplicate", .05, "probability that an event comes again")
	flags.Float64Var(&e.rates.Delay, "delay", .1, "probability that an event comes late")
	flags.Float64Var(&e.rates.Reorder, "reorder", .1,
		"probability that an event comes after later ones")
	flags.StringVar(&e.prices, "prices", "", "read the prices of operations from this `file`")
	flags.StringVar(&e.out, "out", "", "write report.html and results.json to this `folder`")
	flags.StringVar(&e.baseline, "baseline", "", "compare with the results.json of an earlier run")
	flags.BoolVar(&e.live, "live", false,
		"measure the Firestore of --project, or of FIRESTORE_EMULATOR_HOST, with the functions that are deployed there")
	flags.BoolVar(&e.yes, "yes", false, "with --live, begin without asking")
	flags.DurationVar(&e.horizon, "horizon", 10*time.Minute,
		"with --collection, how long an event may be under way before what it would explain is called a difference; 0 for none, at most 50m")
	e.chosen = flags.Changed
}

func (e *evalOptions) run(ctx context.Context, env *environment) error {
	if err := e.check(env); err != nil {
		return err
	}
	earlier, err := e.readBaseline()
	if err != nil {
		return err
	}
	if e.out != "" { // that it cannot be made is to be known before, not after all the work
		if err := os.MkdirAll(e.out, 0o755); err != nil {
			return fmt.Errorf("--out: %w", err)
		}
	}
	found, err := e.measure(ctx, env)
	if found == nil || err != nil && len(found.Verdicts()) == 0 {
		return err
	}
	found.Evaluation.Command = "hippo " + strings.Join(quoted(os.Args[1:]), " ")
	written := e.write(env, found)
	switch {
	case err != nil:
		return err
	case written != nil:
		return written
	}
	return e.judge(env, found, earlier)
}

// check refuses what does not go together.
func (e *evalOptions) check(env *environment) error {
	for _, name := range e.only {
		m := eval.Measurement(name)
		if !slices.Contains(eval.Measurements, m) {
			return usagef("--only %s: give some of %s", name, names(eval.Measurements))
		}
		e.options.Only = append(e.options.Only, m)
	}
	for _, list := range []struct {
		flag   string
		values []int
		most   int
	}{
		{"sizes", e.options.Sizes, 1_000_000},
		{"repair-sizes", e.options.RepairSizes, 100_000},
		{"bursts", e.options.Bursts, 100_000},
		{"after", e.options.After, 600},
		{"schedules", []int{e.options.Schedules}, 1_000_000},
		{"watched", []int{e.options.Watched}, 10_000},
	} {
		for _, v := range list.values {
			if v < 1 || v > list.most {
				return usagef("--%s %d: give 1 to %s", list.flag, v, figure.Count(list.most))
			}
		}
	}
	for _, rate := range []struct {
		flag  string
		value float64
	}{{"drop", e.rates.Lose}, {"duplicate", e.rates.Duplicate}, {"delay",
		e.rates.Delay}, {"reorder", e.rates.Reorder}} {
		if !(rate.value >= 0 && rate.value <= 1) {
			return usagef("--%s %g: give a probability, 0 to 1", rate.flag, rate.value)
		}
	}
	if e.options.Seed == 0 || e.options.Seed > math.MaxInt64 {
		return usagef("--seed %d: give 1 to %d", e.options.Seed, math.MaxInt64)
	}
	c := &env.connection
	existing := c.collection != ""
	switch {
	case e.horizon < 0 || e.horizon > 50*time.Minute:
		return usagef("--horizon %s: give 0 to 50m", e.horizon)
	case existing && e.live:
		return usagef("--collection is compared and never written to, --live writes to tenants of its own: leave one of them out")
	case !existing && !e.live && c.tenant != "":
		return usagef("--tenant names the tenants of --live: add that, or give --collection PATH to compare what is there")
	case !existing && !e.live && (c.project != "" || c.database != "" || c.ids != "" || c.dateField != ""):
		return usagef("--project, --database, --ids and --date-field say what --live and --collection work on, and without these it is an emulator of its own: add one of them")
	case strings.Contains(c.tenant, "/"):
		return usagef("--tenant %q: a tenant's name has no slash", c.tenant)
	case (existing || e.live) && e.chosen("emulator"):
		return usagef("--emulator starts one, and --live and --collection work on what runs already: leave one of them out")
	}
	for _, needless := range []struct {
		when  bool
		why   string
		flags []string
	}{
		{existing, "--collection compares what is there",
			[]string{"from", "only", "sizes", "seed", "schedules", "watched", "after",
				"repair-sizes",
				"bursts", "drop", "duplicate", "delay", "reorder", "prices", "yes"}},
		{!existing, "it is for --collection", []string{"horizon"}},
		{!e.live, "it is for --live", []string{"yes"}},
		{e.from != "", "the notes of --from are measured", []string{"sizes", "repair-sizes"}},
	} {
		for _, flag := range needless.flags {
			if needless.when && e.chosen(flag) {
				return usagef("--%s has no effect here, since %s: leave it out", flag, needless.why)
			}
		}
	}
	if e.live && !e.yes {
		return env.canConfirm(e.yes, "--live asks before it begins.")
	}
	return nil
}

// measure makes the measurements. It returns what was found also with an error, nil if nothing was
// begun.
func (e *evalOptions) measure(ctx context.Context,
	env *environment) (found *result.Results, err error) {
	if env.connection.collection != "" {
		return e.compare(ctx, env)
	}
	o := e.options
	o.Rates, o.Logger = &e.rates, env.logger(levelOfLoss)
	if o.Prices, err = e.readPrices(); err != nil {
		return nil, err
	}
	if e.from != "" {
		if o.Memories, err = e.notes(env); err != nil {
			return nil, err
		}
	}
	t, end, err := e.target(ctx, env, &o)
	if err != nil {
		return nil, err
	}
	defer func() {
		if ended := end(); err == nil {
			err = ended
		}
	}()
	shown := env.evalProgress()
	defer shown.end()
	o.Progress, o.Turns = shown.show, turnsIn(env, t)
	return eval.Run(ctx, t, o)
}

// compare compares an existing collection.
func (e *evalOptions) compare(ctx context.Context, env *environment) (*result.Results, error) {
	collection, err := env.connection.memories()
	if err != nil {
		return nil, err
	}
	c, err := env.connect(ctx)
	if err != nil {
		return nil, err
	}
	defer c.close()
	memories, err := c.count(ctx, collection)
	if err != nil {
		return nil, err
	}
	env.notef("%s: going to read %s of %s twice: about %s, and as many again if there are differences; nothing is written",
		collection, figure.Plural(memories, "memory", "memories"), c, figure.Plural(2*memories+5,
			"read", "reads"))
	o := &eval.ExistingOptions{Collection: collection, Schema: c.schema, SnapshotLag: c.lag(ctx),
		Horizon: e.horizon, Logger: env.logger(levelOfLoss)}
	return eval.Existing(ctx, liveTarget(ctx, env, c), o)
}

func (e *evalOptions) readPrices() (result.Prices, error) {
	if e.prices == "" {
		return result.DefaultPrices(), nil
	}
	file, err := os.Open(e.prices)
	if err != nil {
		return result.Prices{}, fmt.Errorf("read the prices: %w", err)
	}
	defer file.Close()
	p, err := result.ReadPrices(file)
	if err != nil {
		return p, fmt.Errorf("%s: %w", e.prices, err)
	}
	return p, nil
}

func names[T ~string](all []T) string {
	words := make([]string, len(all))
	for i, w := range all {
		words[i] = string(w)
	}
	return strings.Join(words, ",")
}

func quoted(args []string) []string {
	words := make([]string, len(args))
	for i, a := range args {
		words[i] = quoteArgument(a)
	}
	return words
}
