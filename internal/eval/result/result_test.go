package result_test

import (
	"bytes"
	"errors"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/stretchr/testify/require"

	"hippocampus/internal/eval/result"
)

func TestADocumentIsReadAsItWasWritten(t *testing.T) {
	moment := time.Date(2026, 11, 30, 12, 0, 0, 1000, time.UTC)
	wrote := &result.Results{
		Schema:     result.Schema,
		Evaluation: result.Evaluation{Command: "hippo eval --seed 1 <&>", Seed: 1 << 63, Started: moment, Left: []result.Left{{What: "cost", Why: "interrupted"}}},
		Equivalence: &result.Equivalence{
			Verdict: result.Verdict{OK: true, Text: "Yes."},
			Stores: []result.Store{{
				Collection: "tenants/a/memories", AsOf: moment, Source: "index", Memories: 1,
				Diff: result.Diff{Missing: 1, Examples: []result.Difference{{Kind: "missing", Name: "pages/開", Scanned: &moment}}},
			}},
		},
		Cost: &result.Cost{Turns: []result.Turn{{Memories: 100, Way: result.Index, Bytes: 1 << 40, MedianMS: 0.25}}},
	}
	var text bytes.Buffer
	require.NoError(t, wrote.Write(&text))
	require.Contains(t, text.String(), "<&>", "a command can be copied from it")
	require.NotContains(t, text.String(), `"freshness"`)
	read, err := result.Read(bytes.NewReader(text.Bytes()))
	require.NoError(t, err)
	require.Equal(t, wrote, read)
}

func TestReadRefuses(t *testing.T) {
	for name, c := range map[string]struct{ text, says string }{
		"another version":             {`{"schema": 2}`, "it has schema 2, this is 1"},
		"a document without one":      {`{}`, "it has schema 0"},
		"an unknown field":            {`{"schema": 1, "run": {"speed": 1}}`, `unknown field "speed"`},
		"a field of another type":     {`{"schema": 1, "run": {"seed": "1"}}`, "seed"},
		"what is no JSON":             {`<html>`, "not a results.json of hippo eval"},
		"what is cut off":             {`{"schema": 1`, "not a results.json of hippo eval"},
		"nothing":                     {``, "not a results.json of hippo eval"},
		"two documents":               {`{"schema": 1} {"schema": 1}`, "not a results.json of hippo eval"},
		"what is no object":           {`[1]`, "not a results.json of hippo eval"},
		"a version that is no number": {`{"schema": "1"}`, "not a results.json of hippo eval"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := result.Read(strings.NewReader(c.text))
			require.ErrorContains(t, err, c.says)
			require.Equal(t, strings.Contains(c.says, "it has schema"), errors.Is(err, result.ErrSchema))
		})
	}
	broken := errors.New("broken")
	_, err := result.Read(iotest.ErrReader(broken))
	require.ErrorIs(t, err, broken)
}

func TestOneNoIsANo(t *testing.T) {
	all := func() *result.Results {
		yes := result.Verdict{OK: true, Text: "Yes."}
		return &result.Results{
			Equivalence: &result.Equivalence{Verdict: yes}, Cost: &result.Cost{Verdict: yes}, Freshness: &result.Freshness{Verdict: yes},
			Repair: &result.Repair{Verdict: yes}, Writes: &result.Writes{Verdict: yes},
		}
	}
	require.True(t, all().OK())
	require.Len(t, all().Verdicts(), 5)
	require.True(t, (&result.Results{}).OK(), "nothing says no")
	require.Empty(t, (&result.Results{}).Verdicts())
	for i, say := range []func(*result.Results) *result.Verdict{
		func(r *result.Results) *result.Verdict { return &r.Equivalence.Verdict },
		func(r *result.Results) *result.Verdict { return &r.Cost.Verdict },
		func(r *result.Results) *result.Verdict { return &r.Freshness.Verdict },
		func(r *result.Results) *result.Verdict { return &r.Repair.Verdict },
		func(r *result.Results) *result.Verdict { return &r.Writes.Verdict },
	} {
		r := all()
		*say(r) = result.Verdict{Text: "No."}
		require.False(t, r.OK(), i)
		require.Equal(t, "No.", r.Verdicts()[i].Text)
	}
}

func TestDifferencesInFlightAreCountedApart(t *testing.T) {
	require.Equal(t, 1+20+300+4000, (&result.Diff{Missing: 1, Ghosts: 20, Stale: 300, Misplaced: 4000, InFlight: 50_000}).Total())
}
