package protocol

import (
	"maps"
	"math/rand/v2"
	"slices"
)

// doc is the memory: a version, and a date if the application has set one that can be used.
type doc struct {
	version int
	updated int
	usable  bool // updated is a date
	hidden  bool // kept, and not listed
}

// date is what a list shows. The zero one shows nothing: it is a tombstone's.
type date struct {
	listed    bool
	byVersion bool
	n         int
}

func dateOf(d *doc) date {
	switch {
	case d == nil || d.hidden:
		return date{}
	case d.usable:
		return date{listed: true, n: d.updated}
	}
	return date{listed: true, byVersion: true, n: d.version}
}

type entry struct {
	version int
	date    date
}

// shard is a log: by version what the memory became.
type shard = map[int]date

// kind is what meta says: that there is no index, that somebody is about to make one, or what the
// base is.
type kind int

const (
	none kind = iota
	claim
	base
)

// meta is told apart by its stamp, as Firestore's update time does it.
type meta struct {
	kind  kind
	stamp int
}

// event is a change on its way. Without payload the hook reads the memory when it comes.
type event struct {
	old, new  *doc
	noPayload bool
}

// scan is what a full fold has read: the memory as it was at a time.
type scan struct {
	at    int
	doc   *doc
	claim meta // by which it may make the first index; zero: there was one
}

// fold is a new base in the making. A compaction has no scan.
type fold struct {
	scan        *scan
	meta        meta
	scanStarted int
	base        *entry
	seen        []shard // the first three are the shards
}

// landing is what a hook has read and not written yet.
type landing struct {
	readAt int
	doc    *doc
}

type world struct {
	*rand.Rand
	without map[string]bool // rules that are taken away

	now     int
	doc     *doc
	history []moment
	kill    float64 // how often a change deletes

	meta        meta
	stamps      int
	base        *entry
	scanStarted int
	shards      []shard

	pending, done []event
	landings      []landing
	cleanups      [][][]int // keys by shard
}

// moment is the memory since a time.
type moment struct {
	at  int
	doc *doc
}

func newWorld(seed uint64, without map[string]bool) *world {
	return &world{
		Rand: rand.New(rand.NewPCG(seed, 1)), without: without, now: 10, kill: .4,
		history: []moment{{}}, shards: []shard{{}, {}, {}},
	}
}

func (w *world) chance(p float64) bool { return w.Float64() < p }

func oneOf[T any](w *world, all ...T) T { return all[w.IntN(len(all))] }

// taken removes one of several at random.
func taken[T any](w *world, all *[]T) T {
	i := w.IntN(len(*all))
	one := (*all)[i]
	*all = slices.Delete(*all, i, i+1)
	return one
}

func (w *world) tick() int {
	w.now += oneOf(w, 1, 2, 5)
	return w.now
}

func (w *world) at(t int) *doc {
	var d *doc
	for _, m := range w.history {
		if m.at <= t {
			d = m.doc
		}
	}
	return d
}

// change creates, changes or deletes the memory.
func (w *world) change() {
	old, now := w.doc, w.tick()
	w.doc = nil
	if old == nil || !w.chance(w.kill) {
		d := doc{version: now, hidden: w.chance(.25)}
		switch w.IntN(3) {
		case 0: // the date stays, or the first one is as others have it
			d.updated, d.usable = 7, true
			if old != nil {
				d.updated, d.usable = old.updated, old.usable
			}
		case 1:
			d.updated, d.usable = w.IntN(100), true
		}
		w.doc = &d
	}
	w.history = append(w.history, moment{now, w.doc})
	w.pending = append(w.pending, event{old: old, new: w.doc})
}

// write is the hook's blind merge into some shard: a key set, and the one that it makes obsolete
// removed.
func (w *world) write(version int, d date, remove *doc) {
	w.tick()
	s := oneOf(w, w.shards...)
	if remove != nil {
		delete(s, remove.version)
	}
	s[version] = d
}

func (w *world) hook(e event) {
	switch {
	case e.noPayload:
		w.landings = append(w.landings, landing{w.tick(), w.doc})
	case e.new != nil:
		same := e.old != nil && dateOf(e.old) == dateOf(e.new)
		if w.without["versions as dates"] { // only what the fields say counts
			same = e.old != nil && e.old.updated == e.new.updated && e.old.usable == e.new.usable && e.old.hidden == e.new.hidden
		}
		switch {
		case same:
		case !dateOf(e.new).listed && w.without["tombstones of the hidden"]:
			w.forget(e.old)
		default:
			w.write(e.new.version, dateOf(e.new), e.old)
		}
	case w.without["tombstones"]:
		w.forget(e.old)
	default:
		// One on: it kills that version and nothing written later.
		w.write(e.old.version+1, date{}, e.old)
	}
}

func (w *world) forget(d *doc) {
	for _, s := range w.shards {
		if d != nil {
			delete(s, d.version)
		}
	}
}

// land writes what a hook without payload has read.
func (w *world) land() {
	l := taken(w, &w.landings)
	if l.doc != nil {
		w.write(l.doc.version, dateOf(l.doc), nil)
	} else {
		w.write(l.readAt, date{}, nil)
	}
}

// winner is the entry of the highest version, by the rules.
func (w *world) winner(best *entry, shards []shard, scanStarted int) *entry {
	for _, s := range shards {
		for version, d := range s {
			if d.listed && version <= scanStarted && !w.without["rule 1"] {
				continue // the base knows
			}
			if best == nil || version > best.version {
				best = &entry{version, d}
			}
		}
	}
	return best
}

// list is what a reader gives: a scan, where there is no index.
func (w *world) list() date {
	if w.meta.kind != base {
		return dateOf(w.doc)
	}
	if e := w.winner(w.base, w.shards, w.scanStarted); e != nil {
		return e.date
	}
	return date{}
}

func (w *world) putMeta(k kind) {
	w.stamps++
	w.meta = meta{k, w.stamps}
}

// scan is the first step of a full fold.
func (w *world) scan() *scan {
	w.tick()
	lag := oneOf(w, 0, 1, 4, 9, 15, 40)
	if w.meta.kind != base && !w.without["claims"] {
		if w.meta.kind == none {
			w.putMeta(claim) // that there is none is no precondition: it may go and come
		}
		mine, since := w.meta, w.tick()
		w.tick()
		at := max(w.now-lag, since)
		return &scan{at: at, doc: w.at(at), claim: mine}
	}
	at := w.now - lag
	if !w.without["scans that do not go back"] {
		at = max(at, w.scanStarted)
	}
	return &scan{at: at, doc: w.at(at)}
}

// merge is the second step: the index as it is now, read in one query.
func (w *world) merge(s *scan) *fold {
	w.tick()
	f := &fold{scan: s, meta: w.meta, scanStarted: w.scanStarted, base: w.base}
	for _, s := range w.shards {
		f.seen = append(f.seen, maps.Clone(s))
	}
	if s == nil && w.chance(.4) { // a cheap night
		if asked := w.at(w.now - oneOf(w, 0, 0, 3)); asked != nil {
			f.seen = append(f.seen, shard{asked.version: dateOf(asked)})
		}
	}
	return f
}

// flip is the third step. It reports whether the fold is over: one that has lost merges its scan
// again.
func (w *world) flip(f *fold) (over bool) {
	based := f.meta.kind == base
	late := w.without["scans that do not go back"] || w.without["a later scan stands"]
	switch {
	case f.meta != w.meta && !w.without["the precondition"]:
		return f.scan != nil && w.without["a later scan stands"] && w.scanStarted >= f.scan.at
	case f.scan == nil && !based:
		return true // nothing to compact
	case f.scan != nil && based && f.scanStarted >= f.scan.at && !late:
		return true // a later scan stands
	case f.scan != nil && !based && !w.without["claims"] && (f.meta.kind == none || f.meta != f.scan.claim):
		return true // to begin again, with a new scan
	}
	w.putMeta(base)
	if f.scan != nil {
		w.base, w.scanStarted = w.full(f), f.scan.at
	} else {
		w.base, w.scanStarted = w.compacted(f), f.scanStarted
	}
	var keys [][]int
	for _, s := range f.seen[:len(w.shards)] {
		keys = append(keys, slices.Collect(maps.Keys(s)))
	}
	w.cleanups = append(w.cleanups, keys)
	return true
}

func (w *world) full(f *fold) *entry {
	at := f.scan.at
	var scanned *entry
	if d := dateOf(f.scan.doc); d.listed {
		scanned = &entry{f.scan.doc.version, d}
	}
	e := scanned
	// A tombstone may tell of a deletion that is later than the scan, whatever its version.
	if b := f.base; b != nil && (b.version > at || !b.date.listed && !w.without["tombstones of the base"]) &&
		!w.without["the base's newer entries"] && (e == nil || b.version > e.version) {
		e = b
	}
	if !w.without["the shards"] {
		e = w.winner(e, f.seen, at)
	}
	if e != nil && !e.date.listed {
		// Forgotten only where the scan has seen the deletion.
		seen := e.version <= at && (scanned == nil || w.without["a scan that has seen the deletion"])
		if seen || w.without["tombstones in the base"] {
			return nil
		}
	}
	return e
}

func (w *world) compacted(f *fold) *entry {
	e := w.winner(f.base, f.seen, f.scanStarted)
	if e != nil && !e.date.listed && (w.without["tombstones in the base"] || w.without["old tombstones in compactions"] && e.version <= f.scanStarted) {
		return nil
	}
	return e
}

// clean is the last step of a fold, any time later: what was seen is removed.
func (w *world) clean() {
	for i, keys := range taken(w, &w.cleanups) {
		for _, k := range keys {
			delete(w.shards[i], k)
		}
	}
	w.tick()
}

// lose is an index that somebody drops, or whose meta is damaged.
func (w *world) lose() {
	w.tick()
	w.meta, w.base, w.scanStarted = meta{}, nil, 0
	if w.chance(.5) {
		for _, s := range w.shards {
			clear(s)
		}
	}
}
