// Package repair rebuilds an index from the store while the agent is live.
//
// A full fold ([Build]) scans the memory collection at one moment F, writes the
// list as the new base, and makes it valid with one conditional write of meta,
// the flip. A compaction ([Compact]) does the same without a scan: it merges
// the shards into the base. Both then clean up what the new base has taken in.
//
//	read meta ── read index and store, both at F ── write further parts ── flip ── clean up
//	                                                                        │
//	          until here nothing that a reader sees has changed             └ from here all has
//
// Runs may overlap and die anywhere. The flip's precondition is that meta is as
// it was when the run began, so of overlapping runs one wins and the others
// change nothing. A memory that changes during the scan has a version after F,
// so its shard entry still counts after the flip and outlives the clean-up.
//
// No decision uses this machine's clock: every time is Firestore's own.
//
// A full fold costs one read a memory, one or two a document of the index, one more for each memory
// that is listed and gone, and a handful of writes. A compaction costs the index's documents only.
package repair
