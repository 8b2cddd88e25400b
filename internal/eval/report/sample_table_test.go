package report_test

import (
	"time"

	"hippocampus/internal/eval/result"
)

// tableSample is a document in which every measurement was made, with figures of the sizes that
// they have.
func tableSample() *result.Results {
	moment := time.Date(2026, 11, 30, 12, 0, 0, 123_456_000, time.UTC)
	earlier := moment.Add(-time.Hour)
	return &result.Results{
		Schema: result.Schema,
		Evaluation: result.Evaluation{
			Command: "hippo eval --out report", Deployment: result.Deployment{Kind: result.Embedded, Name: "the embedded emulator"},
			Seed: 1, Started: moment, TookMS: 412_345, Commit: "0123456789abcdef", Go: "go1.26.10", Client: "v1.29.2",
			Machine: result.Machine{OS: "linux", Arch: "amd64", CPU: "some", Cores: 2, MemoryBytes: 8 << 30},
		},
		Equivalence: &result.Equivalence{
			Verdict: result.Verdict{OK: false, Text: "No: 1 of 2 stores and 1 of 40 schedules differ."},
			Stores: []result.Store{
				{
					Collection: "tenants/eval-1/memories", Moment: "after a full fold", AsOf: moment, Source: "index", Memories: 20_000, Listed: 20_000, Reads: 20_009,
				},
				{
					Collection: "tenants/имя|с\u202e/memories", AsOf: moment, Source: "scan", Reason: "the index is of another version.",
					Memories: 1000, Listed: 1001, Leftover: []string{"shard-x"}, Reads: 2005,
					Diff: result.Diff{Missing: 1, Ghosts: 2, Stale: 3, Misplaced: 4, InFlight: 5, Examples: []result.Difference{
						{Kind: "missing", Name: "pages/開店時間/冬", Scanned: &moment},
						{Kind: "stale", Name: "notes/a\nb", InFlight: true, Listed: &earlier, Scanned: &moment},
					}},
				},
			},
			Schedules: &result.Schedules{First: 7, Count: 40, Compared: 1234, Differing: []uint64{9, 10, 11, 12, 13}, Example: "turn 3: ghost a"},
		},
		Cost: &result.Cost{
			Verdict: result.Verdict{OK: true, Text: "Yes: a turn reads 1 document at 100 memories and 1 at 100,000."},
			Prices:  result.Prices{Source: "Firestore's list prices", Date: "2026-08-01", Currency: "USD", Reads: 0.06, Writes: 0.18, Deletes: 0.02},
			Turns:   append(append(turns(100), turns(5000)...), turns(100_000)...),
		},
		Freshness: &result.Freshness{
			Verdict: result.Verdict{OK: true, Text: "Yes: every memory was listed within 5 seconds."},
			After:   []result.After{{Seconds: 1, Turns: 20, Listed: 19}, {Seconds: 5, Turns: 20, Listed: 20}, {Seconds: 30, Turns: 3, Listed: 3}},
			Lags: []result.Lag{
				{Situation: "idle", Writes: 3, Listed: 3, MS: []float64{20, 31.5, 40.25}, MedianMS: 31.5, P95MS: 40.25, MaxMS: 40.25},
				{
					Situation: "import", Writes: 3, Others: 10_000, Listed: 2, MS: []float64{900, 1234.5},
					MedianMS: 1067.25, P95MS: 1234.5, MaxMS: 1234.5,
				},
			},
		},
		Repair: &result.Repair{
			Verdict: result.Verdict{OK: true, Text: "Yes: no drift after any repair."},
			Rates:   result.Rates{Lose: 0.1, Duplicate: 0.2, Delay: 0.125, Reorder: 0.3},
			Stores: []result.Mended{
				{
					Memories: 1000, Changes: 400, Lost: 41, Duplicated: 80, Delayed: 51, Reordered: 119, DeletesFirst: 12, During: 20,
					Before: result.Diff{Missing: 10, Ghosts: 5, Stale: 20}, Reads: 1013, Writes: 11, MS: 35.5,
				},
				{
					Memories: 20_000, Changes: 8000, Lost: 801, Duplicated: 1600, Delayed: 1000, Reordered: 2400, DeletesFirst: 240, During: 400,
					Before: result.Diff{Missing: 200, Ghosts: 100, Stale: 400, InFlight: 3},
					After:  result.Diff{Missing: 1, Examples: []result.Difference{{Kind: "missing", Name: "left", Scanned: &moment}}},
					Reads:  20_013, Writes: 11, MS: 812.345,
				},
			},
		},
		Writes: &result.Writes{
			Verdict: result.Verdict{OK: true, Text: "Yes: at most one write a change."},
			Bursts:  []result.Burst{{Changes: 10, Commits: 10, Writes: 10, Deletes: 1, Reads: 2, MS: 12.5}, {Changes: 10_000, Commits: 8, Writes: 64, Deletes: 6, Reads: 10_016, MS: 1234.5}},
			Slowdown: &result.Slowdown{
				Writers: 8,
				Without: result.Latencies{Writes: 2000, PerSecond: 1900, MedianMS: 4.0, P95MS: 8.0},
				With:    result.Latencies{Writes: 2000, PerSecond: 1750.5, MedianMS: 4.4, P95MS: 10.0},
			},
		},
	}
}

// turns are the turns of one size, the ways out of their order.
func turns(memories int) []result.Turn {
	turn := func(way result.Way, documents int, bytesAnEntry, ms float64) result.Turn {
		return result.Turn{
			Memories: memories, MemoryBytes: 2048, Way: way, Documents: documents, Bytes: int64(bytesAnEntry*float64(memories)) + 823,
			Turns: 21, MedianMS: ms * float64(memories) / 1000, P95MS: 1.5 * ms * float64(memories) / 1000,
			Allocations: int64(52 * documents), PromptBytes: 9000, Dollars: 0.6 * float64(documents),
		}
	}
	return []result.Turn{
		turn(result.Index, 1, 8.42, 0.5),
		turn(result.Changed, 9, 15, 1.4),
		turn(result.NamesScan, memories, 189, 27),
		turn(result.FullScan, memories, 2159, 38),
		turn(result.Maps, 8, 54, 3.2),
	}
}
