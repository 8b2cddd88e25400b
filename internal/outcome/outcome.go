// Package outcome says what an error of Firestore means for what to do next. The product looks at
// the codes of gRPC here and nowhere else.
package outcome

import (
	"context"
	"errors"
	"time"

	"github.com/googleapis/gax-go/v2"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
)

// Outcome is what became of a call.
type Outcome int

const (
	OK              Outcome = iota
	NotFound                // there is no such document, or no such database
	Exists                  // what was to be created is there
	Changed                 // a document is not as the write requires it, or the read asks for too old a past
	Contended               // others write the same documents: the commit was not applied
	Invalid                 // never accepted as it stands, such as a document that has become too large
	Denied                  // these credentials may not do that
	Unauthenticated         // there are no credentials, or they do not hold
	Exhausted               // a quota or limit is reached, or the server overloaded
	Unavailable             // no answer, or not in time: it may have been applied
	Internal                // the server has failed: it may have been applied
	Canceled                // the caller has ended it
	Failed                  // anything else
)

// Of returns what an error of Firestore's client means, also a wrapped one. That of a context which
// has ended means what the server's own would.
func Of(err error) Outcome {
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		return Unavailable
	case errors.Is(err, context.Canceled):
		return Canceled
	}
	switch status.Code(err) {
	case codes.OK:
		return OK
	case codes.NotFound:
		return NotFound
	case codes.AlreadyExists:
		return Exists
	case codes.FailedPrecondition:
		return Changed
	case codes.Aborted:
		return Contended
	case codes.InvalidArgument:
		return Invalid
	case codes.PermissionDenied:
		return Denied
	case codes.Unauthenticated:
		return Unauthenticated
	case codes.ResourceExhausted:
		return Exhausted
	case codes.Unavailable, codes.DeadlineExceeded:
		return Unavailable
	case codes.Internal:
		return Internal
	case codes.Canceled:
		return Canceled
	}
	return Failed
}

// Transient reports whether the same call may succeed if it is made again soon. A server that is
// overloaded is not among them: it should not get more to do.
func (o Outcome) Transient() bool { return o == Unavailable || o == Internal || o == Contended }

// RetryTransient makes a call up to three times, as long as it fails for a reason that may pass,
// and returns its last error. Between attempts it pauses for up to 50 and 100 ms, at random, or
// until ctx ends.
func RetryTransient(ctx context.Context, call func() error) error {
	return retry(ctx, 3, Outcome.Transient, call)
}

// RetryContended makes a commit up to five times, as long as others write the same documents, and
// returns its last error. It pauses as RetryTransient does, for up to 400 ms in the end.
func RetryContended(ctx context.Context, commit func() error) error {
	return retry(ctx, 5, func(o Outcome) bool { return o == Contended }, commit)
}

func retry(ctx context.Context, attempts int, again func(Outcome) bool, call func() error) error {
	pause := gax.Backoff{Initial: 50 * time.Millisecond, Max: 400 * time.Millisecond, Multiplier: 2}
	for n := 1; ; n++ {
		err := call()
		if n == attempts || !again(Of(err)) {
			return err
		}
		if gax.Sleep(ctx, pause.Pause()) != nil {
			return err
		}
	}
}
