// Package functions keeps the index: events and HTTP requests in, changes of the
// index out.
//
//   - OnMemoryWritten is the write hook: it takes the event of every change of a
//     memory and writes it to a shard of the index. It reads nothing, but for the memory of an event that has lost its payload.
//   - OnRequest is triggered by the creation of a request document and does what
//     it asks: a build or a compaction.
//   - RepairDue is called by Cloud Scheduler and repairs what is due, and what
//     was requested and not done.
//
// A [Service] has them as methods, for use in this process. [Deployed] has them
// as HTTP functions for Google's Functions Framework, configured by the
// environment.
//
// # What a handler promises
//
// OnMemoryWritten returns nil when the event's change is committed, or when there
// is nothing to commit. It returns an error where trying again can help, so that
// Eventarc delivers the event again. What can never succeed, a malformed event or
// one that Firestore refuses wherever it is put, is logged as an error, counted
// and acknowledged. Events may come twice, late and in any order.
//
// # Under load
//
// Each instance keeps at most one commit in flight per shard document, or two to one that takes
// what others refuse. Events that arrive meanwhile are merged into the next one. The first goes at
// once; under load commits to one document are half a second apart. On contention an instance waits
// longer and spreads over more of the eight shards, for a while. The changes that it writes are
// counted: beyond [hippocampus/index.CrowdedBytes] it asks for a compaction, so that an import of
// any size overflows no shard.
//
// All of that is held in memory and is only about speed: an instance that dies
// acknowledges nothing that it has not committed.
package functions
