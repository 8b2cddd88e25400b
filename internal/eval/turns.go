package eval

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math"
	"runtime"
	"slices"
	"time"

	"cloud.google.com/go/firestore"
	"google.golang.org/api/option"

	"hippocampus/index"
	"hippocampus/internal/eval/bill"
	"hippocampus/internal/eval/result"
	"hippocampus/internal/ways"
	"hippocampus/memory"
	"hippocampus/reader"
)

// TurnSpec says which turns are to be measured. It goes to another process as JSON.
type TurnSpec struct {
	Collection string       `json:"collection"`
	IDs        string       `json:"ids"`
	DateField  string       `json:"date_field"`
	Maps       string       `json:"maps,omitempty"` // where the list is kept as maps of fields
	Ways       []result.Way `json:"ways"`
	Memories   int          `json:"memories"` // that each must list
	// Turns of a way are measured until there are MaxTurns, or MinTurns and they have taken so many
	// seconds.
	MinTurns int     `json:"least"`
	MaxTurns int     `json:"most"`
	Seconds  float64 `json:"seconds"`
}

// Opener makes a client.
type Opener func(ctx context.Context, opts ...option.ClientOption) (*firestore.Client, error)

// MeasureTurns measures turns over a client of its own. Allocations are those of the whole process,
// so nothing else should run in it.
func MeasureTurns(ctx context.Context, open Opener, spec *TurnSpec) (_ []result.Turn, err error) {
	var meter bill.Meter
	client, err := open(ctx, meter.Options()...)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, client.Close()) }()
	ids, err := memory.ParseIDKind(spec.IDs)
	if err != nil {
		return nil, err
	}
	schema := memory.Schema{IDs: ids, DateField: spec.DateField}
	m := &turnMeter{spec: spec, meter: &meter, client: client,
		reader: reader.New(client, &reader.Options{Schema: schema,
			Logger: slog.New(slog.DiscardHandler)}),
		ways: ways.Options{PlainIDs: ids == memory.Plain, DateField: spec.DateField},
	}
	samples := make([]turnSamples, len(spec.Ways))
	for turn := 0; ; turn++ { // by turns, so that what else the machine does hits all ways alike
		busy := false
		for i, way := range spec.Ways {
			if turn > 0 && samples[i].enough(spec) {
				continue
			}
			busy = true
			s, err := m.measure(ctx, way)
			if err != nil {
				return nil, fmt.Errorf("%s of %d memories: %w", way, spec.Memories, err)
			}
			if turn > 0 { // the first warms up
				samples[i] = append(samples[i], s)
			}
		}
		if !busy {
			break
		}
	}
	var found []result.Turn
	for i, way := range spec.Ways {
		found = append(found, samples[i].turn(way, spec.Memories))
	}
	return found, nil
}

// turnMeter makes turns and measures them.
type turnMeter struct {
	spec   *TurnSpec
	meter  *bill.Meter
	client *firestore.Client
	reader *reader.Reader
	ways   ways.Options
}

// turnSample is one turn.
type turnSample struct {
	documents   int
	bytes       int64
	took        time.Duration
	allocations int64
	prompt      int
}

type turnSamples []turnSample

func (m *turnMeter) measure(ctx context.Context, way result.Way) (turnSample, error) {
	runtime.GC() // so that no turn pays for what the one before has left
	m.meter.Take()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	started := time.Now()
	made, err := m.list(ctx, way)
	took := time.Since(started)
	runtime.ReadMemStats(&after)
	if err != nil {
		return turnSample{}, err
	}
	list := made()
	if len(list.Entries) != m.spec.Memories {
		return turnSample{}, fmt.Errorf("%d memories are listed: others change them meanwhile",
			len(list.Entries))
	}
	count := m.meter.Take()
	if count.Reads == 0 {
		return turnSample{}, errors.New("no document was counted: the client was not opened with the options that count")
	}
	return turnSample{
		documents: count.Reads, bytes: count.Received, took: took,
		allocations: int64(after.Mallocs - before.Mallocs),
		prompt:      len(list.Text(nil)),
	}, nil
}

// list makes one turn's list. What it returns makes ours of it, which is no part of the turn.
func (m *turnMeter) list(ctx context.Context, way result.Way) (func() *reader.List, error) {
	var list []ways.Entry
	var err error
	switch way {
	case result.FullScan:
		list, _, err = ways.FullScan(ctx, m.client, m.spec.Collection, m.ways)
	case result.NamesScan:
		list, _, err = ways.NamesScan(ctx, m.client, m.spec.Collection, m.ways)
	case result.Maps:
		list, _, err = ways.Maps(ctx, m.client, m.spec.Maps, m.ways)
	case result.Index, result.Changed:
		found, err := m.reader.List(ctx, m.spec.Collection)
		if err == nil && found.Receipt.Source != reader.FromIndex {
			err = fmt.Errorf("the list does not come from the index: %s", found.Receipt.Detail)
		}
		return func() *reader.List { return found }, err
	default:
		err = fmt.Errorf("%q is no way of making a list", way)
	}
	return func() *reader.List {
		entries := make([]index.Entry, len(list))
		for i, e := range list {
			entries[i] = index.Entry{Name: e.Name, Date: memory.Micros(e.Date), RawID: e.RawID}
		}
		return &reader.List{Entries: entries}
	}, err
}

// enough reports whether there are as many turns as are wanted.
func (s turnSamples) enough(spec *TurnSpec) bool {
	var took time.Duration
	for _, t := range s {
		took += t.took
	}
	return len(s) >= spec.MaxTurns || len(s) >= spec.MinTurns && took.Seconds() >= spec.Seconds
}

func (s turnSamples) turn(way result.Way, memories int) result.Turn {
	ms := make([]float64, len(s))
	for i, t := range s {
		ms[i] = milliseconds(t.took)
	}
	slices.Sort(ms)
	return result.Turn{
		Memories: memories, Way: way, Turns: len(s),
		MedianMS: quantile(ms, .5), P95MS: quantile(ms, .95),
		Documents:   middle(s, func(t turnSample) int64 { return int64(t.documents) }),
		Bytes:       int64(middle(s, func(t turnSample) int64 { return t.bytes })),
		Allocations: int64(middle(s, func(t turnSample) int64 { return t.allocations })),
		PromptBytes: middle(s, func(t turnSample) int64 { return int64(t.prompt) }),
	}
}

// middle returns the median of a figure.
func middle(s turnSamples, of func(turnSample) int64) int {
	values := make([]int64, len(s))
	for i, t := range s {
		values[i] = of(t)
	}
	slices.Sort(values)
	return int(values[(len(values)-1)/2])
}

// quantile returns the smallest of sorted figures that a part of them does not exceed (the nearest
// rank).
func quantile(sorted []float64, part float64) float64 {
	if len(sorted) == 0 {
		return 0
	}
	return sorted[max(0, int(math.Ceil(part*float64(len(sorted))))-1)]
}

// milliseconds, to the microsecond.
func milliseconds(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }
