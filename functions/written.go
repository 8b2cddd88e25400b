package functions

import (
	"context"
	"errors"
	"fmt"

	cloudevents "github.com/cloudevents/sdk-go/v2"

	"hippocampus/index"
	"hippocampus/memory"
)

// OnMemoryWritten takes the event of a change of a memory to the index. It
// returns when the change is committed, together with others if there are many.
// An error means: deliver the event again.
func (s *Service) OnMemoryWritten(ctx context.Context, e cloudevents.Event) error {
	ctx, cancel := context.WithTimeout(ctx, s.options.Deadline)
	defer cancel()
	s.stats.events.Add(1)
	c, err := s.read(ctx, e)
	if errors.Is(err, errMalformed) {
		s.drop(ctx, e, err)
		return nil
	}
	if err != nil {
		return fmt.Errorf("event %s: %w", e.ID(), err)
	}
	if len(c.update.Set) == 0 {
		s.stats.unchanged.Add(1)
		return nil
	}
	path, err := index.Path(c.memories)
	if err != nil {
		s.drop(ctx, e, malformed("%w", err))
		return nil
	}
	if len(c.id) > memory.MaxIDBytes {
		s.poison(ctx, c, fmt.Errorf("its id has %d bytes and the index holds %d at most", len(c.id), memory.MaxIDBytes))
		return nil
	}
	err = s.committer.commit(ctx, path, c.id, c.update)
	if errors.Is(err, errPoison) {
		s.poison(ctx, c, err)
		return nil
	}
	if err != nil {
		return fmt.Errorf("event %s of %s/%s: %w", e.ID(), c.memories, c.id, err)
	}
	return nil
}

// drop reports an event that can never be understood. It is acknowledged:
// delivering it again for a day would help nobody.
func (s *Service) drop(ctx context.Context, e cloudevents.Event, err error) {
	s.stats.malformed.Add(1)
	s.log.ErrorContext(ctx, "event dropped: it cannot be understood",
		"event", e.ID(), "type", e.Type(), "subject", e.Subject(), "error", err.Error())
}

// poison reports a change that no shard can hold. The next full fold takes the
// memory into the base.
func (s *Service) poison(ctx context.Context, c change, err error) {
	s.stats.poison.Add(1)
	s.log.ErrorContext(ctx, "event dropped: no shard can hold the change; the next repair finds it",
		"collection", c.memories, "id", c.id, "error", err.Error())
}
