// Package bill counts, on a client's own connection, what Firestore bills for the client's calls,
// and the bytes that these move. It needs nothing of the server, so that it measures an emulator
// and a project alike.
//
// The rules are those of https://firebase.google.com/docs/firestore/pricing:
//
//   - a document that comes is one read, and so is one that is asked for by name and does not exist;
//   - a query without results, or a page of a listing without any, is one read, and so is a document that an offset skips;
//   - an aggregation is one read for each 1,000 documents counted, or part of it, at least one;
//   - a list of collections is one read;
//   - each write of a commit is one write, or one delete; of a batch only those that were made; a failed commit is none.
//
// Three things are billed and do not show on the wire, so that the count is less than the bill:
// what the server had sent of a query that the client left before its end; sums and averages
// without a count next to them, which are counted as one read; and the index entries that a search
// for nearest vectors looks at. Listeners and pipelines are not counted.
package bill

import (
	"context"
	"sync"

	"google.golang.org/api/option"
	"google.golang.org/grpc"
	"google.golang.org/grpc/stats"
)

// Count is what was counted.
type Count struct {
	Reads, Writes, Deletes int // documents, or what is billed as one
	// Received and Sent are bytes of messages as they were on the wire, with the 5 bytes before
	// each message, without headers.
	Received, Sent int64
}

// Meter counts the calls of the clients that are made with its Options. Its zero value has counted
// nothing. It is safe for concurrent use. A call that has returned has been counted, a stream as
// far as it was received.
type Meter struct {
	mu    sync.Mutex
	count Count
}

// Options are the options of a client whose calls are counted.
func (m *Meter) Options() []option.ClientOption {
	return []option.ClientOption{
		option.WithGRPCDialOption(grpc.WithStatsHandler(wire{m})),
		option.WithGRPCDialOption(grpc.WithChainUnaryInterceptor(m.unary)),
		option.WithGRPCDialOption(grpc.WithChainStreamInterceptor(m.stream)),
	}
}

// Take returns what was counted since the last Take.
func (m *Meter) Take() Count {
	m.mu.Lock()
	defer m.mu.Unlock()
	taken := m.count
	m.count = Count{}
	return taken
}

func (m *Meter) add(c Count) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.count.Reads += c.Reads
	m.count.Writes += c.Writes
	m.count.Deletes += c.Deletes
	m.count.Received += c.Received
	m.count.Sent += c.Sent
}

func (m *Meter) unary(ctx context.Context, method string, req, res any, cc *grpc.ClientConn,
	invoke grpc.UnaryInvoker,
	opts ...grpc.CallOption) error {
	err := invoke(ctx, method, req, res, cc, opts...)
	m.add(cost(req, res, err))
	return err
}

func (m *Meter) stream(ctx context.Context, desc *grpc.StreamDesc, cc *grpc.ClientConn,
	method string, open grpc.Streamer,
	opts ...grpc.CallOption) (grpc.ClientStream, error) {
	s, err := open(ctx, desc, cc, method, opts...)
	if err != nil {
		return nil, err
	}
	return &stream{ClientStream: s, meter: m}, nil
}

// wire counts bytes.
type wire struct{ meter *Meter }

func (w wire) HandleRPC(_ context.Context, s stats.RPCStats) {
	switch s := s.(type) {
	case *stats.InPayload:
		w.meter.add(Count{Received: int64(s.WireLength)})
	case *stats.OutPayload:
		w.meter.add(Count{Sent: int64(s.WireLength)})
	}
}

func (wire) TagRPC(ctx context.Context, _ *stats.RPCTagInfo) context.Context   { return ctx }
func (wire) TagConn(ctx context.Context, _ *stats.ConnTagInfo) context.Context { return ctx }
func (wire) HandleConn(context.Context, stats.ConnStats)                       {}
