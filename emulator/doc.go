// Package emulator is a Firestore inside the process, for tests and development. It speaks
// Firestore's own protocol (gRPC, google.firestore.v1.Firestore), so that every client works with
// it:
//
//	em, err := emulator.Start(ctx, nil)
//	client, err := em.Client(ctx)
//	defer em.Close()
//
// It needs nothing but this package, is up in milliseconds, keeps everything in memory, and serves
// any number of projects: [Emulator.In] gives a view of another one. Tests can move its clock,
// inject faults and count what they would pay. It does what Firestore documents, its limits too;
// where that leaves room it does what the official emulator does, to which it is held by the checks
// of package conformance. README.md has the list of differences.
//
// It evaluates no security rules: it serves the owner and refuses everybody else.
//
// The packages below it are its parts, and:
//
//   - [hippocampus/emulator/official] runs Google's own emulator as a child process.
//   - [hippocampus/emulator/eventarc] delivers a Firestore's document events to functions over HTTP as Eventarc does,
//     and misbehaves on request.
//   - [hippocampus/emulator/emulatortest] gives the tests of a package either emulator.
//
// Nothing here knows what the documents mean.
package emulator
