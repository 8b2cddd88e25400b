package index_test

import (
	"maps"
	"math/rand/v2"
	"slices"

	"hippocampus/index"
	"hippocampus/memory"
)

// world is a store of a few memories, its index, the events on their way and
// the folds under way: the protocol, on the real package, without Firestore.
type world struct {
	r   *rand.Rand
	now memory.Micros
	ids []string

	changed memory.Micros             // when the store last changed
	store   map[string]stored         // by id
	stores  []past[map[string]stored] // what it was
	shards  []map[string]any          // as documents hold them
	shardsW []past[[]map[string]any]  // what they were
	docs    []index.Doc               // meta and parts; none: not built
	meta    index.Meta

	pending, done []event
	landing       []landing
	cleanups      [][]map[string]any
	folds         []fold
	covered       map[string]int
}

// stored is a memory: its date is nil where it has none that is usable.
type stored struct {
	version memory.Micros
	date    *memory.Micros
}

func (s stored) state() *index.State {
	if s.date == nil {
		return &index.State{Version: s.version, Date: s.version}
	}
	return &index.State{Version: s.version, Date: *s.date}
}

type past[T any] struct {
	from  memory.Micros
	value T
}

func at[T any](history []past[T], t memory.Micros) T {
	i := len(history) - 1
	for history[i].from > t {
		i--
	}
	return history[i].value
}

type event struct {
	change    index.Change
	noPayload bool
}

// landing is what the hook found when an event had no payload, not yet written.
type landing struct {
	id   string
	read memory.Micros
	now  *index.State
}

// fold is a full fold or a compaction that has read and not flipped yet.
type fold struct {
	generation int64
	meta       index.Meta
	entries    []index.Entry
	cleanup    []map[string]any // the keys seen that the new base has taken in
}

// ids of the memories: one is not the base64url of any name.
var worldIDs = []string{"YQ", "Yg", "second-location"}

func newWorld(r *rand.Rand) *world {
	w := &world{r: r, now: 10, ids: worldIDs[:1+r.IntN(len(worldIDs))], store: map[string]stored{}, shards: []map[string]any{{}, {}, {}}, covered: map[string]int{}}
	w.remember()
	return w
}

func (w *world) tick() memory.Micros {
	w.now += []memory.Micros{1, 2, 5}[w.r.IntN(3)]
	return w.now
}

func (w *world) remember() {
	w.stores = append(w.stores, past[map[string]stored]{w.now, maps.Clone(w.store)})
	shards := make([]map[string]any, len(w.shards))
	for i, s := range w.shards {
		shards[i] = maps.Clone(s)
	}
	w.shardsW = append(w.shardsW, past[[]map[string]any]{w.now, shards})
}

// change writes or deletes a memory, and its event is on its way.
func (w *world) change() {
	id := w.ids[w.r.IntN(len(w.ids))]
	old, existed := w.store[id]
	e := event{change: index.Change{ID: id}}
	if existed {
		e.change.Old = old.state()
	}
	version := w.tick()
	w.changed = version
	if existed && w.r.Float64() < .4 {
		delete(w.store, id)
	} else {
		written := stored{version: version}
		switch w.r.IntN(3) {
		case 0:
			written.date = old.date // unchanged
		case 1:
			date := memory.Micros(w.r.IntN(100))
			written.date = &date
		}
		w.store[id] = written
		e.change.New = written.state()
	}
	w.remember()
	w.pending = append(w.pending, e)
}

// deliver gives the hook one to three of the events, as one batch.
func (w *world) deliver(events []event) {
	var u index.Update
	for _, e := range events {
		if !e.noPayload {
			u.Add(e.change)
			continue
		}
		l := landing{id: e.change.ID, read: w.tick()}
		if now, exists := w.store[l.id]; exists {
			l.now = now.state()
		}
		w.landing = append(w.landing, l)
	}
	w.write(u)
}

func (w *world) land() {
	l := take(w.r, &w.landing)
	var u index.Update
	if l.now != nil {
		u.Add(index.Change{ID: l.id, New: l.now})
	} else {
		u.AddAbsence(l.id, l.read)
	}
	w.write(u)
}

// write merges an update into a shard, whichever.
func (w *world) write(u index.Update) {
	w.tick()
	s := w.shards[w.r.IntN(len(w.shards))]
	for k := range u.Remove {
		delete(s, k)
	}
	for k, date := range u.Set {
		if s[k] = nil; date != nil {
			s[k] = date.Time()
		}
	}
	w.remember()
}

// read returns the index as a reader has it now.
func (w *world) read() *index.View {
	docs := slices.Clone(w.docs)
	for i, s := range w.shards {
		if len(s) > 0 {
			docs = append(docs, index.Doc{ID: index.ShardID(i), Fields: map[string]any{index.EntriesField: s}})
		}
	}
	w.r.Shuffle(len(docs), func(i, j int) { docs[i], docs[j] = docs[j], docs[i] })
	return index.Read(docs, memory.Schema{})
}

// scanned returns what a scan of a state of the store gives, in list order.
func scanned(store map[string]stored) []index.Entry {
	entries := []index.Entry{}
	for id, s := range store {
		entries = append(entries, index.EntryOf(memory.Base64URL, memory.Record{ID: id, Version: s.version, Date: s.state().Date}))
	}
	index.Sort(entries)
	return entries
}

func (w *world) readForFull() {
	w.tick()
	lag := []memory.Micros{0, 1, 4, 15, 40}[w.r.IntN(5)]
	f := max(w.now-lag, w.meta.AsOf, 10)
	seen := fold{generation: w.meta.Generation, meta: index.Meta{ScanStarted: f, AsOf: f}, entries: scanned(at(w.stores, f))}
	for _, s := range at(w.shardsW, f) {
		old := map[string]any{}
		for k, date := range s {
			if version, _, err := index.ParseKey(k); err != nil || version <= f {
				old[k] = date
			}
		}
		seen.cleanup = append(seen.cleanup, old)
	}
	w.folds = append(w.folds, seen)
}

func (w *world) readForCompaction() error {
	w.tick()
	if w.docs == nil {
		return nil
	}
	entries, err := w.read().Compacted()
	if err != nil {
		return err
	}
	seen := fold{generation: w.meta.Generation, meta: index.Meta{ScanStarted: w.meta.ScanStarted, AsOf: w.now}, entries: entries}
	for _, s := range w.shards {
		seen.cleanup = append(seen.cleanup, maps.Clone(s))
	}
	w.folds = append(w.folds, seen)
	return nil
}

func (w *world) flip(f fold) {
	if f.generation != w.meta.Generation {
		w.covered["lost preconditions"]++
		return
	}
	parts := index.EncodePartsUpTo(f.entries, []int{1, 60, index.MaxPartBytes}[w.r.IntN(3)])
	m := f.meta
	m.Generation, m.Run, m.Parts, m.Sum = f.generation+1, "run", len(parts), index.Checksum(parts)
	for _, e := range f.entries {
		if e.Deleted {
			w.covered["tombstones in a base"]++
		} else {
			m.Count++
		}
	}
	w.meta = m
	w.docs = []index.Doc{{ID: index.MetaID, Fields: m.Fields(parts[0])}}
	for i, part := range parts[1:] {
		w.docs = append(w.docs, index.Doc{ID: index.PartID(m.Generation, m.Run, i+1), Fields: map[string]any{index.BlockField: part}})
	}
	w.cleanups = append(w.cleanups, f.cleanup)
	w.tick()
	w.remember()
}

func (w *world) clean() {
	for i, keys := range take(w.r, &w.cleanups) {
		for k := range keys {
			delete(w.shards[i], k)
		}
	}
	w.tick()
	w.remember()
}

func take[T any](r *rand.Rand, from *[]T) T {
	i := r.IntN(len(*from))
	taken := (*from)[i]
	*from = slices.Delete(*from, i, i+1)
	return taken
}

// differs returns the list and the truth where they are not the same.
func (w *world) differs() (got, want []index.Entry, differ bool) {
	got, err := w.read().List()
	want = scanned(w.store)
	same := func(a, b index.Entry) bool { return a.Name == b.Name && a.RawID == b.RawID && a.Date == b.Date }
	return got, want, err != nil || !slices.EqualFunc(got, want, same)
}
