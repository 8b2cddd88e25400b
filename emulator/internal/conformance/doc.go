// Package conformance is the list of what we know of Firestore, as checks that run against any
// server of its protocol, over gRPC: the official emulator, the one in package emulator, or
// another.
//
// A Check states the documented behaviour. Where the official emulator behaves otherwise, the check
// names the difference and states that, too, so that both are held to what is written here.
//
// All of it is test code: importing this package gives nothing.
package conformance
