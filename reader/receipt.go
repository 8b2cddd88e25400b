package reader

import (
	"fmt"
	"strings"
	"time"
)

// Source is where a list comes from.
type Source string

const (
	FromIndex Source = "index"
	FromScan  Source = "scan"
)

// Receipt says of a list where it comes from, what it is worth and what it cost.
type Receipt struct {
	Source Source `json:"source"`
	// Reason says in a word why the list comes from a scan: missing, format,
	// settings, damaged or unreadable; see Unreadable. Detail says it in full.
	Reason string `json:"reason,omitempty"`
	Detail string `json:"detail,omitempty"`
	// Complete says that the list lacks nothing its source had: from the index,
	// every part that meta names was there and the checksum right; from a scan,
	// the collection was read to its end as it was at AsOf. Whatever would make
	// a list incomplete leads from the index to the scan, and from the scan to
	// an error, so every list that List returns is complete.
	Complete bool `json:"complete"`
	// Count is the number of memories listed.
	Count int `json:"count"`
	// AsOf is the server's time of the read.
	AsOf time.Time `json:"as_of"`
	// ScanStarted is the server's time as of which the store was last scanned: by the build
	// that the index rests on, or by this turn's own scan. What changed between it and AsOf is
	// in the list only if its event has come.
	ScanStarted time.Time `json:"scan_started"`
	// DocumentsRead is how many documents Firestore bills for the list: at least
	// one a query, and also those of attempts that failed half-way.
	DocumentsRead int `json:"documents_read"`
	// Bytes is the size of the documents that came, as Firestore defines the
	// size of a document, of scanned memories their ids and dates.
	Bytes int `json:"bytes"`
	// Hash is the xxhash64 of the names and dates in the order of the list. It
	// does not depend on the source.
	Hash string `json:"hash"`
	// Request says what became of asking for a build, if the list comes from a
	// scan, or for a compaction, if the index has grown: NotNeeded, Asked,
	// AlreadyAsked, or Refused and why.
	Request string `json:"request"`
}

// String returns the receipt in one line, for people.
func (r Receipt) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d memories", r.Count)
	what := "compaction"
	if r.Source == FromScan {
		what = "build"
		fmt.Fprintf(&b, " by a scan (index %s)", r.Reason)
	} else {
		b.WriteString(" from the index")
	}
	if r.Complete {
		b.WriteString(", complete")
	} else {
		b.WriteString(", NOT complete")
	}
	fmt.Fprintf(&b, ", as of %s; documents read: %d, bytes: %d; hash %s",
		r.AsOf.Format(time.RFC3339Nano), r.DocumentsRead, r.Bytes, r.Hash)
	if r.Request != NotNeeded {
		fmt.Fprintf(&b, "; %s %s", what, r.Request)
	}
	return b.String()
}
