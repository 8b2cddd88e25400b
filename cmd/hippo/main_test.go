package main

import (
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"hippocampus/emulator/emulatortest"
)

// TestMain makes this test binary the command hippo too, on the PATH of scripts
// and tests, so that they run the real program in a process of its own.
func TestMain(m *testing.M) {
	testscript.Main(tests{m}, map[string]func(){"hippo": main})
}

type tests struct{ *testing.M }

// Run runs the tests, and stops the emulator that they share.
func (t tests) Run() int { return emulatortest.Run(t.M) }
