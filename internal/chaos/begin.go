package chaos

import (
	"context"
	"fmt"

	"cloud.google.com/go/firestore"

	"hippocampus/index"
	"hippocampus/memory"
)

// someNames are the names of a tenant's memories, some of them awkward.
var someNames = []string{"a", "b ", "日本語/メモ", "#1", "é"}

// begin makes the tenants of a schedule, with a few memories and, as a rule, an
// index.
func (s *schedule) begin() {
	s.tick()
	s.epoch = s.now()
	s.lossy = s.chance(.5)
	s.fillsShard = s.chance(.12) && s.sys.fills
	s.cover.add(map[bool]string{true: lossy, false: lossless}[s.lossy], 1)
	unbuild := s.chance(.15)
	if unbuild {
		s.cover.add(unbuilt, 1)
	}
	for i := range 2 + s.rand.IntN(2) {
		path := fmt.Sprintf("tenants/s%d-%d/memories", s.seed, i+1)
		indexPath, err := index.Path(path)
		s.mustFirestore(err)
		store, err := memory.NewStore(s.client, path, memory.Schema{})
		s.mustFirestore(err)
		t := &tenant{path: path, index: indexPath, store: store}
		for _, n := range shuffled(s, someNames)[:2+s.rand.IntN(2)] {
			t.names = append(t.names, &name{name: n})
		}
		s.tenants = append(s.tenants, t)
		for _, n := range t.names {
			if s.chance(.6) {
				s.create(t, n)
			}
		}
		s.collectChanges()
		if !unbuild {
			s.buildNow(t)
		}
	}
}

// buildNow makes a full fold and runs it to its end.
func (s *schedule) buildNow(t *tenant) {
	r := s.start(t, "full fold", true, func(ctx context.Context, client *firestore.Client) error {
		return s.sys.build(ctx, client, t.path, repairOptions{})
	})
	s.finishRun(r)
}

// compactNow makes a compaction at once.
func (s *schedule) compactNow(t *tenant) {
	r := s.start(t, "compaction", false, func(ctx context.Context, client *firestore.Client) error {
		return s.sys.compact(ctx, client, t.path)
	})
	s.finishRun(r)
}

func (s *schedule) finishRun(r *run) {
	for !r.actor.ended() {
		s.stepRunBy(r, pass)
	}
}
