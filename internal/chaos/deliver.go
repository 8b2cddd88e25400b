package chaos

import "slices"

// deliverOne delivers a pending event: at once, or a call at a time.
func (s *schedule) deliverOne(t *tenant) {
	e := pick(s, t.pending)
	d := s.deliver(t, e, s.chance(.15))
	switch {
	case d == nil:
	case s.chance(.3) && s.idleInstance() != nil:
		if d.stripped && s.chance(.6) {
			s.stepOne(d, pass)
		}
		if d.actor.ended() {
			return
		}
		s.note("%s: deliver %s: it waits at %s", t.path, d, d.actor.at)
	default:
		s.finishDelivery(d, s.chance(.15))
	}
}

// redeliver delivers an event again.
func (s *schedule) redeliver(t *tenant) {
	if d := s.deliver(t, pick(s, t.done), s.chance(.15)); d != nil {
		s.finishDelivery(d, false)
	}
}

// lose has a pending event never arrive.
func (s *schedule) lose(t *tenant) {
	e := pick(s, t.pending)
	t.pending, t.lost = remove(t.pending, e), append(t.lost, e)
	s.cover.add(lostEvents, 1)
	s.note("%s: lose %s", t.path, e.label)
}

// stepDelivery lets a delivery of the tenant go on, by one call or to its end.
func (s *schedule) stepDelivery(t *tenant) {
	d := pick(s, s.deliveriesOf(t))
	if s.chance(.6) {
		s.finishDelivery(d, s.chance(.15))
		return
	}
	s.stepOne(d, pass)
	if !d.actor.ended() {
		s.note("%s: step %s: it waits at %s", t.path, d, d.actor.at)
	}
}

// finishDelivery lets a delivery run to its end or, if it shall die, until then.
func (s *schedule) finishDelivery(d *delivery, die bool) {
	for !d.actor.ended() {
		v := pass
		switch {
		case die && s.chance(.6):
			v = pick(s, []verdict{dieBefore, dieAfter})
		case d.actor.at.shard() && s.chance(.04):
			v, d.refused = contend, true
			s.cover.add(spread, 1)
		}
		s.stepOne(d, v)
	}
}

// delivered counts a delivery that was acknowledged.
func (s *schedule) delivered(t *tenant, e *event, first bool) {
	if first && e.deleted && slices.ContainsFunc(slices.Concat(t.pending, t.flying),
		func(other *event) bool {
			return other.id == e.id && !other.deleted && other.version == e.version
		}) {
		s.cover.add(deleteFirst, 1)
	}
	if e.delivered {
		s.cover.add(duplicated, 1)
		if t.folds > e.folds {
			s.cover.add(afterFold, 1)
		}
		if t.compactions > e.compactions {
			s.cover.add(afterCompaction, 1)
		}
	}
	e.delivered, e.folds, e.compactions = true, t.folds, t.compactions
	t.done = append(remove(t.done, e), e)
}
