package chaos

import (
	"fmt"
	"path"
	"slices"
	"time"

	"github.com/googleapis/google-cloudevents-go/cloud/firestoredata"

	"hippocampus/emulator/eventarc"
	"hippocampus/memory"
)

// tenant is one memory collection of a schedule, and what is known of it.
type tenant struct {
	path     string
	index    string // path of its index
	store    *memory.Store
	names    []*name
	pending  []*event // not delivered yet
	flying   []*event // being delivered for the first time, under the schedule's control
	done     []*event // delivered at least once
	lost     []*event
	requests []eventarc.Message // events of requests, not delivered yet

	built              bool // a base was written: from then on the list comes from the index
	flips              int
	folds, compactions int // of these

	scanStarted memory.Micros // of the base, when the list was read last
	checkedAt   int           // flips, then
	truth       []string      // the list as the store has it; nil if that may have changed
}

// exists reports whether there is a memory of an id.
func (t *tenant) exists(id string) bool {
	for _, n := range t.names {
		if n.name == nameOf(id) {
			return n.exists
		}
	}
	return false
}

// name is a memory as the schedule changes it.
type name struct {
	name   string
	exists bool
	gone   bool // existed before
	date   time.Time
	writes int
}

// event is the event of one change.
type event struct {
	msg     eventarc.Message
	label   string
	id      string
	deleted bool
	version memory.Micros // of the memory after the change or, if it deleted it, before
	until   memory.Micros // the change was committed by then

	delivered          bool
	folds, compactions int // of the tenant when it was last delivered
}

// newEvent reads an event as the broker hands it out. Its number and times since
// epoch are for the log.
func newEvent(number int, epoch memory.Micros, m eventarc.Message) *event {
	value, old := m.Event.Data.GetValue(), m.Event.Data.GetOldValue()
	e := &event{msg: m, id: path.Base(m.Event.Document), deleted: value == nil}
	version := func(d *firestoredata.Document) memory.Micros { return memory.MicrosOf(d.GetUpdateTime().AsTime()) }
	what := "created"
	switch {
	case e.deleted:
		e.version, what = version(old), "deleted"
	case old != nil:
		e.version, what = version(value), fmt.Sprintf("changed from @%d", version(old)-epoch)
	default:
		e.version = version(value)
	}
	e.label = fmt.Sprintf("event %d (%s %s, @%d)", number, nameOf(e.id), what, e.version-epoch)
	return e
}

func nameOf(id string) string {
	if name, err := memory.Name(id); err == nil {
		return name
	}
	return id
}

// undelivered returns the events that the index cannot know of yet.
func (t *tenant) undelivered() []*event {
	return slices.Concat(t.pending, t.flying, t.lost)
}

// knows reports whether a base scanned at a time, and the events delivered, tell
// all there is to know.
func (t *tenant) knows(scanStarted memory.Micros) bool {
	for _, e := range t.undelivered() {
		if e.until > scanStarted {
			return false
		}
	}
	return true
}

// remove returns a copy of s without e.
func remove[T comparable](s []T, e T) []T {
	return slices.DeleteFunc(slices.Clone(s), func(other T) bool { return other == e })
}
