package store

// past is the versions that were replaced, in the order in which they were, and are kept for reads
// in the past only.
type past struct {
	queue   []replaced
	first   int // of the queue: what is before is gone
	bytes   int
	horizon int64 // reads before it would miss versions that are gone
}

// replaced is a version that has the older one in it, of a document.
type replaced struct {
	document *document
	by       *version
}

// replace makes v the newest version of d.
func (s *Store) replace(d *document, v *version) {
	v.older = d.head
	d.head = v
	if v.older != nil || v.doc == nil {
		s.past.queue = append(s.past.queue, replaced{d, v})
		s.past.bytes += replacedBytes(v)
	}
}

// replacedBytes is what is freed when the version that v replaced is forgotten, with an allowance
// for the version itself.
func replacedBytes(v *version) int {
	const overhead = 512 // bytes of memory, about, that a version takes beside what its fields are encoded in
	if v.older == nil {
		return overhead
	}
	return overhead + v.older.bytes
}

// forget drops the versions that no read needs any more, and with them the documents that were
// deleted that long ago.
func (s *Store) forget(now int64) {
	p := &s.past
	oldest := now - s.history.Microseconds()
	for p.first < len(p.queue) {
		r := p.queue[p.first]
		if r.by.at > oldest && p.bytes <= s.historyBytes {
			break
		}
		p.queue[p.first] = replaced{}
		p.first++
		p.bytes -= replacedBytes(r.by)
		p.horizon = max(p.horizon, r.by.at)
		r.by.older = nil
		if r.by.doc == nil && r.document.head == r.by {
			s.discard(r.document)
		}
	}
	if p.first > len(p.queue)/2 {
		p.queue = append(p.queue[:0:0], p.queue[p.first:]...)
		p.first = 0
	}
}
