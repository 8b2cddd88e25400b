package chaos

import (
	"context"
	"fmt"
	"slices"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"hippocampus/emulator/eventarc"
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
	d.actor = s.act(d.String(), i.gate, s.follow(d), func(ctx context.Context) error {
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
			s.refusals++
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
			s.unexpected(d.actor.err, "%s: deliver %s", t.path, d)
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
