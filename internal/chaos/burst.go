package chaos

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

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
	posted := make(chan struct{})
	a := s.act("burst", i.gate, nil, func(ctx context.Context) error {
		errs := make([]error, len(events))
		var all sync.WaitGroup
		late := func() error {
			defer close(posted)
			var answered atomic.Int64
			for n, e := range events {
				all.Go(func() {
					errs[n] = s.post(ctx, i, e.msg)
					answered.Add(1)
				})
				if err := s.taken(ctx, i, n+1, &answered); err != nil {
					return err
				}
			}
			return nil
		}()
		all.Wait()
		return errors.Join(append(errs, late)...)
	})
	<-posted
	a.finish()
	if a.err != nil {
		s.unexpected(a.err, "%s: deliver at once %s", t.path, strings.Join(labels, ", "))
	}
	s.note("%s: deliver at once: %s", t.path, strings.Join(labels, ", "))
	s.cover.add(batched, len(events))
	for _, e := range events {
		t.pending = remove(t.pending, e)
		s.delivered(t, e, true)
	}
}

// taken returns when the instance has answered so many events or has them wait for a commit, so
// that they come one after the other and still are committed together.
func (s *schedule) taken(ctx context.Context, i *instance, events int,
	answered *atomic.Int64) error {
	for begun := time.Now(); i.waiting != nil &&
		i.waiting()+int(answered.Load()) < events; runtime.Gosched() {
		if ctx.Err() != nil || time.Since(begun) > s.sys.patience {
			return fmt.Errorf("%d events posted at once do not arrive", events)
		}
	}
	return nil
}
