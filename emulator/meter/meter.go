// Package meter counts what billing would: documents read, written and deleted, and the bytes of
// requests and responses, for each caller by itself.
//
// The rules are those of https://firebase.google.com/docs/firestore/pricing:
//
//   - every document that is returned is one read, and so is one that is asked for by name and does not exist; masks
//     and projections make it no cheaper;
//   - a query, or a page of a listing, without results is one read, and every document that an offset skips is one;
//   - an aggregation is one read for each 1,000 index entries that match, or part of it, at least one, and nothing
//     else; a search for nearest vectors is one for each 100, and one for each result;
//   - a listener is one read for each document that is added to its results, changed in them, or leaves them because it
//     was changed; none for one that was deleted; and one if there are no results at first;
//   - a list of collections is one read;
//   - each write of a commit is one write, or one delete, also if it changes nothing; a failed commit is none.
//
// Sizes are those of the encoded messages, without the headers and frames around them.
package meter

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/metadata"
	"google.golang.org/protobuf/proto"

	"hippocampus/emulator/internal/call"
)

// Header is the gRPC metadata in which callers give their name.
const Header = "x-emulator-caller"

// Usage is what was counted.
type Usage struct {
	Reads, Writes, Deletes      int64 // documents, or what is billed as one
	RequestBytes, ResponseBytes int64
}

// Meter counts by interceptors of a gRPC server. Its zero value has counted nothing. It is safe for
// concurrent use, and calls do not wait for each other. A call that has been answered has been
// counted.
type Meter struct {
	counters sync.Map // *counter by account
}

type account struct{ project, caller string }

type counter struct{ reads, writes, deletes, requests, responses atomic.Int64 }

func (c *counter) add(u Usage) {
	for _, part := range []struct {
		to *atomic.Int64
		n  int64
	}{{&c.reads, u.Reads}, {&c.writes, u.Writes}, {&c.deletes, u.Deletes}, {&c.requests,
		u.RequestBytes}, {&c.responses, u.ResponseBytes}} {
		if part.n != 0 {
			part.to.Add(part.n)
		}
	}
}

// counter returns the counter of the call in ctx whose request is req.
func (m *Meter) counter(ctx context.Context, req any) *counter {
	a := account{project: call.Project(req)}
	if names := metadata.ValueFromIncomingContext(ctx, Header); len(names) > 0 {
		a.caller = names[0]
	}
	if c, ok := m.counters.Load(a); ok {
		return c.(*counter)
	}
	c, _ := m.counters.LoadOrStore(a, &counter{})
	return c.(*counter)
}

// Usage returns what each caller of a project has used since the last Reset. The name of those
// without one is "".
func (m *Meter) Usage(project string) map[string]Usage {
	usage := map[string]Usage{}
	m.each(project, func(caller string, c *counter) {
		u := Usage{c.reads.Load(), c.writes.Load(), c.deletes.Load(), c.requests.Load(),
			c.responses.Load()}
		if u != (Usage{}) {
			usage[caller] = u
		}
	})
	return usage
}

// Reset sets a project's counts to zero. A call that is being made is counted in part before, in
// part after.
func (m *Meter) Reset(project string) {
	m.each(project, func(_ string, c *counter) {
		for _, n := range []*atomic.Int64{&c.reads, &c.writes, &c.deletes, &c.requests,
			&c.responses} {
			n.Store(0)
		}
	})
}

func (m *Meter) each(project string, f func(caller string, c *counter)) {
	m.counters.Range(func(key, value any) bool {
		if a := key.(account); a.project == project {
			f(a.caller, value.(*counter))
		}
		return true
	})
}

// Unary is a server's interceptor.
func (m *Meter) Unary(ctx context.Context, req any, _ *grpc.UnaryServerInfo,
	handle grpc.UnaryHandler) (any, error) {
	c := m.counter(ctx, req)
	c.add(Usage{RequestBytes: size(req)})
	res, err := handle(ctx, req)
	used := cost(req, res, err)
	if err == nil {
		used.ResponseBytes = size(res)
	}
	c.add(used)
	return res, err
}

// Stream is a server's interceptor.
func (m *Meter) Stream(srv any, stream grpc.ServerStream, _ *grpc.StreamServerInfo,
	handle grpc.StreamHandler) error {
	s := &metered{ServerStream: stream, meter: m}
	s.ctx = context.WithValue(stream.Context(), ofStream{}, s)
	return handle(srv, s)
}

// How many index entries are one read.
const (
	OfAggregation = 1_000
	OfSearch      = 100
)

// CountEntries counts n index entries that a query looked at, which its responses do not show: one
// read for each perRead, or part of it, at least one. ctx is that of the stream; without a meter
// there is nothing to do.
func CountEntries(ctx context.Context, n, perRead int) {
	s, ok := ctx.Value(ofStream{}).(*metered)
	if !ok {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.count(nil, Usage{Reads: max(1, int64((n+perRead-1)/perRead))})
	s.costs.counted = true
}

// ofStream is the key of the context's value that is the stream.
type ofStream struct{}

// metered counts the messages of a stream. The first request comes before all else.
type metered struct {
	grpc.ServerStream
	meter *Meter
	ctx   context.Context // with itself

	mu      sync.Mutex // requests and responses of a listener come at the same time
	counter *counter
	costs   costs
}

func (s *metered) Context() context.Context { return s.ctx }

func (s *metered) RecvMsg(m any) error {
	if err := s.ServerStream.RecvMsg(m); err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.count(m, Usage{RequestBytes: size(m)})
	s.costs.request(m)
	return nil
}

func (s *metered) SendMsg(m any) error {
	s.mu.Lock()
	s.count(nil, Usage{Reads: s.costs.response(m), ResponseBytes: size(m)})
	s.mu.Unlock()
	return s.ServerStream.SendMsg(m)
}

// count adds to the counter of the project that the first request names. s.mu is held.
func (s *metered) count(first any, u Usage) {
	if s.counter == nil {
		s.counter = s.meter.counter(s.Context(), first)
	}
	s.counter.add(u)
}

func size(m any) int64 {
	if m, ok := m.(proto.Message); ok {
		return int64(proto.Size(m))
	}
	return 0
}

// caller sends a name with every call.
type caller string

// Caller returns credentials that give a caller's name with every call of a client; it takes them
// along with those that it has. A name is printable ASCII.
func Caller(name string) (credentials.PerRPCCredentials, error) {
	for i := range len(name) {
		if name[i] < ' ' || name[i] > '~' {
			return nil, fmt.Errorf("the caller's name %q has other characters than printable ASCII; leave them out", name)
		}
	}
	return caller(name), nil
}

func (c caller) GetRequestMetadata(context.Context, ...string) (map[string]string, error) {
	return map[string]string{Header: string(c)}, nil
}

func (caller) RequireTransportSecurity() bool { return false }
