// Package index is the stored form of the index and the rules by which a list
// is read from it. It is pure: no clock, no I/O, no client. Documents go in and
// out as maps of Go values, the way the Firestore client has them.
//
// The index of the collection tenants/acme/memories is one collection:
//
//	hippocampus/v1/tenants/acme/memories/index/memory_shards/
//	├── meta                  what the base is, and its first part
//	├── base-{generation}-{run}-1 …   further parts, for very long lists
//	├── shard-0 … shard-7     the changes since the last fold
//	├── shard-{random}        more of them, while shards are full
//	└── request               somebody asks for a build or a compaction
//
// The base is the whole list as the last fold or compaction left it; the shards are
// a log of what has changed since. A [View] is both, read together,
// and its List is the list of memories by the three rules of the protocol:
//
//  1. a shard entry that is not a tombstone and whose version is not after
//     scan_started is ignored: the base already knows;
//  2. a tombstone always counts, by version;
//  3. a memory whose winner, the entry of the highest version, is a tombstone
//     is not listed.
//
// docs/format.md shows the stored form with an example.
package index
