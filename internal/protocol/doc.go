// Package protocol is the protocol of the index as a model that runs: one memory, its events, three
// shards, a base and the meta that says what the base is. A schedule is a random run of everything
// that may happen, in any order; what the list must be at the end is known, since the store is.
//
// It is test code and shares nothing with the product, which other tests hold to the same: those of
// package index run its rules in such a world, and package chaos runs all of it on a Firestore.
// Here a rule can be tried before it is built, and taken away to see whether it is needed: each
// must be.
//
// The model is ahead of the product, in which a full fold writes what it scanned and nothing else,
// scans again when it loses, and claims nothing where there is no index. Here a fold merges with
// the index as it is when it flips, and keeps its scan when it loses. That, claims, cheap nights,
// which ask the store for what has changed and merge it as if its events had come, and memories
// that are kept and hidden are in the model before they are in the product.
package protocol
