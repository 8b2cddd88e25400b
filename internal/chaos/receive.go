package chaos

import (
	"strings"

	"hippocampus/emulator/eventarc"
	"hippocampus/functions"
)

// collectChanges takes the events of all commits so far that it has not taken yet.
func (s *schedule) collectChanges() {
	s.mustFirestore(s.broker.Drain(s.ctx))
	for _, m := range s.broker.Take() {
		s.receive(m)
	}
}

// receive puts an event where it belongs. Those of earlier schedules are passed over.
func (s *schedule) receive(m eventarc.Message) {
	for _, t := range s.tenants {
		switch {
		case m.Trigger.Name == functions.NameOnMemoryWritten && strings.HasPrefix(m.Event.Document, t.path+"/"):
			s.events++
			e := newEvent(s.events, s.epoch, m)
			if e.until = e.version; e.deleted {
				e.until = s.now() // its event does not tell when
			}
			t.pending = append(t.pending, e)
			s.note("    makes %s", e.label)
		case m.Trigger.Name == functions.NameOnRequest && strings.HasPrefix(m.Event.Document, t.index+"/"):
			t.requests = append(t.requests, m)
		}
	}
}
