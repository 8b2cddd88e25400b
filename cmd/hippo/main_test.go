package main

import (
	"context"
	"fmt"
	"os"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
	"github.com/stretchr/testify/require"

	"hippocampus/emulator/official"
)

// TestMain makes this test binary the command hippo too, on the PATH of scripts
// and tests, so that they run the real program in a process of its own.
func TestMain(m *testing.M) {
	testscript.Main(tests{m}, map[string]func(){"hippo": main})
}

type tests struct{ *testing.M }

// Run runs the tests, and stops the emulator that they share.
func (t tests) Run() int {
	code := t.M.Run()
	if started.Load() {
		if emulator, err := shared(); err == nil {
			if err := emulator.Close(); err != nil {
				fmt.Fprintln(os.Stderr, err)
				code = max(code, 1)
			}
		}
	}
	return code
}

var (
	started  atomic.Bool
	projects atomic.Int64
	shared   = sync.OnceValues(func() (*official.Emulator, error) { return official.Start(context.Background(), nil) })
)

// startEmulator returns the emulator that all tests share, as a project of this
// test's own.
func startEmulator(t testing.TB) *official.Emulator {
	t.Helper()
	started.Store(true)
	emulator, err := shared()
	require.NoError(t, err)
	return emulator.In(fmt.Sprintf("demo-hippo-%d-%d", os.Getpid(), projects.Add(1)))
}
