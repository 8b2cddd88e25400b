package scripts_test

import (
	"errors"
	"fmt"
	"os/exec"
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"hippocampus/internal/deep"
)

// help is what the installed CLI says of one of its commands.
type help struct {
	command string
	flags   map[string]string // name to "=" (takes a value), "" (takes none) or "?"
}

var (
	ansi      = regexp.MustCompile("\x1b\\[[0-9;]*m")
	nameLine  = regexp.MustCompile(`(?m)^NAME\n +(gcloud [a-z0-9 -]*[a-z0-9]) -`)
	group     = regexp.MustCompile(`\A\s*gcloud [a-z0-9 -]+ (GROUP|COMMAND|\S+ \| \S+)`)
	aFlag     = regexp.MustCompile(`--(\[no-\])?([a-z][a-z0-9-]*)(=?)`)
	helpCache sync.Map // by command
)

// helpOf asks the installed CLI about the command that begins with these words; what
// follows them, such as a function's name, does no harm.
func helpOf(t *testing.T, words []string) (*help, error) {
	key := strings.Join(words, " ")
	for i := range words { // no command has commands below it
		if found, ok := helpCache.Load(strings.Join(words[:i+1], " ")); ok {
			return found.(*help), nil
		}
	}
	_, err := exec.LookPath("gcloud")
	require.NoError(t, err, "this test holds scripts/deploy to the Google Cloud CLI: install it (https://cloud.google.com/sdk/docs/install)")
	out, err := exec.CommandContext(t.Context(), "gcloud", append(words[1:len(words):len(words)], "--help")...).CombinedOutput()
	text := ansi.ReplaceAllString(string(out), "")
	if err != nil {
		return nil, fmt.Errorf("%s: %w: %s", key, err, strings.SplitN(text, "\n", 2)[0])
	}
	name := nameLine.FindStringSubmatch(text)
	if name == nil {
		return nil, fmt.Errorf("%s: its help names no command", key)
	}
	synopsis := manSection(text, "SYNOPSIS")
	if group.MatchString(synopsis) {
		return nil, fmt.Errorf("%s is a group of commands", name[1])
	}
	h := &help{command: name[1], flags: map[string]string{}}
	for _, f := range aFlag.FindAllStringSubmatch(synopsis, -1) {
		h.flags["--"+f[2]] = f[3]
		if f[1] != "" {
			h.flags["--no-"+f[2]] = f[3]
		}
	}
	for _, f := range aFlag.FindAllStringSubmatch(manSection(text, "GCLOUD WIDE FLAGS"), -1) {
		h.flags["--"+f[2]] = "?"
	}
	if len(h.flags) < 10 {
		return nil, errors.New(key + ": its help is not understood")
	}
	helpCache.Store(h.command, h)
	return h, nil
}

func manSection(text, title string) string {
	_, rest, _ := strings.Cut(text, "\n"+title+"\n")
	if end := regexp.MustCompile(`(?m)^[A-Z]`).FindStringIndex(rest); end != nil {
		rest = rest[:end[0]]
	}
	return rest
}

// checkCall returns what is wrong with a call to gcloud by the CLI's own help.
func checkCall(t *testing.T, call []string) error {
	var words, flags []string
	for _, word := range call {
		switch {
		case strings.HasPrefix(word, "-"):
			flags = append(flags, word)
		case len(flags) == 0:
			words = append(words, word)
		default:
			return fmt.Errorf("%q: a value apart from its flag cannot be checked", word)
		}
	}
	h, err := helpOf(t, words)
	if err != nil {
		return err
	}
	for _, word := range flags {
		name, _, valued := strings.Cut(word, "=")
		kind, known := h.flags[name]
		switch {
		case !known:
			return fmt.Errorf("%s has no flag %s", h.command, name)
		case kind == "=" && !valued:
			return fmt.Errorf("%s: %s needs a value", h.command, name)
		case kind == "" && valued:
			return fmt.Errorf("%s: %s takes no value", h.command, name)
		}
	}
	return nil
}

// TestFlagsAreTheCLIs holds every printed command, and every flag of it, to the help
// of the CLI that is installed.
func TestFlagsAreTheCLIs(t *testing.T) {
	deep.Only(t)
	seen := map[string][]string{}
	curls := 0
	for _, config := range configurations {
		for _, call := range printed(t, config.args...) {
			if call[0] == "curl" {
				curls++
				continue
			}
			key := call[0]
			for _, word := range call[1:] {
				name, _, _ := strings.Cut(word, "=")
				key += " " + name
			}
			seen[key] = call
		}
	}
	require.Equal(t, len(configurations), curls)
	require.GreaterOrEqual(t, len(seen), 18, "the dry runs have too few commands")
	two := make(chan struct{}, 2) // the CLI is slow to start and the machine small
	for key, call := range seen {
		t.Run(strings.Join(call[1:4], " "), func(t *testing.T) {
			t.Parallel()
			two <- struct{}{}
			defer func() { <-two }()
			require.NoError(t, checkCall(t, call), key)
		})
	}
}

// TestFlagsAreChecked shows that the check can fail.
func TestFlagsAreChecked(t *testing.T) {
	deep.Only(t)
	for _, c := range []struct{ name, call, wrong string }{
		{"right", "gcloud firestore databases describe --database=x --project=p --quiet", ""},
		{"no such flag", "gcloud firestore databases describe --databases=x", "gcloud firestore databases describe has no flag --databases"},
		{"a flag of another command", "gcloud firestore databases describe --retry", "has no flag --retry"},
		{"a flag that only the prose names", "gcloud scheduler jobs create http j --retry-count=1", "has no flag --retry-count"},
		{"value missing", "gcloud firestore databases describe --database", "--database needs a value"},
		{"value too many", "gcloud firestore indexes fields update e --disable-indexes=1", "--disable-indexes takes no value"},
		{"no such command", "gcloud firestore databases frobnicate --database=x", "Invalid choice"},
		{"a group", "gcloud firestore databases --project=p", "is a group of commands"},
	} {
		t.Run(c.name, func(t *testing.T) {
			err := checkCall(t, strings.Fields(c.call))
			if c.wrong == "" {
				require.NoError(t, err)
				return
			}
			require.ErrorContains(t, err, c.wrong)
		})
	}
}

func TestCurlFlags(t *testing.T) {
	deep.Only(t)
	out, err := exec.CommandContext(t.Context(), "curl", "--help", "all").Output()
	require.NoError(t, err, "this test holds scripts/deploy to curl's help: install curl")
	call := those(printed(t, configurations[0].args...), "curl")[0]
	flags := 0
	for _, word := range call {
		if strings.HasPrefix(word, "--") {
			flags++
			require.Regexp(t, `[ ,]`+word+`\s`, string(out))
		}
	}
	require.Equal(t, 8, flags)
}
