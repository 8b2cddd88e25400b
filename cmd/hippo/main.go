// Command hippo is Hippocampus on the command line: it brings notes in, shows
// the list that an agent's turn is given, repairs and checks the index, and
// runs the whole product on one machine for development and to be seen.
//
// Run "hippo help" for the commands, and "hippo demo" to see what it is for.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"
)

// Exit codes. The root command's help names them too.
const (
	exitOK      = 0
	exitFailure = 1 // something failed, or doctor found something
	exitUsage   = 2 // the command line is wrong; nothing was done
)

func main() {
	// The first signal ends the command's context, so that it cleans up; the
	// second kills it.
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop)
	code := run(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr)
	stop()
	os.Exit(code)
}

// run executes one command line and returns its exit code.
func run(ctx context.Context, args []string, in io.Reader, out, errs io.Writer) int {
	env := &environment{in: in, out: out, errs: errs}
	root := newRootCommand(env)
	root.SetArgs(args)
	root.SetIn(in)
	root.SetOut(out)
	root.SetErr(errs)
	cmd, err := root.ExecuteContextC(ctx)
	var usage *usageError
	switch {
	case err == nil:
		return exitOK
	case errors.Is(err, errReported):
		return exitFailure
	case env.started && !errors.As(err, &usage):
		fmt.Fprintf(errs, "hippo: %v\n", explain(ctx, err))
		return exitFailure
	}
	fmt.Fprintf(errs, "hippo: %v\n  See %s --help.\n", err, cmd.CommandPath())
	return exitUsage
}

// errReported ends a command with exit code 1 whose output has said why.
var errReported = errors.New("reported already")

// usageError is a fault of the command line that cobra does not see.
type usageError struct{ message string }

func (e *usageError) Error() string { return e.message }

func usagef(format string, args ...any) error {
	return &usageError{fmt.Sprintf(format, args...)}
}
