package main

import (
	"context"
	"errors"
	"slices"
	"sync/atomic"
	"time"

	"cloud.google.com/go/firestore"
	"google.golang.org/api/iterator"
	"google.golang.org/api/option"
	"google.golang.org/grpc"
	"google.golang.org/grpc/stats"

	"hippocampus/index"
	"hippocampus/memory"
	"hippocampus/reader"
)

// measuredTurns is how many turns each way of listing is measured; their median
// counts. One more before them warms up.
const measuredTurns = 21

// cost is what a turn costs in one way of listing.
type cost struct {
	Way       string  `json:"way"`
	Documents int     `json:"documents_read"` // as Firestore bills them
	Bytes     int64   `json:"bytes"`          // that came over the wire
	MS        float64 `json:"ms"`
}

// measure takes the same turn in three ways, by turns, so that what else the
// machine does hits all alike.
func (d *demo) measure(ctx context.Context) error {
	var wire wireBytes
	client, err := d.stack.Emulator.Client(ctx, option.WithGRPCDialOption(grpc.WithStatsHandler(&wire)))
	if err != nil {
		return err
	}
	defer client.Close()
	store, err := memory.NewStore(client, demoCollection, memory.Schema{})
	if err != nil {
		return err
	}
	memories := reader.New(client, nil)
	ways := []struct {
		name string
		list func(ctx context.Context) (documents int, err error)
	}{
		{"with the index", func(ctx context.Context) (int, error) {
			list, err := memories.List(ctx, demoCollection)
			if err != nil {
				return 0, err
			}
			return list.Receipt.DocumentsRead, nil
		}},
		{"names-only scan", func(ctx context.Context) (n int, err error) {
			var entries []index.Entry
			err = store.Scan(ctx, nil, func(r memory.Record) error {
				entries = append(entries, index.EntryOf(memory.Base64URL, r))
				return nil
			})
			index.Sort(entries)
			return len(entries), err
		}},
		{"full scan", func(ctx context.Context) (int, error) { return fullScan(ctx, client) }},
	}
	samples := make([][]cost, len(ways))
	for turn := range measuredTurns + 1 {
		for i, way := range ways {
			before, started := wire.received.Load(), time.Now()
			documents, err := way.list(ctx)
			if err != nil {
				return err
			}
			if turn > 0 {
				ms := float64(time.Since(started).Microseconds()) / 1000
				samples[i] = append(samples[i], cost{way.name, documents, wire.received.Load() - before, ms})
			}
		}
	}
	d.facts.Turns = measuredTurns
	for _, s := range samples {
		d.facts.Costs = append(d.facts.Costs, cost{
			Way:       s[0].Way,
			Documents: median(s, func(c cost) int { return c.Documents }),
			Bytes:     median(s, func(c cost) int64 { return c.Bytes }),
			MS:        median(s, func(c cost) float64 { return c.MS }),
		})
	}
	return nil
}

// fullScan lists the memories the way most backends do: by reading them all.
func fullScan(ctx context.Context, client *firestore.Client) (int, error) {
	documents := client.Collection(demoCollection).OrderBy(memory.DefaultDateField, firestore.Desc).Documents(ctx)
	defer documents.Stop()
	for n := 0; ; n++ {
		doc, err := documents.Next()
		if errors.Is(err, iterator.Done) {
			return n, nil
		}
		if err != nil {
			return 0, err
		}
		_ = doc.Data()
	}
}

// scan returns the list as a scan of the memories gives it.
func (d *demo) scan(ctx context.Context) ([]index.Entry, error) {
	var entries []index.Entry
	err := d.importer.store.Scan(ctx, nil, func(r memory.Record) error {
		entries = append(entries, index.EntryOf(memory.Base64URL, r))
		return nil
	})
	index.Sort(entries)
	return entries, err
}

func median[T int | int64 | float64](samples []cost, value func(cost) T) T {
	values := make([]T, len(samples))
	for i, s := range samples {
		values[i] = value(s)
	}
	slices.Sort(values)
	return values[len(values)/2]
}

// wireBytes counts what a gRPC client receives, before it is decoded.
type wireBytes struct{ received atomic.Int64 }

func (w *wireBytes) HandleRPC(_ context.Context, s stats.RPCStats) {
	if in, ok := s.(*stats.InPayload); ok {
		w.received.Add(int64(in.WireLength))
	}
}

func (*wireBytes) TagRPC(ctx context.Context, _ *stats.RPCTagInfo) context.Context   { return ctx }
func (*wireBytes) TagConn(ctx context.Context, _ *stats.ConnTagInfo) context.Context { return ctx }
func (*wireBytes) HandleConn(context.Context, stats.ConnStats)                       {}
