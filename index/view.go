package index

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"hippocampus/memory"
)

// Doc is a document of an index as it was read.
type Doc struct {
	ID         string
	UpdateTime time.Time
	Fields     map[string]any
}

// View is an index as one query returned it: the base and the shards.
type View struct {
	// Meta is nil if there is none, and only partly filled if Err is set.
	Meta *Meta
	// MetaUpdateTime is the update time of the meta document.
	MetaUpdateTime time.Time
	// Request is the request document, nil if there is none.
	Request *Doc
	// Shards and Parts are the shard documents and the further parts of any
	// base, also of one that was replaced or never finished.
	Shards []Doc
	Parts  []Doc
	// Err says why the list cannot be read from the index; it wraps one of
	// ErrMissing, ErrFormat, ErrSettings and ErrDamaged. Nil: it can.
	Err error

	base         []Entry // in list order, tombstones too
	baseBytes    int
	shardEntries []Entry // the entries of all shards
}

// Read makes a view of the documents of an index collection of a memory
// collection with such a schema. It never fails: see View.Err.
func Read(docs []Doc, schema memory.Schema) *View {
	v := &View{}
	var meta *Doc
	for i, d := range docs {
		switch {
		case d.ID == MetaID:
			meta = &docs[i]
		case d.ID == RequestID:
			v.Request = &docs[i]
		case strings.HasPrefix(d.ID, ShardPrefix):
			v.Shards = append(v.Shards, d)
		case strings.HasPrefix(d.ID, BasePrefix):
			v.Parts = append(v.Parts, d)
		}
	}
	v.Err = v.readBase(meta, schema)
	for _, shard := range v.Shards {
		if err := v.readShard(shard, schema.IDs); err != nil && v.Err == nil {
			v.Err = err
		}
	}
	return v
}

func (v *View) readBase(meta *Doc, schema memory.Schema) (err error) {
	if meta == nil {
		return ErrMissing
	}
	v.MetaUpdateTime = meta.UpdateTime
	if v.Meta, err = ParseMeta(meta.Fields); err != nil {
		return err
	}
	if v.Meta.ScanStarted > v.Meta.AsOf ||
		!meta.UpdateTime.IsZero() && v.Meta.AsOf > memory.MicrosOf(meta.UpdateTime) {
		return fmt.Errorf("%w: meta tells times that lie after it was written", ErrDamaged)
	}
	if v.Meta.Schema.IDs != schema.IDs || v.Meta.Schema.Field() != schema.Field() {
		return fmt.Errorf("%w: ids %s and date field %s, this code is set to ids %s and date field %s", ErrSettings,
			v.Meta.Schema.IDs, v.Meta.Schema.Field(), schema.IDs, schema.Field())
	}
	first, ok := meta.Fields[BlockField].([]byte)
	if !ok {
		return fmt.Errorf("%w: meta has no base", ErrDamaged)
	}
	blocks := [][]byte{first}
	for i := 1; i < v.Meta.Parts; i++ {
		block, ok := v.part(PartID(v.Meta.Generation, v.Meta.Run, i))
		if !ok {
			return fmt.Errorf("%w: part %d of %d of the base is missing", ErrDamaged, i+1,
				v.Meta.Parts)
		}
		blocks = append(blocks, block)
	}
	if Checksum(blocks) != v.Meta.Sum {
		return fmt.Errorf("%w: the checksum of the base does not match", ErrDamaged)
	}
	for _, block := range blocks {
		v.baseBytes += len(block)
		if v.base, err = DecodeBlock(v.base, block); err != nil {
			return err
		}
	}
	if live := countLive(v.base); live != v.Meta.Count {
		return fmt.Errorf("%w: the base lists %d memories and meta says %d", ErrDamaged, live,
			v.Meta.Count)
	}
	return nil
}

func countLive(entries []Entry) int {
	n := 0
	for _, e := range entries {
		if !e.Deleted {
			n++
		}
	}
	return n
}

func (v *View) part(id string) ([]byte, bool) {
	for _, d := range v.Parts {
		if d.ID == id {
			block, ok := d.Fields[BlockField].([]byte)
			return block, ok
		}
	}
	return nil, false
}

func (v *View) readShard(shard Doc, ids memory.IDKind) error {
	field, ok := shard.Fields[EntriesField]
	if !ok {
		return nil // emptied
	}
	entries, ok := field.(map[string]any)
	if !ok {
		return fmt.Errorf("%w: %s is no map of entries", ErrDamaged, shard.ID)
	}
	v.shardEntries = slices.Grow(v.shardEntries, len(entries))
	var damage error
	for k, value := range entries {
		version, id, err := ParseKey(k)
		if err != nil {
			damage = err
			continue
		}
		e := EntryOf(ids, memory.Record{ID: id, Version: version, Date: version})
		switch date := value.(type) {
		case nil:
			e.Deleted = true
		case time.Time:
			e.Date = memory.MicrosOf(date)
		default:
			damage = fmt.Errorf("%w: %s has an entry that is no date", ErrDamaged, shard.ID)
			continue
		}
		v.shardEntries = append(v.shardEntries, e)
	}
	return damage
}

// List returns the list of memories by the three rules, in list order, or
// v.Err. The caller must not change it.
func (v *View) List() ([]Entry, error) {
	if v.Err != nil {
		return nil, v.Err
	}
	all := v.merge()
	n := countLive(all)
	if n == len(all) {
		return all, nil
	}
	live := make([]Entry, 0, n)
	for _, e := range all {
		if !e.Deleted {
			live = append(live, e)
		}
	}
	return live, nil
}

// Compacted returns the entries of the base that a compaction writes: what
// List returns and the tombstones that are newer than scan_started, for late
// events of what they killed.
func (v *View) Compacted() ([]Entry, error) {
	if v.Err != nil {
		return nil, v.Err
	}
	started := v.Meta.ScanStarted
	return slices.DeleteFunc(slices.Clone(v.merge()), func(e Entry) bool {
		return e.Deleted && e.Version <= started
	}), nil
}

// merge returns the winner of every memory, in list order. It looks each entry of the base up
// once, or none if the shards have nothing that counts.
func (v *View) merge() []Entry {
	winners := v.winners()
	if len(winners) == 0 {
		return v.base
	}
	changed := make([]Entry, 0, len(winners))
	kept := make([]Entry, 0, len(v.base)+len(winners))
	for _, e := range v.base {
		if w, ok := winners[e.key()]; ok {
			if w.Version > e.Version {
				continue
			}
			delete(winners, e.key())
		}
		kept = append(kept, e)
	}
	for _, e := range winners {
		changed = append(changed, e)
	}
	Sort(changed)
	return mergeSorted(kept, changed)
}

// winners returns, for each memory in the shards, the entry of the highest
// version that rules 1 and 2 let count.
func (v *View) winners() map[identity]Entry {
	winners := make(map[identity]Entry, len(v.shardEntries))
	for _, e := range v.shardEntries {
		if !e.Deleted && e.Version <= v.Meta.ScanStarted {
			continue // rule 1
		}
		if w, ok := winners[e.key()]; !ok || e.Version > w.Version {
			winners[e.key()] = e
		}
	}
	return winners
}

// mergeSorted merges changed into kept, which has room for both.
func mergeSorted(kept, changed []Entry) []Entry {
	i, j := len(kept)-1, len(changed)-1
	kept = kept[:len(kept)+len(changed)]
	for k := len(kept) - 1; j >= 0; k-- {
		if i >= 0 && Compare(kept[i], changed[j]) > 0 {
			kept[k] = kept[i]
			i--
		} else {
			kept[k] = changed[j]
			j--
		}
	}
	return kept
}

// BaseBytes returns how many bytes the parts of the base have, as they are
// stored; 0 if Err is set.
func (v *View) BaseBytes() int {
	if v.Err != nil {
		return 0
	}
	return v.baseBytes
}

// ShardBytes returns how many bytes of entries the shards hold, near enough for
// deciding when to compact. No shard may pass Firestore's 1 MiB a document.
func (v *View) ShardBytes() int {
	n := 0
	for _, shard := range v.Shards {
		entries, _ := shard.Fields[EntriesField].(map[string]any)
		for k := range entries {
			n += entryBytes(k)
		}
	}
	return n
}

// Crowded reports whether a compaction should be asked for: the shards hold more than 256 KB,
// or more than two hold entries. Emptied shards do not count, or a compaction that could not
// delete one, because it had changed, would cause the next.
func (v *View) Crowded() bool {
	shards := 0
	for _, shard := range v.Shards {
		if entries, _ := shard.Fields[EntriesField].(map[string]any); len(entries) > 0 {
			shards++
		}
	}
	return shards > 2 || v.ShardBytes() > CrowdedBytes
}

// CrowdedBytes is how many bytes of entries the shards of an index hold at most
// before a compaction is asked for.
const CrowdedBytes = 256 << 10

// Reason returns the word for an error of View.Err that a receipt or a request
// carries: missing, format, settings or damaged. That of no error is empty.
func Reason(err error) string {
	switch {
	case err == nil:
		return ""
	case errors.Is(err, ErrMissing):
		return "missing"
	case errors.Is(err, ErrFormat):
		return "format"
	case errors.Is(err, ErrSettings):
		return "settings"
	}
	return "damaged"
}
