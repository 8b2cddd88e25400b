package scripts_test

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
)

// A cloud stands in for Google's, which no test can call: commands named gcloud,
// curl and sleep that record what they are called with and answer as told. What the
// recorded calls may be is held to the real CLI's help, see help_test.go.
type cloud struct {
	t   *testing.T
	bin string // where the commands are
	log string
}

// An answer is given to calls that match a shell pattern, the first that matches: do
// is shell code, whose $n is how many calls matched it before.
type answer struct{ match, do string }

func newCloud(t *testing.T, answers ...answer) *cloud {
	c := &cloud{t: t, bin: t.TempDir()}
	c.log = filepath.Join(c.bin, "calls")
	var code strings.Builder
	code.WriteString("#!/usr/bin/env bash\nset -eu\ndir=\"${0%/*}\"\n" +
		"[ \"${0##*/}\" != curl ] || cat >\"$dir/curl.stdin\"\n" +
		"printf '%s\\0' \"${0##*/}\" \"$@\" $'\\x1e' >>\"$dir/calls\"\n" +
		// What is deployed must be a source that the buildpack takes.
		"for word; do case \"$word\" in --source=*) grep -q '^module [a-z]*\\.' \"${word#*=}/go.mod\" ;; esac; done\n" +
		"count() { n=0; [ ! -e \"$dir/n$1\" ] || n=\"$(cat \"$dir/n$1\")\"; echo $((n + 1)) >\"$dir/n$1\"; }\n" +
		"case \"${0##*/} $*\" in\n")
	for i, a := range answers {
		fmt.Fprintf(&code, "%s)\ncount %d\n%s\n;;\n", a.match, i, a.do)
	}
	code.WriteString("esac\n")
	for _, name := range []string{"gcloud", "curl", "sleep"} {
		require.NoError(t, os.WriteFile(filepath.Join(c.bin, name), []byte(code.String()), 0o755))
	}
	return c
}

// calls returns the recorded commands, oldest first.
func (c *cloud) calls() [][]string {
	log, err := os.ReadFile(c.log)
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	require.NoError(c.t, err)
	var calls [][]string
	for _, call := range strings.Split(string(log), "\x00\x1e\x00") {
		if call != "" {
			calls = append(calls, strings.Split(call, "\x00"))
		}
	}
	return calls
}

type result struct {
	code        int
	out, errors string
}

// run runs a program with the cloud's commands before all others.
func (c *cloud) run(stdin, program string, args ...string) result {
	return runWith(c.t, c.bin+":"+os.Getenv("PATH"), stdin, program, args...)
}

func (c *cloud) deploy(args ...string) result {
	return c.run("", "./deploy", args...)
}

func runWith(t *testing.T, path, stdin, program string, args ...string) result {
	cmd := exec.CommandContext(t.Context(), program, args...)
	folder, err := os.MkdirTemp("", "deploy") // not t.TempDir, which has the test's name in it
	require.NoError(t, err)
	t.Cleanup(func() { _ = os.RemoveAll(folder) })
	cmd.Env = append(os.Environ(), "PATH="+path, "TMPDIR="+folder)
	cmd.Stdin = strings.NewReader(stdin)
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	err = cmd.Run()
	var exit *exec.ExitError
	if err != nil {
		require.ErrorAs(t, err, &exit)
	}
	return result{cmd.ProcessState.ExitCode(), out.String(), errs.String()}
}

var printedCache sync.Map // by arguments

// printed returns the commands that a dry run prints, as a shell reads them.
func printed(t *testing.T, args ...string) [][]string {
	key := strings.Join(args, "\x00")
	if calls, ok := printedCache.Load(key); ok {
		return copied(calls.([][]string))
	}
	c := newCloud(t)
	dry := c.deploy(append([]string{"--dry-run"}, args...)...)
	require.Zero(t, dry.code, dry.errors)
	require.Empty(t, c.calls(), "a dry run calls nothing")
	require.Zero(t, c.run(dry.out, "bash", "-eu").code)
	calls := c.calls()
	require.NotEmpty(t, calls)
	printedCache.Store(key, copied(calls))
	return calls
}

func copied(calls [][]string) [][]string {
	all := make([][]string, len(calls))
	for i := range calls {
		all[i] = slices.Clone(calls[i])
	}
	return all
}

// is says whether a call begins with these words.
func is(call []string, words ...string) bool {
	return len(call) >= len(words) && strings.Join(call[:len(words)], " ") == strings.Join(words, " ")
}

// those returns the calls that begin with these words.
func those(calls [][]string, words ...string) [][]string {
	var found [][]string
	for _, call := range calls {
		if is(call, words...) {
			found = append(found, call)
		}
	}
	return found
}

// flag returns the values of a flag of a call; one without a value has "".
func flag(call []string, name string) []string {
	var values []string
	for _, word := range call {
		if word == name {
			values = append(values, "")
		} else if value, ok := strings.CutPrefix(word, name+"="); ok {
			values = append(values, value)
		}
	}
	return values
}
