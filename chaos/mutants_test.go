package chaos

var mutants = []faulty{
	// Those of the protocol's model.
	{name: "without rule 1", patches: []patch{{
		"index/view.go", `
		if !e.Deleted && e.Version <= v.Meta.ScanStarted {
			continue // rule 1
		}`, ``,
	}}, finds: differs},
	{name: "no tombstones", patches: []patch{{
		"index/change.go", `u.set(Key(c.Old.Version+1, c.ID), nil)`, ``,
	}}, finds: differs},
	{name: "compactions drop tombstones", patches: []patch{{
		"index/view.go", `return e.Deleted && e.Version <= started`, `_ = started; return e.Deleted`,
	}}, finds: differs},
	{name: "the index is read later than the store", patches: []patch{{
		"repair/observe.go", `*atF.WithReadOptions(firestore.ReadTime(o.f.Time()))`, `atF`,
	}}, finds: differs},
	{name: "a change between unusable dates is none", patches: []patch{{
		"index/change.go", `if c.Old != nil && c.Old.Date == c.New.Date {`,
		`if c.Old != nil && (c.Old.Date == c.New.Date || c.Old.Date == c.Old.Version && c.New.Date == c.New.Version) {`,
	}}, finds: differs},
	{name: "no precondition at the flip", patches: []patch{{
		"repair/flip.go", `ref.Update(ctx, updates, firestore.LastUpdateTime(before.updateTime))`, `ref.Update(ctx, updates)`,
	}}, finds: differs},
	{name: "full folds go back behind compactions", patches: []patch{{
		"repair/observe.go", `f: max(meta.readTime-memory.Micros(r.SnapshotLag.Microseconds()), meta.asOf)`,
		`f: meta.readTime-memory.Micros(r.SnapshotLag.Microseconds())`,
	}}, finds: differs},

	// Parts of the base, so small that there are several.
	{name: "sound, with small parts", patches: []patch{smallParts}},
	{name: "sound, with small parts and faults", patches: []patch{smallParts}, tests: "^TestFaults$/^(full fold|compaction)$"},
	{name: "runs share the names of parts", patches: []patch{smallParts, {
		"index/path.go", `fmt.Sprintf("%s%d-%s-%d", BasePrefix, generation, run, part)`, `fmt.Sprintf("%s%d-%d", BasePrefix, generation, part)`,
	}}, finds: "does not come from the index"},
	{name: "parts are not cleaned up", patches: []patch{smallParts, {
		"repair/cleanup.go", `for _, part := range seen.Parts {`, `for _, part := range seen.Parts[:0] {`,
	}}, finds: garbage},

	{name: "a lost reply is taken for a lost flip", patches: []patch{smallParts, {
		"repair/flip.go", `if now.Run == r.id {`, `if now.Run == r.id+"?" {`,
	}}, finds: "fails for no reason: .* another repair of this collection won|does not come from the index"},

	// The order of the list, and its dates.
	{name: "names of one date the other way round", patches: []patch{{
		"index/entry.go", `strings.Compare(a.Name, b.Name)`, `strings.Compare(b.Name, a.Name)`,
	}}, finds: differs},
	{name: "what has no date is dated 1970", patches: []patch{{
		"memory/record.go", "	return version\n}", "	return min(version, 0)\n}",
	}}, finds: differs},

	// Others.
	{name: "tombstones at the version deleted", patches: []patch{{
		"index/change.go", `u.set(Key(c.Old.Version+1, c.ID), nil)`, `u.set(Key(c.Old.Version, c.ID), nil); return true`,
	}}, finds: differs},
	{name: "rule 1 for tombstones too", patches: []patch{{
		"index/view.go", `if !e.Deleted && e.Version <= v.Meta.ScanStarted {`, `if e.Version <= v.Meta.ScanStarted {`,
	}}, finds: differs},
	{name: "the latest date wins, not the highest version", patches: []patch{{
		"index/view.go", `!ok || e.Version > w.Version {`, `!ok || e.Date > w.Date {`,
	}}, finds: differs},
	{name: "shards are deleted as they are", patches: []patch{{
		"repair/cleanup.go", `r.delete(ctx, shard.ID, firestore.LastUpdateTime(shard.UpdateTime))`, `r.delete(ctx, shard.ID)`,
	}}, finds: differs},
	{name: "compactions claim to have scanned", patches: []patch{{
		"repair/fold.go", `ScanStarted: view.Meta.ScanStarted,`, `ScanStarted: max(readTime, view.Meta.AsOf),`,
	}}, finds: differs},
	{name: "compactions do not say what they read", patches: []patch{{
		"repair/fold.go", `max(readTime, view.Meta.AsOf),`, `max(view.Meta.AsOf, readTime-readTime),`,
	}}, finds: differs},
	{name: "events are acknowledged though not committed", patches: []patch{{
		"functions/written.go", `return fmt.Errorf("event %s of %s/%s: %w", e.ID(), c.memories, c.id, err)`, `return nil`,
	}}, finds: differs},
	{name: "failed events are acknowledged", patches: []patch{{
		"functions/written.go", `return fmt.Errorf("event %s of %s/%s: %w", e.ID(), c.memories, c.id, err)`, `return nil`,
	}}, tests: "^TestFaults$/^hook", finds: differs},
	{name: "what a full shard refuses is dropped", patches: []patch{{
		"functions/settle.go", `other = freshShard()`, `other = s.id`,
	}}, finds: differs + "|" + unasked},
	{name: "absence is no news", patches: []patch{{
		"functions/event.go", `c.update.AddAbsence(c.id, memory.MicrosOf(snapshot.ReadTime))`, ``,
	}}, finds: differs},
	{name: "requests are not removed", patches: []patch{{
		"repair/cleanup.go", `if seen.Request != nil {`, `if seen.Request != nil && len(failures) > 0 {`,
	}}, finds: garbage},
}

var smallParts = patch{"index/block.go", `MaxPartBytes = 900_000`, `MaxPartBytes = 1`}
