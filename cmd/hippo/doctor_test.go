package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"maps"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"

	"cloud.google.com/go/firestore"
	"github.com/stretchr/testify/require"

	"hippocampus/emulator/emulatortest"
	"hippocampus/emulator/eventarc"
	"hippocampus/index"
	"hippocampus/memory"
	"hippocampus/repair"
)

const acme = "tenants/acme/memories"

// patient is a tenant for doctor to look at, in a project of the test's own.
// Nobody keeps its index: what a test does not repair is drift.
type patient struct {
	*testing.T
	emulator eventarc.Firestore
	client   *firestore.Client
	index    *firestore.CollectionRef
}

func newPatient(t *testing.T) *patient {
	t.Parallel() // most of a test's time is doctor's waiting for the emulator
	return newPatientIn(t, emulatortest.Start(t))
}

func newPatientIn(t *testing.T, emulator eventarc.Firestore) *patient {
	client, err := emulator.Client(t.Context())
	require.NoError(t, err)
	t.Cleanup(func() { _ = client.Close() })
	path, err := index.Path(acme)
	require.NoError(t, err)
	return &patient{t, emulator, client, client.Collection(path)}
}

// put writes a memory, with a date in May 2026 or, for day 0, without one.
func (p *patient) put(name string, day int) *patient {
	p.Helper()
	id, err := memory.ID(name)
	require.NoError(p, err)
	fields := map[string]any{"body": "text"}
	if day > 0 {
		fields["updated_at"] = time.Date(2026, 5, day, 12, 0, 0, 0, time.UTC)
	}
	return p.putDocument(id, fields)
}

func (p *patient) putDocument(id string, fields map[string]any) *patient {
	p.Helper()
	_, err := p.client.Collection(acme).Doc(id).Set(p.Context(), fields)
	require.NoError(p, err)
	return p
}

func (p *patient) remove(name string) *patient {
	p.Helper()
	id, err := memory.ID(name)
	require.NoError(p, err)
	_, err = p.client.Collection(acme).Doc(id).Delete(p.Context())
	require.NoError(p, err)
	return p
}

func (p *patient) repair(interval time.Duration) *patient {
	p.Helper()
	_, err := repair.Build(p.Context(), p.client, acme, &repair.Options{Interval: interval})
	require.NoError(p, err)
	return p
}

// shard writes entries to a shard, of changes made now to memories that it does
// not change: ghosts.
func (p *patient) shard(i int, ids ...string) *patient {
	p.Helper()
	now := time.Now()
	entries := map[string]any{}
	for _, id := range ids {
		entries[index.Key(memory.MicrosOf(now), id)] = now
	}
	_, err := p.index.Doc(index.ShardID(i)).Set(p.Context(), map[string]any{index.EntriesField: entries})
	require.NoError(p, err)
	return p
}

// opinion is what a run of hippo doctor says.
type opinion struct {
	code      int
	out, errs string
}

// doctorSays runs hippo doctor as a process of its own.
func doctorSays(t *testing.T, em eventarc.Firestore, args ...string) opinion {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "hippo", append([]string{"doctor"}, args...)...)
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	cmd.Env = append(os.Environ(), "NO_COLOR=1", "FIRESTORE_EMULATOR_HOST=")
	if em != nil {
		cmd.Env = append(cmd.Env, "FIRESTORE_EMULATOR_HOST="+em.Host(), "GOOGLE_CLOUD_PROJECT="+em.Project())
	}
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		require.NoError(t, err)
	}
	return opinion{cmd.ProcessState.ExitCode(), out.String(), errs.String()}
}

func (p *patient) says(args ...string) opinion {
	p.Helper()
	return doctorSays(p.T, p.emulator, append([]string{"--tenant", "acme"}, args...)...)
}

// finds requires that doctor --json exits with a code, and returns what it
// found, and its grades by check.
func (p *patient) finds(code int, args ...string) (*diagnosis, map[string]string) {
	p.Helper()
	said := p.says(append(args, "--json")...)
	require.Equal(p, code, said.code, said.out+said.errs)
	var all struct {
		OK          bool
		Collections []json.RawMessage
	}
	require.NoError(p, json.Unmarshal([]byte(said.out), &all))
	require.Equal(p, code == 0, all.OK)
	require.Len(p, all.Collections, 1)
	var graded struct {
		Checks []struct{ Check, Grade string }
	}
	require.NoError(p, json.Unmarshal(all.Collections[0], &graded))
	grades := map[string]string{}
	for _, c := range graded.Checks {
		grades[c.Check] = c.Grade
	}
	found := &diagnosis{}
	// The checks have grades as words; they are above.
	fields := map[string]json.RawMessage{}
	require.NoError(p, json.Unmarshal(all.Collections[0], &fields))
	delete(fields, "checks")
	rest, err := json.Marshal(fields)
	require.NoError(p, err)
	require.NoError(p, json.Unmarshal(rest, found))
	return found, grades
}

// notFine returns the grades of the checks that are not fine.
func notFine(grades map[string]string) map[string]string {
	rest := map[string]string{}
	for name, grade := range grades {
		if grade != "ok" {
			rest[name] = grade
		}
	}
	return rest
}

func TestDoctorFindsNothingWrong(t *testing.T) {
	p := newPatient(t).put("pages/A", 1).put("pages/B", 2).repair(0)
	before := p.everything()

	found, grades := p.finds(0, "--horizon", "0")
	require.Empty(t, notFine(grades))
	require.Equal(t, []string{"base", "dates", "drift", "ids", "in flight", "index", "names", "repair", "shards"}, slices.Sorted(maps.Keys(grades)))
	require.Equal(t, 2, found.Memories)
	require.Equal(t, "ok", found.Index.State)
	require.EqualValues(t, 1, found.Index.Generation)
	require.Positive(t, found.Index.BaseBytes)
	require.Equal(t, 2+1+2+2, found.Reads, "two memories, meta, meta and request before, two counts")

	said := p.says("--horizon", "0")
	require.Zero(t, said.code)
	require.Contains(t, said.out, "tenants/acme/memories in project "+p.emulator.Project()+" of the emulator at ")
	require.Contains(t, said.out, "\n  ok    index      sound: generation 1, 1 document\n")
	require.Contains(t, said.out, "\n  ok    drift      none: the index lists the 2 memories of the store\n")
	require.Equal(t, 1+len(grades), strings.Count(said.out, "\n"), "a line a check and no more:\n%s", said.out)
	require.Equal(t, "tenants/acme/memories: going to read 2 memories and 1 document of its index in project "+
		p.emulator.Project()+" of the emulator at "+p.emulator.Host()+": about 7 reads, and one more for each memory that is listed and gone\n", said.errs)
	require.Empty(t, p.says("--quiet").errs)

	require.Equal(t, before, p.everything(), "doctor writes nothing")
}

// everything returns the paths and update times of the tenant's memories and of
// its index.
func (p *patient) everything() map[string]time.Time {
	p.Helper()
	all := map[string]time.Time{}
	for _, c := range []*firestore.CollectionRef{p.client.Collection(acme), p.index} {
		snapshots, err := c.Documents(p.Context()).GetAll()
		require.NoError(p, err)
		for _, s := range snapshots {
			all[s.Ref.Path] = s.UpdateTime
		}
	}
	return all
}

func TestDoctorFindsDrift(t *testing.T) {
	p := newPatient(t).put("kept", 1).put("changed", 2).put("deleted", 3).repair(0)
	p.put("changed", 4).put("added\n  ok    drift      none", 5).remove("deleted")

	found, grades := p.finds(1, "--horizon", "0")
	require.Equal(t, map[string]string{"drift": "error"}, notFine(grades))
	require.Equal(t, []int{1, 1, 1, 0}, []int{found.Drift.Missing, found.Drift.Ghosts, found.Drift.Stale, found.Drift.InFlight})

	said := p.says("--horizon", "0")
	require.Equal(t, 1, said.code)
	require.Contains(t, said.out, "\n  FAIL  drift      3 memories: 1 missing, 1 ghosts, 1 stale\n")
	require.Contains(t, said.out, "\nFAIL drift\n")
	require.Contains(t, said.out, `  missing  added\u{a}  ok    drift      none  stored with date 2026-05-05 12:00:00 UTC, not listed`+"\n")
	require.Contains(t, said.out, "  ghost    deleted  listed with date 2026-05-03 12:00:00 UTC, not stored\n")
	require.Contains(t, said.out, "  stale    changed  listed with date 2026-05-02 12:00:00 UTC, stored with 2026-05-04 12:00:00 UTC\n")
	require.Contains(t, said.out, "  → hippo repair --tenant acme ")

	// By default it is too young to be called drift.
	found, grades = p.finds(0)
	require.Equal(t, map[string]string{"in flight": "warning"}, notFine(grades))
	require.Equal(t, 3, found.Drift.InFlight)
	require.Contains(t, p.says().out, "3 differences younger than 10 minutes: too young to tell from drift")

	p.repair(0)
	_, grades = p.finds(0, "--horizon", "0")
	require.Empty(t, notFine(grades))
}

func TestDoctorCountsAllDriftAndShowsAFew(t *testing.T) {
	p := newPatient(t).repair(0)
	for i := range 7 {
		p.put(strings.Repeat("x", i+1), i+1)
	}
	said := p.says("--horizon", "0")
	require.Equal(t, 1, said.code)
	require.Contains(t, said.out, "7 memories: 7 missing, 0 ghosts, 0 stale")
	require.Equal(t, 5, strings.Count(said.out, "  missing  "))
	require.Contains(t, said.out, "  … and 2 more missing\n")
}

func TestDoctorFindsIndexesThatCannotBeUsed(t *testing.T) {
	update := func(path string, value any) func(*patient) {
		return func(p *patient) {
			_, err := p.put("a", 1).repair(0).index.Doc(index.MetaID).Update(p.Context(), []firestore.Update{{Path: path, Value: value}})
			require.NoError(p, err)
		}
	}
	for name, c := range map[string]struct {
		damage      func(p *patient)
		args        []string
		state, says string
		next        string
	}{
		"never built": {
			damage: func(p *patient) { p.put("a", 1) },
			state:  "missing", says: "FAIL  index  index missing", next: "→ hippo repair --tenant acme\n",
		},
		"checksum": {
			damage: update("sum", "0"),
			state:  "damaged", says: "the checksum of the base does not match", next: "→ hippo repair --tenant acme\n",
		},
		"another format": {
			damage: update("format", 7),
			state:  "format", says: "version 7, this code reads 1", next: "→ hippo repair --tenant acme\n",
		},
		"other settings": {
			damage: func(p *patient) { p.put("a", 1).repair(0) },
			args:   []string{"--date-field", "modified"},
			state:  "settings", says: "index built with other settings", next: "→ Set HIPPO_IDS and HIPPO_DATE_FIELD",
		},
	} {
		t.Run(name, func(t *testing.T) {
			p := newPatient(t)
			c.damage(p)
			found, grades := p.finds(1, c.args...)
			require.Equal(t, "error", grades["index"])
			require.NotContains(t, grades, "drift", "not compared")
			require.Equal(t, c.state, found.Index.State)
			require.Nil(t, found.Drift)
			said := p.says(c.args...)
			require.Contains(t, said.out, c.says)
			require.Contains(t, said.out, "nothing is known of drift")
			require.Contains(t, said.out, "every turn scans the collection: 1 read each")
			require.Contains(t, said.out, c.next)
		})
	}
}

func TestDoctorOfATenantThatDoesNotExist(t *testing.T) {
	p := newPatient(t)
	_, grades := p.finds(0)
	require.Equal(t, map[string]string{"index": "warning"}, notFine(grades))
	require.Contains(t, p.says().out, "Is the name right?")
}
