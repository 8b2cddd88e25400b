package serial_test

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"github.com/anishathalye/porcupine"
)

// documents is how many documents a history is about.
const documents = 4

// state is the number in each document; 0 is a document that does not exist.
type state [documents]int64

// operation is what one client did to the documents at one time, as it saw it: first the reads and
// queries, then the changes.
type operation struct {
	what    string
	reads   []entry
	queries []query
	changes []change

	called, returned int64     // on the clients' clock, nanoseconds
	at               time.Time // what the emulator says; zero if nothing
	past             bool      // at is a past time that was asked for
	lost             bool      // it was aborted after that
}

// entry is one document's number.
type entry struct {
	document int
	number   int64
}

// query is a query for the documents with numbers of at least a bound, and its answer.
type query struct {
	atLeast int64
	limit   int // 0: none
	counts  bool
	count   int
	found   []entry // in order of the numbers
}

// change changes one document: it adds to the number, or else sets it, or deletes the document if
// it is 0.
type change struct {
	document int
	number   int64
	adds     bool
	result   int64 // of an addition
}

// step makes an operation. It reports whether the operation can have seen what it saw.
func (s state) step(o *operation) (bool, state) {
	for _, r := range o.reads {
		if s[r.document] != r.number {
			return false, s
		}
	}
	for _, q := range o.queries {
		found := s.find(q)
		if q.counts && q.count != len(found) || !q.counts && !slices.Equal(found, q.found) {
			return false, s
		}
	}
	for _, c := range o.changes {
		if c.adds {
			c.number += s[c.document]
			if c.number != c.result {
				return false, s
			}
		}
		s[c.document] = c.number
	}
	return true, s
}

func (s state) find(q query) []entry {
	var found []entry
	for d, n := range s {
		if n > 0 && n >= q.atLeast {
			found = append(found, entry{d, n})
		}
	}
	slices.SortFunc(found, func(a, b entry) int {
		return cmp.Or(cmp.Compare(a.number, b.number), cmp.Compare(a.document, b.document))
	})
	if q.limit > 0 && len(found) > q.limit {
		found = found[:q.limit]
	}
	return found
}

// model is the documents as a sequential machine.
var model = porcupine.Model{
	Init: func() any { return state{} },
	Step: func(s, input, _ any) (bool, any) {
		return s.(state).step(input.(*operation))
	},
	DescribeOperation: func(input, _ any) string { return input.(*operation).String() },
}

func (o *operation) String() string {
	s := fmt.Sprintf("%-24s %8d-%8d µs", o.what, o.called/1000, o.returned/1000)
	if !o.at.IsZero() {
		s += fmt.Sprintf(" at %06d", o.at.UnixMicro()%1_000_000)
	}
	for _, r := range o.reads {
		s += fmt.Sprintf("  %d is %d", r.document, r.number)
	}
	for _, q := range o.queries {
		if q.counts {
			s += fmt.Sprintf("  count ≥%d limit %d is %d", q.atLeast, q.limit, q.count)
		} else {
			s += fmt.Sprintf("  find ≥%d limit %d is %v", q.atLeast, q.limit, q.found)
		}
	}
	for _, c := range o.changes {
		if c.adds {
			s += fmt.Sprintf("  %d += %d is %d", c.document, c.number, c.result)
		} else {
			s += fmt.Sprintf("  %d = %d", c.document, c.number)
		}
	}
	return s
}
