// Package bench holds benchmarks of the emulator beside the official one. Both run the same client
// program, in turns of a fraction of a second, so that what else the machine does disturbs both
// alike; the official one, which runs on a Java machine, is warmed up first. Each benchmark reports
// both throughputs and their ratio:
//
//	go test ./emulator/internal/bench -run '^$' -bench . -benchtime=1x
//
// Reads, writes and queries for everything run against a third server, too, which serves the same
// protocol with answers that it has ready. What that one does not do faster is the cost of gRPC and
// of the clients, which run on the same machine.
//
// Without the official emulator the benchmarks report what there is. Speed is never asserted;
// memory is.
package bench
