package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"net/http"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"hippocampus/emulator"
	"hippocampus/emulator/official"
	"hippocampus/functions"
	"hippocampus/internal/stack"
)

func newDevCommand(env *environment) *cobra.Command {
	var d dev
	cmd := &cobra.Command{
		Use:   "dev",
		Short: "Run the emulator, the functions and their triggers, for development",
		Long: `dev runs a Firestore emulator with the functions and their triggers, on this machine
only and all in this process (an official emulator is a child of it), and prints what
to export so that hippo, your backend and your tests use it. Every change of a memory
reaches the index as in production, requests for a build are served, and what is due
is repaired now and then.

It ends with Ctrl-C or SIGTERM, and all data is gone then.`,
		Example: "  hippo dev --port 0",
		Args:    cobra.NoArgs,
		RunE:    env.runE(func(ctx context.Context, _ []string) error { return d.run(ctx, env) }),
	}
	registerEmulator(cmd.Flags(), &d.emulator)
	cmd.Flags().IntVar(&d.port, "port", 8080,
		"port of the emulator on 127.0.0.1; 0 picks a free one")
	cmd.Flags().StringVar(&d.rules, "rules", "",
		"security rules to load, into the official emulator (default firestore.rules, if there is such a file)")
	cmd.Flags().StringVar(&d.indexes, "indexes", "",
		"exemptions from indexing that count for the embedded emulator's limits (default firestore.indexes.json, if there is such a file)")
	cmd.Flags().DurationVar(&d.repairEvery, "repair-every", time.Hour,
		"how often to repair what is due, as Cloud Scheduler does; 0 for never")
	return cmd
}

type dev struct {
	emulator    stack.Kind
	port        int
	rules       string
	indexes     string
	repairEvery time.Duration
}

// devRunning is what --json prints once everything is up.
type devRunning struct {
	Emulator  string            `json:"emulator"`
	Kind      stack.Kind        `json:"kind"`
	Project   string            `json:"project"`
	Functions []string          `json:"functions"`
	Rules     string            `json:"rules,omitempty"`
	Export    map[string]string `json:"export"`
}

func (d *dev) run(ctx context.Context, env *environment) (err error) {
	e, err := d.environment(env)
	if err != nil {
		return err
	}
	rules, err := d.readRules()
	if err != nil {
		return err
	}
	indexes, err := d.readIndexes()
	if err != nil {
		return err
	}
	log := env.logger(slog.LevelWarn)
	slog.SetDefault(log)
	s, err := stack.Start(ctx, &stack.Options{Kind: d.emulator, Project: e.Project, Port: d.port,
		Indexes: indexes, Config: e.Config, Logger: log})
	if errors.Is(err, emulator.ErrPortInUse) || errors.Is(err, official.ErrPortInUse) {
		return fmt.Errorf("%w: hippo dev --port 0 picks a free one", err)
	}
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	if own, ok := s.Emulator.(*official.Emulator); ok && rules != "" {
		if err := own.LoadRules(ctx, rules); err != nil {
			return fmt.Errorf("%s: %w", d.rules, err)
		}
	}
	if err := d.announce(env, s, &e); err != nil {
		return err
	}
	if err := d.repairUntilDone(ctx, s, log); err != nil {
		return err
	}
	env.notef("stopping")
	return nil
}

// environment is what is to be run.
func (d *dev) environment(env *environment) (functions.Environment, error) {
	e, err := env.connection.configuration()
	switch {
	case err != nil:
		return e, err
	case e.Database != functions.DefaultDatabase:
		return e, usagef("database %s: the emulator has triggers on (default) only: leave out --database and HIPPO_DATABASE", e.Database)
	case d.port < 0 || d.port > 65535:
		return e, usagef("--port %d: give 0 to 65535", d.port)
	case d.repairEvery < 0:
		return e, usagef("--repair-every %s: give a positive duration, or 0 for never",
			d.repairEvery)
	}
	if e.Project == "" {
		e.Project = emulator.DefaultProject
	}
	return e, nil
}

// readRules returns the rules to load, nothing if there are none, and notes which
// file they are from.
func (d *dev) readRules() (string, error) {
	if d.emulator != stack.Official {
		if d.rules != "" {
			return "", usagef("--rules %s: the embedded emulator evaluates no rules: add --emulator official, or leave --rules out", d.rules)
		}
		return "", nil
	}
	source, err := readProjectFile(&d.rules, "firestore.rules")
	if err == nil && d.rules != "" && len(source) == 0 {
		err = errors.New("they are empty: write some, or give another file by --rules")
	}
	if err != nil {
		return "", fmt.Errorf("read the rules: %s: %w", d.rules, err)
	}
	return string(source), nil
}

// readIndexes returns the exemptions to load, nil if there are none.
func (d *dev) readIndexes() ([]byte, error) {
	if d.emulator == stack.Official {
		if d.indexes != "" {
			return nil, usagef("--indexes %s: the official emulator counts no index entries: leave it out", d.indexes)
		}
		return nil, nil
	}
	source, err := readProjectFile(&d.indexes, "firestore.indexes.json")
	if err != nil {
		return nil, fmt.Errorf("read the indexes: %w", err)
	}
	return source, nil
}

// readProjectFile reads the file that a flag names, or else the usual one, if there is one, and
// then names that. It returns nil if there is none.
func readProjectFile(named *string, usual string) ([]byte, error) {
	source, err := os.ReadFile(cmp.Or(*named, usual))
	if errors.Is(err, fs.ErrNotExist) && *named == "" {
		return nil, nil
	}
	*named = cmp.Or(*named, usual)
	return source, err
}

// announce says what runs where and what to export.
func (d *dev) announce(env *environment, s *stack.Stack, e *functions.Environment) error {
	running := devRunning{
		Emulator: s.Emulator.Host(), Kind: d.emulator, Project: s.Emulator.Project(),
		Rules: d.rules,
		Export: map[string]string{emulatorHost: s.Emulator.Host(),
			"GOOGLE_CLOUD_PROJECT": s.Emulator.Project()},
	}
	for _, name := range []string{functions.NameOnMemoryWritten, functions.NameOnRequest,
		functions.NameRepairDue} {
		running.Functions = append(running.Functions, s.URL+"/"+name)
	}
	export := []string{emulatorHost + "=" + s.Emulator.Host(),
		"GOOGLE_CLOUD_PROJECT=" + shellQuote(s.Emulator.Project())}
	for _, v := range []struct{ name, value, otherwise string }{
		{"HIPPO_MEMORIES", e.Memories, functions.DefaultMemories},
		{"HIPPO_IDS", e.Schema.IDs.String(), functions.Config{}.Schema.IDs.String()},
		{"HIPPO_DATE_FIELD", e.Schema.Field(), functions.Config{}.Schema.Field()},
	} {
		if v.value != v.otherwise {
			running.Export[v.name] = v.value
			export = append(export, v.name+"="+shellQuote(v.value))
		}
	}
	if env.json {
		return env.printJSON(running)
	}
	style := styleFor(env.out)
	env.printf("%s\n", style.bold("Hippocampus is running"))
	env.printf("  Firestore emulator  %s, project %s (%s)\n", running.Emulator, running.Project,
		running.Kind)
	for i, url := range running.Functions {
		env.printf("  %-18s  %s\n", []string{"functions", "", ""}[i], url)
	}
	env.printf("  security rules      %s\n", d.inForce())
	env.printf("  repair of the due   %s\n\n", every(d.repairEvery))
	env.printf("In another terminal:\n  export %s\n", strings.Join(export, " "))
	env.printf("  hippo import examples/notes --tenant acme\n  hippo ls --tenant acme --sections\n\n")
	env.printf("%s\n", style.faint("Ctrl-C stops it; all data is gone then."))
	return nil
}

// inForce says which rules are.
func (d *dev) inForce() string {
	switch {
	case d.emulator != stack.Official:
		return "not evaluated: servers may do everything, clients nothing; --emulator official evaluates them"
	case d.rules == "":
		return "none: clients may do everything"
	}
	return d.rules
}

func every(d time.Duration) string {
	if d == 0 {
		return "never"
	}
	return "every " + d.String()
}

// shellQuote quotes a value for a shell, if it needs that.
func shellQuote(s string) string {
	if strings.Trim(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./:") == "" {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}

// repairUntilDone calls RepairDue now and then, as Cloud Scheduler does, and
// returns when ctx ends, or with an error when the emulator does.
func (d *dev) repairUntilDone(ctx context.Context, s *stack.Stack, log *slog.Logger) error {
	var due <-chan time.Time
	if d.repairEvery > 0 {
		ticker := time.NewTicker(d.repairEvery)
		defer ticker.Stop()
		due = ticker.C
	}
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-s.Emulator.Done():
			return fmt.Errorf("nothing runs without the emulator, and its data is gone; start hippo dev again: %w", s.Emulator.Err())
		case <-due:
			if err := repairDue(ctx, s); err != nil && ctx.Err() == nil {
				log.Error("the repair of what is due failed", "error", err.Error())
			}
		}
	}
}

// repairDue calls the function over HTTP.
func repairDue(ctx context.Context, s *stack.Stack) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, s.URL+"/"+functions.NameRepairDue, nil)
	if err != nil {
		return err
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return err
	}
	defer res.Body.Close()
	if res.StatusCode != http.StatusOK {
		return fmt.Errorf("%s answers %s", functions.NameRepairDue, res.Status)
	}
	return nil
}
