// Package memory is the store of an agent's memories as the rest of the
// product sees it: names and document ids, the record of a memory, and the
// operations on a collection.
//
// A memory is one document of a collection, tenants/{tenant}/memories/{id} for
// example. Its id is derived from its name (see [IDKind]), so nothing stores
// the name twice. Two things about it matter to the index:
//
//   - its version: Firestore's update time of the document, strictly
//     increasing with every committed change of it, in microseconds;
//   - its date: what the list shows and is ordered by, the document's
//     date field, updated_at by default, where that is a timestamp, and its version where it is not.
//
// Everything else in the document belongs to the application.
package memory
