package listen

import (
	"time"

	pb "cloud.google.com/go/firestore/apiv1/firestorepb"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
)

// attempts to read all targets at one time. Each fails only if, since that time was looked up, as
// much was written as the store keeps for reads in the past.
const attempts = 10

// news is what a target is to be told.
type news struct {
	target *target
	difference
	reset bool
}

// catchUp sends what has changed in all targets, whatever is queued, and returns the time up to
// which.
func (s *Stream) catchUp() (time.Time, error) {
	var all []news
	for range attempts {
		at := s.source.Store.Time()
		more, err := s.readTo(at)
		all = append(all, more...)
		if gone(err) {
			continue
		}
		if err != nil {
			return time.Time{}, internal(err)
		}
		return at, s.tell(all)
	}
	return time.Time{}, status.Error(codes.Unavailable,
		"the history is too short for this stream: it is gone before all targets have been read; listen again, or start the emulator with more HistoryBytes")
}

// readTo brings all targets to a time, or some if there is an error. It sends nothing: a slow
// client must not hold up the reads of a time that may be forgotten.
func (s *Stream) readTo(at time.Time) ([]news, error) {
	var all []news
	for _, t := range s.targets {
		if !t.at.Before(at) {
			continue
		}
		d, err := t.since(t.at, at)
		reset := gone(err)
		if reset {
			d, err = t.all(at)
		}
		if err != nil {
			return all, err
		}
		t.at = at
		all = append(all, news{t, d, reset})
	}
	return all, nil
}

func (s *Stream) tell(all []news) error {
	for _, n := range all {
		if n.reset {
			if err := s.change(pb.TargetChange_RESET, n.target.id, time.Time{}); err != nil {
				return err
			}
		}
		if err := s.sendEvents(n.target, n.events); err != nil {
			return err
		}
		if n.reset {
			if err := s.change(pb.TargetChange_CURRENT, n.target.id, n.at); err != nil {
				return err
			}
		}
	}
	return nil
}
