package hippocampus_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// imports says which packages of ours each package may import. Imports run one
// way; a new package is added here on purpose.
var imports = map[string][]string{
	"":                               {"functions"},
	"memory":                         {},
	"index":                          {"memory"},
	"reader":                         {"memory", "index"},
	"repair":                         {"memory", "index"},
	"functions":                      {"memory", "index", "repair"},
	"emulator":                       {"emulator/client", "emulator/clock", "emulator/database", "emulator/fault", "emulator/limit", "emulator/meter", "emulator/resource", "emulator/service", "emulator/store", "emulator/trigger"},
	"emulator/service":               {"emulator/aggregate", "emulator/build", "emulator/database", "emulator/listen", "emulator/meter", "emulator/nearest", "emulator/query", "emulator/resource", "emulator/store", "emulator/value"},
	"emulator/nearest":               {"emulator/build", "emulator/value"},
	"emulator/aggregate":             {"emulator/build", "emulator/query", "emulator/resource", "emulator/value"},
	"emulator/database":              {"emulator/build", "emulator/clock", "emulator/limit", "emulator/lock", "emulator/query", "emulator/resource", "emulator/store", "emulator/value", "emulator/write"},
	"emulator/emulatortest":          {"emulator", "emulator/clock", "emulator/eventarc", "emulator/official/officialtest"},
	"emulator/conformance":           {"emulator/build", "emulator/client"},
	"emulator/differential":          {},
	"emulator/build":                 {},
	"emulator/bench":                 {},
	"emulator/serial":                {},
	"emulator/client":                {},
	"emulator/clock":                 {},
	"emulator/store":                 {"emulator/resource", "emulator/value", "emulator/query"},
	"emulator/lock":                  {"emulator/clock", "emulator/resource", "emulator/query", "emulator/store"},
	"emulator/official":              {"emulator/client", "emulator/cloudevent"},
	"emulator/official/officialtest": {"emulator/client", "emulator/official"},
	"emulator/eventarc":              {"emulator/cloudevent", "emulator/pattern"},
	"emulator/cloudevent":            {},
	"emulator/pattern":               {},
	"emulator/call":                  {},
	"emulator/meter":                 {"emulator/call"},
	"emulator/fault":                 {"emulator/call", "emulator/clock"},
	"emulator/trigger":               {"emulator/cloudevent", "emulator/pattern", "emulator/store", "emulator/value"},
	"emulator/resource":              {},
	"emulator/value":                 {"emulator/resource"},
	"emulator/limit":                 {"emulator/resource", "emulator/value"},
	"emulator/write":                 {"emulator/build", "emulator/resource", "emulator/value"},
	"emulator/query":                 {"emulator/build", "emulator/resource", "emulator/value"},
	"emulator/listen":                {"emulator/query", "emulator/resource", "emulator/store"},
	"stack":                          {"index", "repair", "functions", "emulator", "emulator/official", "emulator/eventarc"},
	"eval":                           {"memory", "index", "reader", "repair", "functions", "stack", "chaos", "emulator/eventarc", "emulator/official", "eval/bill", "eval/corpus", "eval/figure", "eval/price", "eval/result", "eval/ways"},
	"cmd/hippo":                      {"memory", "index", "reader", "repair", "functions", "stack", "eval", "eval/baseline", "eval/corpus", "eval/figure", "eval/page", "eval/price", "eval/result", "eval/table", "emulator", "emulator/client", "emulator/official", "emulator/eventarc"},
	"eval/baseline":                  {"eval/figure", "eval/result", "eval/table"},
	"eval/figure":                    {},
	"eval/price":                     {"eval/result"},
	"eval/page":                      {"eval/figure", "eval/result", "eval/table"},
	"eval/result":                    {},
	"eval/corpus":                    {},
	"eval/ways":                      {},
	"eval/bill":                      {},
	"eval/table":                     {"eval/figure", "eval/result"},
	"mutant":                         {},
	"chaos/mutants":                  {"mutant"},
	"chaos":                          {"memory", "index", "reader", "repair", "functions", "emulator", "emulator/clock", "emulator/eventarc", "eval/ways"},
	"scripts":                        {},
}

func TestImportsRunOneWay(t *testing.T) {
	out, err := exec.CommandContext(t.Context(), "go", "list", "-json=ImportPath,Imports", "./...").Output()
	require.NoError(t, err)
	seen := 0
	for decoder := json.NewDecoder(bytes.NewReader(out)); ; seen++ {
		var p struct {
			ImportPath string
			Imports    []string
		}
		err := decoder.Decode(&p)
		if errors.Is(err, io.EOF) {
			break
		}
		require.NoError(t, err)
		name := ours(p.ImportPath)
		allowed, known := imports[name]
		require.True(t, known, "package %q has no place in the layout: add it to the table, or do without it", name)
		for _, path := range p.Imports {
			if path == "hippocampus" || strings.HasPrefix(path, "hippocampus/") {
				require.Contains(t, allowed, ours(path), "%s may not import %s", name, path)
			}
		}
	}
	require.Equal(t, len(imports), seen, "every package of the table exists")
}

// What runs on either emulator is run by CI on both, and what has benchmarks has them run.
func TestCIRunsAllThatThereIs(t *testing.T) {
	check, err := os.ReadFile("scripts/check")
	require.NoError(t, err)
	runs := func(step *regexp.Regexp) func(file string) bool {
		var packages []string
		for _, command := range step.FindAllString(string(check), -1) {
			for _, word := range strings.Fields(command) {
				if name, ok := strings.CutPrefix(word, "./"); ok {
					packages = append(packages, name)
				}
			}
		}
		require.NotEmpty(t, packages, "%s", step)
		return func(file string) bool {
			return slices.ContainsFunc(packages, func(p string) bool {
				parent, all := strings.CutSuffix(p, "/...")
				return filepath.Dir(file) == p || all && strings.HasPrefix(file, parent+"/")
			})
		}
	}
	for name, c := range map[string]struct {
		has, step *regexp.Regexp
		except    []string
	}{
		"on the official emulator": {
			regexp.MustCompile(`emulatortest\.Start\(`), regexp.MustCompile(`(?m)^HIPPOCAMPUS_EMULATOR=official go test .*$`),
			// The one moves the embedded emulator's clock, the other tries both by itself.
			[]string{"clock_test.go", "emulator/emulatortest/emulatortest_test.go"},
		},
		"benchmarks": {regexp.MustCompile(`(?m)^func Benchmark`), regexp.MustCompile(`(?m)^go test .*-bench .*$`), nil},
	} {
		t.Run(name, func(t *testing.T) {
			run, found := runs(c.step), 0
			require.NoError(t, filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
				if err != nil || !strings.HasSuffix(path, "_test.go") {
					return err
				}
				source, err := os.ReadFile(path)
				if err == nil && c.has.Match(source) && !slices.Contains(c.except, path) {
					found++
					require.True(t, run(filepath.ToSlash(path)), "scripts/check leaves out %s", path)
				}
				return err
			}))
			require.Greater(t, found, 3)
		})
	}
}

func ours(path string) string {
	return strings.TrimPrefix(strings.TrimPrefix(path, "hippocampus"), "/")
}

// Every failure from the field is a test that carries its number.
func TestEveryCaseIsATest(t *testing.T) {
	cases := []string{"21b", "21c"}
	for n := 1; n <= 28; n++ {
		cases = append(cases, fmt.Sprintf("%02d", n))
	}
	name := regexp.MustCompile(`(?m)^func TestCase(\d\d[bc]?)_\w+\(t \*testing\.T\)`)
	found := map[string]bool{}
	require.NoError(t, filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, "_test.go") {
			return err
		}
		source, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		for _, match := range name.FindAllSubmatch(source, -1) {
			found[string(match[1])] = true
		}
		return nil
	}))
	for _, c := range cases {
		require.True(t, found[c], "no TestCase%s_…", c)
	}
}
