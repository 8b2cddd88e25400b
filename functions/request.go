package functions

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"

	cloudevents "github.com/cloudevents/sdk-go/v2"

	"hippocampus/index"
	"hippocampus/internal/indexdb"
	"hippocampus/internal/outcome"
	"hippocampus/repair"
)

const (
	// requestAttempts bounds how often OnRequest tries; the scheduled run tries too.
	requestAttempts = 3
	// requestPause is the least time between two attempts.
	requestPause = 2 * time.Second
)

// OnRequest serves the request document whose creation the event reports. It returns an error
// if Eventarc should deliver the event again. Other failures are logged, acknowledged and left
// to RepairDue, which finds the document as long as it is there.
func (s *Service) OnRequest(ctx context.Context, e cloudevents.Event) error {
	ctx, cancel := context.WithTimeout(ctx, s.options.RequestDeadline)
	defer cancel()
	memories, err := s.requested(e)
	if err != nil {
		s.reportMalformed(ctx, e, err)
		return nil
	}
	log := s.log.With("collection", memories)
	result, err := s.serveRequest(ctx, memories)
	switch {
	case err == nil:
		log.InfoContext(ctx, "request served", "result", result)
	case errors.Is(err, repair.ErrNoRequest):
		log.InfoContext(ctx, "request served by another run", "reason", err.Error())
	case ctx.Err() == nil && transient(err):
		return fmt.Errorf("serve the request for %s: %w", memories, err)
	default:
		log.ErrorContext(ctx, "request not served: the next scheduled repair does it", "error",
			err.Error())
	}
	return nil
}

// requested returns the memory collection that a request is about.
func (s *Service) requested(e cloudevents.Event) (memories string, err error) {
	p, err := s.root.parse(e)
	if err != nil {
		return "", err
	}
	collection, id, ok := split(p.path)
	if !ok || id != index.RequestID {
		return "", malformed("document %q is no request: correct the trigger", p.path)
	}
	if memories, err = index.MemoriesPath(collection); err != nil {
		return "", malformed("document %q: %w", p.path, err)
	}
	if !s.pattern.matches(memories) {
		return "", malformed("a request for %q, which is no memory collection by %s=%s: correct it, or the trigger", memories, envMemories, s.config.Memories)
	}
	return memories, nil
}

// serveRequest tries until the request document is gone. Another repair may have won that began
// before the request was made and so left the document there; as long as it is there nobody can
// ask again.
func (s *Service) serveRequest(ctx context.Context, memories string) (*repair.Result, error) {
	for attempt := 1; ; attempt++ {
		result, err := repair.Serve(ctx, s.client, memories, &s.options.Repair)
		if err == nil || errors.Is(err, repair.ErrNoRequest) || attempt == requestAttempts {
			return result, err
		}
		pause := time.NewTimer(requestPause + rand.N(requestPause))
		select {
		case <-pause.C:
		case <-ctx.Done():
			pause.Stop()
			return nil, fmt.Errorf("no time left after attempt %d: %w", attempt, err)
		}
	}
}

// transient reports whether what failed with such an error may succeed soon.
func transient(err error) bool {
	o := outcome.Of(err)
	return o.Transient() || o == outcome.Exhausted || errors.Is(err, repair.ErrOvertaken) ||
		errors.Is(err, repair.ErrSuperseded)
}

// askCompaction creates the request document of an index, if there is none.
func (s *Service) askCompaction(ctx context.Context, memories, reason string) error {
	x, err := indexdb.Of(s.client, memories)
	if err != nil {
		return err
	}
	_, err = x.Request(ctx, index.Request{Kind: index.Compaction, Reason: reason})
	return err
}
