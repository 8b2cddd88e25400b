package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"hippocampus/emulator"
	"hippocampus/functions"
	"hippocampus/internal/stack"
	"hippocampus/reader"
	"hippocampus/repair"
)

func newDemoCommand(env *environment) *cobra.Command {
	var notes string
	var kind stack.Kind
	cmd := &cobra.Command{
		Use:   "demo",
		Short: "See what it is for: everything, on this machine, in under a minute",
		Long: `demo starts a Firestore emulator, the functions and their triggers, imports a folder
of notes and shows what an agent's turn is given; what that costs, measured here and
now, beside the two ways of doing without an index; how the list follows changes; and
how it comes right again after events were lost. It leaves nothing running.`,
		Args: cobra.NoArgs,
		RunE: env.runE(func(ctx context.Context, _ []string) error { return runDemo(ctx, env, kind, notes) }),
	}
	registerEmulator(cmd.Flags(), &kind)
	cmd.Flags().StringVar(&notes, "notes", filepath.FromSlash("examples/notes"),
		"folder of markdown notes, at least three")
	return cmd
}

// demoCollection holds the memories of the demo.
const demoCollection = "tenants/demo/memories"

// demoTimeout ends a demo that hangs.
const demoTimeout = 3 * time.Minute

// demo is a demo under way: each step is a method that finds out some of the
// facts, and does not print.
type demo struct {
	emulator stack.Kind
	stack    *stack.Stack
	importer *importer
	reader   *reader.Reader
	repair   *repair.Options
	facts    demoFacts
}

func runDemo(ctx context.Context, env *environment, kind stack.Kind, notes string) error {
	ctx, cancel := context.WithTimeout(ctx, demoTimeout)
	defer cancel()
	started := time.Now()
	if _, err := os.Stat(notes); err != nil {
		return fmt.Errorf("no notes to show: %w: run the demo in the root of the repository, or give --notes DIR", err)
	}
	files, err := findNotes(notes)
	if err != nil {
		return err
	}
	if len(files) < 3 {
		return usagef("%s has %d notes: the demo changes one, deletes one and keeps one, so give it three at least", notes, len(files))
	}
	d := &demo{emulator: kind}
	d.facts.Emulator = string(kind)
	show := &demoPrinter{env: env, style: styleFor(env.out), facts: &d.facts}
	if err := d.run(ctx, env, show, notes, files); err != nil {
		return err
	}
	d.facts.TookMS = time.Since(started).Milliseconds()
	if env.json {
		return env.printJSON(&d.facts)
	}
	show.end()
	return nil
}

// run starts everything, takes the steps, and stops everything.
func (d *demo) run(ctx context.Context, env *environment, show *demoPrinter, notes string,
	files []string) (err error) {
	env.notef("starting the %s Firestore emulator, the functions and their triggers …", d.emulator)
	started := time.Now()
	o := &stack.Options{
		Kind:    d.emulator,
		Project: cmp.Or(env.connection.project, emulator.DefaultProject),
		Config:  functions.Config{Memories: functions.DefaultMemories},
		Logger:  env.logger(slog.LevelError),
	}
	if d.stack, err = stack.Start(ctx, o); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, d.stack.Close()) }()
	if err := d.prepare(notes); err != nil {
		return err
	}
	d.facts.StartMS = time.Since(started).Milliseconds()
	for _, step := range []struct {
		do    func(context.Context) error
		print func()
	}{
		{func(ctx context.Context) error { return d.importNotes(ctx, files) }, show.imported},
		{d.firstTurn, show.firstTurn},
		{d.turn, show.turn},
		{d.measure, show.costs},
		{d.follow, show.followed},
		{d.loseEvents, show.lost},
		{d.repairIndex, show.repaired},
	} {
		if err := step.do(ctx); err != nil {
			return err
		}
		if !env.json {
			step.print()
		}
	}
	return nil
}
