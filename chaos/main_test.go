package chaos_test

import (
	"flag"
	"os"
	"testing"

	"hippocampus/emulator/official/officialtest"
)

var (
	runs  = flag.Int("chaos.runs", 300, "how many schedules to run")
	first = flag.Uint64("chaos.first", 1, "the first schedule's seed; the others follow it")
	seed  = flag.Uint64("chaos.seed", 0, "run the schedule of this seed only, and print it")
)

func TestMain(m *testing.M) {
	if os.Getenv(relayVariable) != "" {
		os.Exit(m.Run()) // the emulator is the parent's
	}
	officialtest.Main(m)
}
