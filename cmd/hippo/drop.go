package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"hippocampus/internal/figure"
	"hippocampus/repair"
)

func newDropCommand(env *environment) *cobra.Command {
	var yes bool
	cmd := &cobra.Command{
		Use:   "drop",
		Short: "Delete a tenant's index; the memories stay",
		Long: `drop deletes the index of a memory collection. The memories stay as they are: the
next turn lists them by a scan and asks for a new index. Do it when no repair runs.`,
		Example: "  hippo drop --tenant acme --yes",
		Args:    cobra.NoArgs,
		RunE:    env.runE(func(ctx context.Context, _ []string) error { return drop(ctx, env, yes) }),
	}
	cmd.Flags().BoolVar(&yes, "yes", false, "do it without asking")
	return cmd
}

func drop(ctx context.Context, env *environment, yes bool) error {
	if err := env.canConfirm(yes, "drop asks before it deletes."); err != nil {
		return err
	}
	store, c, err := env.store(ctx)
	if err != nil {
		return err
	}
	defer c.close()
	if err := env.confirm(ctx, yes, fmt.Sprintf("Delete the index of %s in %s?", store.Path(), c),
		"nothing was deleted"); err != nil {
		return err
	}
	deleted, err := repair.Drop(ctx, c.client, store.Path())
	if err != nil {
		return err
	}
	if env.json {
		return env.printJSON(map[string]any{"collection": store.Path(), "deleted": deleted})
	}
	if deleted == 0 {
		env.printf("%s has no index\n", store.Path())
		return nil
	}
	env.printf("deleted the index of %s: %s; the next turn asks for a new one\n", store.Path(),
		figure.Plural(deleted, "document", "documents"))
	return nil
}
