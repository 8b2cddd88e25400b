package index

import (
	"errors"
	"fmt"
	"time"

	"github.com/cespare/xxhash/v2"

	"hippocampus/memory"
)

// Why an index cannot be read. The store can, and a build mends each: ErrSettings only if who
// builds has the settings of who reads.
var (
	// ErrMissing: there is no meta: none was built, or it was dropped.
	ErrMissing = errors.New("index missing")
	// ErrFormat: it is of another version of the stored form.
	ErrFormat = errors.New("index of another format")
	// ErrSettings: it was built for other ids or another date field.
	ErrSettings = errors.New("index built with other settings")
	// ErrDamaged: a part is missing or not sound, or a field has a wrong type.
	ErrDamaged = errors.New("index damaged")
)

// Fields of the documents of an index.
const (
	// EntriesField is the map of entries of a shard: key "{version}-{id}",
	// value the memory's date as a timestamp, or null for a tombstone.
	EntriesField = "e"
	// BlockField holds a part of the base, in meta and in further parts.
	BlockField = "b"
	// DueField is when a repair or a request is due, in server time. Only meta
	// and request have it, so one collection-group query finds what is due.
	DueField = "due"
	// KindField and ReasonField say what a request asks for, and why.
	KindField   = "kind"
	ReasonField = "reason"

	formatField      = "format"
	idsField         = "ids"
	dateFieldField   = "date_field"
	scanStartedField = "scan_started"
	asOfField        = "as_of"
	generationField  = "generation"
	runField         = "run"
	countField       = "count"
	partsField       = "parts"
	sumField         = "sum"
	lastField        = "last"
)

// Meta is what the meta document says of the base.
type Meta struct {
	Schema memory.Schema
	// ScanStarted is the server time as of which the store was scanned.
	ScanStarted memory.Micros
	// AsOf is the server time at which the fold or compaction that wrote this
	// meta read the index. A full fold may not go back behind it.
	AsOf memory.Micros
	// Generation counts the flips; Run is the random id of the run that made
	// the last one.
	Generation int64
	Run        string
	// Count is how many memories the base lists, tombstones not counted, and
	// Parts how many parts it has, the first among them.
	Count int
	Parts int
	// Sum is the checksum of the parts, see Checksum.
	Sum string
	// Due is when the next full fold is due, in server time.
	Due memory.Micros
	// Last is the record of the last run.
	Last LastRun
}

// LastRun is the record of the run that wrote a meta, for people to read.
type LastRun struct {
	Kind                             Kind
	Memories, Reads, Writes          int
	Missing, Ghosts, Stale, InFlight int
	Took                             time.Duration // to the flip
}

// Kind is what a run does, or what a request asks for.
type Kind string

const (
	// Build is a full fold: it scans the store.
	Build Kind = "build"
	// Compaction merges the shards into the base without a scan.
	Compaction Kind = "compaction"
)

// Fields returns meta as it is stored, with the first part of the base.
func (m *Meta) Fields(first []byte) map[string]any {
	return map[string]any{
		formatField:      int64(Version),
		idsField:         m.Schema.IDs.String(),
		dateFieldField:   m.Schema.Field(),
		scanStartedField: m.ScanStarted.Time(),
		asOfField:        m.AsOf.Time(),
		generationField:  m.Generation,
		runField:         m.Run,
		countField:       int64(m.Count),
		partsField:       int64(m.Parts),
		sumField:         m.Sum,
		DueField:         m.Due.Time(),
		BlockField:       first,
		lastField: map[string]any{
			"kind":      string(m.Last.Kind),
			"memories":  int64(m.Last.Memories),
			"reads":     int64(m.Last.Reads),
			"writes":    int64(m.Last.Writes),
			"missing":   int64(m.Last.Missing),
			"ghosts":    int64(m.Last.Ghosts),
			"stale":     int64(m.Last.Stale),
			"in_flight": int64(m.Last.InFlight),
			"took_ms":   m.Last.Took.Milliseconds(),
		},
	}
}

// ParseMeta reads the fields of a meta document. Its errors wrap ErrFormat or
// ErrDamaged; with the latter the meta returned holds what could be read.
func ParseMeta(fields map[string]any) (*Meta, error) {
	f := parser{fields: fields}
	m := &Meta{}
	if format := f.int(formatField); f.err == nil && format != Version {
		return m, fmt.Errorf("%w: version %d, this code reads %d", ErrFormat, format, Version)
	}
	m.ScanStarted = f.time(scanStartedField)
	m.AsOf = f.time(asOfField)
	m.Generation = f.atLeast(1, generationField)
	m.Run = f.word(runField)
	m.Count = int(f.atLeast(0, countField))
	m.Parts = int(f.atLeast(1, partsField))
	m.Sum = f.word(sumField)
	m.Due = f.time(DueField)
	ids, err := memory.ParseIDKind(f.word(idsField))
	if err != nil {
		f.fail(idsField)
	}
	m.Schema = memory.Schema{IDs: ids, DateField: f.word(dateFieldField)}
	last, _ := fields[lastField].(map[string]any)
	l := parser{fields: last} // for people only: nothing depends on it
	m.Last = LastRun{
		Kind:     Kind(l.string("kind")),
		Memories: int(l.int("memories")),
		Reads:    int(l.int("reads")),
		Writes:   int(l.int("writes")),
		Missing:  int(l.int("missing")),
		Ghosts:   int(l.int("ghosts")),
		Stale:    int(l.int("stale")),
		InFlight: int(l.int("in_flight")),
		Took:     time.Duration(l.int("took_ms")) * time.Millisecond,
	}
	return m, f.err
}

// Checksum returns the checksum of a base: the xxhash64 of its parts' bytes, in
// order, as 16 hexadecimal digits.
func Checksum(parts [][]byte) string {
	h := xxhash.New()
	for _, part := range parts {
		h.Write(part)
	}
	return fmt.Sprintf("%016x", h.Sum64())
}

// Request is what a request document asks for.
type Request struct {
	Kind   Kind
	Reason string // for people
}

// Fields returns the request as it is stored. due is when it is due: the
// client's sentinel for the server's time.
func (r Request) Fields(due any) map[string]any {
	return map[string]any{KindField: string(r.Kind), ReasonField: r.Reason, DueField: due}
}

// ParseRequest reads the fields of a request document. Anything but a
// compaction is a build, which serves every purpose.
func ParseRequest(fields map[string]any) Request {
	r := Request{Kind: Build}
	if fields[KindField] == string(Compaction) {
		r.Kind = Compaction
	}
	r.Reason, _ = fields[ReasonField].(string)
	return r
}

// parser reads fields of known types and keeps the first error.
type parser struct {
	fields map[string]any
	err    error
}

func (p *parser) fail(field string) {
	if p.err == nil {
		p.err = fmt.Errorf("%w: field %s of meta is %.60q", ErrDamaged, field,
			fmt.Sprint(p.fields[field]))
	}
}

func (p *parser) int(field string) int64 {
	v, ok := p.fields[field].(int64)
	if !ok {
		p.fail(field)
	}
	return v
}

func (p *parser) atLeast(least int64, field string) int64 {
	v := p.int(field)
	if v < least {
		p.fail(field)
	}
	return v
}

func (p *parser) string(field string) string {
	v, ok := p.fields[field].(string)
	if !ok {
		p.fail(field)
	}
	return v
}

// word is a string that is not empty.
func (p *parser) word(field string) string {
	v := p.string(field)
	if v == "" {
		p.fail(field)
	}
	return v
}

func (p *parser) time(field string) memory.Micros {
	v, ok := p.fields[field].(time.Time)
	if !ok {
		p.fail(field)
		return 0
	}
	return memory.MicrosOf(v)
}
