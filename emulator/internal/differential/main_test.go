package differential_test

import (
	"flag"
	"os"
	"testing"

	"hippocampus/emulator/official/officialtest"
)

var (
	runs  = flag.Int("differential.programs", 2000, "how many programs to run")
	first = flag.Uint64("differential.first", 1, "the first program's seed; the others follow it")
	every = flag.Bool("differential.every", false, "go on after the first program that finds a difference")
	seed  = flag.Uint64("differential.seed", 0, "run the program of this seed only, and print it")
)

// hostVariable is set in processes that test a mutant: the official emulator is the parent's.
const hostVariable = "DIFFERENTIAL_OFFICIAL_HOST"

func TestMain(m *testing.M) {
	if os.Getenv(hostVariable) != "" {
		os.Exit(m.Run())
	}
	officialtest.Main(m)
}

// officialHost is where the official emulator is.
func officialHost(t *testing.T) string {
	if host := os.Getenv(hostVariable); host != "" {
		return host
	}
	return officialtest.Start(t).Host()
}
