package chaos_test

import (
	"context"
	"strings"
	"sync"

	"github.com/stretchr/testify/require"
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
