package index_test

import (
	"fmt"
	"time"

	"hippocampus/index"
	"hippocampus/memory"
)

// An index is a base and a log of changes since; the list is read from both.
func Example() {
	at := func(second int) memory.Micros {
		return memory.MicrosOf(time.Date(2026, 11, 1, 12, 0, second, 0, time.UTC))
	}
	// The base, as a fold has written it.
	base := []index.Entry{
		{Name: "pages/Lease", Date: at(2), Version: at(2)},
		{Name: "pages/Opening hours", Date: at(1), Version: at(1)},
	}
	parts := index.EncodeParts(base)
	meta := index.Meta{
		ScanStarted: at(3), AsOf: at(3), Generation: 1, Run: "1f", Count: len(base),
		Parts: len(parts), Sum: index.Checksum(parts), Due: at(59),
	}
	// What the hook has written since: one memory is new, one was deleted.
	key, lease := index.Entry{Name: "notebook/Key"}, base[0]
	var update index.Update
	update.Add(index.Change{ID: key.ID(), New: &index.State{Version: at(5), Date: at(5)}})
	update.Add(index.Change{ID: lease.ID(), Old: &index.State{Version: at(2), Date: at(2)}})
	shard := map[string]any{}
	for key, date := range update.Set {
		shard[key] = nil // a tombstone
		if date != nil {
			shard[key] = date.Time()
		}
	}

	view := index.Read([]index.Doc{
		{ID: index.MetaID, Fields: meta.Fields(parts[0])},
		{ID: index.ShardID(0), Fields: map[string]any{index.EntriesField: shard}},
	}, memory.Schema{})
	list, err := view.List()
	fmt.Println(err)
	for _, e := range list {
		fmt.Println(e.Date.Time().Format(time.TimeOnly), e.Name)
	}
	// Output:
	// <nil>
	// 12:00:05 notebook/Key
	// 12:00:01 pages/Opening hours
}
