package chaos

import (
	"flag"
	"testing"

	"hippocampus/emulator/emulatortest"
	"hippocampus/internal/deep"
)

var (
	runs  = flag.Int("chaos.schedules", 0, "how many schedules to run (default 40; among deep tests 1,000, or 300 with the race detector or on the official emulator)")
	first = flag.Uint64("chaos.first", 1, "the first schedule's seed; the others follow it")
	seed  = flag.Uint64("chaos.seed", 0, "run the schedule of this seed only, and print it")
)

func TestMain(m *testing.M) {
	flag.Parse()
	if *runs == 0 {
		*runs = deep.Choose(40, schedules)
		if emulatortest.Official() {
			*runs = deep.Choose(5, 300)
		}
	}
	emulatortest.Main(m)
}
