package serial_test

import (
	"flag"
	"testing"
	"time"

	"hippocampus/emulator/official/officialtest"
)

var (
	histories = flag.Int("serial.histories", 40, "how many histories to run")
	first     = flag.Uint64("serial.first", 1, "the first history's seed; the others follow it")
	seed      = flag.Uint64("serial.seed", 0, "run the history of this seed only")
	patience  = flag.Duration("serial.patience", time.Minute, "how long a history may take before it counts as a deadlock")
)

func TestMain(m *testing.M) { officialtest.Main(m) }
