package hippocampus_test

import (
	"bufio"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"hippocampus/internal/deep"
)

// Every command of the documents is run, as it is typed, in the order in which it
// stands there, with what hippo dev prints exported once it runs.
func TestEveryCommandOfTheDocumentsRuns(t *testing.T) {
	deep.Only(t)
	documents, err := filepath.Glob("docs/*.md")
	require.NoError(t, err)
	require.NotEmpty(t, documents)
	documents = append(slices.Clone(topDocuments), documents...)
	hippo := buildHippo(t)

	var environment []string
	ran, evaluated := 0, map[string]bool{}
	for _, document := range documents {
		for _, command := range commandsOf(t, document) {
			ran++
			switch {
			case evaluated[command]: // the same evaluation again
			case command == "go test ./...":
				check, err := os.ReadFile("scripts/check")
				require.NoError(t, err)
				require.Regexp(t, `(?m)^tests go test -race -vet=off \./\.\.\.$`, string(check), "CI runs the command that %s gives", document)
				ci, err := os.ReadFile(".ci/run")
				require.NoError(t, err)
				require.Contains(t, string(ci), "exec scripts/check")
			case strings.HasPrefix(command, "scripts/deploy "):
				// Run by the tests of package scripts, which have a cloud to run it in.
			case strings.HasSuffix(command, "hippo dev"):
				environment = startDev(t, hippo, command)
			default:
				c := exec.CommandContext(t.Context(), "bash", "-e", "-o", "pipefail", "-c", built(hippo, inMiniature(t, command)))
				c.Env = append(append(os.Environ(), "GOFLAGS=-buildvcs=false"), environment...)
				evaluated[command] = strings.HasPrefix(command, run+"eval --o")
				began := time.Now()
				out, err := c.CombinedOutput()
				t.Logf("%5.1f s  %s", time.Since(began).Seconds(), command)
				require.NoError(t, err, "%s: %s\n%s", document, command, out)
				require.NotContains(t, string(out), "no tests to run", command)
			}
		}
	}
	require.Greater(t, ran, 15)
}

// topDocuments are those outside docs.
var topDocuments = []string{"README.md", "ARCHITECTURE.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md", "emulator/README.md"}

// run is how the documents call the command from the source.
const run = "go run ./cmd/hippo "

func buildHippo(t *testing.T) string {
	hippo := filepath.Join(t.TempDir(), "hippo")
	out, err := exec.CommandContext(t.Context(), "go", "build", "-o", hippo, "./cmd/hippo").CombinedOutput()
	require.NoError(t, err, string(out))
	return hippo
}

// built has a command run what was built of the source already. The first one of a newcomer is left
// as it is typed.
func built(hippo, command string) string {
	if command == run+"demo" {
		return command
	}
	return strings.ReplaceAll(command, run, hippo+" ")
}

// inMiniature makes an evaluation a small one, which writes to a folder of the test, and on the
// emulator that hippo dev runs, not in the project that the documents make up. Other commands are
// left as they are.
func inMiniature(t *testing.T, command string) string {
	if !strings.Contains(command, "hippo eval") {
		return command
	}
	command = strings.Replace(command, "--out report", "--out "+t.TempDir(), 1)
	if strings.Contains(command, "--live") {
		command = strings.Replace(command, "--project my-project", "--yes", 1)
		command = strings.Replace(command, " --sizes 100,1000", "", 1)
	} else if strings.Contains(command, "--only") || strings.Contains(command, "--collection") {
		return command // is small
	}
	return command + " --sizes 50 --schedules 5 --watched 3 --after 1 --repair-sizes 200 --bursts 10,100"
}

// commandsOf returns the lines of a document's blocks of shell commands.
func commandsOf(t *testing.T, document string) []string {
	t.Helper()
	text, err := os.ReadFile(document)
	require.NoError(t, err)
	var commands []string
	inside := false
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSpace(line)
		switch {
		case line == "```sh":
			inside = true
		case strings.HasPrefix(line, "```"):
			inside = false
		case inside && line != "" && !strings.HasPrefix(line, "#"):
			commands = append(commands, line)
		}
	}
	require.False(t, inside, "%s: a block of commands is not closed", document)
	return commands
}

// startDev starts hippo dev, on a free port since others may run one, and returns
// the variables that it says to export.
func startDev(t *testing.T, hippo, command string) []string {
	t.Helper()
	args := strings.Fields(strings.TrimPrefix(command, run))
	dev := exec.CommandContext(context.WithoutCancel(t.Context()), hippo, append(args, "--port", "0")...)
	dev.Stderr = os.Stderr
	stdout, err := dev.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, dev.Start())
	t.Cleanup(func() {
		require.NoError(t, dev.Process.Signal(syscall.SIGTERM))
		require.NoError(t, dev.Wait())
	})
	var environment []string
	for scanner := bufio.NewScanner(stdout); scanner.Scan() && !strings.HasPrefix(scanner.Text(), "Ctrl-C"); {
		if variables, ok := strings.CutPrefix(strings.TrimSpace(scanner.Text()), "export "); ok {
			environment = strings.Fields(variables)
		}
	}
	require.Len(t, environment, 2, "what to export")
	return environment
}

// Links between documents, and from them into the tree, lead somewhere.
func TestLinksOfTheDocumentsLeadSomewhere(t *testing.T) {
	link := regexp.MustCompile(`\]\(([^)#:]+)\)`)
	documents, err := filepath.Glob("docs/*.md")
	require.NoError(t, err)
	found := 0
	for _, document := range append(documents, topDocuments...) {
		text, err := os.ReadFile(document)
		require.NoError(t, err)
		for _, match := range link.FindAllStringSubmatch(string(text), -1) {
			found++
			require.FileExists(t, filepath.Join(filepath.Dir(document), match[1]), document)
		}
	}
	require.Greater(t, found, 3)
}

// The emulator's README names each of its packages.
func TestTheEmulatorsReadmeHasItsPackages(t *testing.T) {
	text, err := os.ReadFile("emulator/README.md")
	require.NoError(t, err)
	found := 0
	for name := range imports {
		if part, ok := strings.CutPrefix(name, "emulator/"); ok {
			found++
			require.True(t, strings.Contains(string(text), "`"+filepath.Base(part)+"`"), "package %s is not in the table", name)
		}
	}
	require.Greater(t, found, 20)
}

// The Go code of the emulator's README is from an example that runs.
func TestCodeOfTheEmulatorsReadmeRuns(t *testing.T) {
	text, err := os.ReadFile("emulator/README.md")
	require.NoError(t, err)
	example, err := os.ReadFile("emulator/example_test.go")
	require.NoError(t, err)
	blocks := regexp.MustCompile("(?s)```go\n(.*?)```").FindAllStringSubmatch(string(text), -1)
	require.NotEmpty(t, blocks)
	for _, block := range blocks {
		for line := range strings.Lines(block[1]) {
			code, _, _ := strings.Cut(line, "//")
			require.Contains(t, string(example), strings.TrimSpace(code))
		}
	}
}

// The README's Go code compiles in a module of its own, as a backend's would.
func TestCodeOfTheReadmeCompiles(t *testing.T) {
	text, err := os.ReadFile("README.md")
	require.NoError(t, err)
	_, code, found := strings.Cut(string(text), "```go\n")
	require.True(t, found)
	code, _, found = strings.Cut(code, "```")
	require.True(t, found)
	require.NotContains(t, code, "package main")

	root, err := os.Getwd()
	require.NoError(t, err)
	sums, err := os.ReadFile("go.sum")
	require.NoError(t, err)
	module := modulePath(t)
	backend := t.TempDir()
	for file, content := range map[string]string{
		"agent.go": code,
		"go.sum":   string(sums),
		"go.mod":   "module backend\n\ngo 1.26.0\n\nrequire " + module + " v0.0.0\n\nreplace " + module + " => " + root + "\n",
	} {
		require.NoError(t, os.WriteFile(filepath.Join(backend, file), []byte(content), 0o600))
	}
	// What this module needs is downloaded, and no more is needed.
	vet := exec.CommandContext(t.Context(), "go", "vet", ".")
	vet.Dir, vet.Env = backend, append(os.Environ(), "GOFLAGS=-mod=mod", "GOPROXY=off")
	out, err := vet.CombinedOutput()
	require.NoError(t, err, "%s", out)
}
