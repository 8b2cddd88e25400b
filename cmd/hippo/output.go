package main

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"
)

// printJSON writes a result as one JSON document.
func (env *environment) printJSON(result any) error {
	encoder := json.NewEncoder(env.out)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	if err := encoder.Encode(result); err != nil {
		return fmt.Errorf("print the result: %w", err)
	}
	return nil
}

// printf writes a line of a result for people.
func (env *environment) printf(format string, args ...any) { fmt.Fprintf(env.out, format, args...) }

// notef writes a line that is no result, unless --quiet.
func (env *environment) notef(format string, args ...any) {
	if !env.quiet {
		fmt.Fprintf(env.errs, format+"\n", args...)
	}
}

// warnf writes a line about something that went wrong and did not end the
// command. --quiet does not silence it.
func (env *environment) warnf(format string, args ...any) {
	fmt.Fprintf(env.errs, "hippo: "+format+"\n", args...)
}

// isTerminal reports whether people watch a stream.
func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// isInteractive reports whether a person can answer on a stream.
func isInteractive(r io.Reader) bool {
	f, ok := r.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// progress returns a bar on standard error, or one that shows nothing if nobody
// watches. A negative total means unknown.
func (env *environment) progress(total int, what string) *progressbar.ProgressBar {
	return progressbar.NewOptions(total,
		progressbar.OptionSetWriter(env.errs),
		progressbar.OptionSetVisibility(!env.quiet && isTerminal(env.errs)),
		progressbar.OptionSetDescription(what),
		progressbar.OptionShowCount(),
		progressbar.OptionThrottle(100*time.Millisecond),
		progressbar.OptionClearOnFinish(),
		// The goroutine that turns the spinner races with the bar's own changes.
		progressbar.OptionSetSpinnerChangeInterval(0),
	)
}

// style colours words, on a terminal and without NO_COLOR only.
type style bool

func styleFor(w io.Writer) style {
	return style(os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb" && isTerminal(w))
}

func (s style) paint(code, text string) string {
	if !s {
		return text
	}
	return "\x1b[" + code + "m" + text + "\x1b[0m"
}

func (s style) bold(text string) string  { return s.paint("1", text) }
func (s style) faint(text string) string { return s.paint("2", text) }
func (s style) good(text string) string  { return s.paint("32", text) }
func (s style) bad(text string) string   { return s.paint("31", text) }
