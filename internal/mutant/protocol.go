package mutant

// What schedules find.
const (
	Differs = "differs from the store"
	garbage = "after a full fold that ran alone"
	unasked = "nobody has asked for a compaction"
)

// Protocol are mutants of the product, each with a rule of the protocol taken away, so that
// whatever claims to check the product can show that it would find it. Without Tests, random
// schedules of everything find them.
var Protocol = []Mutant{
	// Those of the protocol's model.
	{Name: "without rule 1", Patches: []Patch{{
		"index/view.go", `
		if !e.Deleted && e.Version <= v.Meta.ScanStarted {
			continue // rule 1
		}`, ``,
	}}, Finds: Differs},
	{Name: "no tombstones", Patches: []Patch{{
		"index/change.go", `u.set(Key(c.Old.Version+1, c.ID), nil)`, ``,
	}}, Finds: Differs},
	{Name: "compactions drop tombstones", Patches: []Patch{{
		"index/view.go", `return e.Deleted && e.Version <= started`, `_ = started; return e.Deleted`,
	}}, Finds: Differs},
	{Name: "the index is read later than the store", Patches: []Patch{{
		"repair/observe.go", `found, err := r.readIndex(ctx, o.snapshotTime)`, `found, err := r.readIndex(ctx, 0)`,
	}}, Finds: Differs},
	{Name: "a change between unusable dates is none", Patches: []Patch{{
		"index/change.go", `if c.Old != nil && c.Old.Date == c.New.Date {`,
		`if c.Old != nil && (c.Old.Date == c.New.Date || c.Old.Date == c.Old.Version && c.New.Date == c.New.Version) {`,
	}}, Finds: Differs},
	{Name: "no precondition at the flip", Patches: []Patch{{
		"internal/indexdb/indexdb.go", `Update(ctx, updates, firestore.LastUpdateTime(written))`,
		`Update(ctx, updates)`,
	}}, Finds: Differs},
	{Name: "full folds go back behind compactions", Patches: []Patch{{
		"repair/observe.go", `snapshotTime: max(meta.readTime-memory.Micros(r.SnapshotLag.Microseconds()), meta.asOf)`,
		`snapshotTime: meta.readTime-memory.Micros(r.SnapshotLag.Microseconds())`,
	}}, Finds: Differs},

	// Parts of the base, so small that there are several.
	{Name: "sound, with small parts", Patches: []Patch{smallParts}},
	{Name: "sound, with small parts and faults", Patches: []Patch{smallParts},
		Tests: "^TestFaults$/^(full fold|compaction)$"},
	{Name: "runs share the names of parts", Patches: []Patch{smallParts, {
		"index/path.go", `fmt.Sprintf("%s%d-%s-%d", BasePrefix, generation, run, part)`,
		`fmt.Sprintf("%s%d-%d", BasePrefix, generation, part)`,
	}}, Finds: "does not come from the index"},
	{Name: "parts are not cleaned up", Patches: []Patch{smallParts, {
		"repair/cleanup.go", `for _, part := range seen.Parts {`, `for _, part := range seen.Parts[:0] {`,
	}}, Finds: garbage},

	{Name: "a lost reply is taken for a lost flip", Patches: []Patch{smallParts, {
		"repair/flip.go", `if now.Run == r.id {`, `if now.Run == r.id+"?" {`,
	}}, Finds: "fails for no reason: .* another repair of this collection won|does not come from the index"},

	// The order of the list, and its dates.
	{Name: "names of one date the other way round", Patches: []Patch{{
		"index/entry.go", `strings.Compare(a.Name, b.Name)`, `strings.Compare(b.Name, a.Name)`,
	}}, Finds: Differs},
	{Name: "what has no date is dated 1970", Patches: []Patch{{
		"memory/record.go", "	return version\n}", "	return min(version, 0)\n}",
	}}, Finds: Differs},

	// Others.
	{Name: "tombstones at the version deleted", Patches: []Patch{{
		"index/change.go", `u.set(Key(c.Old.Version+1, c.ID), nil)`, `u.set(Key(c.Old.Version, c.ID), nil); return true`,
	}}, Finds: Differs},
	{Name: "rule 1 for tombstones too", Patches: []Patch{{
		"index/view.go", `if !e.Deleted && e.Version <= v.Meta.ScanStarted {`,
		`if e.Version <= v.Meta.ScanStarted {`,
	}}, Finds: Differs},
	{Name: "the latest date wins, not the highest version", Patches: []Patch{{
		"index/view.go", `!ok || e.Version > w.Version {`, `!ok || e.Date > w.Date {`,
	}}, Finds: Differs},
	{Name: "shards are deleted as they are", Patches: []Patch{{
		"repair/cleanup.go", `r.delete(ctx, shard.ID, shard.UpdateTime)`,
		`r.delete(ctx, shard.ID, time.Time{})`,
	}}, Finds: Differs},
	{Name: "compactions claim to have scanned", Patches: []Patch{{
		"repair/fold.go", `ScanStarted: view.Meta.ScanStarted,`,
		`ScanStarted: max(found.Time, view.Meta.AsOf),`,
	}}, Finds: Differs},
	{Name: "compactions do not say what they read", Patches: []Patch{{
		"repair/fold.go", `max(found.Time, view.Meta.AsOf),`, `view.Meta.AsOf,`,
	}}, Finds: Differs},
	{Name: "events are acknowledged though not committed", Patches: []Patch{{
		"functions/event.go", `return fmt.Errorf("event %s of %s/%s: %w", e.ID(), c.memories, c.id, err)`, `return nil`,
	}}, Finds: Differs},
	{Name: "failed events are acknowledged", Patches: []Patch{{
		"functions/event.go", `return fmt.Errorf("event %s of %s/%s: %w", e.ID(), c.memories, c.id, err)`, `return nil`,
	}}, Tests: "^TestFaults$/^hook", Finds: Differs},
	{Name: "what a full shard refuses is dropped", Patches: []Patch{{
		"functions/committer.go", `other = freshShard()`, `other = s.id`,
	}}, Finds: Differs + "|" + unasked},
	{Name: "absence is no news", Patches: []Patch{{
		"functions/event.go", `c.update.AddAbsence(c.id, memory.MicrosOf(snapshot.ReadTime))`, ``,
	}}, Finds: Differs},
	{Name: "requests are not removed", Patches: []Patch{{
		"repair/cleanup.go", `if seen.Request != nil {`,
		`if seen.Request != nil && len(failures) > 0 {`,
	}}, Finds: garbage},
}

var smallParts = Patch{"index/block.go", `return encodeParts(entries, MaxPartBytes)`,
	`return encodeParts(entries, 1)`}
