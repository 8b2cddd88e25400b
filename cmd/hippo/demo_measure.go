package main

import (
	"context"
	"slices"
	"time"

	"hippocampus/eval/bill"
	"hippocampus/eval/ways"
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
	var wire bill.Meter
	client, err := d.stack.Emulator.Client(ctx, wire.Options()...)
	if err != nil {
		return err
	}
	defer client.Close()
	memories := reader.New(client, nil)
	turns := []struct {
		name string
		list func(ctx context.Context) error
	}{
		{"with the index", func(ctx context.Context) error {
			_, err := memories.List(ctx, demoCollection)
			return err
		}},
		{"names-only scan", func(ctx context.Context) error {
			_, _, err := ways.NamesScan(ctx, client, demoCollection, ways.Options{})
			return err
		}},
		{"full scan", func(ctx context.Context) error {
			_, _, err := ways.FullScan(ctx, client, demoCollection, ways.Options{})
			return err
		}},
	}
	samples := make([][]cost, len(turns))
	for turn := range measuredTurns + 1 {
		for i, way := range turns {
			wire.Take()
			started := time.Now()
			if err := way.list(ctx); err != nil {
				return err
			}
			ms := float64(time.Since(started).Microseconds()) / 1000
			if used := wire.Take(); turn > 0 {
				samples[i] = append(samples[i], cost{way.name, used.Reads, used.Received, ms})
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
