package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"hippocampus/memory"
	"hippocampus/reader"
)

func newOpenCommand(env *environment) *cobra.Command {
	return &cobra.Command{
		Use:   "open NAME...",
		Short: "Print memories",
		Long: `open prints the body of memories, all read in one round trip. A memory without a
body is printed as JSON, and --json prints every field of each. If some are not
found the others are printed all the same, and the exit code is 1.`,
		Example: `  hippo open "pages/Second Location" --tenant acme`,
		Args:    cobra.MinimumNArgs(1),
		RunE:    env.runE(func(ctx context.Context, args []string) error { return open(ctx, env, args) }),
	}
}

// opened is a memory as --json prints it.
type opened struct {
	Name      string         `json:"name"`
	UpdatedAt time.Time      `json:"updated_at"` // its date
	Changed   time.Time      `json:"changed"`    // its version: when it was last written
	Fields    map[string]any `json:"fields"`
}

func open(ctx context.Context, env *environment, names []string) error {
	store, c, err := env.store(ctx)
	if err != nil {
		return err
	}
	defer c.close()
	if names, err = resolveNames(ctx, store, names...); err != nil {
		return err
	}
	memories, missing := store.Open(ctx, names...)
	if missing != nil && !errors.Is(missing, memory.ErrNotFound) {
		return missing
	}
	if err := env.printMemories(memories, len(names) > 1); err != nil {
		return err
	}
	return env.notFound(ctx, c, store.Path(), missing, without(names, memories))
}

func (env *environment) printMemories(memories []memory.Memory, titled bool) error {
	all := make([]opened, len(memories))
	for i, m := range memories {
		all[i] = opened{m.Name, m.Date.Time(), m.Version.Time(),
			printable(m.Fields).(map[string]any)}
	}
	if env.json {
		return env.printJSON(all)
	}
	for i, m := range all {
		if titled {
			if i > 0 {
				env.printf("\n")
			}
			env.printf("==> %s <==\n", reader.Escape(m.Name))
		}
		body, ok := m.Fields[bodyField].(string)
		if !ok {
			if err := env.printJSON(m.Fields); err != nil {
				return err
			}
			continue
		}
		env.printf("%s", body)
		if !strings.HasSuffix(body, "\n") && (titled || isTerminal(env.out)) {
			env.printf("\n")
		}
	}
	return nil
}

// without returns the names that no memory has.
func without(names []string, memories []memory.Memory) []string {
	found := map[string]bool{}
	for _, m := range memories {
		found[m.Name] = true
	}
	var rest []string
	for _, name := range names {
		if !found[name] {
			rest = append(rest, name)
		}
	}
	return rest
}

// notFound reports the names that were not found, with names like them. It
// returns nil if there are none.
func (env *environment) notFound(ctx context.Context, c *connection, memories string, cause error,
	names []string) error {
	if cause == nil {
		return nil
	}
	for _, name := range names {
		env.warnf("%s has no memory %q%s", memories, name, didYouMean(ctx, c, memories, name))
	}
	if len(names) == 0 {
		return fmt.Errorf("%s: %w", memories, cause)
	}
	return errReported
}
