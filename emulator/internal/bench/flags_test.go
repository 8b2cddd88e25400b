package bench_test

import (
	"flag"
	"time"
)

var (
	turns = flag.Int("bench.turns", 5, "how many turns each emulator gets")
	turn  = flag.Duration("bench.turn", 400*time.Millisecond, "how long a turn is")
	warm  = flag.Duration("bench.warm", 3*time.Second, "how long the official emulator is warmed up for each program")
	only  = flag.String("bench.only", "", "run this server only: ours, official or canned")
)
