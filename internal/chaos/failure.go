package chaos

import (
	"context"
	"fmt"
	"runtime/debug"
	"strings"

	"cloud.google.com/go/firestore"
)

// Failure is what a schedule found.
type Failure struct {
	// Seed is the schedule's. On the embedded emulator the same seed finds the same again.
	Seed uint64
	// Text is all steps of the schedule, a line each, and then what was not as it should be.
	Text string
}

// A schedule throws what ends it, so that checks can be anywhere: a *Failure if it found something,
// or aborted if it cannot go on and that tells nothing of the product.
type aborted struct{ err error }

// caught turns what a schedule threw into its result: a Failure or an error, never both. Any
// other panic is a Failure, the product's or this package's own: a schedule that panicked must
// not count as clean.
func (s *schedule) caught(thrown any) (*Failure, error) {
	switch thrown := thrown.(type) {
	case *Failure:
		return thrown, nil
	case *aborted:
		if s.ctx.Err() == context.DeadlineExceeded {
			return nil, fmt.Errorf("seed %d: it takes more than %s: give the machine less to do at once: %w", s.seed, longest, thrown.err)
		}
		return nil, fmt.Errorf("seed %d: %w", s.seed, thrown.err)
	}
	return s.failure("panic: %v\n%s", thrown, debug.Stack()), nil
}

func (s *schedule) failure(format string, args ...any) *Failure {
	return &Failure{s.seed, fmt.Sprintf("seed %d\n%s\n\n%s", s.seed, strings.Join(s.trace, "\n"),
		fmt.Sprintf(format, args...))}
}

// failf says what the schedule found.
func (s *schedule) failf(format string, args ...any) { panic(s.failure(format, args...)) }

// mustFirestore is for what Firestore always does.
func (s *schedule) mustFirestore(err error) {
	if err != nil {
		panic(&aborted{err})
	}
}

// mustProduct is for what the product always does.
func (s *schedule) mustProduct(err error) {
	if err != nil {
		s.unexpected(err, "the application")
	}
}

// unexpected ends the schedule with a Failure: the product returned err where nothing had been
// made to go wrong. If Firestore no longer answers it aborts the schedule instead.
func (s *schedule) unexpected(err error, format string, args ...any) {
	ctx, cancel := context.WithTimeout(s.ctx, farewell)
	defer cancel()
	if _, down := s.client.GetAll(ctx, []*firestore.DocumentRef{s.client.Doc("chaos/nothing")}); down != nil {
		panic(&aborted{fmt.Errorf("%w (then %s: %w)", down, fmt.Sprintf(format, args...), err)})
	}
	s.failf("%s: fails for no reason: %v", fmt.Sprintf(format, args...), err)
}

// abandon ends what is under way. No other schedule can use the world.
func (s *schedule) abandon() {
	s.ruined = true
	for a := range s.actors {
		a.abandon()
	}
}

// longest is how long a schedule may take. It takes a second.
const longest = 2 * hangTimeout
