package report_test

import (
	"bytes"
	"flag"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"hippocampus/internal/eval/result"
)

var update = flag.Bool("update", false, "write testdata again")

// samples are results that nobody measured: their commands and targets say so.
var samples = map[string]func() *result.Results{
	"results":     sample,
	"no":          sampleOfNo,
	"interrupted": sampleInterrupted,
	"nothing":     sampleOfNothing,
}

// The files are what the code gives; go test ./internal/eval/report -update writes them.
func TestSamplesAreAsMade(t *testing.T) {
	for name, make := range samples {
		var text bytes.Buffer
		require.NoError(t, make().Write(&text))
		file := filepath.Join("testdata", name+".json")
		if *update {
			require.NoError(t, os.MkdirAll("testdata", 0o755))
			require.NoError(t, os.WriteFile(file, text.Bytes(), 0o644))
		}
		found, err := os.ReadFile(file)
		require.NoError(t, err)
		require.Equal(t, text.String(), string(found), "%s", file)
	}
}

func sample() *result.Results {
	random := rand.New(rand.NewPCG(4, 4))
	at := time.Date(2026, 3, 4, 5, 6, 7, 0, time.UTC)
	r := &result.Results{
		Schema: result.Schema,
		Evaluation: result.Evaluation{
			Command: "hippo eval --sample --out report --seed 4", Deployment: result.Deployment{Kind: result.Embedded, Name: "a made-up sample"},
			Seed: 18446744073709551615, Started: at, TookMS: 431_250, Commit: "0123456789abcdef0123456789abcdef01234567", Modified: true,
			Go: "go1.26.8", Client: "v1.25.0",
			Machine: result.Machine{OS: "linux", Arch: "amd64", CPU: "Sample CPU 9000 with a long name @ 2.00GHz", Cores: 2, MemoryBytes: 8 << 30},
			Left: []result.Left{{
				What: "cost at 100,000 memories", Why: "not asked for: add --sizes 100,1000,5000,20000,100000",
			}},
		},
		Equivalence: &result.Equivalence{
			Verdict:   result.Verdict{OK: true, Text: "Yes: 5 lists are what a scan gives, in 26,100 memories; 400 schedules found no difference."},
			Schedules: &result.Schedules{First: 1, Count: 400, Compared: 5_214, Differing: []uint64{}},
		},
		Cost: &result.Cost{
			Verdict: result.Verdict{OK: true, Text: "Yes: a turn reads 1 document at 100 memories and 1 at 20,000; the names-only scan reads 20,000."},
			Prices: result.Prices{
				Source: "Firestore, Standard edition, us-central1", Date: "2026-01-02", Currency: "USD", Reads: 0.03, Writes: 0.09, Deletes: 0.01,
			},
		},
		Freshness: &result.Freshness{
			Verdict: result.Verdict{OK: true, Text: "Yes: 60 of 60 were listed a second later; the median is 42 ms idle and 611 ms under an import."},
			After:   []result.After{{Seconds: 1, Turns: 20, Listed: 20}, {Seconds: 5, Turns: 20, Listed: 20}, {Seconds: 30, Turns: 20, Listed: 20}},
		},
		Repair: &result.Repair{
			Verdict: result.Verdict{OK: true, Text: "Yes: 0 differences after each of 3 repairs, where there had been 1,357."},
			Rates:   result.Rates{Lose: 0.1, Duplicate: 0.1, Delay: 0.2, Reorder: 0.25},
		},
		Writes: &result.Writes{
			Verdict: result.Verdict{OK: true, Text: "Yes: 1 extra write a change at most, and 0.0021 in a burst of 10,000."},
			Slowdown: &result.Slowdown{
				Writers: 8, Without: result.Latencies{Writes: 4_000, PerSecond: 2_310.4, MedianMS: 3.21, P95MS: 6.5},
				With: result.Latencies{Writes: 4_000, PerSecond: 2_144.9, MedianMS: 3.48, P95MS: 7.9},
			},
		},
	}
	for _, n := range []int{100, 1_000, 5_000, 20_000} {
		r.Equivalence.Stores = append(r.Equivalence.Stores, result.Store{
			Collection: "tenants/eval-of-the-sample/memories", AsOf: at, Source: "index", Memories: n, Listed: n, Reads: n + 2,
		})
		for _, way := range result.Ways {
			r.Cost.Turns = append(r.Cost.Turns, sampleTurn(way, n, random))
		}
	}
	r.Equivalence.Stores = append(r.Equivalence.Stores, result.Store{
		Collection: "users/記憶/agents/notes", AsOf: at, Source: "memory", Reason: "the collection has no index, so it was built in memory.", Memories: 412,
		Listed: 411, Reads: 412, Diff: result.Diff{InFlight: 1, Examples: []result.Difference{
			{Kind: "missing", Name: "pages/Zweiter Ort/a rather long name that a person has given", InFlight: true, Scanned: &at},
		}},
	})
	r.Freshness.Lags = []result.Lag{sampleLag("idle", 60, 0, 42, 0.4, random), sampleLag("import", 40, 5_000, 611, 0.6, random)}
	for i, n := range []int{100, 1_000, 10_000} {
		r.Repair.Stores = append(r.Repair.Stores, result.Mended{
			Memories: n, Changes: n / 2, Lost: n / 20, Duplicated: n / 21, Delayed: n / 10, Reordered: n / 8, DeletesFirst: n / 40,
			During: 12 + i, Before: result.Diff{Missing: n / 30, Ghosts: n / 90, Stale: n / 25}, Reads: n + 4, Writes: 3 + i*2,
			MS: 18.5 * math.Pow(float64(n)/100, 0.8),
		})
	}
	for _, n := range []int{10, 100, 1_000, 10_000} {
		commits := int(math.Ceil(math.Pow(float64(n), 0.4)))
		r.Writes.Bursts = append(r.Writes.Bursts, result.Burst{Changes: n, Commits: commits, Writes: commits + 1, Deletes: commits / 3, Reads: n / 2, MS: 12 + float64(n)*0.71})
	}
	return r
}

// sampleTurn makes a turn up.
func sampleTurn(way result.Way, n int, random *rand.Rand) result.Turn {
	size := float64(n)
	t := result.Turn{
		Memories: n, MemoryBytes: 2_048, Way: way, Documents: n, Bytes: int64(2_180 * size), Turns: 25, MedianMS: 2 + size*0.02,
		Allocations: int64(900 + 90*size), PromptBytes: 31*n + 60,
	}
	switch way {
	case result.NamesScan:
		t.Bytes, t.MedianMS = int64(130*size), 1.7+size*0.011
	case result.Maps:
		t.Documents, t.Bytes, t.MedianMS = 1+n/8_000, int64(68*size), 0.9+size*0.0017
	case result.Index:
		t.Documents, t.Bytes, t.MedianMS, t.Allocations = 1, int64(180+16.3*size), 0.55+size*0.0002, 420
	case result.Changed:
		t.Documents, t.Bytes, t.MedianMS, t.Allocations = 2, int64(200+23.5*size), 0.7+size*0.0006, int64(600+10*size)
	}
	t.P95MS = t.MedianMS * (1.2 + random.Float64())
	t.Dollars = float64(t.Documents) * 0.03 / 100_000 * 1_000_000
	return t
}

// sampleLag makes a distribution of lags up.
func sampleLag(situation string, writes, others int, median, spread float64, random *rand.Rand) result.Lag {
	l := result.Lag{Situation: situation, Writes: writes, Others: others, Listed: writes}
	for range writes {
		l.MS = append(l.MS, math.Round(1000*median*math.Exp(spread*random.NormFloat64()))/1000)
	}
	slices.Sort(l.MS)
	l.MedianMS, l.P95MS, l.MaxMS = l.MS[writes/2], l.MS[writes*95/100], l.MS[writes-1]
	return l
}

// sampleOfNo is one in which everything went wrong.
func sampleOfNo() *result.Results {
	r := sample()
	r.Evaluation.Deployment.Name, r.Evaluation.Commit, r.Evaluation.Modified = "a made-up sample that says <no> & \"no\"", "", false
	listed := r.Evaluation.Started.Add(-time.Hour)
	store := &r.Equivalence.Stores[1]
	store.Source, store.Reason, store.Listed = "scan", "meta is damaged: checksum", 997
	store.Leftover = []string{"base-3-1", "shard-7"}
	store.Diff = result.Diff{Missing: 3, Ghosts: 1, Stale: 2, Misplaced: 4, Examples: []result.Difference{
		{Kind: "missing", Name: "pages/lost", Scanned: &listed},
		{Kind: "ghost", Name: "pages/" + string(bytes.Repeat([]byte("longnamewithoutaspace"), 12)), Listed: &listed},
		{Kind: "stale", Name: "<script>alert(1)</script>", Listed: &listed, Scanned: &r.Evaluation.Started},
		{Kind: "misplaced", Name: "חלום / 夢", Listed: &listed, Scanned: &listed},
	}}
	r.Equivalence.Verdict = result.Verdict{Text: "No: 10 differences in 1 of 5 stores, and 7 of 400 schedules differ."}
	r.Equivalence.Schedules.Differing = []uint64{9, 12, 77, 1_234_567_890_123, 18446744073709551615, 3, 5}
	r.Equivalence.Schedules.Example = "seed 9: after fold 2 the list lacks pages/lost"
	r.Freshness.Verdict = result.Verdict{Text: "No: 7 of 20 were not listed after 30 seconds."}
	r.Freshness.After[2].Listed = 13
	r.Freshness.Lags[1] = result.Lag{Situation: "import", Writes: 40, Others: 5_000, MS: []float64{}}
	r.Freshness.Lags[0].MS, r.Freshness.Lags[0].Listed = append([]float64{0, 0}, r.Freshness.Lags[0].MS[:31]...), 33
	r.Repair.Verdict = result.Verdict{Text: "No: 2 differences are left after the repair of 1,000 memories."}
	r.Repair.Stores[1].After = result.Diff{Ghosts: 2, InFlight: 1, Examples: []result.Difference{{Kind: "ghost", Name: "pages/zombie", Listed: &listed}}}
	r.Writes.Verdict = result.Verdict{Text: "No: the hook made no commit in a burst of 10."}
	r.Writes.Bursts[0].Commits, r.Writes.Bursts[0].Writes = 0, 0
	return r
}

// sampleInterrupted ended early: one size, two ways, nothing after the cost.
func sampleInterrupted() *result.Results {
	r := sample()
	r.Evaluation.Deployment = result.Deployment{Kind: result.Live, Name: "projects/a-made-up-sample, database (default)"}
	r.Evaluation.Interrupted, r.Evaluation.TookMS = true, 8_730
	r.Evaluation.Left = []result.Left{
		{What: "cost at 1,000, 5,000 and 20,000 memories", Why: "interrupted"},
		{What: "freshness", Why: "interrupted"}, {What: "repair", Why: "needs a target whose events may be lost on purpose"},
		{What: "writes", Why: "interrupted"},
	}
	r.Cost.Turns = slices.DeleteFunc(r.Cost.Turns, func(t result.Turn) bool {
		return t.Memories > 100 || t.Way != result.NamesScan && t.Way != result.Index
	})
	r.Equivalence.Stores, r.Equivalence.Schedules = r.Equivalence.Stores[:1], nil
	r.Freshness, r.Repair, r.Writes = nil, nil, nil
	return r
}

// sampleOfNothing was interrupted before it had measured anything.
func sampleOfNothing() *result.Results {
	r := sampleInterrupted()
	r.Equivalence, r.Cost = nil, nil
	return r
}
