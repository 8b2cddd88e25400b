// Package chaos runs the product as a whole: real writes to a Firestore emulator,
// its real events, the functions over HTTP, repairs and the reader, against what a
// scan of the store says, which shares no code with them (package ways).
//
// [Run] runs random schedules, in which events are late, shuffled, repeated, lost
// or without payload, and folds and compactions run several at once, stop between
// any two of their calls, die there or do not hear that one was served.
// Whenever the index can know all, the list must equal the scan.
//
// A schedule is decided by its seed. Everything in it happens one step at a time,
// and on the embedded emulator at the same times, so one seed has one outcome and
// a difference that is found can be had again.
//
// The tests are three suites:
//
//   - Equivalence: schedules find nothing in the product, and together cover all
//     that they are for.
//   - Mutations: with one rule of the protocol taken out of a copy of the source,
//     the same schedules must find a difference.
//   - Faults: the n-th call of each kind of work fails, for every n.
//
// They are run as
//
//	go test ./internal/chaos -run TestEquivalence -chaos.seed=17
//	go test ./internal/chaos -run TestEquivalence -chaos.schedules=10000 -v
//	HIPPOCAMPUS_EMULATOR=official go test ./internal/chaos
package chaos
