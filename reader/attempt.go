package reader

import (
	"context"
	"time"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
)

// attempts is how often a call is tried that fails for a reason that passes.
// The client itself tries a query again only while it opens the stream, and a
// scan in place of an index costs far more than a second query.
const attempts = 3

// attempt calls call until it succeeds, fails for good or has failed attempts
// times, and returns its last error. It waits 50 ms before the second attempt
// and 100 ms before the third.
func attempt(ctx context.Context, call func() error) error {
	wait := 50 * time.Millisecond
	for n := 1; ; n++ {
		err := call()
		if err == nil || n == attempts || !passing(err) {
			return err
		}
		select {
		case <-ctx.Done():
			return err
		case <-time.After(wait):
		}
		wait *= 2
	}
}

// passing reports whether a call that failed so may succeed if it is tried again.
func passing(err error) bool {
	switch status.Code(err) {
	case codes.Unavailable, codes.Internal, codes.DeadlineExceeded, codes.Aborted:
		return true
	}
	return false
}
