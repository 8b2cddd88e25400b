package main

import (
	"context"
	"fmt"
	"path/filepath"

	"github.com/spf13/cobra"

	"hippocampus/internal/figure"
	"hippocampus/memory"
)

func newImportCommand(env *environment) *cobra.Command {
	var o importOptions
	cmd := &cobra.Command{
		Use:   "import DIR",
		Short: "Bring a folder of markdown notes in as memories",
		Long: `import makes a memory of every note (*.md) below a folder. Files and folders whose
names begin with a dot are passed over.

  name   the file's path below DIR without .md, folders separated by slashes, in
         Unicode normal form C, whatever form the file system keeps
  date   updated_at of the note's front matter, such as 2026-10-02T19:35:00Z (without a
         zone it is UTC), or else the time of the file's last change
  body   the text without the front matter

Run it again and only what has changed is written. The file wins: a memory that was
changed meanwhile gets the file's body and date back, and its other fields survive.

--delete deletes memories whose notes are gone, after asking or with --yes. It touches
only what was imported under the same --source: each memory remembers it in the field
imported_from. Two folders of one name need two sources.

A note that cannot be a memory is reported and the others are imported; the exit code
is then 1, and nothing is deleted.`,
		Example: `  hippo import examples/notes --tenant acme
  hippo import ~/notes --tenant acme --delete --yes`,
		Args: cobra.ExactArgs(1),
		RunE: env.runE(func(ctx context.Context, args []string) error { return o.run(ctx, env, args[0]) }),
	}
	cmd.Flags().StringVar(&o.source, "source", "",
		"what imported_from says (default the folder's name)")
	cmd.Flags().BoolVar(&o.delete, "delete", false,
		"delete the memories of this source whose notes are gone")
	cmd.Flags().BoolVar(&o.yes, "yes", false, "delete without asking")
	return cmd
}

type importOptions struct {
	source      string
	delete, yes bool
}

// imported is what an import did.
type imported struct {
	Folder     string    `json:"folder"`
	Collection string    `json:"collection"`
	Source     string    `json:"source"`
	Added      int       `json:"added"`
	Changed    int       `json:"changed"`
	Unchanged  int       `json:"unchanged"`
	Deleted    int       `json:"deleted"`
	Refused    []badNote `json:"refused"`
}

func (o *importOptions) run(ctx context.Context, env *environment, dir string) error {
	if o.delete {
		if err := env.canConfirm(o.yes, "--delete asks before it deletes."); err != nil {
			return err
		}
	}
	files, err := findNotes(dir)
	if err != nil {
		return err
	}
	source, err := o.sourceOf(dir)
	if err != nil {
		return err
	}
	store, c, err := env.store(ctx)
	if err != nil {
		return err
	}
	defer c.close()

	bar := env.progress(len(files), "importing")
	i := &importer{store: store, dir: dir, source: source, done: func(n int) { _ = bar.Add(n) }}
	result, err := i.run(ctx, files)
	_ = bar.Finish()
	if err != nil {
		return fmt.Errorf("import %s (so far %d added, %d changed; run it again to go on): %w", dir,
			result.Added, result.Changed, err)
	}
	for _, bad := range result.Refused {
		env.warnf("%s: %s", bad.File, bad.Reason)
	}
	if o.delete {
		result.Deleted, err = o.deleteGone(ctx, env, c, i)
	}
	if printed := env.printImported(result); err == nil {
		err = printed
	}
	return err
}

// sourceOf returns what imported_from is to say.
func (o *importOptions) sourceOf(dir string) (string, error) {
	if o.source != "" {
		return o.source, nil
	}
	path, err := filepath.Abs(dir)
	if err != nil {
		return "", fmt.Errorf("import %s: %w", dir, err)
	}
	name, err := noteName(filepath.Base(path) + noteSuffix)
	if err != nil || name == string(filepath.Separator) {
		return "", usagef("the folder's name is no name for a source: give --source NAME")
	}
	return name, nil
}

// deleteGone deletes, after asking, the memories whose notes are gone.
func (o *importOptions) deleteGone(ctx context.Context, env *environment, c *connection,
	i *importer) (int, error) {
	if len(i.result.Refused) > 0 {
		env.warnf("nothing is deleted, because some notes could not be read: see to them and import again")
		return 0, nil
	}
	gone, err := i.gone(ctx, c.client)
	if err != nil || len(gone) == 0 {
		return 0, err
	}
	if !o.yes {
		for _, name := range gone {
			fmt.Fprintf(env.errs, "  %q has no note any more\n", name)
		}
	}
	question := fmt.Sprintf("Delete %s of %s in %s?",
		figure.Plural(len(gone), "memory", "memories"), i.store.Path(), c)
	if err := env.confirm(ctx, o.yes, question, "nothing was deleted"); err != nil {
		return 0, err
	}
	return i.deleteAll(ctx, gone)
}

func (env *environment) printImported(result *imported) error {
	if env.json {
		if err := env.printJSON(result); err != nil {
			return err
		}
	} else {
		env.printf("imported %s into %s: %d added, %d changed, %d unchanged, %d deleted, %d refused\n", result.Folder, result.Collection,
			result.Added, result.Changed, result.Unchanged, result.Deleted, len(result.Refused))
	}
	if len(result.Refused) > 0 {
		return errReported
	}
	return nil
}

// sameMemory reports whether a memory is already as its note is.
func sameMemory(m memory.Memory, n *note, source string) bool {
	return m.Date == n.date && m.Fields[bodyField] == n.body && m.Fields[sourceField] == source
}
