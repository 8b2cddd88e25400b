// Package reader gives an agent's turn the list of what the agent knows: the
// names of a tenant's memories and their dates, never their content.
//
//	memories := reader.New(client, nil) // one for the whole process
//
//	list, err := memories.List(ctx, "tenants/acme/memories")
//	if err != nil {
//		return err
//	}
//	prompt := instructions + list.Text(nil) // sections of names, newest first
//	log.Print(list.Receipt)                 // what the list is worth, what it cost
//
//	// later, when the model asks for a memory by a name it was shown:
//	name, err := reader.Unescape(asked)
//	if err == nil && list.Has(name) { … open it with a memory.Store … }
//
// # What it costs
//
// List makes one query, on the tenant's index. Firestore bills one document
// when nothing changed since the last fold, two after ordinary changes, and up
// to ten after a burst until the compaction that it asks for, however many
// memories there are up to some forty-five thousand; every further forty-five
// thousand add one.
//
// # When there is no index
//
// An index that is missing, of another format, built with other settings,
// damaged or unreadable is never trusted in part. List then scans the memories'
// names and dates, which is right but costs one document a memory, says why in
// the receipt and, unless Firestore would not let it read the index, asks for a
// build by creating one small document. However many turns ask, in however many
// processes, there is one request. A turn never fails because asking failed.
//
// # What it promises
//
// The index and the scan give the same names in the same order: the newest
// first, and by name, ascending and bytewise, among equal dates. The index
// trails the store by the events that are still under way, usually a second. A
// memory that is listed may have been deleted since: opening it then says that
// it was not found. No decision depends on this machine's clock.
package reader
