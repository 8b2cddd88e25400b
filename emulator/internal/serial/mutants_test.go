package serial_test

import (
	"os"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"

	"hippocampus/internal/mutant"
)

// faulty is the emulator with a rule taken away.
type faulty struct {
	name    string
	patches []patch
	tests   string // that find it; "" is the histories
	finds   string // what they say, a regular expression
}

type patch = mutant.Patch

// yield lets the others go first, many times: of a race that short the histories would else need thousands to show it.
const yield = "for range 10_000 {\nruntime.Gosched()\n}\n"

// yields has a file import what yield needs.
func yields(file string) patch { return patch{file, "\t\"errors\"\n", "\t\"errors\"\n\t\"runtime\"\n"} }

const (
	disorder = "no order explains the history|in the order of times it cannot|the times are not in order|the time of another commit"
	deadlock = "DeadlineExceeded"
)

var mutants = []faulty{
	{
		name:    "documents are not locked",
		patches: []patch{{"lock/lock.go", "readers[x] = struct{}{}", "_ = readers"}},
		finds:   disorder,
	},
	{
		name:    "queries are not locked",
		patches: []patch{{"lock/lock.go", "t.querying[x] = struct{}{}", ""}},
		finds:   disorder,
	},
	{
		name:    "a query locks only what comes to match",
		patches: []patch{{"lock/lock.go", "c.Before != nil && q.Matches(c.Path, c.Before) || ", ""}},
		finds:   disorder,
	},
	{
		name:    "a query locks only what matches already",
		patches: []patch{{"lock/lock.go", " || c.After != nil && q.Matches(c.Path, c.After)", ""}},
		finds:   disorder,
	},
	{
		name:    "a commit ignores readers",
		patches: []patch{{"lock/lock.go", "range t.holders(x, changes) {", "range t.holders(x, changes)[:0] {"}},
		finds:   disorder,
	},
	{
		name:    "a commit spares younger readers",
		patches: []patch{{"lock/lock.go", "range younger {", "range younger[:0] {"}},
		finds:   disorder,
	},
	{
		name: "one that has lost commits",
		patches: []patch{
			{"lock/lock.go", "\t\t\treturn nil, x.lost\n\t\t}\n\t\tage", "\t\t}\n\t\tage"},
			{"database/commit.go", "if err = d.locks.Alive(x); err != nil {", "if err != nil {"},
			{"database/commit.go", "age := d.locks.Age()", yield + "age := d.locks.Age()"},
			yields("database/commit.go"),
		},
		finds: disorder,
	},
	{
		name: "one that has lost reads on",
		patches: []patch{
			{"database/database.go", "return d.locks.Alive(x)", "return nil"},
			{"database/database.go", "docs, at, err := d.Store.Get(v.At, paths...)", yield + "docs, at, err := d.Store.Get(v.At, paths...)"},
			yields("database/database.go"),
		},
		finds: disorder,
	},
	{
		name: "documents are locked after they are read",
		patches: []patch{
			{
				"database/database.go", "if err := d.locks.LockDocuments(x, paths...); err != nil {",
				"defer func() {\n" + yield + "_ = d.locks.LockDocuments(x, paths...)\n}()\nif err := d.locks.Alive(x); err != nil {",
			},
			yields("database/database.go"),
		},
		finds: disorder,
	},
	{
		name:    "a commit without a transaction ignores readers",
		patches: []patch{{"lock/lock.go", "var younger []*Transaction", "if x == nil {\n\t\treturn nil, nil\n\t}\n\tvar younger []*Transaction"}},
		finds:   disorder,
	},
	{
		name:    "older and younger wait for each other",
		patches: []patch{{"lock/lock.go", "if holder.age < age {", "if holder.age != age {"}},
		finds:   deadlock,
	},
	{
		name:    "a waiter is not woken",
		patches: []patch{{"lock/lock.go", "\tclose(x.done)\n", ""}},
		finds:   deadlock,
	},
	{
		name:    "a transaction that is tried again is new",
		patches: []patch{{"lock/lock.go", "x.age = old.age", "_ = old.age"}},
		tests:   "^TestProgress$", finds: "lost that often with one transaction",
	},
	{
		name:    "a read-only transaction reads the newest",
		patches: []patch{{"database/database.go", "return View{At: x.ReadTime, Transaction: x}, nil", "return View{Transaction: x}, nil"}},
		finds:   disorder,
	},
	{
		name:    "a read leaves no mark in time",
		patches: []patch{{"store/store.go", "\t\traise(&s.seen, now)\n", ""}},
		finds:   disorder,
	},
	{
		name:    "documents in the past are the newest",
		patches: []patch{{"store/read.go", "docs[i] = d.at(t)", "docs[i] = d.head.doc"}},
		finds:   disorder,
	},
	{
		name:    "queries in the past see the newest",
		patches: []patch{{"store/query.go", "if doc := d.at(t); doc != nil {", "if doc := d.head.doc; doc != nil {"}},
		finds:   disorder,
	},
	{
		name:    "a commit that waited is taken for made",
		patches: []patch{{"database/commit.go", "if err != errWait {", "if err == errWait {\n\t\t\tif err := d.locks.Wait(ctx, x, holder); err != nil {\n\t\t\t\treturn nil, time.Time{}, err\n\t\t\t}\n\t\t\treturn results, at, nil\n\t\t}\n\t\tif err != errWait {"}},
		finds:   disorder,
	},
	{
		name:    "a listener is remembered for ever",
		patches: []patch{{"store/commit.go", "delete(s.watchers, &f)", ""}},
		tests:   "^TestNothingIsLeft", finds: "bytes are left",
	},
	{
		name:    "a transaction is remembered for ever",
		patches: []patch{{"lock/lock.go", "\tdelete(t.open, x.ID)\n", ""}},
		tests:   "^TestNothingIsLeft", finds: "transactions are left",
	},
}

// Every rule is needed: without it the tests find an error.
func TestMutants(t *testing.T) {
	if os.Getenv(mutated) != "" {
		return // this is one
	}
	require.NotEmpty(t, mutants)
	for _, m := range append([]faulty{{name: "sound"}}, mutants...) {
		t.Run(m.name, func(t *testing.T) {
			t.Parallel()
			text, err := m.run(t)
			mutant.Check(t, m.finds, text, err)
			if m.finds != "" {
				t.Logf("%s: found, %s", m.name, foundBy.FindString(text))
			}
		})
	}
}

var foundBy = regexp.MustCompile(`Test:\s+\S+`)

// mutated tells the process of a mutant's tests what it is.
const mutated = "SERIAL_MUTANT"

// run runs tests on the mutant, in a process of its own, and returns their output and whether they failed.
func (m *faulty) run(t *testing.T) (string, error) {
	tests := "^TestHistories$"
	if m.tests != "" {
		tests = m.tests
	}
	args := []string{"-failfast", "-run", tests, ".", "-serial.histories=500"}
	if m.finds == deadlock {
		args = append(args, "-serial.patience=3s")
	}
	if m.finds == "" {
		args = append(args, "-serial.histories=10")
	}
	return mutant.Run(t, mutant.Overlay(t, "..", m.patches...), []string{mutated + "=1"}, args...)
}
