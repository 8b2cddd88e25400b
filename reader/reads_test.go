package reader_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"hippocampus/index"
	"hippocampus/internal/eval/corpus"
	"hippocampus/memory"
)

// A turn reads one document of a quiet tenant and two after ordinary changes,
// with 45,000 memories as with ten.
func TestReadsOfATurn(t *testing.T) {
	tn := newTenant(t)
	entries := make([]index.Entry, 45_000)
	for i, m := range corpus.Generate(1, len(entries)) {
		version := memory.MicrosOf(time.UnixMicro(1_770_000_000_000_000 + int64(i)*7_654_321))
		entries[i] = index.Entry{Name: m.Name, Version: version, Date: version - memory.Micros(i%1000)}
	}
	index.Sort(entries)
	tn.buildOf(entries)
	list := tn.list()
	require.Len(t, list.Entries, 45_000)
	require.Equal(t, 1, list.Receipt.DocumentsRead)

	now := tn.Now()
	var changes []index.Change
	for i := range 50 {
		e := entries[i*900]
		changes = append(changes, index.Change{ID: e.ID(),
			Old: &index.State{Version: e.Version, Date: e.Date}, New: &index.State{Version: now + memory.Micros(i), Date: now}})
	}
	tn.Deliver(0, changes...)
	list = tn.list()
	require.Len(t, list.Entries, 45_000)
	require.Equal(t, 2, list.Receipt.DocumentsRead)
}
