package main

import (
	"bytes"
	"encoding/json"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"hippocampus/emulator/official/officialtest"
	"hippocampus/internal/stack"
	"hippocampus/reader"
)

// demoOutput runs hippo demo, a process of its own, and returns what it prints. It
// must leave no process behind.
func demoOutput(t *testing.T, project string, args ...string) []byte {
	t.Helper()
	notes := filepath.FromSlash("../../examples/notes")
	cmd := exec.Command("hippo", append([]string{"demo", "--notes", notes, "--project", project}, args...)...)
	var errs bytes.Buffer
	cmd.Stderr = &errs
	out, err := cmd.Output()
	require.NoError(t, err, "%s", errs.String())
	processes, err := exec.Command("ps", "-A", "-o", "args=").Output()
	require.NoError(t, err)
	require.NotContains(t, string(processes), project, "the demo has left a process behind")
	return out
}

func TestDemo(t *testing.T) {
	t.Parallel()
	text := string(demoOutput(t, "demo-demo-text"))
	for _, want := range []string{
		`(?m)^1\. 42 notes of \S+ are memories now$`,
		`found no index: it listed by a scan \(4\d documents read\) and asked for one \(asked\)`,
		`(?m)^   ## Pages$`,
		`(?m)^   - pages/Nana Odile's Rye Starter$`,
		`42 memories from the index, complete, as of`,
		`(?m)^   with the index +1 +[\d,]+ +\d+\.\d$`,
		`(?m)^   names-only scan +42 +[\d,]+ +\d+\.\d$`,
		`(?m)^   full scan +42 +[\d,]+ +\d+\.\d$`,
		`changed .* number 42 → number 1;`,
		`deleted .* → not listed;`,
		`added    notebook/Written by the demo +not listed → number 1;`,
		`6\. 3 events are lost, on purpose`,
		`drift: 1 missing, 1 ghost, 1 stale`,
		`(?m)^   no drift$`,
		`the list equals a scan of the store: 42 memories, \d documents? read`,
		`nothing is left running`,
	} {
		require.Regexp(t, want, text)
	}
	require.NotContains(t, text, "\x1b", "colour where there is no terminal")
}

func TestDemoJSON(t *testing.T) {
	t.Parallel()
	demoIsRight(t, stack.Embedded)
}

func TestDemoWithTheOfficialEmulator(t *testing.T) {
	t.Parallel()
	officialtest.Need(t)
	demoIsRight(t, stack.Official)
}

func demoIsRight(t *testing.T, kind stack.Kind) {
	t.Helper()
	var f demoFacts
	decoder := json.NewDecoder(bytes.NewReader(demoOutput(t, "demo-demo-json-"+string(kind), "--json", "--emulator", string(kind))))
	decoder.DisallowUnknownFields()
	require.NoError(t, decoder.Decode(&f))
	require.False(t, decoder.More(), "more than one document")
	require.Equal(t, string(kind), f.Emulator)

	require.Equal(t, 42, f.Import.Memories)
	require.Empty(t, f.Import.Refused)
	require.Equal(t, reader.FromScan, f.FirstTurn.Source)
	require.Equal(t, reader.Asked, f.FirstTurn.Request)
	require.Equal(t, reader.FromIndex, f.Turn.Receipt.Source)
	require.True(t, f.Turn.Receipt.Complete)
	require.Equal(t, 42, f.Turn.Receipt.Count)
	require.Equal(t, f.FirstTurn.Hash, f.Turn.Receipt.Hash)
	require.Contains(t, f.Turn.Text, "- sources/抹茶の仕入れ\n")

	require.Len(t, f.Costs, 3)
	withIndex, namesOnly, full := f.Costs[0], f.Costs[1], f.Costs[2]
	require.Equal(t, 1, withIndex.Documents)
	require.Equal(t, 42, namesOnly.Documents)
	require.Equal(t, 42, full.Documents)
	require.Positive(t, withIndex.Bytes)
	require.Less(t, withIndex.Bytes, namesOnly.Bytes)
	require.Less(t, namesOnly.Bytes, full.Bytes)

	require.Len(t, f.Followed, 3)
	changed, deleted, added := f.Followed[0], f.Followed[1], f.Followed[2]
	require.Equal(t, 42, changed.Before)
	require.Equal(t, 1, changed.After)
	require.Positive(t, deleted.Before)
	require.Zero(t, deleted.After)
	require.Equal(t, 41, deleted.Count)
	require.Zero(t, added.Before)
	require.Equal(t, 1, added.After)

	require.Equal(t, 3, f.Lost.Events)
	require.Equal(t, 3, f.Lost.Drift.Total())
	require.Zero(t, f.Repaired.Drift.Total())
	require.Zero(t, f.Repaired.Drift.InFlight)
	require.True(t, f.Repaired.EqualsScan)
	require.Positive(t, f.TookMS)
}
