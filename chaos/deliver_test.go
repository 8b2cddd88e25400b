package chaos_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/stretchr/testify/require"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"hippocampus/emulator/eventarc"
	"hippocampus/functions"
)

// delivery is an event on its way through an instance of the functions, under the
// schedule's control.
type delivery struct {
	tenant   *tenant
	event    *event
	instance *instance
	actor    *actor
	stripped bool
	applied  bool // its commit was
	refused  bool // a commit of it failed, on purpose
}

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

// deliver starts the delivery of an event. It is nil if that has ended already,
// without a call.
func (s *schedule) deliver(t *tenant, e *event, strip bool) *delivery {
	i := s.idleInstance()
	if i == nil {
		s.finishDelivery(s.deliveries()[0], false)
		i = s.idleInstance()
	}
	d := &delivery{tenant: t, event: e, instance: i, stripped: strip}
	if slices.Contains(t.pending, e) {
		t.pending, t.flying = remove(t.pending, e), append(t.flying, e)
	}
	d.actor = start(s.t, d.String(), i.gate, s.follow(d), func(ctx context.Context) error {
		return s.post(ctx, i, d.message())
	})
	i.delivery = d
	if d.actor.ended() {
		s.landed(d)
		return nil
	}
	return d
}

func (d *delivery) String() string {
	if d.stripped {
		return d.event.label + " without payload"
	}
	return d.event.label
}

func (d *delivery) message() eventarc.Message {
	if d.stripped {
		return d.event.msg.WithoutPayload()
	}
	return d.event.msg
}

// follow follows a delivery by its calls.
func (s *schedule) follow(d *delivery) func(*actor, *call, error) {
	return func(_ *actor, c *call, err error) {
		if c.method != "Commit" {
			return
		}
		switch status.Code(err) {
		case codes.OK:
			d.applied = true
		case codes.InvalidArgument:
			s.cover.add(fullShards, 1)
		}
	}
}

// post delivers a message to an instance. Any answer but success is an error.
func (s *schedule) post(ctx context.Context, i *instance, m eventarc.Message) error {
	m.Trigger.URL = i.url + "/" + m.Trigger.Name
	status, err := s.broker.Deliver(ctx, m)
	if err == nil && status/100 != 2 {
		err = fmt.Errorf("status %d", status)
	}
	return err
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
		case d.actor.at.method == "Commit" && s.chance(.04):
			v, d.refused = contend, true
			s.cover.add(spread, 1)
		}
		s.stepOne(d, v)
	}
}

func (s *schedule) stepOne(d *delivery, v verdict) {
	if d.stripped && d.actor.calls == 0 && v == pass && !d.tenant.exists(d.event.id) {
		s.cover.add(strippedGone, 1)
	}
	d.actor.step(v)
	if d.actor.ended() {
		s.landed(d)
	}
}

// landed notes how a delivery has ended. Eventarc delivers again what failed.
func (s *schedule) landed(d *delivery) {
	t, e := d.tenant, d.event
	d.instance.delivery = nil
	first := slices.Contains(t.flying, e)
	t.flying = remove(t.flying, e)
	if d.actor.err != nil {
		if !d.actor.dead.Load() && !d.refused {
			require.NoError(s.t, d.actor.err, "seed %d: %s: deliver %s\n%s", s.seed, t.path, d, strings.Join(s.log, "\n"))
		}
		s.note("%s: deliver %s: fails, commit applied: %v", t.path, d, d.applied)
		s.cover.add(hooksDied, 1)
		if d.applied {
			s.cover.add(hooksDiedApplied, 1)
		}
		if first {
			t.pending = append(t.pending, e)
		}
		return
	}
	s.note("%s: deliver %s", t.path, d)
	if d.stripped {
		s.cover.add(stripped, 1)
	}
	s.delivered(t, e, first)
}

// delivered counts a delivery that was acknowledged.
func (s *schedule) delivered(t *tenant, e *event, first bool) {
	if first && e.deleted && slices.ContainsFunc(append(t.pending, t.flying...), func(other *event) bool {
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

// deliverBurst delivers some pending events to one instance at the same time.
func (s *schedule) deliverBurst(t *tenant) {
	i := s.idleInstance()
	if i == nil {
		return
	}
	events := shuffled(s, t.pending)
	events = events[:min(len(events), 2+s.rand.IntN(3))]
	var labels []string
	for _, e := range events {
		labels = append(labels, e.label)
	}
	a := start(s.t, "burst", i.gate, nil, func(ctx context.Context) error {
		errs := make([]error, len(events))
		var all sync.WaitGroup
		for n, e := range events {
			all.Go(func() { errs[n] = s.post(ctx, i, e.msg) })
		}
		all.Wait()
		for _, err := range errs {
			if err != nil {
				return err
			}
		}
		return nil
	})
	a.finish()
	require.NoError(s.t, a.err)
	s.note("%s: deliver at once: %s", t.path, strings.Join(labels, ", "))
	s.cover.add(batched, len(events))
	for _, e := range events {
		t.pending = remove(t.pending, e)
		s.delivered(t, e, true)
	}
}

func (s *schedule) idleInstance() *instance {
	for _, i := range s.instances {
		if i.delivery == nil && i.run == nil {
			return i
		}
	}
	return nil
}

func (s *schedule) deliveries() []*delivery {
	var all []*delivery
	for _, i := range s.instances {
		if i.delivery != nil {
			all = append(all, i.delivery)
		}
	}
	return all
}

func (s *schedule) deliveriesOf(t *tenant) []*delivery {
	return slices.DeleteFunc(s.deliveries(), func(d *delivery) bool { return d.tenant != t })
}

// sort puts an event where it belongs. Those of earlier schedules are passed over.
func (s *schedule) sort(m eventarc.Message) {
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
