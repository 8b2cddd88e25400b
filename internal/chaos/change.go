package chaos

import (
	"time"

	"cloud.google.com/go/firestore"

	"hippocampus/memory"
)

// someDay is what random dates are counted from.
var someDay = time.Date(2024, 2, 29, 12, 0, 0, 0, time.UTC)

// change makes one change of a memory, or two at once.
func (s *schedule) change(t *tenant) {
	n := pick(s, t.names)
	if s.chance(.6) {
		n = t.names[0] // so that changes of one memory meet
	}
	switch {
	case !n.exists:
		s.create(t, n)
	case s.chance(.3):
		s.delete(t, n)
		if s.chance(.3) { // within a millisecond or two
			s.create(t, n)
		}
	case s.chance(.08) && s.free(t) != nil:
		s.rename(t, n, s.free(t))
	default:
		s.edit(t, n)
	}
	s.collectChanges()
}

func (s *schedule) create(t *tenant, n *name) {
	s.cover.add(created, 1)
	if n.gone {
		s.cover.add(recreated, 1)
	}
	switch s.rand.IntN(5) {
	case 0:
		s.undate(t, n)
	case 1:
		s.put(t, n, time.Time{}, "create")
	default:
		s.put(t, n, s.day(), "create")
	}
}

func (s *schedule) edit(t *tenant, n *name) {
	switch s.rand.IntN(6) {
	case 0:
		s.undate(t, n)
	case 1:
		s.put(t, n, time.Time{}, "change")
	case 2:
		s.cover.add(unchanged, 1)
		s.touch(t, n)
	case 3:
		if n.date.IsZero() {
			s.put(t, n, s.day(), "change")
			return
		}
		s.cover.add(unchanged, 1)
		s.put(t, n, n.date, "change, same date,")
	case 4:
		if n.date.IsZero() {
			s.put(t, n, s.day(), "change")
			return
		}
		s.cover.add(backdated, 1)
		s.put(t, n, n.date.Add(-time.Duration(1+s.rand.IntN(9))*time.Hour), "change, backdated,")
	default:
		s.put(t, n, s.day(), "change")
	}
}

// day returns one of few dates, so that equal ones occur.
func (s *schedule) day() time.Time { return someDay.Add(time.Duration(s.rand.IntN(8)) * time.Hour) }

// put writes a memory with a date, the server's if it is zero.
func (s *schedule) put(t *tenant, n *name, date time.Time, what string) {
	s.changing(t)
	n.writes++
	s.mustProduct(t.store.Put(s.ctx, n.name, map[string]any{"writes": n.writes},
		&memory.PutOptions{Date: date}))
	shown := "the server's"
	if !date.IsZero() {
		shown = date.Format("02T15")
	}
	s.note("%s: %s %q, date %s", t.path, what, n.name, shown)
	n.exists, n.date = true, date
}

// undate writes a memory whose date is missing or no timestamp, as an
// application may.
func (s *schedule) undate(t *tenant, n *name) {
	s.changing(t)
	s.cover.add(undated, 1)
	n.writes++
	fields := map[string]any{"writes": n.writes}
	switch s.rand.IntN(3) {
	case 0:
		fields[memory.DefaultDateField] = "yesterday"
	case 1:
		fields[memory.DefaultDateField] = n.writes
	}
	_, err := s.ref(t, n).Set(s.ctx, fields)
	s.mustFirestore(err)
	s.note("%s: write %q with the date %v", t.path, n.name, fields[memory.DefaultDateField])
	n.exists, n.date = true, time.Time{}
}

// touch changes a memory and leaves its date alone, whatever it is.
func (s *schedule) touch(t *tenant, n *name) {
	s.changing(t)
	n.writes++
	_, err := s.ref(t, n).Update(s.ctx, []firestore.Update{{Path: "embedding", Value: n.writes}})
	s.mustFirestore(err)
	s.note("%s: change %q, not its date", t.path, n.name)
}

func (s *schedule) delete(t *tenant, n *name) {
	s.changing(t)
	s.cover.add(deleted, 1)
	s.mustProduct(t.store.Delete(s.ctx, n.name))
	s.note("%s: delete %q", t.path, n.name)
	n.exists, n.gone = false, true
}

func (s *schedule) rename(t *tenant, from, to *name) {
	s.changing(t)
	s.cover.add(renamed, 1)
	_, err := t.store.Rename(s.ctx, from.name, to.name)
	s.mustProduct(err)
	s.note("%s: rename %q to %q", t.path, from.name, to.name)
	to.exists, to.date, to.writes = true, from.date, from.writes
	from.exists, from.gone = false, true
}

// free returns a name that no memory has, or nil.
func (s *schedule) free(t *tenant) *name {
	for _, n := range t.names {
		if !n.exists {
			return n
		}
	}
	return nil
}

func (s *schedule) ref(t *tenant, n *name) *firestore.DocumentRef {
	id, err := memory.ID(n.name)
	s.mustFirestore(err)
	return s.client.Collection(t.path).Doc(id)
}

// changing is called before each change. It counts what the change happens in the middle of.
func (s *schedule) changing(t *tenant) {
	s.tick()
	t.truth = nil
	for _, r := range s.runsOf(t) {
		if r.actor.calls > 0 && !r.flipped {
			if r.isBuild {
				s.cover.add(inFold, 1)
			} else {
				s.cover.add(inCompaction, 1)
			}
		}
	}
	for _, d := range s.deliveriesOf(t) {
		if d.stripped && d.actor.calls > 0 {
			s.cover.add(strippedLate, 1)
		}
	}
}
