package index

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/cespare/xxhash/v2"

	"hippocampus/memory"
)

// State is what an event tells of a memory before or after a change.
type State struct {
	Version memory.Micros
	Date    memory.Micros
}

// Change is one committed change of a memory, as its event tells it: Old is nil
// for a creation, New for a deletion.
type Change struct {
	ID       string
	Old, New *State
}

// Update is what one or more changes do to a shard: a blind merge of keys into
// its map of entries. Keys and values are those of [EntriesField].
type Update struct {
	// Set maps a key to the memory's date, or to nil for a tombstone.
	Set map[string]*memory.Micros
	// Remove holds keys of versions that a key of Set has made obsolete. They
	// may be in another shard; then the fold removes them.
	Remove map[string]struct{}
}

// Key returns the key of an entry in a shard.
func Key(version memory.Micros, id string) string {
	return strconv.FormatInt(int64(version), 10) + "-" + id
}

// ParseKey is the inverse of Key. It refuses any other key with an error that
// wraps ErrDamaged.
func ParseKey(k string) (version memory.Micros, id string, err error) {
	digits, id, ok := strings.Cut(k, "-")
	if ok && id != "" {
		v, err := strconv.ParseInt(digits, 10, 64)
		// ParseInt takes a sign and leading zeros too, and Key makes neither.
		if err == nil && (digits == "0" || digits[0] >= '1') {
			return memory.Micros(v), id, nil
		}
	}
	return 0, "", fmt.Errorf("%w: shard key %.60q is not {version}-{id}", ErrDamaged, k)
}

// Add merges a change into the update, and reports whether there was anything
// to write: a change that leaves existence and date as they were is none.
func (u *Update) Add(c Change) bool {
	switch {
	case c.New != nil:
		if c.Old != nil && c.Old.Date == c.New.Date {
			return false
		}
		date := c.New.Date
		u.set(Key(c.New.Version, c.ID), &date)
	case c.Old != nil:
		// One microsecond on, it removes that version and nothing later: the deletion's own
		// commit lies in between, so a later version is at least two microseconds on.
		u.set(Key(c.Old.Version+1, c.ID), nil)
	default:
		return false
	}
	if c.Old != nil {
		u.remove(Key(c.Old.Version, c.ID))
	}
	return true
}

// AddAbsence adds a tombstone for a memory that was looked up and not found. Its version is the
// server's time of that look.
func (u *Update) AddAbsence(id string, readTime memory.Micros) { u.set(Key(readTime, id), nil) }

// Merge adds all of other to the update.
func (u *Update) Merge(other Update) {
	for k := range other.Remove {
		u.remove(k)
	}
	for k, date := range other.Set {
		u.set(k, date)
	}
}

// Bytes returns the size of the update in bytes, as keys and values count in a
// document's size.
func (u *Update) Bytes() int {
	n := 0
	for k := range u.Set {
		n += entryBytes(k)
	}
	for k := range u.Remove {
		n += len(k) + 1
	}
	return n
}

// set and remove never leave a key in both maps. A removed key stays removed, even if the older
// change that set it is merged later.
func (u *Update) set(k string, date *memory.Micros) {
	if _, obsolete := u.Remove[k]; obsolete {
		return
	}
	if u.Set == nil {
		u.Set = map[string]*memory.Micros{}
	}
	u.Set[k] = date
}

func (u *Update) remove(k string) {
	if u.Remove == nil {
		u.Remove = map[string]struct{}{}
	}
	u.Remove[k] = struct{}{}
	delete(u.Set, k)
}

// entryBytes is the size of a live entry in a document; a tombstone's is 7 less.
func entryBytes(k string) int { return len(k) + 1 + 8 }

// ShardNumber returns which of the shards 0 to spread-1 a memory's changes go to,
// where spread is 1 while the index is quiet and up to Shards when contended.
// Less than 1 counts as 1.
func ShardNumber(id string, spread int) int {
	return int(xxhash.Sum64String(id) % uint64(max(spread, 1)))
}
