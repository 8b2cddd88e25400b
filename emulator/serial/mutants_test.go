package serial_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// mutant is the emulator with a rule taken away: in file, old, which must be there once, is replaced.
type mutant struct {
	name           string
	file, old, new string
	tests          string // that find it; "" is the histories
	finds          string // what they say, a regular expression
}

const (
	disorder = "no order explains the history|in the order of times it cannot|the times are not in order|the time of another commit"
	deadlock = "DeadlineExceeded"
)

var mutants = []mutant{
	{
		name: "documents are not locked",
		file: "lock/lock.go", old: "readers[x] = struct{}{}", new: "_ = readers", finds: disorder,
	},
	{
		name: "queries are not locked",
		file: "lock/lock.go", old: "t.querying[x] = struct{}{}", new: "", finds: disorder,
	},
	{
		name: "a query locks only what comes to match",
		file: "lock/lock.go", old: "c.Before != nil && q.Matches(c.Path, c.Before) || ", new: "", finds: disorder,
	},
	{
		name: "a query locks only what matches already",
		file: "lock/lock.go", old: " || c.After != nil && q.Matches(c.Path, c.After)", new: "", finds: disorder,
	},
	{
		name: "a commit ignores readers",
		file: "lock/lock.go", old: "range t.holders(x, changes) {", new: "range t.holders(x, changes)[:0] {", finds: disorder,
	},
	{
		name: "a commit spares younger readers",
		file: "lock/lock.go", old: "range younger {", new: "range younger[:0] {", finds: disorder,
	},
	{
		name: "one that has lost commits",
		file: "lock/lock.go", old: "\t\t\treturn nil, x.lost\n\t\t}\n\t\tage", new: "\t\t}\n\t\tage", finds: disorder,
	},
	{
		name: "one that has lost reads on",
		file: "database/database.go", old: "return d.locks.Lost(x)", new: "return nil", finds: disorder,
	},
	{
		name: "documents are locked after they are read",
		file: "database/database.go",
		old:  "if err := d.locks.LockDocuments(x, paths...); err != nil {",
		new:  "defer func() { _ = d.locks.LockDocuments(x, paths...) }()\n\t\tif err := d.locks.Lost(x); err != nil {", finds: disorder,
	},
	{
		name: "a commit without a transaction ignores readers",
		file: "lock/lock.go", old: "var younger []*Transaction", new: "if x == nil {\n\t\treturn nil, nil\n\t}\n\tvar younger []*Transaction", finds: disorder,
	},
	{
		name: "older and younger wait for each other",
		file: "lock/lock.go", old: "if holder.age < age {", new: "if holder.age != age {", finds: deadlock,
	},
	{
		name: "a waiter is not woken",
		file: "lock/lock.go", old: "\tclose(x.done)\n", new: "", finds: deadlock,
	},
	{
		name: "a transaction that is tried again is new",
		file: "lock/lock.go", old: "x.age = old.age", new: "_ = old.age", tests: "^TestProgress$", finds: "lost that often with one transaction",
	},
	{
		name: "a read-only transaction reads the newest",
		file: "database/database.go", old: "return View{At: x.ReadTime, Transaction: x}, nil", new: "return View{Transaction: x}, nil", finds: disorder,
	},
	{
		name: "a read leaves no mark in time",
		file: "store/store.go", old: "\t\traise(&s.seen, now)\n", new: "", finds: disorder,
	},
	{
		name: "documents in the past are the newest",
		file: "store/read.go", old: "docs[i] = d.at(t)", new: "docs[i] = d.head.doc", finds: disorder,
	},
	{
		name: "queries in the past see the newest",
		file: "store/query.go", old: "if doc := d.at(t); doc != nil {", new: "if doc := d.head.doc; doc != nil {", finds: disorder,
	},
	{
		name: "a commit that waited is taken for made",
		file: "database/commit.go", old: "if err != errWait {", new: "if err == errWait {\n\t\t\tif err := d.locks.Wait(ctx, x, holder); err != nil {\n\t\t\t\treturn nil, time.Time{}, err\n\t\t\t}\n\t\t\treturn results, at, nil\n\t\t}\n\t\tif err != errWait {", finds: disorder,
	},
	{
		name: "a transaction is remembered for ever",
		file: "lock/lock.go", old: "\tdelete(t.open, x.ID)\n", new: "", tests: "^TestNothingIsLeft", finds: "transactions are left",
	},
}

// Every rule is needed: without it the tests find an error.
func TestMutants(t *testing.T) {
	if os.Getenv(mutated) != "" {
		return // this is one
	}
	require.NotEmpty(t, mutants)
	for _, m := range append([]mutant{{name: "sound"}}, mutants...) {
		t.Run(m.name, func(t *testing.T) {
			t.Parallel()
			text, err := m.run(t)
			if m.finds == "" {
				require.NoError(t, err, "sound code fails:\n%s", text)
				return
			}
			require.Error(t, err, "nothing was found:\n%s", text)
			require.Regexp(t, m.finds, text)
			t.Logf("%s: found, %s", m.name, foundBy.FindString(text))
		})
	}
}

var foundBy = regexp.MustCompile(`Test:\s+\S+`)

// mutated tells the process of a mutant's tests what it is.
const mutated = "SERIAL_MUTANT"

// run runs tests on the mutant, in a process of its own, and returns their output and whether they failed.
func (m *mutant) run(t *testing.T) (string, error) {
	tests := "^TestHistories$"
	if m.tests != "" {
		tests = m.tests
	}
	test := exec.CommandContext(t.Context(), "go", "test", "-count=1", "-vet=off", "-race=false", "-failfast", "-overlay", m.overlay(t),
		"-run", tests, ".", "-serial.histories=2000")
	if m.finds == deadlock {
		test.Args = append(test.Args, "-serial.patience=3s")
	}
	if m.finds == "" {
		test.Args = append(test.Args, "-serial.histories=10")
	}
	test.Env = append(os.Environ(), mutated+"=1")
	output, err := test.CombinedOutput()
	return string(output), err
}

// overlay writes the mutant's source and returns the file that has the go command read it in place of the emulator's.
func (m *mutant) overlay(t *testing.T) string {
	dir := t.TempDir()
	replace := map[string]string{}
	if m.file != "" {
		original, err := filepath.Abs(filepath.Join("..", m.file))
		require.NoError(t, err)
		source, err := os.ReadFile(original)
		require.NoError(t, err)
		require.Equal(t, 1, strings.Count(string(source), m.old), "the text that %s replaces must be in %s once; has the code moved?\n%s", m.name, m.file, m.old)
		replace[original] = filepath.Join(dir, "mutant.go")
		require.NoError(t, os.WriteFile(replace[original], []byte(strings.Replace(string(source), m.old, m.new, 1)), 0o600))
	}
	overlay, err := json.Marshal(map[string]any{"Replace": replace})
	require.NoError(t, err)
	file := filepath.Join(dir, "overlay.json")
	require.NoError(t, os.WriteFile(file, overlay, 0o600))
	return file
}
