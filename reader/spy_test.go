package reader_test

import (
	"context"
	"sync"
	"testing"

	"cloud.google.com/go/firestore"
	"cloud.google.com/go/firestore/apiv1/firestorepb"

	"hippocampus/emulator/emulatortest"
	"hippocampus/internal/eval/bill"
	"hippocampus/internal/tenanttest"
)

// spy sits on a client's connection: it counts what the server sent, and fails
// calls as a test asks.
type spy struct {
	// fail returns the error of the n-th call, from 0; nil lets it pass. It may
	// block until the call's context ends.
	fail func(ctx context.Context, n int, call call) error
	// cut returns the error in place of what a query would deliver after its
	// received-th document.
	cut func(call call, received int) error

	meter bill.Meter
	mu    sync.Mutex
	calls []call
}

// call is the last part of a method, such as RunQuery, and what it is about.
type call struct{ method, about string }

func (s *spy) client(t testing.TB, tn *tenant) *firestore.Client {
	t.Helper()
	wire := &tenanttest.Wire{
		Call: func(ctx context.Context, c tenanttest.Call, send func() error) error {
			if err := s.begin(ctx, callOf(c)); err != nil {
				return err
			}
			return send()
		},
		Cut: func(c tenanttest.Call, received int) error {
			if s.cut == nil {
				return nil
			}
			return s.cut(callOf(c), received)
		},
	}
	// The meter comes last: what is refused or cut is not billed.
	return emulatortest.Client(t, tn.Emulator, append(wire.Options(), s.meter.Options()...)...)
}

func callOf(c tenanttest.Call) call {
	switch r := c.Request.(type) {
	case *firestorepb.CommitRequest:
		return call{c.Method, r.Writes[0].GetUpdate().GetName()}
	case *firestorepb.RunQueryRequest:
		return call{c.Method, r.Parent + "/" + r.GetStructuredQuery().From[0].CollectionId}
	case *firestorepb.BatchGetDocumentsRequest:
		return call{c.Method, r.Documents[0]}
	}
	return call{method: c.Method}
}

// read returns how many documents Firestore has billed since it was asked last.
func (s *spy) read() int { return s.meter.Take().Reads }

func (s *spy) count(method string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := 0
	for _, c := range s.calls {
		if c.method == method {
			n++
		}
	}
	return n
}

func (s *spy) begin(ctx context.Context, c call) error {
	s.mu.Lock()
	n := len(s.calls)
	s.calls = append(s.calls, c)
	s.mu.Unlock()
	if s.fail == nil {
		return nil
	}
	return s.fail(ctx, n, c)
}
