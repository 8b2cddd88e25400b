package chaos_test

var mutants = []mutant{
	// Those of the protocol's model.
	{"without rule 1", []patch{{
		"index/view.go", `
		if !e.Deleted && e.Version <= v.Meta.ScanStarted {
			continue // rule 1
		}`, ``,
	}}, differs},
	{"no tombstones", []patch{{
		"index/change.go", `u.set(Key(c.Old.Version+1, c.ID), nil)`, ``,
	}}, differs},
	{"compactions drop tombstones", []patch{{
		"index/view.go", `return e.Deleted && e.Version <= started`, `_ = started; return e.Deleted`,
	}}, differs},
	{"the index is read later than the store", []patch{{
		"repair/observe.go", `*atF.WithReadOptions(firestore.ReadTime(o.f.Time()))`, `atF`,
	}}, differs},
	{"a change between unusable dates is none", []patch{{
		"index/change.go", `if c.Old != nil && c.Old.Date == c.New.Date {`,
		`if c.Old != nil && (c.Old.Date == c.New.Date || c.Old.Date == c.Old.Version && c.New.Date == c.New.Version) {`,
	}}, differs},
	{"no precondition at the flip", []patch{{
		"repair/flip.go", `ref.Update(ctx, updates, firestore.LastUpdateTime(before.updateTime))`, `ref.Update(ctx, updates)`,
	}}, differs},
	{"full folds go back behind compactions", []patch{{
		"repair/observe.go", `f: max(meta.readTime-memory.Micros(r.SnapshotLag.Microseconds()), meta.asOf)`,
		`f: meta.readTime-memory.Micros(r.SnapshotLag.Microseconds())`,
	}}, differs},

	// Parts of the base, so small that there are several.
	{"sound, with small parts", []patch{smallParts}, ""},
	{"runs share the names of parts", []patch{smallParts, {
		"index/path.go", `fmt.Sprintf("%s%d-%s-%d", BasePrefix, generation, run, part)`, `fmt.Sprintf("%s%d-%d", BasePrefix, generation, part)`,
	}}, "does not come from the index"},
	{"parts are not cleaned up", []patch{smallParts, {
		"repair/cleanup.go", `for _, part := range seen.Parts {`, `for _, part := range seen.Parts[:0] {`,
	}}, garbage},

	// Others.
	{"tombstones at the version deleted", []patch{{
		"index/change.go", `u.set(Key(c.Old.Version+1, c.ID), nil)`, `u.set(Key(c.Old.Version, c.ID), nil); return true`,
	}}, differs},
	{"rule 1 for tombstones too", []patch{{
		"index/view.go", `if !e.Deleted && e.Version <= v.Meta.ScanStarted {`, `if e.Version <= v.Meta.ScanStarted {`,
	}}, differs},
	{"the latest date wins, not the highest version", []patch{{
		"index/view.go", `!ok || e.Version > w.Version {`, `!ok || e.Date > w.Date {`,
	}}, differs},
	{"shards are deleted as they are", []patch{{
		"repair/cleanup.go", `r.delete(ctx, shard.ID, firestore.LastUpdateTime(shard.UpdateTime))`, `r.delete(ctx, shard.ID)`,
	}}, differs},
	{"compactions claim to have scanned", []patch{{
		"repair/fold.go", `ScanStarted: view.Meta.ScanStarted,`, `ScanStarted: max(readTime, view.Meta.AsOf),`,
	}}, differs},
	{"compactions do not say what they read", []patch{{
		"repair/fold.go", `max(readTime, view.Meta.AsOf),`, `max(view.Meta.AsOf, readTime-readTime),`,
	}}, differs},
	{"events are acknowledged though not committed", []patch{{
		"functions/written.go", `return fmt.Errorf("event %s of %s/%s: %w", e.ID(), c.memories, c.id, err)`, `return nil`,
	}}, differs},
	{"what a full shard refuses is dropped", []patch{{
		"functions/settle.go", `fresh := freshShard()`, `fresh := s.id`,
	}}, differs},
	{"absence is no news", []patch{{
		"functions/event.go", `c.update.AddAbsence(c.id, memory.MicrosOf(snapshot.ReadTime))`, ``,
	}}, differs},
	{"requests are not removed", []patch{{
		"repair/cleanup.go", `if seen.Request != nil {`, `if seen.Request != nil && len(failures) > 0 {`,
	}}, garbage},
}

var smallParts = patch{"index/block.go", `MaxPartBytes = 900_000`, `MaxPartBytes = 60`}
