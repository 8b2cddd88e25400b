package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"hippocampus/emulator/eventarc"
	"hippocampus/memory"
	"hippocampus/reader"
	"hippocampus/repair"
)

// prepare is what has to be done once the stack runs.
func (d *demo) prepare(notes string) error {
	store, err := memory.NewStore(d.stack.Client, demoCollection, memory.Schema{})
	if err != nil {
		return err
	}
	d.importer = &importer{store: store, dir: notes, source: "demo", done: func(int) {}}
	d.reader = reader.New(d.stack.Client, nil)
	// No horizon: the demo knows that no event is under way.
	d.repair = &repair.Options{SnapshotLag: d.emulator.Lag(), Horizon: -1}
	return nil
}

// importNotes makes memories of the notes and waits until the index has them.
func (d *demo) importNotes(ctx context.Context, files []string) error {
	started := time.Now()
	result, err := d.importer.run(ctx, files)
	if err != nil {
		return err
	}
	if err := d.stack.Broker.Drain(ctx); err != nil {
		return err
	}
	d.facts.Import = demoImport{Folder: d.importer.dir, Memories: result.Added,
		Refused: result.Refused, MS: time.Since(started).Milliseconds()}
	return nil
}

// firstTurn is the first turn ever of this tenant: there is no index, so the list
// comes from a scan, and the turn asks for an index.
func (d *demo) firstTurn(ctx context.Context) error {
	list, err := d.reader.List(ctx, demoCollection)
	if err != nil {
		return err
	}
	d.facts.FirstTurn = list.Receipt
	return d.stack.Broker.Drain(ctx) // the build is done when its event is acknowledged
}

// turn is every turn from then on.
func (d *demo) turn(ctx context.Context) error {
	list, err := d.list(ctx)
	if err != nil {
		return err
	}
	d.facts.Turn = demoTurn{Text: list.Text(nil), Receipt: list.Receipt}
	return nil
}

// list reads the list, which must come from the index.
func (d *demo) list(ctx context.Context) (*reader.List, error) {
	list, err := d.reader.List(ctx, demoCollection)
	if err != nil {
		return nil, err
	}
	if list.Receipt.Source != reader.FromIndex {
		return nil, fmt.Errorf("the list comes from a scan and should come from the index: %s",
			list.Receipt)
	}
	return list, nil
}

// follow changes, deletes and adds a memory and sees what the list makes of it.
func (d *demo) follow(ctx context.Context) error {
	list, err := d.list(ctx)
	if err != nil {
		return err
	}
	oldest, newest := list.Entries[len(list.Entries)-1].Name, list.Entries[0].Name
	for _, change := range []struct {
		what, name string
		do         func(ctx context.Context, name string) error
	}{
		{"changed", oldest, d.write},
		{"deleted", newest, d.importer.store.Delete},
		{"added", "notebook/Written by the demo", d.write},
	} {
		f := followed{What: change.what, Name: change.name}
		if f.Before, err = d.place(ctx, change.name, nil); err != nil {
			return err
		}
		if err := change.do(ctx, change.name); err != nil {
			return err
		}
		started := time.Now()
		if err := d.stack.Broker.Drain(ctx); err != nil {
			return err
		}
		f.MS = time.Since(started).Milliseconds()
		if f.After, err = d.place(ctx, change.name, &f); err != nil {
			return err
		}
		d.facts.Followed = append(d.facts.Followed, f)
	}
	return nil
}

func (d *demo) write(ctx context.Context, name string) error {
	return d.importer.store.Put(ctx, name, map[string]any{bodyField: "Written by the demo.\n"}, nil)
}

// place returns where a name is in the list, from 1, or 0.
func (d *demo) place(ctx context.Context, name string, f *followed) (int, error) {
	list, err := d.list(ctx)
	if err != nil {
		return 0, err
	}
	if f != nil {
		f.Count, f.DocumentsRead = list.Receipt.Count, list.Receipt.DocumentsRead
	}
	for i, e := range list.Entries {
		if e.Name == name {
			return i + 1, nil
		}
	}
	return 0, nil
}

// loseEvents makes the same kinds of changes again while every event is lost, and
// sees how the index differs from the memories.
func (d *demo) loseEvents(ctx context.Context) error {
	list, err := d.list(ctx)
	if err != nil {
		return err
	}
	broker := d.stack.Broker
	before := broker.Stats().Lost
	if err := broker.Misbehave(eventarc.Chaos{Lose: 1}); err != nil {
		return err
	}
	n := len(list.Entries)
	err = errors.Join(
		d.write(ctx, list.Entries[n-1].Name),
		d.importer.store.Delete(ctx, list.Entries[n-2].Name),
		d.write(ctx, "notebook/Written while events were lost"),
		broker.Drain(ctx),
		broker.Misbehave(eventarc.Chaos{}),
	)
	if err != nil {
		return err
	}
	d.facts.Lost.Events = broker.Stats().Lost - before
	d.facts.Lost.Drift, err = d.drift(ctx)
	return err
}

// repairIndex repairs, and checks the outcome against a scan.
func (d *demo) repairIndex(ctx context.Context) error {
	result, err := repair.Build(ctx, d.stack.Client, demoCollection, d.repair)
	if err != nil {
		return err
	}
	f := &d.facts.Repaired
	f.Memories, f.Reads, f.Writes, f.MS = result.Memories, result.Reads, result.Writes, result.Took.Milliseconds()
	if f.Drift, err = d.drift(ctx); err != nil {
		return err
	}
	list, err := d.list(ctx)
	if err != nil {
		return err
	}
	scan, err := d.scan(ctx)
	if err != nil {
		return err
	}
	f.Receipt = list.Receipt
	f.EqualsScan = slices.Equal(list.Entries, scan)
	if !f.EqualsScan {
		return fmt.Errorf("after the repair the list differs from a scan: this must not happen")
	}
	return nil
}

// drift compares index and memories, all that was written before included.
func (d *demo) drift(ctx context.Context) (*repair.Drift, error) {
	report, err := repair.Check(ctx, d.stack.Client, demoCollection, d.repair)
	if err != nil {
		return nil, err
	}
	if report.Drift == nil {
		return nil, fmt.Errorf("the index cannot be compared with the memories: %w",
			report.View.Err)
	}
	return report.Drift, nil
}
