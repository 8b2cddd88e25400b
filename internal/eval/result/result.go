// Package result is what an evaluation found: the document results.json, with the prices it was
// reckoned by and its comparison with an earlier one. It is what
// the report and the tables are made from.
//
// A figure that was not measured is absent; Run.Left says why. Times are
// milliseconds of this machine's clock and say little about another machine.
// Documents read and written are counted as Firestore bills them, on the wire.
package result

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"time"
)

// Schema is the version of the document. A reader refuses any other.
const Schema = 1

// Results is the whole document.
type Results struct {
	Schema      int          `json:"schema"` // Schema
	Evaluation  Evaluation   `json:"run"`
	Equivalence *Equivalence `json:"equivalence,omitempty"`
	Cost        *Cost        `json:"cost,omitempty"`
	Freshness   *Freshness   `json:"freshness,omitempty"`
	Repair      *Repair      `json:"repair,omitempty"`
	Writes      *Writes      `json:"writes,omitempty"`
}

// OK reports whether nothing that was measured says "no".
func (r *Results) OK() bool {
	for _, v := range r.Verdicts() {
		if !v.OK {
			return false
		}
	}
	return true
}

// Verdicts returns the verdict of each measurement that was made, in the order of the document.
func (r *Results) Verdicts() []Verdict {
	var all []Verdict
	if r.Equivalence != nil {
		all = append(all, r.Equivalence.Verdict)
	}
	if r.Cost != nil {
		all = append(all, r.Cost.Verdict)
	}
	if r.Freshness != nil {
		all = append(all, r.Freshness.Verdict)
	}
	if r.Repair != nil {
		all = append(all, r.Repair.Verdict)
	}
	if r.Writes != nil {
		all = append(all, r.Writes.Verdict)
	}
	return all
}

// Evaluation says what was run, on what.
type Evaluation struct {
	Command    string     `json:"command"` // as it was typed
	Deployment Deployment `json:"target"`
	Seed       uint64     `json:"seed"`
	Started    time.Time  `json:"started"`
	TookMS     int64      `json:"took_ms"`
	Commit     string     `json:"commit,omitempty"`   // of the source, if the build knows it
	Modified   bool       `json:"modified,omitempty"` // the source was not as committed
	Go         string     `json:"go"`                 // version of Go
	Client     string     `json:"client"`             // version of the Firestore client
	Machine    Machine    `json:"machine"`
	// Interrupted: the run was ended before its end, and what follows is what it had measured by
	// then.
	Interrupted bool `json:"interrupted,omitempty"`
	// Left are the measurements, or parts of them, that were not made.
	Left []Left `json:"left,omitempty"`
}

// Kind is what kind of Firestore was measured.
type Kind string

// Kinds of Firestore.
const (
	Embedded Kind = "embedded" // the emulator of this program
	Official Kind = "official" // Google's emulator, started for the run
	Live     Kind = "live"     // a project, or an emulator that ran already
)

// Deployment is the Firestore that was measured.
type Deployment struct {
	Kind Kind   `json:"kind"`
	Name string `json:"name"` // for people
}

// Machine is where it ran.
type Machine struct {
	OS          string `json:"os"`
	Arch        string `json:"arch"`
	CPU         string `json:"cpu,omitempty"`
	Cores       int    `json:"cores"` // that the program may use
	MemoryBytes int64  `json:"memory_bytes,omitempty"`
}

// Left is what was not measured, and why.
type Left struct {
	What string `json:"what"`
	Why  string `json:"why"`
}

// Verdict is the answer to a measurement's question, in a sentence that begins with "Yes" or "No".
type Verdict struct {
	OK   bool   `json:"ok"`
	Text string `json:"text"`
}

// Equivalence: is the list exactly what a scan gives?
type Equivalence struct {
	Verdict   Verdict    `json:"verdict"`
	Stores    []Store    `json:"stores"`
	Schedules *Schedules `json:"schedules,omitempty"`
}

// Store compares one collection's list by the index with its list by a scan, both as of one moment.
type Store struct {
	Collection string    `json:"collection"`
	Moment     string    `json:"moment,omitempty"` // "after a full fold"
	AsOf       time.Time `json:"as_of"`            // server time of both readings
	// Source is where the list came from: "index"; "scan", if the reader could not use the index;
	// "memory", if the index was built in memory from what was read, as an existing collection
	// without one.
	Source   string `json:"source"`
	Reason   string `json:"reason,omitempty"` // why not from the index
	Memories int    `json:"memories"`         // by the scan
	Listed   int    `json:"listed"`           // by the index
	Diff     Diff   `json:"diff"`
	// Leftover are documents of the index that nothing needs, after a full fold that ran alone.
	Leftover []string `json:"leftover,omitempty"`
	Reads    int      `json:"reads"` // documents read for the comparison
}

// Diff is how two lists differ. In flight is what events not yet delivered may explain; it is
// counted apart.
type Diff struct {
	Missing   int          `json:"missing"`   // in the scan, not in the list
	Ghosts    int          `json:"ghosts"`    // in the list, not in the scan
	Stale     int          `json:"stale"`     // listed with another date
	Misplaced int          `json:"misplaced"` // in both with one date, in another order
	InFlight  int          `json:"in_flight"`
	Examples  []Difference `json:"examples,omitempty"` // a few
}

// Total returns how many differences there are, those in flight not counted.
func (d *Diff) Total() int { return d.Missing + d.Ghosts + d.Stale + d.Misplaced }

// Difference is one memory on which list and scan disagree.
type Difference struct {
	Kind     string     `json:"kind"` // missing, ghost, stale or misplaced
	Name     string     `json:"name"`
	InFlight bool       `json:"in_flight,omitempty"`
	Listed   *time.Time `json:"listed,omitempty"`  // its date in the list
	Scanned  *time.Time `json:"scanned,omitempty"` // its date by the scan
}

// Schedules are random orders in which changes, events, repairs, deaths and turns may come; see
// package chaos.
type Schedules struct {
	First     uint64   `json:"first_seed"`
	Count     int      `json:"run"`
	Compared  int      `json:"lists_compared"`
	Differing []uint64 `json:"differing_seeds"`
	Example   string   `json:"example,omitempty"` // what the first of these found
}

// Cost: what does a turn cost, and does that stop growing?
type Cost struct {
	Verdict Verdict `json:"verdict"`
	Prices  Prices  `json:"prices"`
	Turns   []Turn  `json:"turns"` // by number of memories, then in the order of Ways
}

// Way is a way of making a turn's list.
type Way string

// The ways of making a list, in the order in which they are shown.
const (
	FullScan  Way = "full-scan"     // every memory read whole
	NamesScan Way = "names-scan"    // every memory read, its date only
	Maps      Way = "maps"          // the list kept as maps of fields, in shard documents
	Index     Way = "index"         // ours, on a quiet tenant
	Changed   Way = "index-changed" // ours, a tenth of the memories changed since the last fold
)

// Ways are all of them, in that order.
var Ways = []Way{FullScan, NamesScan, Maps, Index, Changed}

// Name returns the name of a way for people.
func (w Way) Name() string {
	switch w {
	case FullScan:
		return "full scan"
	case NamesScan:
		return "names-only scan"
	case Maps:
		return "maps of fields"
	case Index:
		return "index"
	case Changed:
		return "index, a tenth changed"
	}
	return strconv.Quote(string(w))
}

// Turn is what one turn costs in one way, with a store of one size.
type Turn struct {
	Memories    int     `json:"memories"`
	MemoryBytes int     `json:"memory_bytes"` // of a memory, on average, as Firestore counts a document's size
	Way         Way     `json:"way"`
	Documents   int     `json:"documents_read"`
	Bytes       int64   `json:"bytes"` // received, before they are decoded
	Turns       int     `json:"turns"` // measured; the times are of these
	MedianMS    float64 `json:"median_ms"`
	P95MS       float64 `json:"p95_ms"`
	Allocations int64   `json:"allocations"`  // of the client's process, a turn
	PromptBytes int     `json:"prompt_bytes"` // of the list as text, in the usual sections
	// Dollars is what the documents read cost in a million turns.
	Dollars float64 `json:"dollars_a_million_turns"`
}

// Prices are what Firestore charges for operations.
type Prices struct {
	Source   string  `json:"source"` // whose prices, for people
	Date     string  `json:"date"`   // as of, 2006-01-02
	Currency string  `json:"currency"`
	Reads    float64 `json:"per_100k_reads"`
	Writes   float64 `json:"per_100k_writes"`
	Deletes  float64 `json:"per_100k_deletes"`
}

// Freshness: how soon is a write in the list?
type Freshness struct {
	Verdict Verdict `json:"verdict"`
	After   []After `json:"after"`
	Lags    []Lag   `json:"lags"`
}

// After is how often a memory was in the list of a turn that began so long after its write.
type After struct {
	Seconds float64 `json:"seconds"`
	Turns   int     `json:"turns"`
	Listed  int     `json:"listed"`
}

// Lag is the distribution of the time from a write's commit to its being listed.
type Lag struct {
	Situation string    `json:"situation"` // idle or import
	Writes    int       `json:"writes"`    // that were watched
	Others    int       `json:"others"`    // written meanwhile by the import
	Listed    int       `json:"listed"`    // of those watched, before the run gave up
	MS        []float64 `json:"ms"`        // of each that was listed, ascending
	MedianMS  float64   `json:"median_ms"`
	P95MS     float64   `json:"p95_ms"`
	MaxMS     float64   `json:"max_ms"`
}

// Repair: does a repair mend what lost events have done?
type Repair struct {
	Verdict Verdict  `json:"verdict"`
	Rates   Rates    `json:"rates"`
	Stores  []Mended `json:"stores"`
}

// Rates are the probabilities with which events fared badly, from 0 to 1.
type Rates struct {
	Lose      float64 `json:"drop"`
	Duplicate float64 `json:"duplicate"`
	Delay     float64 `json:"delay"`
	Reorder   float64 `json:"reorder"`
}

// Mended is one store whose events fared badly, and its repair.
type Mended struct {
	Memories     int `json:"memories"` // after the changes
	Changes      int `json:"changes"`  // before the repair
	Lost         int `json:"dropped"`  // events
	Duplicated   int `json:"duplicated"`
	Delayed      int `json:"delayed"`
	Reordered    int `json:"reordered"`
	DeletesFirst int `json:"deletes_first"` // deletes whose events were delivered before those of their writes
	During       int `json:"during"`        // changes while the repair ran
	// Before and After are the list against a scan, before and after the repair, when all events
	// had arrived.
	Before Diff    `json:"before"`
	After  Diff    `json:"after"`
	Unread string  `json:"unread,omitempty"` // why the list after the repair does not come from the index, if so
	Reads  int     `json:"reads"`
	Writes int     `json:"writes"` // and deletes
	MS     float64 `json:"ms"`
}

// Writes: what does the hook add to the application's writes?
type Writes struct {
	Verdict  Verdict   `json:"verdict"`
	Bursts   []Burst   `json:"bursts"`
	Slowdown *Slowdown `json:"slowdown,omitempty"`
}

// Burst is a number of memories written as fast as the client can.
type Burst struct {
	Changes int `json:"changes"`
	Commits int `json:"commits"` // of the hook
	// Writes, Deletes and Reads are the documents of all that the functions did for it, as billed:
	// the commits, and the build or the compactions that were asked for.
	Writes  int     `json:"writes"`
	Deletes int     `json:"deletes"`
	Reads   int     `json:"reads"`
	MS      float64 `json:"ms"` // until every event was handled
}

// Slowdown is what the application's own writes take with the hook and without.
type Slowdown struct {
	Writers int       `json:"writers"` // at once
	Without Latencies `json:"without"`
	With    Latencies `json:"with"`
}

// Latencies of writes.
type Latencies struct {
	Writes    int     `json:"writes"`
	PerSecond float64 `json:"per_second"`
	MedianMS  float64 `json:"median_ms"`
	P95MS     float64 `json:"p95_ms"`
}

// ErrSchema: the document is of another version.
var ErrSchema = errors.New("results of another version")

// Read reads a results.json. It refuses one of another version and one that has fields that this
// version does not know.
func Read(r io.Reader) (*Results, error) {
	text, err := io.ReadAll(r)
	if err != nil {
		return nil, err
	}
	var version struct {
		Schema int `json:"schema"`
	}
	if err := json.Unmarshal(text, &version); err != nil {
		return nil, fmt.Errorf("not a results.json of hippo eval: %w", err)
	}
	if version.Schema != Schema {
		return nil, fmt.Errorf("%w: it has schema %d, this is %d: make a new one with hippo eval --out", ErrSchema, version.Schema, Schema)
	}
	var found Results
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&found); err != nil {
		return nil, fmt.Errorf("not a results.json of hippo eval: %w", err)
	}
	return &found, nil
}

// Write writes the document, indented.
func (r *Results) Write(w io.Writer) error {
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	return encoder.Encode(r)
}
