package main

import (
	"context"
	"io"
	"log/slog"
	"strings"

	"github.com/spf13/cobra"
)

// environment is what a command has of the world: its streams and what the
// global flags say.
type environment struct {
	in   io.Reader
	out  io.Writer // results only
	errs io.Writer // errors, progress and notes

	json    bool // results as one JSON document
	quiet   bool // no progress, no notes
	verbose bool // logs

	connection connectionFlags

	// started says that the command line was understood: what fails from then
	// on is a failure and no fault of the command line.
	started bool
}

func newRootCommand(env *environment) *cobra.Command {
	root := &cobra.Command{
		Use:   "hippo",
		Short: "The list of what an agent knows, kept in Firestore and read in one query",
		Long: `hippo works on the memories of a tenant and on the index that lists them.

See it:            hippo demo
Try it yourself:   hippo dev, and in another terminal, with what it prints exported,
                   hippo import examples/notes --tenant acme
                   hippo ls --tenant acme

It talks to the Firestore emulator that FIRESTORE_EMULATOR_HOST names, or with
ordinary Google credentials (gcloud auth application-default login) to the
project of GOOGLE_CLOUD_PROJECT or --project.

Environment, the same as that of the functions; flags win:
  GOOGLE_CLOUD_PROJECT     --project
  FIRESTORE_EMULATOR_HOST  host:port of an emulator
  HIPPO_DATABASE           --database
  HIPPO_MEMORIES           pattern of the memory collections, by default
                           tenants/{tenant}/memories; --tenant fills its wildcard
  HIPPO_IDS                --ids
  HIPPO_DATE_FIELD         --date-field
  NO_COLOR                 if set, no colour on a terminal

Exit codes: 0 all is well, 1 something failed or doctor found something,
2 the command line is wrong and nothing was done.`,
		Args:          cobra.NoArgs,
		SilenceErrors: true,
		SilenceUsage:  true,
		RunE:          func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	flags := root.PersistentFlags()
	flags.BoolVar(&env.json, "json", false, "print the result as one JSON document")
	flags.BoolVarP(&env.quiet, "quiet", "q", false, "no progress and no notes")
	flags.BoolVar(&env.verbose, "verbose", false, "print logs to standard error")
	env.connection.register(flags)
	root.CompletionOptions.HiddenDefaultCmd = true
	root.SetHelpCommand(newHelpCommand(root))
	root.AddCommand(commands(env)...)
	return root
}

// newHelpCommand is cobra's, but for a command that does not exist, which is an error.
func newHelpCommand(root *cobra.Command) *cobra.Command {
	return &cobra.Command{
		Use:   "help [command]",
		Short: "Help about any command",
		RunE: func(_ *cobra.Command, args []string) error {
			command, rest, err := root.Find(args)
			if err != nil || len(rest) > 0 {
				return usagef("there is no command %q", strings.Join(args, " "))
			}
			return command.Help()
		},
	}
}

// commands are all commands, in no order: help sorts them.
func commands(env *environment) []*cobra.Command {
	return []*cobra.Command{
		newDoctorCommand(env),
		newDemoCommand(env),
		newDevCommand(env),
		newDropCommand(env),
		newEvalCommand(env),
		newEvalTurnsCommand(env),
		newImportCommand(env),
		newLsCommand(env),
		newMvCommand(env),
		newOpenCommand(env),
		newPutCommand(env),
		newRepairCommand(env),
		newRmCommand(env),
	}
}

// runE makes a RunE of a command's function.
func (env *environment) runE(
	do func(ctx context.Context, args []string) error) func(*cobra.Command, []string) error {
	return func(cmd *cobra.Command, args []string) error {
		env.started = true
		slog.SetDefault(env.logger(slog.LevelError))
		return do(cmd.Context(), args)
	}
}

// logger writes logs for people: those of at least a level, all with --verbose.
func (env *environment) logger(level slog.Level) *slog.Logger {
	if env.verbose {
		level = slog.LevelDebug
	}
	return slog.New(slog.NewTextHandler(env.errs, &slog.HandlerOptions{Level: level}))
}
