// Package serial holds the tests of the emulator's transactions under contention, over its
// protocol:
//
//   - Histories: clients run random transactions, commits, reads and queries on a few documents at the same time. What
//     they saw must be explained by some order of the operations, one at a time, that fits when each was called and
//     returned (strict serializability, which is Firestore's default). The search for one is porcupine's. Besides, the
//     times that the emulator gives must be such an order, and reads at a past time must see what was there then.
//   - Invariants of ordinary programs, through the Go client: transfers, counters, write skew, phantoms.
//   - Progress of many clients on one document, and nothing left behind.
//   - Mutants: with one rule of locking taken out of a copy of the source, the histories must be found wrong.
//
// A seed decides what each client does, not how the clients interleave. It is printed; to look for
// more:
//
//	go test ./emulator/internal/serial -run TestHistories -serial.seed=17
//	go test ./emulator/internal/serial -run TestHistories -serial.histories=1000
package serial
