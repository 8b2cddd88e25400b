package serial_test

import (
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"

	"hippocampus/internal/deep"
	"hippocampus/internal/mutant"
)

type patch = mutant.Patch

// yield lets the others go first, many times: of a race that short the histories would else need
// thousands to show it.
const yield = "for range 10_000 {\nruntime.Gosched()\n}\n"

// yields has a file import what yield needs.
func yields(file string) patch { return patch{file, "\t\"errors\"\n", "\t\"errors\"\n\t\"runtime\"\n"} }

const (
	disorder = "no order explains the history|in the order of times it cannot|the times are not in order|the time of another commit"
	deadlock = "DeadlineExceeded"
)

// mutants are the emulator with a rule taken away. Without Tests, the histories find them.
var mutants = []mutant.Mutant{
	{
		Name:    "documents are not locked",
		Patches: []patch{{"lock/lock.go", "readers[x] = struct{}{}", "_ = readers"}},
		Finds:   disorder,
	},
	{
		Name:    "queries are not locked",
		Patches: []patch{{"lock/lock.go", "t.querying[x] = struct{}{}", ""}},
		Finds:   disorder,
	},
	{
		Name:    "a query locks only what comes to match",
		Patches: []patch{{"lock/lock.go", "c.Before != nil && q.Matches(c.Path, c.Before) || ", ""}},
		Finds:   disorder,
	},
	{
		Name:    "a query locks only what matches already",
		Patches: []patch{{"lock/lock.go", " || c.After != nil && q.Matches(c.Path, c.After)", ""}},
		Finds:   disorder,
	},
	{
		Name:    "a commit ignores readers",
		Patches: []patch{{"lock/lock.go", "range t.holders(x, changes) {", "range t.holders(x, changes)[:0] {"}},
		Finds:   disorder,
	},
	{
		Name:    "a commit spares younger readers",
		Patches: []patch{{"lock/lock.go", "range younger {", "range younger[:0] {"}},
		Finds:   disorder,
	},
	{
		Name: "one that has lost commits",
		Patches: []patch{
			{"lock/lock.go", "\t\t\treturn nil, x.lost\n\t\t}\n\t\tage", "\t\t}\n\t\tage"},
			{"database/commit.go", "if err = d.locks.Alive(x); err != nil {", "if err != nil {"},
			{"database/commit.go", "age := d.locks.Age()", yield + "age := d.locks.Age()"},
			yields("database/commit.go"),
		},
		Finds: disorder,
	},
	{
		Name: "one that has lost reads on",
		Patches: []patch{
			{"database/database.go", "return d.locks.Alive(x)", "return nil"},
			{"database/database.go", "docs, at, err := d.Store.Get(v.At, paths...)", yield + "docs, at, err := d.Store.Get(v.At, paths...)"},
			yields("database/database.go"),
		},
		Finds: disorder,
	},
	{
		Name: "documents are locked after they are read",
		Patches: []patch{
			{
				"database/database.go", "if err := d.locks.LockDocuments(x, paths...); err != nil {",
				"defer func() {\n" + yield + "_ = d.locks.LockDocuments(x, paths...)\n}()\nif err := d.locks.Alive(x); err != nil {",
			},
			yields("database/database.go"),
		},
		Finds: disorder,
	},
	{
		Name:    "a commit without a transaction ignores readers",
		Patches: []patch{{"lock/lock.go", "var younger []*Transaction", "if x == nil {\n\t\treturn nil, nil\n\t}\n\tvar younger []*Transaction"}},
		Finds:   disorder,
	},
	{
		Name:    "older and younger wait for each other",
		Patches: []patch{{"lock/lock.go", "if holder.age < age {", "if holder.age != age {"}},
		Finds:   deadlock,
	},
	{
		Name:    "a waiter is not woken",
		Patches: []patch{{"lock/lock.go", "\tclose(x.done)\n", ""}},
		Finds:   deadlock,
	},
	{
		Name:    "a transaction that is tried again is new",
		Patches: []patch{{"lock/lock.go", "x.age = old.age", "_ = old.age"}},
		Tests:   "^TestProgress$", Finds: "lost that often with one transaction",
	},
	{
		Name:    "a read-only transaction reads the newest",
		Patches: []patch{{"database/database.go", "return View{At: x.ReadTime, Transaction: x}, nil", "return View{Transaction: x}, nil"}},
		Finds:   disorder,
	},
	{
		Name:    "a read leaves no mark in time",
		Patches: []patch{{"store/store.go", "\t\traise(&s.seen, now)\n", ""}},
		Finds:   disorder,
	},
	{
		Name:    "documents in the past are the newest",
		Patches: []patch{{"store/read.go", "docs[i] = d.at(t)", "docs[i] = d.head.doc"}},
		Finds:   disorder,
	},
	{
		Name:    "queries in the past see the newest",
		Patches: []patch{{"store/query.go", "if doc := d.at(t); doc != nil {", "if doc := d.head.doc; doc != nil {"}},
		Finds:   disorder,
	},
	{
		Name:    "a commit that waited is taken for made",
		Patches: []patch{{"database/commit.go", "if err != errWait {", "if err == errWait {\n\t\t\tif err := d.locks.Wait(ctx, x, holder); err != nil {\n\t\t\t\treturn nil, time.Time{}, err\n\t\t\t}\n\t\t\treturn results, at, nil\n\t\t}\n\t\tif err != errWait {"}},
		Finds:   disorder,
	},
	{
		Name:    "a listener is remembered for ever",
		Patches: []patch{{"store/commit.go", "delete(s.watchers, &f)", ""}},
		Tests:   "^TestNothingIsLeft", Finds: "bytes are left",
	},
	{
		Name:    "a transaction is remembered for ever",
		Patches: []patch{{"lock/lock.go", "\tdelete(t.open, x.ID)\n", ""}},
		Tests:   "^TestNothingIsLeft", Finds: "transactions are left",
	},
}

// Every rule is needed: without it the tests find an error.
func TestMutants(t *testing.T) {
	deep.Only(t)
	require.Greater(t, len(mutants), 15)
	binary := mutant.Build(t, "..", mutants...)
	t.Run("all", func(t *testing.T) {
		for _, m := range append([]mutant.Mutant{{Name: "sound"}}, mutants...) {
			t.Run(m.Name, func(t *testing.T) {
				t.Parallel()
				tests := "^TestHistories$"
				if m.Tests != "" {
					tests = m.Tests
				}
				args := []string{"-test.failfast", "-test.run=" + tests, "-serial.histories=500"}
				if m.Finds == deadlock {
					args = append(args, "-serial.patience=3s")
				}
				if m.Finds == "" {
					args = append(args, "-serial.histories=10")
				}
				text, err := binary.Run(t, m.Name, nil, args...)
				mutant.Check(t, m.Finds, text, err)
				if m.Finds != "" {
					t.Logf("%s: found, %s", m.Name, foundBy.FindString(text))
				}
			})
		}
	})
}

var foundBy = regexp.MustCompile(`Test:\s+\S+`)
