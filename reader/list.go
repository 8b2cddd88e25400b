package reader

import (
	"encoding/binary"
	"fmt"
	"sync"

	"github.com/cespare/xxhash/v2"

	"hippocampus/index"
)

// List is what an agent knows, by name. It is safe for concurrent use.
type List struct {
	// Entries are the memories in list order: the newest first, then by name.
	// They are shared: do not change them.
	Entries []index.Entry
	// Receipt says where the list comes from, what it is worth and what it cost.
	Receipt Receipt

	once  sync.Once
	names map[string]struct{}
}

// setEntries makes entries, which were read to their end, the list.
func (l *List) setEntries(entries []index.Entry) {
	l.Entries = entries
	l.Receipt.Complete = true
	l.Receipt.Count = len(entries)
	l.Receipt.Hash = hash(entries)
}

// Has reports whether a memory of that name is listed. The first call costs a
// pass over the list and the others one look-up.
func (l *List) Has(name string) bool {
	l.once.Do(func() {
		l.names = make(map[string]struct{}, len(l.Entries))
		for _, e := range l.Entries {
			l.names[e.Name] = struct{}{}
		}
	})
	_, ok := l.names[name]
	return ok
}

// hash returns the xxhash64 of the names and dates of a list in 16 hexadecimal
// digits: of each entry the length of the name as a uvarint, the name, and the
// date in microseconds in 8 bytes, big-endian.
func hash(entries []index.Entry) string {
	h := xxhash.New()
	var buffer []byte
	for _, e := range entries {
		buffer = binary.AppendUvarint(buffer[:0], uint64(len(e.Name)))
		buffer = append(buffer, e.Name...)
		buffer = binary.BigEndian.AppendUint64(buffer, uint64(e.Date))
		h.Write(buffer)
	}
	return fmt.Sprintf("%016x", h.Sum64())
}
