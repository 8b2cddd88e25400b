package result_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"hippocampus/internal/eval/result"
)

// measured is a small evaluation in which all is well.
func measured() *result.Results {
	turn := func(memories int, way result.Way, documents int, bytes int64) result.Turn {
		return result.Turn{Memories: memories, MemoryBytes: 2000, Way: way, Documents: documents, Bytes: bytes, MedianMS: 1, P95MS: 2, Allocations: 400}
	}
	return &result.Results{
		Equivalence: &result.Equivalence{Verdict: result.Verdict{OK: true, Text: "Yes: no difference."}},
		Cost: &result.Cost{Verdict: result.Verdict{OK: true}, Turns: []result.Turn{
			turn(100, result.FullScan, 100, 215_000), turn(100, result.Index, 1, 1700), turn(100, result.Changed, 2, 2000),
			turn(5000, result.FullScan, 5000, 10_790_000), turn(5000, result.Index, 1, 43_000), turn(5000, result.Changed, 9, 60_000),
		}},
		Freshness: &result.Freshness{Verdict: result.Verdict{OK: true}, Lags: []result.Lag{{Situation: "idle", MedianMS: 10}}},
		Repair: &result.Repair{Verdict: result.Verdict{OK: true, Text: "Yes: no drift."}, Stores: []result.Mended{
			{Memories: 1000, During: 20, Reads: 1013, Writes: 10, MS: 30}, {Memories: 5000, During: 100, Reads: 5013, Writes: 10, MS: 150},
		}},
		Writes: &result.Writes{Verdict: result.Verdict{OK: true}, Bursts: []result.Burst{
			{Changes: 10, Commits: 3, Writes: 10, MS: 10}, {Changes: 1000, Commits: 2, Writes: 16, MS: 100},
		}},
	}
}

const points = 1 + 6 + 1 + 2 + 2

func TestARunIsNoWorseThanItself(t *testing.T) {
	c, err := result.Compare(measured(), measured())
	require.NoError(t, err)
	require.Equal(t, &result.Comparison{Points: points}, c)
}

func TestWhatIsARegression(t *testing.T) {
	index5000 := func(r *result.Results) *result.Turn { return &r.Cost.Turns[4] }
	for name, c := range map[string]struct {
		change func(now *result.Results)
		want   string
	}{
		"one document more": {
			func(now *result.Results) { index5000(now).Documents = 2 },
			"documents read, a turn by index at 5,000 memories: from 1 to 2 (+1, 2.00×)",
		},
		"one document of many more": {
			func(now *result.Results) { now.Cost.Turns[3].Documents = 5001 },
			"documents read, a turn by full scan at 5,000 memories: from 5,000 to 5,001 (+1, 1.00×)",
		},
		"more bytes an entry": {
			func(now *result.Results) { index5000(now).Bytes = 46_000 },
			"bytes an entry, a turn by index at 5,000 memories: from 8.60 to 9.20 (+0.600, 1.07×)",
		},
		"a list that is not that of a scan": {
			func(now *result.Results) { now.Equivalence.Verdict = result.Verdict{Text: "No: 3 differences."} },
			`the verdict, is the list what a scan gives: from "Yes: no difference." to "No: 3 differences."`,
		},
		"a repair that does not mend": {
			func(now *result.Results) { now.Repair.Verdict = result.Verdict{Text: "No: 1 ghost."} },
			`the verdict, does a repair mend what lost events have done: from "Yes: no drift." to "No: 1 ghost."`,
		},
		"a repair that scans twice": {
			func(now *result.Results) { now.Repair.Stores[1].Reads = 10_026 },
			"documents read for a store of that size, the repair of a store of 5,000 memories: from 5,013 to 10,026 (+5,013, 2.00×)",
		},
		"more than one write a change": {
			func(now *result.Results) { now.Writes.Bursts[0].Writes = 11 },
			"extra writes, a burst of 10 changes: from 10 to 11 (+1, 1.10×)",
		},
	} {
		t.Run(name, func(t *testing.T) {
			was, now := measured(), measured()
			c.change(now)
			found, err := result.Compare(was, now)
			require.NoError(t, err)
			require.Len(t, found.Regressions, 1)
			require.Equal(t, c.want, found.Regressions[0].String())
			require.Equal(t, points, found.Points)
			require.Empty(t, found.Lacking)
			better, err := result.Compare(now, was)
			require.NoError(t, err)
			require.Empty(t, better.Regressions, "the other way round it is better")
		})
	}
}

func TestWhatIsNoRegression(t *testing.T) {
	for name, change := range map[string]func(now *result.Results){
		"times": func(now *result.Results) {
			for i := range now.Cost.Turns {
				now.Cost.Turns[i].MedianMS, now.Cost.Turns[i].P95MS = 1000, 2000
			}
			now.Freshness.Lags[0].MedianMS, now.Freshness.Verdict.OK = 1e6, false
			now.Repair.Stores[0].MS, now.Writes.Bursts[0].MS = 1e6, 1e6
			now.Cost.Verdict.OK, now.Writes.Verdict.OK = false, false // these may say no of times
		},
		"a few bytes":              func(now *result.Results) { now.Cost.Turns[4].Bytes = 45_000 },
		"fewer documents":          func(now *result.Results) { now.Cost.Turns[5].Documents = 2 },
		"how events came together": func(now *result.Results) { now.Writes.Bursts[1].Writes, now.Writes.Bursts[1].Commits = 700, 90 },
		"a repair with changes during it": func(now *result.Results) {
			now.Repair.Stores[0] = result.Mended{Memories: 1100, During: 150, Reads: 1262, Writes: 19}
		},
		"another order": func(now *result.Results) { slices.Reverse(now.Cost.Turns) },
		"measurements that are new": func(now *result.Results) {
			now.Cost.Turns = append(now.Cost.Turns, result.Turn{Memories: 7, Way: result.Index, Documents: 9})
		},
		"the allocations of another Go": func(now *result.Results) { now.Cost.Turns[0].Allocations = 1e9 },
	} {
		t.Run(name, func(t *testing.T) {
			was, now := measured(), measured()
			change(now)
			c, err := result.Compare(was, now)
			require.NoError(t, err)
			require.Empty(t, c.Regressions)
			require.Empty(t, c.Lacking)
			require.Equal(t, points, c.Points)
		})
	}
}

func TestWhatWasBadBeforeIsNoRegression(t *testing.T) {
	was, now := measured(), measured()
	was.Equivalence.Verdict.OK, now.Equivalence.Verdict.OK = false, false
	was.Writes.Bursts[0].Writes, now.Writes.Bursts[0].Writes = 20, 30
	c, err := result.Compare(was, now)
	require.NoError(t, err)
	require.Empty(t, c.Regressions)
}

func TestFromNoneThereIsNoFactor(t *testing.T) {
	was := measured()
	was.Cost.Turns[1].Documents = 0
	c, err := result.Compare(was, measured())
	require.NoError(t, err)
	require.Len(t, c.Regressions, 1)
	require.Equal(t, "documents read, a turn by index at 100 memories: from 0 to 1 (+1)", c.Regressions[0].String())
}

func TestWhatTheRunLacksIsSaid(t *testing.T) {
	now := measured()
	now.Equivalence = nil
	now.Cost.Turns = now.Cost.Turns[:5]
	now.Cost.Turns[3].MemoryBytes = 1000
	now.Repair.Stores = now.Repair.Stores[:1]
	now.Writes = nil
	c, err := result.Compare(measured(), now)
	require.NoError(t, err)
	require.Empty(t, c.Regressions)
	require.Equal(t, []string{
		"is the list what a scan gives",
		"bytes an entry, a turn by full scan at 5,000 memories: memories have 1,000 bytes, and had 2,000",
		"a turn by index, a tenth changed at 5,000 memories",
		"the repair of a store of 5,000 memories",
		"a burst of 10 changes",
		"a burst of 1,000 changes",
	}, c.Lacking)
	require.Equal(t, 5+1+1, c.Points)
}

func TestAComparisonOfNothingIsAnError(t *testing.T) {
	other := measured()
	other.Equivalence, other.Repair, other.Writes = nil, nil, nil
	for i := range other.Cost.Turns {
		other.Cost.Turns[i].Memories++
	}
	for name, now := range map[string]*result.Results{"other sizes": other, "nothing": {}} {
		_, err := result.Compare(measured(), now)
		require.ErrorIs(t, err, result.ErrNothingInCommon, name)
		_, err = result.Compare(now, measured())
		require.ErrorIs(t, err, result.ErrNothingInCommon, name)
	}
}
