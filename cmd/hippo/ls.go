package main

import (
	"context"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"hippocampus/reader"
)

func newLsCommand(env *environment) *cobra.Command {
	var l ls
	cmd := &cobra.Command{
		Use:   "ls",
		Short: "List a tenant's memories, as a turn of its agent does",
		Long: `ls reads the list as an agent's turn does: in one query on the index or, if the index
cannot be used, by a scan of names and dates, and then it asks for a new index.

A line has the memory's date and its name, the newest first. A name that could break
a line is escaped. --sections prints the text that goes into a prompt instead: at most
120 pages, 60 notes of the notebook, 40 sources and 60 others.`,
		Example: `  hippo ls --tenant acme --receipt
  hippo ls --tenant acme --sections`,
		Args: cobra.NoArgs,
		RunE: env.runE(func(ctx context.Context, _ []string) error { return l.ls(ctx, env) }),
	}
	cmd.Flags().BoolVar(&l.sections, "sections", false, "print the text for a prompt")
	cmd.Flags().BoolVar(&l.receipt, "receipt", false,
		"say on standard error where the list comes from and what it cost")
	return cmd
}

type ls struct{ sections, receipt bool }

// listed is what --json prints.
type listed struct {
	Collection string         `json:"collection"`
	Memories   []listedMemory `json:"memories"`
	Text       string         `json:"text,omitempty"` // with --sections
	Receipt    reader.Receipt `json:"receipt"`
}

type listedMemory struct {
	Name      string    `json:"name"`
	UpdatedAt time.Time `json:"updated_at"`
	ID        string    `json:"id"`
}

func (l *ls) ls(ctx context.Context, env *environment) error {
	store, c, err := env.store(ctx)
	if err != nil {
		return err
	}
	defer c.close()
	list, err := reader.New(c.client, &reader.Options{Schema: c.schema}).List(ctx, store.Path())
	if err != nil {
		return err
	}
	if env.json {
		return env.printJSON(l.result(store.Path(), list))
	}
	if l.sections {
		env.printf("%s", list.Text(nil))
	} else {
		for _, e := range list.Entries {
			env.printf("%s  %s\n", e.Date.Time().Format("2006-01-02 15:04:05"),
				reader.Escape(e.Name))
		}
	}
	if len(list.Entries) == 0 {
		env.notef("no memories in %s of %s", store.Path(), c)
	}
	switch {
	case l.receipt:
		fmt.Fprintln(env.errs, list.Receipt)
	case list.Receipt.Source == reader.FromScan:
		env.notef("(by a scan, because the index is %s: build %s)", list.Receipt.Reason,
			list.Receipt.Request)
	}
	return nil
}

func (l *ls) result(collection string, list *reader.List) listed {
	result := listed{Collection: collection, Memories: []listedMemory{}, Receipt: list.Receipt}
	for _, e := range list.Entries {
		result.Memories = append(result.Memories, listedMemory{e.Name, e.Date.Time(), e.ID()})
	}
	if l.sections {
		result.Text = list.Text(nil)
	}
	return result
}
