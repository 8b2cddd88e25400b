package main

import (
	"context"
	"fmt"
	"io"
	"maps"
	"os"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"hippocampus/memory"
)

// bodyField is the field that holds a memory's text.
const bodyField = "body"

// maxDocumentBytes is Firestore's limit of a document.
const maxDocumentBytes = 1 << 20

func newPutCommand(env *environment) *cobra.Command {
	var p put
	cmd := &cobra.Command{
		Use:   "put NAME",
		Short: "Create a memory or change fields of it",
		Long: `put creates a memory, or changes the fields of it that are given; its other fields
survive. The body comes from --file or, if neither --file nor --field is given, from
standard input. The memory is dated by the server's time, or by --date.`,
		Example: `  echo "Closed on Mondays." | hippo put "pages/Opening Hours" --tenant acme
  hippo put "pages/Opening Hours" --tenant acme --field mood=calm --field source=phone`,
		Args: cobra.ExactArgs(1),
		RunE: env.runE(func(ctx context.Context, args []string) error { return p.put(ctx, env, args[0]) }),
	}
	cmd.Flags().StringVarP(&p.file, "file", "f", "", `file with the body; "-" for standard input`)
	cmd.Flags().StringArrayVar(&p.fields, "field", nil,
		"KEY=VALUE: a text field; may be given several times")
	cmd.Flags().StringVar(&p.date, "date", "",
		"the memory's date, such as 2026-10-02T19:35:00Z or 2026-10-02 (default the server's time)")
	return cmd
}

type put struct {
	file   string
	fields []string
	date   string
}

func (p *put) put(ctx context.Context, env *environment, name string) error {
	o := &memory.PutOptions{}
	if p.date != "" {
		var err error
		if o.Date, err = parseDate(p.date); err != nil {
			return usagef("--date: %v", err)
		}
	}
	fields, err := p.given(env)
	if err != nil {
		return err
	}
	store, c, err := env.store(ctx)
	if err != nil {
		return err
	}
	defer c.close()
	if size, err := sizeOf(store, name, fields); err != nil {
		return fmt.Errorf("put: %w", err)
	} else if size > maxDocumentBytes {
		return fmt.Errorf("put %q: %d bytes, and a document of Firestore has at most %d: split it",
			name, size, maxDocumentBytes)
	}
	if err := store.Put(ctx, name, fields, o); err != nil {
		return err
	}
	if env.json {
		return env.printJSON(map[string]any{"collection": store.Path(), "put": name})
	}
	env.notef("put %q", name)
	return nil
}

// sizeOf returns how many bytes a memory of these fields and its date has, as
// Firestore counts them.
func sizeOf(store *memory.Store, name string, fields map[string]any) (int, error) {
	id, err := store.Schema().IDs.ID(name)
	if err != nil {
		return 0, err
	}
	dated := maps.Clone(fields)
	dated[store.Schema().Field()] = time.Time{}
	return memory.DocumentSize(store.Path()+"/"+id, dated), nil
}

// given returns the fields of the command line.
func (p *put) given(env *environment) (map[string]any, error) {
	fields := map[string]any{}
	for _, f := range p.fields {
		key, value, ok := strings.Cut(f, "=")
		if !ok || key == "" {
			return nil, usagef("--field %q: give KEY=VALUE", f)
		}
		if _, twice := fields[key]; twice {
			return nil, usagef("--field %s is given twice", key)
		}
		fields[key] = value
	}
	if p.file == "" && len(p.fields) > 0 {
		return fields, nil
	}
	if _, twice := fields[bodyField]; twice {
		return nil, usagef("--file and --field %s both give the body: give one of them", bodyField)
	}
	body, err := p.body(env)
	if err != nil {
		return nil, err
	}
	fields[bodyField] = body
	return fields, nil
}

func (p *put) body(env *environment) (string, error) {
	from, read := "standard input", func() ([]byte, error) { return io.ReadAll(env.in) }
	switch {
	case p.file != "" && p.file != "-":
		from, read = p.file, func() ([]byte, error) { return os.ReadFile(p.file) }
	case isInteractive(env.in):
		env.notef("Type the body and end it with Ctrl-D.")
	}
	body, err := read()
	if err != nil {
		return "", fmt.Errorf("read the body: %w", err)
	}
	if len(body) == 0 {
		return "", usagef("the body from %s is empty: give --file, --field or something on standard input", from)
	}
	if !utf8.Valid(body) {
		return "", fmt.Errorf("the body from %s is not UTF-8, which Firestore's text must be: convert it", from)
	}
	return string(body), nil
}
