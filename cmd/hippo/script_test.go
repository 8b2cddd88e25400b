package main

import (
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
	"github.com/stretchr/testify/require"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"hippocampus/emulator/emulatortest"
	"hippocampus/internal/deep"
)

// TestScripts runs testdata/script: each script is a session at the command
// line, in a project of its own of an emulator.
func TestScripts(t *testing.T) {
	const dir = "testdata/script"
	scripts, err := filepath.Glob(filepath.Join(dir, "*.txtar"))
	require.NoError(t, err)
	require.GreaterOrEqual(t, len(scripts), 5, "the scripts are gone from %s", dir)
	notes, err := filepath.Abs("../../examples/notes")
	require.NoError(t, err)
	require.DirExists(t, notes)

	testscript.Run(t, testscript.Params{
		Dir:                 dir,
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"exits": exits, "firestore": firestoreThat, "mtime": mtime, "hardnotes": hardNotes,
		},
		// [deep] is true where the deep tests are wanted, and with them the official emulator.
		Condition: func(name string) (bool, error) {
			if name != "deep" {
				return false, fmt.Errorf("there is no condition %q", name)
			}
			return deep.On(), nil
		},
		Setup: func(env *testscript.Env) error {
			emulator := emulatortest.Start(t)
			env.Setenv("FIRESTORE_EMULATOR_HOST", emulator.Host())
			env.Setenv("GOOGLE_CLOUD_PROJECT", emulator.Project())
			env.Setenv("NOTES", notes)
			env.Setenv("EVIL", "x\n## Pages") // a script cannot write a line break
			for _, name := range []string{"FIRESTORE_EMULATOR_JAR", "JAVA", "JAVA_HOME", "CLOUDSDK_ROOT_DIR"} {
				env.Setenv(name, os.Getenv(name))
			}
			return nil
		},
	})
}

// exits runs a command that must end with an exit code: exits 2 hippo ls.
func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits CODE PROGRAM [ARG...]")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	code := 0
	if err := ts.Exec(args[1], args[2:]...); err != nil {
		var exit *exec.ExitError
		if !errors.As(err, &exit) {
			ts.Fatalf("%v", err)
		}
		code = exit.ExitCode()
	}
	if code != want {
		ts.Fatalf("exit code %d, want %d", code, want)
	}
}

// firestoreThat puts a server in the emulator's place that answers every call
// with an error, or never: firestore PERMISSION_DENIED MESSAGE, or firestore silent.
func firestoreThat(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) == 0 {
		ts.Fatalf("usage: firestore silent, or firestore CODE MESSAGE")
	}
	listener, err := net.Listen("tcp4", "127.0.0.1:0")
	ts.Check(err)
	server := grpc.NewServer(grpc.UnknownServiceHandler(func(_ any, stream grpc.ServerStream) error {
		if args[0] == "silent" {
			<-stream.Context().Done()
			return stream.Context().Err()
		}
		var code codes.Code
		if err := code.UnmarshalJSON([]byte(strconv.Quote(args[0]))); err != nil {
			return err
		}
		return status.Error(code, args[1])
	}))
	go func() { _ = server.Serve(listener) }()
	ts.Defer(server.Stop)
	ts.Setenv("FIRESTORE_EMULATOR_HOST", listener.Addr().String())
}

// mtime sets when a file was last changed: mtime 2026-01-02T03:04:05Z FILE.
func mtime(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: mtime RFC3339 FILE")
	}
	t, err := time.Parse(time.RFC3339Nano, args[0])
	ts.Check(err)
	ts.Check(os.Chtimes(ts.MkAbs(args[1]), t, t))
}

// hardNotes writes the notes that a script cannot hold into a folder.
func hardNotes(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: hardnotes DIR")
	}
	dir := ts.MkAbs(args[0])
	deep := filepath.Join(dir, strings.Repeat(strings.Repeat("d", 250)+"/", 4))
	ts.Check(os.MkdirAll(deep, 0o777))
	for file, text := range map[string]string{
		"latin1.md":            "caf\xe9",
		"large.md":             strings.Repeat("x", 1<<20),
		"huge.md":              strings.Repeat("x", 1<<20+1),
		"largest as a note.md": strings.Repeat("x", 1<<20-400),
		"e\u0301.md":           "decomposed",
		filepath.Join(strings.TrimPrefix(deep, dir+"/"), strings.Repeat("n", 250)+".md"): "too deep",
	} {
		ts.Check(os.WriteFile(filepath.Join(dir, file), []byte(text), 0o666))
	}
}
