package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"hippocampus/index"
	"hippocampus/internal/figure"
	"hippocampus/repair"
)

func newDoctorCommand(env *environment) *cobra.Command {
	var d doctor
	cmd := &cobra.Command{
		Use:   "doctor",
		Short: "Compare an index with its memories, or try security rules on it; writes nothing",
		Long: `doctor reads a tenant's memories and its index as they are at one moment and says
whether the list is right, how full the index is, when it was last repaired, and which
memories have odd ids, names or dates. It writes nothing. It costs one read a memory,
and says beforehand how many that will be.

Differences younger than --horizon are in flight: their events may still be on their
way. Older ones are drift.

With --rules it tries security rules instead, in the official emulator: every operation
of a client on every document of the index, anonymous, signed in, and as a member of the
tenant. It needs no project. An emulator that FIRESTORE_EMULATOR_HOST names is used in a
project of doctor's own, so its rules and documents stay as they are.

Exit code 1: drift, an index that cannot be used, or rules that open it.
Warnings alone leave it at 0.`,
		Example: `  hippo doctor --tenant acme
  hippo doctor --all --json
  hippo doctor --rules firestore.rules`,
		Args: cobra.NoArgs,
		RunE: env.runE(func(ctx context.Context, _ []string) error { return d.run(ctx, env) }),
	}
	cmd.Flags().BoolVar(&d.all, "all", false,
		"check every collection that has an index or has asked for one")
	cmd.Flags().DurationVar(&d.horizon, "horizon", 10*time.Minute,
		"how long an event may be under way before what it would explain is called drift; 0 for none, at most 50m")
	cmd.Flags().StringVar(&d.rules, "rules", "",
		"try the security rules in this `file` on the index")
	return cmd
}

type doctor struct {
	all     bool
	horizon time.Duration
	rules   string
}

func (d *doctor) run(ctx context.Context, env *environment) error {
	switch {
	case d.horizon < 0 || d.horizon > 50*time.Minute:
		return usagef("--horizon %s: give 0 to 50m", d.horizon)
	case d.rules != "" && d.all:
		return usagef("--rules tries one index and needs no tenant: leave out --all")
	case d.rules != "":
		diagnosis, err := diagnoseRules(ctx, env, d.rules)
		if err != nil {
			return err
		}
		return printRules(env, diagnosis)
	}
	collections, c, err := (&repairs{all: d.all}).collections(ctx, env)
	if err != nil {
		return err
	}
	defer c.close()
	return d.diagnoseAll(ctx, env, c, collections)
}

// diagnoses is what --json prints.
type diagnoses struct {
	OK bool `json:"ok"` // no check failed
	// OldestRepair is the collection whose store was scanned the longest ago, of
	// those whose index can be read.
	OldestRepair *oldestRepair `json:"oldest_repair,omitempty"`
	Collections  []*diagnosis  `json:"collections"`
}

type oldestRepair struct {
	Collection  string    `json:"collection"`
	ScanStarted time.Time `json:"scan_started"`
	age         time.Duration
}

func (d *doctor) diagnoseAll(ctx context.Context, env *environment, c *connection,
	collections []string) error {
	all := diagnoses{OK: true, Collections: []*diagnosis{}}
	for i, collection := range collections {
		found, err := d.diagnose(ctx, env, c, collection)
		switch {
		case err != nil && (!d.all || ctx.Err() != nil):
			return err
		case err != nil:
			all.OK = false
			env.warnf("%v", explain(ctx, err))
			continue
		}
		all.add(found)
		if !env.json {
			if i > 0 {
				env.printf("\n")
			}
			env.printChecks(fmt.Sprintf("%s in %s, as of %s", collection, c, moment(found.At)),
				found.Checks)
		}
	}
	if d.all && all.OldestRepair != nil && !env.json {
		env.printf("\noldest repair: %s, %s ago\n", all.OldestRepair.Collection,
			age(all.OldestRepair.age))
	}
	if env.json {
		if err := env.printJSON(all); err != nil {
			return err
		}
	}
	if !all.OK {
		return errReported
	}
	return nil
}

func (all *diagnoses) add(d *diagnosis) {
	all.Collections = append(all.Collections, d)
	all.OK = all.OK && worst(d.Checks) < failure
	if d.Index.ScanStarted.IsZero() {
		return
	}
	if all.OldestRepair == nil || d.Index.ScanStarted.Before(all.OldestRepair.ScanStarted) {
		all.OldestRepair = &oldestRepair{d.Collection, d.Index.ScanStarted,
			d.At.Sub(d.Index.ScanStarted)}
	}
}

// diagnose says what it is going to read, reads it, and examines it.
func (d *doctor) diagnose(ctx context.Context, env *environment, c *connection,
	collection string) (*diagnosis, error) {
	memories, documents, counting, err := announce(ctx, env, c, collection)
	if err != nil {
		return nil, err
	}
	bar := env.progress(memories, collection)
	defer bar.Finish()
	o := &repair.Options{
		Schema:      c.schema,
		SnapshotLag: c.lag(ctx),
		Horizon:     d.horizon,
		Progress:    func(memories int) { _ = bar.Set(memories) },
	}
	if o.Horizon == 0 {
		o.Horizon = -1
	}
	report, err := repair.Check(ctx, c.client, collection, o)
	if err != nil {
		return nil, err
	}
	return examine(report, &examination{
		collection: collection,
		schema:     c.schema,
		horizon:    d.horizon,
		documents:  documents,
		counting:   counting,
		repair:     "hippo repair " + env.meaning(collection, d.all),
	}), nil
}

// announce counts what is going to be read and says so. Counting costs a read
// for every thousand that are counted.
func announce(ctx context.Context, env *environment, c *connection,
	collection string) (memories, documents, reads int, err error) {
	path, err := index.Path(collection)
	if err != nil {
		return 0, 0, 0, err
	}
	if memories, err = c.count(ctx, collection); err != nil {
		return 0, 0, 0, err
	}
	if documents, err = c.count(ctx, path); err != nil {
		return 0, 0, 0, err
	}
	reads = max(1, (memories+999)/1000) + 1
	env.notef("%s: going to read %s and %s of its index in %s: about %s, and one more for each memory that is listed and gone",
		collection, figure.Plural(memories, "memory", "memories"),
		figure.Plural(documents, "document", "documents"), c,
		figure.Plural(max(1, memories)+max(1, documents)+2+reads, "read", "reads"))
	return memories, documents, reads, nil
}

// count returns how many documents a collection has.
func (c *connection) count(ctx context.Context, path string) (int, error) {
	result, err := c.client.Collection(path).NewAggregationQuery().WithCount("n").Get(ctx)
	if err != nil {
		return 0, fmt.Errorf("count the documents of %s: %w", path, err)
	}
	n, ok := result["n"].(interface{ GetIntegerValue() int64 })
	if !ok {
		return 0, fmt.Errorf("count the documents of %s: %w", path,
			errors.New("the answer has no number"))
	}
	return int(n.GetIntegerValue()), nil
}

// meaning returns the flags that mean a collection in another command.
func (env *environment) meaning(collection string, all bool) string {
	if env.connection.tenant != "" && !all {
		return "--tenant " + quoteArgument(env.connection.tenant)
	}
	return "--collection " + quoteArgument(collection)
}
