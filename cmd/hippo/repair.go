package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"hippocampus/internal/figure"
	"hippocampus/reader"
	"hippocampus/repair"
)

func newRepairCommand(env *environment) *cobra.Command {
	var r repairs
	cmd := &cobra.Command{
		Use:   "repair",
		Short: "Build the index of a tenant anew from its memories",
		Long: `repair scans the memories, builds the index anew and says how the old one differed.
It may run at any time, beside writers, turns and other repairs. It costs one read a
memory. --compact merges the recent changes into the index without a scan, for a
handful of reads.

--all repairs every collection of the pattern HIPPO_MEMORIES that has an index or has
asked for one, an index of another version of hippo too. A tenant that never had one
gets it with --tenant, or by its first turn.`,
		Example: `  hippo repair --tenant acme
  hippo repair --all`,
		Args: cobra.NoArgs,
		RunE: env.runE(func(ctx context.Context, _ []string) error { return r.run(ctx, env) }),
	}
	cmd.Flags().BoolVar(&r.all, "all", false,
		"repair every collection that has an index or has asked for one")
	cmd.Flags().BoolVar(&r.compact, "compact", false,
		"merge the recent changes only, without a scan")
	cmd.Flags().DurationVar(&r.horizon, "horizon", 10*time.Minute,
		"how long an event may be under way before what it would explain is called drift; 0 for none, at most 50m")
	return cmd
}

type repairs struct {
	all, compact bool
	horizon      time.Duration
}

func (r *repairs) run(ctx context.Context, env *environment) error {
	if r.horizon < 0 || r.horizon > 50*time.Minute {
		return usagef("--horizon %s: give 0 to 50m", r.horizon)
	}
	collections, c, err := r.collections(ctx, env)
	if err != nil {
		return err
	}
	defer c.close()
	results := []*repair.Result{}
	failed := false
	for _, collection := range collections {
		result, err := r.repair(ctx, env, c, collection)
		switch {
		case errors.Is(err, repair.ErrSuperseded):
			env.notef("%s: another repair was quicker; the index is that one's", collection)
		case err != nil && (!r.all || ctx.Err() != nil):
			return err
		case err != nil:
			failed = true
			env.warnf("%v", explain(ctx, err))
		default:
			results = append(results, result)
			if !env.json {
				env.printf("%s\n", describe(result))
			}
		}
	}
	if env.json {
		if err := env.printJSON(results); err != nil {
			return err
		}
	}
	if failed {
		return errReported
	}
	return nil
}

// collections returns what is to be repaired.
func (r *repairs) collections(ctx context.Context,
	env *environment) ([]string, *connection, error) {
	if !r.all {
		store, c, err := env.store(ctx)
		if err != nil {
			return nil, nil, err
		}
		return []string{store.Path()}, c, nil
	}
	if env.connection.tenant != "" || env.connection.collection != "" {
		return nil, nil, usagef("--all means every tenant: leave out --tenant and --collection, or leave out --all")
	}
	c, err := env.connect(ctx)
	if err != nil {
		return nil, nil, err
	}
	targets, err := repair.All(ctx, c.client)
	if err != nil {
		c.close()
		return nil, nil, err
	}
	e, err := env.connection.configuration()
	if err != nil {
		c.close()
		return nil, nil, err
	}
	var collections []string
	for _, t := range targets {
		if e.Covers(t.Collection) {
			collections = append(collections, t.Collection)
		}
	}
	if others := len(targets) - len(collections); others > 0 {
		env.notef("left out: %s with an index, not of the pattern %s (set HIPPO_MEMORIES and the like for others)", figure.Plural(others, "collection", "collections"), e.Memories)
	}
	if len(collections) == 0 {
		env.notef("no collection %s in %s has an index yet: give --tenant NAME to build one",
			e.Memories, c)
	}
	return collections, c, nil
}

func (r *repairs) repair(ctx context.Context, env *environment, c *connection,
	collection string) (*repair.Result, error) {
	bar := env.progress(-1, collection)
	defer bar.Finish()
	o := &repair.Options{
		Schema:      c.schema,
		SnapshotLag: c.lag(ctx),
		Horizon:     r.horizon,
		Progress:    func(memories int) { _ = bar.Set(memories) },
	}
	if o.Horizon == 0 {
		o.Horizon = -1
	}
	if r.compact {
		return repair.Compact(ctx, c.client, collection, o)
	}
	return repair.Build(ctx, c.client, collection, o)
}

// describe says what a repair did, in a line, and in further lines what it found.
func describe(r *repair.Result) string {
	var b strings.Builder
	switch {
	case r.Unchanged:
		fmt.Fprintf(&b, "%s: nothing to compact, %s", r.Collection,
			figure.Plural(r.Memories, "memory", "memories"))
	default:
		fmt.Fprintf(&b, "%s: %s of %s in %d bytes", r.Collection, r.Kind,
			figure.Plural(r.Memories, "memory", "memories"), r.BaseBytes)
	}
	fmt.Fprintf(&b, "; %s, %s, %s", figure.Plural(r.Reads, "read", "reads"),
		figure.Plural(r.Writes, "write", "writes"), r.Took.Round(time.Millisecond))
	if r.WhyBuild != "" {
		fmt.Fprintf(&b, "\n  a build and no compaction, because %s", r.WhyBuild)
	}
	if r.Drift != nil {
		b.WriteString("\n  " + describeDrift(r.Drift))
	}
	if r.NotCompared != "" {
		fmt.Fprintf(&b, "\n  not compared with the index before: %s", r.NotCompared)
	}
	if r.Uncleaned != "" {
		fmt.Fprintf(&b, "\n  not cleaned up, the next repair will: %s", r.Uncleaned)
	}
	return b.String()
}

// describeDrift says how index and store differed, with examples.
func describeDrift(d *repair.Drift) string {
	var b strings.Builder
	if d.Total() == 0 {
		b.WriteString("no drift")
	} else {
		fmt.Fprintf(&b, "drift: %d missing, %s, %d stale", d.Missing,
			figure.Plural(d.Ghosts, "ghost", "ghosts"), d.Stale)
	}
	if d.InFlight > 0 {
		fmt.Fprintf(&b, "; %s too young to tell: events may be under way",
			figure.Plural(d.InFlight, "difference is", "differences are"))
	}
	for _, e := range d.Examples {
		fmt.Fprintf(&b, "\n    %s %s", e.Kind, reader.Escape(e.Name))
		if e.InFlight {
			b.WriteString(" (in flight)")
		}
	}
	return b.String()
}
