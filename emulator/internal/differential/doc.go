// Package differential holds the tests that compare the emulator with the official one: random
// programs of writes, reads, queries, transactions and listeners are run on both, and the answers
// must be the same at every step.
//
// A program is decided by its seed, and runs in a project of its own on each server. Times differ
// between the servers, so that each answer's are replaced by the step that committed them:
// 1000000000000007 seconds is the time of step 7. Requests name times and transactions in the same
// way. What is known to differ is in one file, differences_test.go, by the names of the checks of
// package conformance that say so. A difference that is found becomes a check there.
//
//	go test ./emulator/internal/differential -run TestPrograms -differential.seed=17
//	go test ./emulator/internal/differential -run TestPrograms -differential.programs=20000 -v
//
// With faults put into a copy of the emulator's source, the programs must find each of them:
// TestMutants.
package differential
