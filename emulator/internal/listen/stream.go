// Package listen turns the commits of a store into the responses of a Listen stream.
//
// The protocol is that of the comments in firestore.proto and write.proto. A stream has targets,
// documents or a query each. A target that is added gets
//
//	ADD  what it has now: a DocumentChange or DocumentDelete each  CURRENT  NO_CHANGE
//
// and each commit that changes what targets have
//
//	a DocumentChange, DocumentDelete or DocumentRemove each  NO_CHANGE
//
// The NO_CHANGE, of no target in particular, says that all targets have what there was at its read
// time, and carries the token to resume from there: a target that resumes gets what has changed
// since, from the history of the store, or RESET and everything if that does not reach back. Every
// commit has a NO_CHANGE of its own, unless the client is so slow that more than [MaxChanges]
// changes or [MaxBytes] wait for it: these are then forgotten, and what it misses is found in the
// history, as for one that resumes.
//
// The order of responses is determined: targets as they were added, of each first what leaves it,
// then what comes or changes, in the order of the query. A commit costs what it changes; a query
// with a limit or an offset costs its window, too, which is kept in memory.
package listen

import (
	"errors"
	"math"
	"slices"
	"time"

	pb "cloud.google.com/go/firestore/apiv1/firestorepb"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/types/known/timestamppb"

	"hippocampus/emulator/internal/resource"
	"hippocampus/emulator/internal/store"
)

// Database is a database to listen to.
type Database struct {
	Name  resource.Database
	Store *store.Store
	// Born is when the store was made: nothing can be resumed from before, nor from a store that
	// was born at another time.
	Born time.Time
}

// Stream is one Listen stream. One goroutine at a time may use it.
type Stream struct {
	source  Database
	send    func(*pb.ListenResponse) error
	queue   *queue
	stop    func()
	targets []*target // in the order in which they were added
	last    int32     // the greatest id of a target so far
	assigns bool      // the client has left an id to the stream
}

// target is a target of a stream.
type target struct {
	watched
	id int32
	at time.Time // the client has been sent what there was then
}

// New returns a stream without targets that sends with send. The caller closes it.
func New(source Database, send func(*pb.ListenResponse) error) *Stream {
	s := &Stream{source: source, send: send, queue: newQueue()}
	s.stop = source.Store.Watch(s.queue.push)
	return s
}

// Close ends the stream.
func (s *Stream) Close() { s.stop() }

// Wake returns a channel that receives when there may be something to Flush.
func (s *Stream) Wake() <-chan struct{} { return s.queue.wake }

// Add sends what was committed before and adds a target. A wrong one is removed again, with the
// cause. The error is that of send, or one that ends the stream.
func (s *Stream) Add(req *pb.Target) error {
	if err := s.Flush(); err != nil {
		return err
	}
	id, err := s.identify(req.GetTargetId())
	if err != nil {
		if id <= 0 {
			return err
		}
		return s.remove(id, err)
	}
	if err := s.change(pb.TargetChange_ADD, id, time.Time{}); err != nil {
		return err
	}
	w, err := s.watch(req)
	if err != nil {
		return s.remove(id, err)
	}
	from, resumes, err := s.resumed(req)
	if err != nil {
		return s.remove(id, err)
	}
	t := &target{watched: w, id: id}
	s.queue.watch(append(slices.Clip(s.targets), t)) // commits from here on are queued
	if err := s.begin(t, from, resumes, req); err != nil {
		return err
	}
	if req.GetOnce() {
		return s.remove(id, nil)
	}
	return nil
}

// identify returns the id of a target that is added as want, 0 for one of the stream's choice.
func (s *Stream) identify(want int32) (int32, error) {
	switch {
	case want < 0:
		return want, status.Errorf(codes.InvalidArgument,
			"the target id is %d; give a positive one, or 0 for one of the server's choice", want)
	case want > 0 && s.assigns:
		return want, status.Errorf(codes.InvalidArgument,
			"target %d comes after one whose id was left to the server; give an id to all targets of a stream, or to none", want)
	case want > 0 && s.find(want) >= 0:
		return want, status.Errorf(codes.AlreadyExists,
			"target %d is there already; both are removed now: remove one before its id is used again", want)
	case want == 0:
		s.assigns = true
		if want = s.last; want == math.MaxInt32 {
			want = 0
		}
		for want++; s.find(want) >= 0; want++ {
		}
	}
	s.last = max(s.last, want)
	return want, nil
}

func (s *Stream) find(id int32) int {
	return slices.IndexFunc(s.targets, func(t *target) bool { return t.id == id })
}

// begin sends what a new target has, from a time on if it resumes, and a snapshot.
func (s *Stream) begin(t *target, from time.Time, resumes bool, req *pb.Target) error {
	known := resumes && !from.IsZero()
	var d difference
	var err error
	if known {
		d, err = t.since(from, time.Time{})
		known = !gone(err)
	}
	if !known {
		d, err = t.all(time.Time{})
	}
	if err != nil {
		return internal(err)
	}
	t.at = d.at

	// The others have to be where the new one is.
	commits, lost := s.queue.take(t.at)
	if !lost {
		if lost, err = s.play(commits); err != nil {
			return err
		}
	}
	s.targets = append(s.targets, t)
	if resumes && !known {
		if err := s.change(pb.TargetChange_RESET, t.id, time.Time{}); err != nil {
			return err
		}
	}
	if err := s.sendEvents(t, d.events); err != nil {
		return err
	}
	if want := req.GetExpectedCount(); known && want != nil && int(want.GetValue()) != d.before {
		if err := s.sendFilter(t, d.after); err != nil {
			return err
		}
	}
	at := t.at
	if lost {
		if at, err = s.catchUp(); err != nil {
			return err
		}
	}
	if err := s.change(pb.TargetChange_CURRENT, t.id, at); err != nil {
		return err
	}
	return s.snapshot(at)
}

// Remove sends what was committed before and removes a target, if there is one of that id.
func (s *Stream) Remove(id int32) error {
	if err := s.Flush(); err != nil || s.find(id) < 0 {
		return err
	}
	return s.remove(id, nil)
}

// remove forgets the target with an id, if there is one, and says that it is gone and why.
func (s *Stream) remove(id int32, cause error) error {
	s.targets = slices.DeleteFunc(s.targets, func(t *target) bool { return t.id == id })
	s.queue.watch(slices.Clone(s.targets))
	c := &pb.TargetChange{TargetChangeType: pb.TargetChange_REMOVE, TargetIds: []int32{id}}
	if cause != nil {
		c.Cause = status.Convert(cause).Proto()
	}
	return s.sendTargetChange(c)
}

// Flush sends what was committed since.
func (s *Stream) Flush() error {
	commits, lost := s.queue.take(time.Time{})
	if !lost {
		var err error
		if lost, err = s.play(commits); err != nil {
			return err
		}
	}
	if !lost {
		return nil
	}
	at, err := s.catchUp()
	if err != nil {
		return err
	}
	return s.snapshot(at)
}

// play sends what each commit changes, and a snapshot if it changes something. It stops, and
// reports true, if a target needs a past state that is gone.
func (s *Stream) play(commits []commit) (lost bool, err error) {
	for _, c := range commits {
		changed := false
		for _, t := range s.targets {
			if !t.at.Before(c.at) {
				continue
			}
			events, err := t.commit(c)
			if gone(err) {
				return true, nil
			}
			if err != nil {
				return false, internal(err)
			}
			t.at = c.at
			changed = changed || len(events) > 0
			if err := s.sendEvents(t, events); err != nil {
				return false, err
			}
		}
		if changed {
			if err := s.snapshot(c.at); err != nil {
				return false, err
			}
		}
	}
	return false, nil
}

// snapshot says that all targets are at a time.
func (s *Stream) snapshot(at time.Time) error {
	return s.sendTargetChange(&pb.TargetChange{
		TargetChangeType: pb.TargetChange_NO_CHANGE, ReadTime: timestamppb.New(at),
		ResumeToken: s.token(at),
	})
}

// change sends a change of one target, at a time or, if it is zero, at none.
func (s *Stream) change(kind pb.TargetChange_TargetChangeType, id int32, at time.Time) error {
	c := &pb.TargetChange{TargetChangeType: kind, TargetIds: []int32{id}}
	if !at.IsZero() {
		c.ReadTime, c.ResumeToken = timestamppb.New(at), s.token(at)
	}
	return s.sendTargetChange(c)
}

func (s *Stream) sendTargetChange(c *pb.TargetChange) error {
	return s.send(&pb.ListenResponse{ResponseType: &pb.ListenResponse_TargetChange{TargetChange: c}})
}

// gone reports that a read failed because of its time.
func gone(
	err error) bool {
	return errors.Is(err, store.ErrTooOld) || errors.Is(err, store.ErrFuture)
}

// internal gives an error that cannot be a code.
func internal(err error) error {
	return status.Errorf(codes.Internal, "read what a target has: %v", err)
}
