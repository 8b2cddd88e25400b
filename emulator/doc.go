// Package emulator holds what stands in for Firestore and its events on one machine, for development and tests.
//
//   - [hippocampus/emulator/official] runs Google's own emulator as a child process.
//   - [hippocampus/emulator/eventarc] delivers a Firestore's document events to functions over HTTP as Eventarc does,
//     and misbehaves on request.
//
// Nothing below this package knows what the documents mean.
package emulator
