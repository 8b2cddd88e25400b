package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"hippocampus/memory"
)

func newRmCommand(env *environment) *cobra.Command {
	return &cobra.Command{
		Use:   "rm NAME...",
		Short: "Delete memories",
		Long: `rm deletes memories, for good. If some are not found the others are deleted all the
same, and the exit code is 1. Any other failure ends it; what was deleted by then is
told.`,
		Example: `  hippo rm "notebook/Saturday queue idea" --tenant acme`,
		Args:    cobra.MinimumNArgs(1),
		RunE:    env.runE(func(ctx context.Context, args []string) error { return rm(ctx, env, args) }),
	}
}

func rm(ctx context.Context, env *environment, names []string) error {
	store, c, err := env.store(ctx)
	if err != nil {
		return err
	}
	defer c.close()
	if names, err = resolveNames(ctx, store, names...); err != nil {
		return err
	}
	deleted := []string{}
	var missing []string
	var cause, failed error
	for _, name := range names {
		err := store.Delete(ctx, name)
		if errors.Is(err, memory.ErrNotFound) {
			missing, cause = append(missing, name), err
			continue
		}
		if err != nil {
			failed = err
			break
		}
		deleted = append(deleted, name)
		env.notef("deleted %q", name)
	}
	if env.json {
		failed = errors.Join(failed, env.printJSON(map[string]any{"collection": store.Path(),
			"deleted": deleted}))
	}
	if failed != nil {
		return fmt.Errorf("%d of %d deleted, %d not found: %w", len(deleted), len(names),
			len(missing), failed)
	}
	return env.notFound(ctx, c, store.Path(), cause, missing)
}
