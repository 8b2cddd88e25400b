package index

import (
	"cmp"
	"encoding/base64"
	"slices"
	"strings"

	"hippocampus/memory"
)

// Entry is what the index holds of one memory: it points and never holds content.
type Entry struct {
	// Name is the memory's name, or the document's id where RawID is set.
	Name    string
	Date    memory.Micros
	Version memory.Micros
	// RawID says that the document's id is Name as it stands: in a collection
	// with plain ids always, in one with base64url ids for a document whose id
	// is not the base64url of any name.
	RawID bool
	// Deleted makes the entry a tombstone: it kills its version and older ones.
	// Its date is its version.
	Deleted bool
}

// EntryOf returns the entry of a memory's record in a collection with such ids.
func EntryOf(ids memory.IDKind, r memory.Record) Entry {
	e := Entry{Name: r.ID, Date: r.Date, Version: r.Version, RawID: true}
	if ids == memory.Base64URL {
		if name, err := memory.Name(r.ID); err == nil {
			e.Name, e.RawID = name, false
		}
	}
	return e
}

// ID returns the id of the memory's document.
func (e Entry) ID() string {
	if e.RawID {
		return e.Name
	}
	return base64.RawURLEncoding.EncodeToString([]byte(e.Name))
}

// key identifies the memory among entries.
func (e Entry) key() identity { return identity{e.Name, e.RawID} }

type identity struct {
	name  string
	rawID bool
}

// Compare orders entries as the list is ordered: by date, newest first, then by
// name, ascending and bytewise. Two documents may have one name, if the id of
// one is that name and the id of the other its base64url: the latter is first.
func Compare(a, b Entry) int {
	if c := cmp.Compare(b.Date, a.Date); c != 0 {
		return c
	}
	if c := strings.Compare(a.Name, b.Name); c != 0 {
		return c
	}
	switch {
	case a.RawID == b.RawID:
		return 0
	case b.RawID:
		return -1
	}
	return 1
}

// Sort puts entries in list order.
func Sort(entries []Entry) { slices.SortFunc(entries, Compare) }
