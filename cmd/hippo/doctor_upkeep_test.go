package main

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"cloud.google.com/go/firestore"
	"github.com/stretchr/testify/require"

	"hippocampus/emulator/emulatortest"
	"hippocampus/index"
	"hippocampus/internal/figure"
	"hippocampus/memory"
	"hippocampus/repair"
)

func TestDoctorMeasuresShards(t *testing.T) {
	p := newPatient(t).put("a", 1).repair(0)
	p.shard(0, "QQ")
	found, grades := p.finds(0)
	require.Equal(t, "ok", grades["shards"])
	require.Len(t, found.Index.Shards, 1)
	shard := found.Index.Shards[0]
	require.Equal(t, "shard-0", shard.ID)
	require.Equal(t, 1, shard.Entries)
	snapshot, err := p.index.Doc("shard-0").Get(t.Context())
	require.NoError(t, err)
	require.Equal(t, memory.DocumentSize("hippocampus/v1/tenants/acme/memories/index/memory_shards/shard-0", snapshot.Data()), shard.Bytes)
	require.Contains(t, p.says().out, fmt.Sprintf("ok    shards     1 entry in 1 shard, %d bytes; the fullest is at 0.0 %% of 1 MiB", shard.Bytes))
}

func TestDoctorFindsCrowdedShards(t *testing.T) {
	ids := make([]string, 250)
	for i := range ids {
		ids[i] = fmt.Sprintf("%04d%s", i, strings.Repeat("A", 1200))
	}
	for name, fill := range map[string]func(p *patient){
		"more than two":    func(p *patient) { p.shard(0, "QQ").shard(1, "QQ").shard(7, "QQ") },
		"more than 256 KB": func(p *patient) { p.shard(0, ids...) },
	} {
		t.Run(name, func(t *testing.T) {
			p := newPatient(t).repair(0)
			fill(p)
			_, grades := p.finds(0)
			require.Equal(t, "warning", grades["shards"])
			said := p.says().out
			require.Contains(t, said, "warn  shards     crowded: ")
			require.Contains(t, said, "→ hippo repair --tenant acme --compact ")
		})
	}
}

func TestDoctorTellsTheAgeOfRepairsByTheServersTime(t *testing.T) {
	for name, c := range map[string]struct {
		interval time.Duration
		grade    string
		says     string
	}{
		"to come": {5*time.Hour + 30*time.Minute, "ok", "; due in 5 h 29 min"},
		"due":     {-3 * time.Hour, "ok", "; due since 3 h, the next night's run does it"},
		"overdue": {-72 * time.Hour, "warning", "; overdue by 3 days"},
	} {
		t.Run(name, func(t *testing.T) {
			p := newPatient(t).put("a", 1).repair(c.interval)
			found, grades := p.finds(0)
			require.Equal(t, c.grade, grades["repair"])
			require.Equal(t, index.Build, found.Index.LastRun)
			said := p.says().out
			require.Contains(t, said, c.says)
			require.Contains(t, said, "the store was scanned ")
			require.Equal(t, c.grade == "warning", strings.Contains(said, "→ hippo repair --tenant acme   (and see that the scheduler's job runs"))
		})
	}
}

func TestDoctorTellsACompactionFromAScan(t *testing.T) {
	p := newPatient(t).put("a", 1).repair(0).shard(0, "QQ")
	_, err := repair.Compact(t.Context(), p.client, acme, nil)
	require.NoError(t, err)
	found, _ := p.finds(1, "--horizon", "0")
	require.Equal(t, index.Compaction, found.Index.LastRun)
	require.True(t, found.Index.AsOf.After(found.Index.ScanStarted))
	require.Contains(t, p.says().out, ", the last compaction was ")
}

func TestDoctorFindsRequestsThatNobodyServes(t *testing.T) {
	for name, c := range map[string]struct {
		kind  index.Kind
		age   time.Duration
		grade string
		next  string
	}{
		"a young build":     {index.Build, 0, "ok", ""},
		"an old build":      {index.Build, time.Hour, "warning", "  → hippo repair --tenant acme\n"},
		"an old compaction": {index.Compaction, time.Hour, "warning", "  → hippo repair --tenant acme --compact\n"},
	} {
		t.Run(name, func(t *testing.T) {
			p := newPatient(t).put("a", 1).repair(0)
			request := index.Request{Kind: c.kind, Reason: "crowded\nok"}
			_, err := p.index.Doc(index.RequestID).Set(t.Context(), request.Fields(time.Now().Add(-c.age)))
			require.NoError(t, err)
			found, grades := p.finds(0)
			require.Equal(t, c.grade, grades["request"])
			require.Equal(t, c.kind, found.Index.Request)
			said := p.says().out
			require.Contains(t, said, fmt.Sprintf("a %s was asked for ", c.kind))
			require.Contains(t, said, `because: crowded\u{a}ok`+"\n")
			require.Contains(t, said, c.next)
		})
	}
}

func TestDoctorFindsPartsLeftOver(t *testing.T) {
	p := newPatient(t).put("a", 1).repair(0)
	_, err := p.index.Doc(index.PartID(1, "dead", 1)).Set(t.Context(), map[string]any{index.BlockField: []byte("x")})
	require.NoError(t, err)
	found, grades := p.finds(0)
	require.Equal(t, map[string]string{"base": "warning"}, notFine(grades))
	require.Equal(t, []string{"base-1-dead-1"}, found.Index.Leftover)
	require.Contains(t, p.says().out, "1 part of another run is left over")
}

func TestDoctorOfAll(t *testing.T) {
	p := newPatient(t)
	said := doctorSays(t, p.emulator, "--all")
	require.Zero(t, said.code)
	require.Contains(t, said.errs, "has an index yet")

	p.put("a", 1).repair(0)
	for _, other := range []string{"tenants/the other one/memories", "tenants/third/memories"} {
		_, err := repair.Build(t.Context(), p.client, other, nil)
		require.NoError(t, err)
	}
	said = doctorSays(t, p.emulator, "--all")
	require.Zero(t, said.code, said.out+said.errs)
	require.Contains(t, said.out, "\noldest repair: tenants/acme/memories, ")
	require.Equal(t, 3, strings.Count(said.errs, "going to read "))

	_, err := p.client.Collection("tenants/the other one/memories").Doc("QQ").Set(t.Context(), map[string]any{"updated_at": firestore.ServerTimestamp})
	require.NoError(t, err)
	said = doctorSays(t, p.emulator, "--all", "--json", "--horizon", "0")
	require.Equal(t, 1, said.code)
	var all struct {
		OK           bool
		OldestRepair struct{ Collection string } `json:"oldest_repair"`
		Collections  []struct {
			Collection string
			Drift      struct{ Missing int }
			Checks     []struct{ Check, Next string }
		}
	}
	require.NoError(t, json.Unmarshal([]byte(said.out), &all))
	require.False(t, all.OK)
	require.Equal(t, acme, all.OldestRepair.Collection)
	missing := map[string]int{}
	for _, c := range all.Collections {
		missing[c.Collection] = c.Drift.Missing
		for _, check := range c.Checks {
			if check.Check == "drift" && c.Drift.Missing > 0 {
				require.Contains(t, check.Next, "hippo repair --collection 'tenants/the other one/memories'")
			}
		}
	}
	require.Equal(t, map[string]int{acme: 0, "tenants/the other one/memories": 1, "tenants/third/memories": 0}, missing)
}

func TestDoctorRefusesABadCommandLine(t *testing.T) {
	for says, args := range map[string][]string{
		"--horizon 51m0s: give 0 to 50m": {"--tenant", "acme", "--horizon", "51m"},
		"--horizon -1s: give 0 to 50m":   {"--tenant", "acme", "--horizon=-1s"},
		"which memories?":                {},
		"leave out --tenant":             {"--all", "--tenant", "acme"},
		"leave out --all":                {"--all", "--rules", "x"},
		"flag needs an argument":         {"--rules"},
		"unknown command":                {"x"},
	} {
		said := doctorSays(t, emulatortest.Start(t), args...)
		require.Equal(t, 2, said.code, "%v: %s", args, said.errs)
		require.Contains(t, said.errs, says)
		require.Empty(t, said.out)
	}
}

func TestNumbersForPeople(t *testing.T) {
	for n, want := range map[int]string{0: "0 things", 1: "1 thing", 999: "999 things", 1000: "1,000 things", 1234567: "1,234,567 things"} {
		require.Equal(t, want, figure.Plural(n, "thing", "things"))
	}
	for n, want := range map[int]string{0: "0 bytes", 1: "1 byte", 999: "999 bytes", 1500: "1.5 KB", 10_499: "10 KB", 900_000: "900 KB", 1_234_567: "1,235 KB"} {
		require.Equal(t, want, size(n))
	}
	for d, want := range map[time.Duration]string{
		0: "less than a second", time.Second: "1 second", 59 * time.Second: "59 seconds", time.Minute: "1 minute",
		3 * time.Hour: "3 h", 90 * time.Minute: "1 h 30 min", 10*time.Hour + 10*time.Minute: "10 h 10 min", 47 * time.Hour: "47 h", 72 * time.Hour: "3 days",
	} {
		require.Equal(t, want, age(d))
	}
	for word, want := range map[string]string{"acme": "acme", "tenants/a.b/memories": "tenants/a.b/memories", "a b": "'a b'", "": "''", "it's": `'it'\''s'`, "$(x)": "'$(x)'", "日本": "'日本'"} {
		require.Equal(t, want, quoteArgument(word))
	}
}
