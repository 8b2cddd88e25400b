// Turnbuilder builds the prompt of one turn of an agent that knows what it
// remembers, and prints it: the prompt on standard output, what its list is
// worth and what it cost on standard error.
//
//	export FIRESTORE_EMULATOR_HOST=…   or: gcloud auth application-default login
//	export GOOGLE_CLOUD_PROJECT=…
//	go run . -memories tenants/demo/memories "When do we open on Sundays?"
//
// A backend sends the prompt to its model instead, and gives the model a tool
// that opens a memory by its name.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"time"

	"cloud.google.com/go/firestore"

	"hippocampus/reader"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, os.Args[1:], os.Stdout, os.Stderr); err != nil {
		if !errors.Is(err, flag.ErrHelp) {
			fmt.Fprintln(os.Stderr, "turnbuilder:", err)
		}
		os.Exit(1)
	}
}

// sections are what this agent is shown of its memories. Most of a turn's
// memories are among the newest; all others are there to be asked for.
var sections = []reader.Section{
	{Title: "Pages", Prefix: "pages/", Cap: 120},
	{Title: "Journal", Prefix: "journal/", Cap: 14},
	{Title: "Notebook", Prefix: "notebook/", Cap: 60, Dates: true},
	{Title: "Sources", Prefix: "sources/", Cap: 40},
	{Title: "Other", Cap: 20},
}

func run(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	flags := flag.NewFlagSet("turnbuilder", flag.ContinueOnError)
	flags.SetOutput(stderr)
	project := flags.String("project", os.Getenv("GOOGLE_CLOUD_PROJECT"), "Google Cloud `project`")
	memories := flags.String("memories", "tenants/demo/memories",
		"`path` of the tenant's memory collection")
	timeout := flags.Duration("timeout", 5*time.Second, "how long the list may take")
	flags.Usage = func() {
		fmt.Fprintln(stderr, "usage: turnbuilder [flags] MESSAGE")
		flags.PrintDefaults()
	}
	if err := flags.Parse(args); err != nil {
		return err
	}
	message := strings.TrimSpace(strings.Join(flags.Args(), " "))
	if message == "" {
		flags.Usage()
		return errors.New("there is no message of the user's to build a turn for")
	}
	if *project == "" {
		return errors.New("no project: give -project or set GOOGLE_CLOUD_PROJECT")
	}

	// A backend makes these two once, when it starts.
	client, err := firestore.NewClient(ctx, *project)
	if err != nil {
		return fmt.Errorf("connect to Firestore: %w", err)
	}
	defer client.Close()
	lists := reader.New(client, nil)

	// And this on every turn.
	ctx, cancel := context.WithTimeout(ctx, *timeout)
	defer cancel()
	list, err := lists.List(ctx, *memories)
	if err != nil {
		return err
	}
	fmt.Fprintln(stderr, list.Receipt)
	_, err = io.WriteString(stdout, prompt(list, message))
	return err
}

// prompt is the same for the same list and message, byte for byte, so that a
// model's provider can cache it.
func prompt(list *reader.List, message string) string {
	return `You help the owner of a small business. You have a memory, which is below by
name only, the newest first: open a memory before you rely on what it says, by
its name exactly as it is written there.

<memories>
` + list.Text(sections) + `</memories>

Owner: ` + message + "\n"
}
