package main

import (
	"context"
	"errors"

	"github.com/spf13/cobra"

	"hippocampus/internal/figure"
	"hippocampus/memory"
)

func newMvCommand(env *environment) *cobra.Command {
	return &cobra.Command{
		Use:   "mv FROM TO",
		Short: "Rename a memory",
		Long: `mv renames a memory in one commit, with every field of it as it was, its date too.
It refuses a name that is taken. Subcollections of the memory, if the application
keeps any, stay under the old id; mv says how many there are.`,
		Example: `  hippo mv "notebook/Saturday queue idea" "pages/Saturday queue" --tenant acme`,
		Args:    cobra.ExactArgs(2),
		RunE:    env.runE(func(ctx context.Context, args []string) error { return mv(ctx, env, args[0], args[1]) }),
	}
}

func mv(ctx context.Context, env *environment, from, to string) error {
	store, c, err := env.store(ctx)
	if err != nil {
		return err
	}
	defer c.close()
	names, err := resolveNames(ctx, store, from)
	if err != nil {
		return err
	}
	from = names[0]
	kept, err := store.Rename(ctx, from, to)
	if errors.Is(err, memory.ErrNotFound) {
		return env.notFound(ctx, c, store.Path(), err, []string{from})
	}
	if err != nil {
		return err
	}
	if kept > 0 {
		env.warnf("%q has %s under its old id, which a rename does not move: move what is meant to go along", from, figure.Plural(kept, "subcollection", "subcollections"))
	}
	if env.json {
		return env.printJSON(map[string]any{"collection": store.Path(), "from": from, "to": to,
			"subcollections_left": kept})
	}
	env.notef("renamed %q to %q", from, to)
	return nil
}
