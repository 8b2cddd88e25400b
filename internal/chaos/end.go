package chaos

import (
	"slices"
	"strings"

	"hippocampus/index"
)

// end lets everything come to its end, in a random way, and checks what the
// protocol promises.
func (s *schedule) end() {
	s.note("the end begins")
	if !s.lossy {
		for _, t := range s.tenants {
			s.allDelivered(t)
		}
	}
	for _, t := range s.tenants {
		s.afterFold(t)
	}
}

// allDelivered: with no event lost, the list equals the store without a repair.
func (s *schedule) allDelivered(t *tenant) {
	for _, d := range s.deliveriesOf(t) {
		s.finishDelivery(d, false)
	}
	s.deliverAll(t, t.pending)
	s.mustEqual(t, "all delivered, without a repair")
	for _, r := range s.runsOf(t) {
		for r.flipped && !r.actor.ended() {
			s.stepRunBy(r, pass)
			s.mustEqual(t, "in the middle of a late clean-up")
		}
	}
	if t.built && s.chance(.5) {
		s.shortLived(t)
		s.compactNow(t)
		s.mustEqual(t, "after a compaction, without a repair")
	}
	s.redeliverAll(t, "redelivered, without a repair")
}

// shortLived creates and deletes a memory that no base has ever known.
func (s *schedule) shortLived(t *tenant) {
	n := s.free(t)
	if n == nil {
		n = &name{name: "short-lived"}
		t.names = append(t.names, n)
	}
	s.create(t, n)
	s.delete(t, n)
	s.collectChanges()
	s.deliverAll(t, t.pending)
}

// afterFold: also with events lost, the list equals the store after the next full
// fold, whatever still arrives, and after a compaction.
func (s *schedule) afterFold(t *tenant) {
	for _, r := range s.runsOf(t) {
		if !r.flipped && s.chance(.5) {
			s.finishRun(r) // else it is late
		}
	}
	s.buildNow(t)
	s.mustEqual(t, "after a full fold")
	s.deliverLate(t)
	s.mustEqual(t, "late events after a full fold")
	for _, r := range s.runsOf(t) {
		if r.mortal && s.chance(.2) {
			s.kill(r)
		} else {
			s.finishRun(r)
		}
		s.mustEqual(t, "after a run that was late")
	}
	s.redeliverAll(t, "redelivered after a full fold")
	s.compactNow(t)
	s.mustEqual(t, "after a compaction")
	s.redeliverAll(t, "redelivered after a compaction")
	s.buildNow(t)
	s.mustEqual(t, "after the last full fold")
	s.noGarbage(t)
}

// deliverLate delivers what is under way, pending, or was held to be lost.
func (s *schedule) deliverLate(t *tenant) {
	for _, d := range s.deliveriesOf(t) {
		s.finishDelivery(d, false)
	}
	s.deliverAll(t, t.pending)
	late := t.lost
	t.pending, t.lost = late, nil
	s.deliverAll(t, late)
}

// deliverAll delivers pending events in any order.
func (s *schedule) deliverAll(t *tenant, events []*event) {
	for _, e := range shuffled(s, events) {
		if d := s.deliver(t, e, s.chance(.2)); d != nil {
			s.finishDelivery(d, false)
		}
		s.check(t, "at the end")
	}
}

// redeliverAll delivers the newest events again, in any order.
func (s *schedule) redeliverAll(t *tenant, where string) {
	events := t.done[max(0, len(t.done)-12):]
	for i, e := range shuffled(s, events) {
		if d := s.deliver(t, e, s.chance(.1)); d != nil {
			s.finishDelivery(d, false)
		}
		if i%3 == 2 {
			s.mustEqual(t, where)
		}
	}
	s.mustEqual(t, where)
}

// noGarbage: after a full fold that ran alone, the index holds nothing but the base.
func (s *schedule) noGarbage(t *tenant) {
	docs, err := s.client.Collection(t.index).Documents(s.ctx).GetAll()
	s.mustFirestore(err)
	for _, doc := range docs {
		id := doc.Ref.ID
		if id != index.MetaID && !strings.HasPrefix(id, index.BasePrefix) {
			s.failf("the index of %s holds %s after a full fold that ran alone:\n%s", t.path, id,
				s.dump(t))
		}
	}
	meta := slices.IndexFunc(docs, isMeta)
	if meta < 0 {
		s.failf("the index of %s has no base after a full fold that ran alone:\n%s", t.path,
			s.dump(t))
	}
	m, err := index.ParseMeta(docs[meta].Data())
	s.mustProduct(err)
	if len(docs) != m.Parts {
		s.failf("the index of %s holds %d documents after a full fold that ran alone, and its base has %d parts:\n%s", t.path, len(docs), m.Parts, s.dump(t))
	}
}
