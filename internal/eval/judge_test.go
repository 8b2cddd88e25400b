package eval_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"hippocampus/internal/eval"
	"hippocampus/internal/eval/result"
)

// Every verdict says yes or no of what was measured, and of nothing else.
func TestVerdicts(t *testing.T) {
	lag := result.Lag{Situation: "idle", Writes: 2, Listed: 2, MS: []float64{1, 3}, MedianMS: 1, P95MS: 3, MaxMS: 3}
	lost := lag
	lost.Writes = 3
	drift := result.Diff{Missing: 2}
	quick, slow := result.Latencies{Writes: 9, MedianMS: 60}, result.Latencies{Writes: 9, MedianMS: 130}
	burst := result.Burst{Changes: 10, Commits: 3, Writes: 2}
	dear := result.Burst{Changes: 1, Commits: 2, Writes: 2}
	turn := func(way result.Way, memories, documents int) result.Turn {
		return result.Turn{Way: way, Memories: memories, Documents: documents}
	}
	names, few := turn(result.NamesScan, 5000, 5000), turn(result.Index, 100, 1)
	cost := func(turns ...result.Turn) result.Verdict {
		return eval.JudgeCost(&result.Cost{Turns: append([]result.Turn{names}, turns...)})
	}
	equal := func(s result.Store) result.Verdict {
		return eval.JudgeEquivalence(&result.Equivalence{Stores: []result.Store{s}})
	}
	for _, test := range []struct {
		name    string
		verdict result.Verdict
		text    string
	}{
		{"the same", equal(result.Store{Memories: 2, Listed: 2, Source: "index"}), "Yes: 1 list is as by a scan, 2 memories in all$"},
		{"other", equal(result.Store{Memories: 2, Listed: 2, Source: "index", Diff: drift}), "No: 2 differences"},
		{"not from the index", equal(result.Store{Memories: 2, Listed: 2, Source: "scan", Reason: "damaged"}), "No: 1 list does not come from the index"},
		{"nothing", equal(result.Store{Collection: "a", Source: "index"}), "No: nothing was compared, as a has no memories"},
		{"ghosts only", equal(result.Store{Collection: "a", Listed: 2, Source: "index", Diff: result.Diff{Ghosts: 2}}), "No: 2 differences"},
		{"without an index", equal(result.Store{Collection: "a", Memories: 2, Listed: 2, Source: "memory", Reason: "missing"}),
			"Yes: 1 list is as by a scan, 2 memories in all; there is no index of a, and one was built in memory"},
		{"with a damaged index", equal(result.Store{Collection: "a", Memories: 2, Listed: 2, Source: "memory", Reason: "damaged"}),
			`No: the index of a cannot be used \(damaged\): hippo repair`},

		{"flat", cost(few, turn(result.Index, 5000, 1), turn(result.Changed, 5000, 2)), "Yes: a turn reads 1 document at 100 memories and 1 at 5,000"},
		{"growing", cost(few, turn(result.Index, 5000, 2)), "No: a turn reads 1 document at 100 memories and 2 at 5,000"},
		{"growing with what has changed", cost(few, turn(result.Index, 5000, 1), turn(result.Changed, 5000, 9)), "No: .* when a tenth has changed a turn reads 9"},
		{"several shards of a large store", eval.JudgeCost(&result.Cost{Turns: []result.Turn{few, turn(result.NamesScan, 1_000_000, 1_000_000),
			turn(result.Index, 1_000_000, 26), turn(result.Changed, 1_000_000, 58)}}), "Yes: a turn reads 1 document at 100 memories and 26"},
		{"one way only", eval.JudgeCost(&result.Cost{Turns: []result.Turn{names}}), "No: no turn was measured in both ways"},

		{"listed in time", eval.JudgeFreshness(&result.Freshness{After: after([3]int{1, 2, 2}, [3]int{5, 2, 2}), Lags: []result.Lag{lag}}),
			"Yes: all turns 1, 5 s after a write list it; listed within"},
		{"late, and listed in the end", eval.JudgeFreshness(&result.Freshness{After: after([3]int{1, 2, 0}, [3]int{5, 2, 2}), Lags: []result.Lag{lag}}),
			"Yes: 0 of 2 turns 1 second after"},
		{"not listed in the end", eval.JudgeFreshness(&result.Freshness{After: after([3]int{1, 2, 2}, [3]int{5, 2, 1}), Lags: []result.Lag{lag}}),
			"No: 2 of 2 turns 1 second after"},
		{"late, and interrupted before the end", eval.JudgeFreshness(&result.Freshness{After: after([3]int{1, 2, 0}, [3]int{5, 0, 0}), Lags: []result.Lag{lag}}),
			"Yes: 0 of 2 turns 1 second after"},
		{"interrupted before any turn", eval.JudgeFreshness(&result.Freshness{After: after([3]int{1, 0, 0}), Lags: []result.Lag{lag}}),
			"Yes: listed within"},
		{"never listed", eval.JudgeFreshness(&result.Freshness{After: after([3]int{1, 2, 2}), Lags: []result.Lag{lost}}),
			"No: .*; 1 write never was"},

		{"mended", eval.JudgeRepair(&result.Repair{Rates: result.Rates{Lose: .1}, Stores: []result.Mended{{Memories: 4, Before: drift, Reads: 5}}}),
			"Yes: 2 differences before"},
		{"not mended", eval.JudgeRepair(&result.Repair{Rates: result.Rates{Lose: .1}, Stores: []result.Mended{{Memories: 4, Before: drift, After: drift}}}),
			"No: 2 differences before .* 2 after it"},
		{"nothing to mend", eval.JudgeRepair(&result.Repair{Rates: result.Rates{Lose: .1}, Stores: []result.Mended{{Memories: 4}}}),
			"No: no list had drifted.*--drop"},
		{"nothing was to be lost", eval.JudgeRepair(&result.Repair{Rates: result.Rates{Delay: 1}, Stores: []result.Mended{{Memories: 4}}}),
			"Yes: 0 differences before"},

		{"cheap writes", eval.JudgeWrites(&result.Writes{Bursts: []result.Burst{burst}}, false), "Yes: at most one write a change: 2 for 10"},
		{"dear writes", eval.JudgeWrites(&result.Writes{Bursts: []result.Burst{dear, burst}}, false), "No: a change costs more than one write: 2 for 10"},
		{"no burst", eval.JudgeWrites(&result.Writes{Slowdown: &result.Slowdown{With: quick, Without: quick}}, true), "Yes: writes take"},
		{"slow elsewhere", eval.JudgeWrites(&result.Writes{Slowdown: &result.Slowdown{With: slow, Without: quick}}, true), "No: writes take"},
		{"slow on one machine", eval.JudgeWrites(&result.Writes{Bursts: []result.Burst{burst}, Slowdown: &result.Slowdown{With: slow, Without: quick}}, false),
			"Yes: at most one write a change"},
	} {
		t.Run(test.name, func(t *testing.T) {
			require.Regexp(t, "^"+test.text, test.verdict.Text)
			require.Equal(t, test.verdict.Text[:2] == "Ye", test.verdict.OK)
		})
	}
}

// after returns rows of seconds, turns and how many of these have listed it.
func after(rows ...[3]int) []result.After {
	var all []result.After
	for _, row := range rows {
		all = append(all, result.After{Seconds: float64(row[0]), Turns: row[1], Listed: row[2]})
	}
	return all
}
