package hippocampus_test

import (
	"bytes"
	"encoding/json"
	"errors"
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
	"cmd/hippo":                      {"emulator", "emulator/eventarc", "emulator/official", "functions", "index", "internal/eval", "internal/eval/corpus", "internal/eval/report", "internal/eval/result", "internal/figure", "internal/outcome", "internal/rules", "internal/stack", "memory", "reader", "repair"},
	"emulator":                       {"emulator/clock", "emulator/fault", "emulator/internal/client", "emulator/internal/database", "emulator/internal/limit", "emulator/internal/resource", "emulator/internal/service", "emulator/internal/store", "emulator/internal/trigger", "emulator/meter"},
	"emulator/clock":                 {},
	"emulator/emulatortest":          {"emulator", "emulator/clock", "emulator/eventarc", "emulator/official/officialtest"},
	"emulator/eventarc":              {"emulator/internal/cloudevent", "emulator/internal/pattern"},
	"emulator/fault":                 {"emulator/clock", "emulator/internal/call"},
	"emulator/internal/aggregate":    {"emulator/internal/literal", "emulator/internal/query", "emulator/internal/resource", "emulator/internal/value"},
	"emulator/internal/bench":        {},
	"emulator/internal/call":         {},
	"emulator/internal/client":       {},
	"emulator/internal/cloudevent":   {},
	"emulator/internal/conformance":  {},
	"emulator/internal/database":     {"emulator/clock", "emulator/internal/limit", "emulator/internal/literal", "emulator/internal/lock", "emulator/internal/query", "emulator/internal/resource", "emulator/internal/store", "emulator/internal/value", "emulator/internal/write"},
	"emulator/internal/differential": {},
	"emulator/internal/limit":        {"emulator/internal/resource", "emulator/internal/value"},
	"emulator/internal/listen":       {"emulator/internal/query", "emulator/internal/resource", "emulator/internal/store"},
	"emulator/internal/literal":      {},
	"emulator/internal/lock":         {"emulator/clock", "emulator/internal/query", "emulator/internal/resource", "emulator/internal/store"},
	"emulator/internal/nearest":      {"emulator/internal/literal", "emulator/internal/value"},
	"emulator/internal/pattern":      {},
	"emulator/internal/query":        {"emulator/internal/literal", "emulator/internal/resource", "emulator/internal/value"},
	"emulator/internal/resource":     {},
	"emulator/internal/serial":       {},
	"emulator/internal/service":      {"emulator/internal/aggregate", "emulator/internal/database", "emulator/internal/listen", "emulator/internal/literal", "emulator/internal/nearest", "emulator/internal/query", "emulator/internal/resource", "emulator/internal/store", "emulator/internal/value", "emulator/meter"},
	"emulator/internal/store":        {"emulator/internal/query", "emulator/internal/resource", "emulator/internal/value"},
	"emulator/internal/trigger":      {"emulator/internal/cloudevent", "emulator/internal/pattern", "emulator/internal/store", "emulator/internal/value"},
	"emulator/internal/value":        {"emulator/internal/resource"},
	"emulator/internal/write":        {"emulator/internal/literal", "emulator/internal/resource", "emulator/internal/value"},
	"emulator/meter":                 {"emulator/internal/call"},
	"emulator/official":              {"emulator/internal/client", "emulator/internal/cloudevent"},
	"emulator/official/officialtest": {"emulator/internal/client", "emulator/official", "internal/deep"},
	"functions":                      {"index", "internal/indexdb", "internal/outcome", "memory", "repair"},
	"index":                          {"memory"},
	"internal/chaos":                 {"emulator", "emulator/clock", "emulator/eventarc", "functions", "index", "internal/ways", "memory", "reader", "repair"},
	"internal/deep":                  {},
	"internal/eval":                  {"emulator/eventarc", "emulator/official", "functions", "index", "internal/chaos", "internal/eval/bill", "internal/eval/corpus", "internal/eval/result", "internal/figure", "internal/indexdb", "internal/stack", "internal/ways", "memory", "reader", "repair"},
	"internal/eval/bill":             {},
	"internal/eval/corpus":           {},
	"internal/eval/report":           {"internal/eval/result", "internal/figure"},
	"internal/eval/result":           {"internal/figure"},
	"internal/figure":                {},
	"internal/indexdb":               {"index", "internal/outcome", "memory"},
	"internal/mutant":                {},
	"internal/outcome":               {},
	"internal/protocol":              {},
	"internal/rules":                 {"emulator/official", "index", "memory"},
	"internal/stack":                 {"emulator", "emulator/eventarc", "emulator/official", "functions", "index", "repair"},
	"internal/tenanttest":            {"emulator/emulatortest", "emulator/eventarc", "index", "internal/indexdb", "memory"},
	"internal/ways":                  {},
	"memory":                         {"internal/outcome"},
	"reader":                         {"index", "internal/indexdb", "internal/outcome", "memory"},
	"repair":                         {"index", "internal/indexdb", "internal/outcome", "memory"},
	"scripts":                        {},
}

func TestImportsRunOneWay(t *testing.T) {
	module := modulePath(t)
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
		name := ours(module, p.ImportPath)
		allowed, known := imports[name]
		require.True(t, known, "package %q has no place in the layout: add it to the table, or do without it", name)
		for _, path := range p.Imports {
			if path == module || strings.HasPrefix(path, module+"/") {
				require.Contains(t, allowed, ours(module, path), "%s may not import %s", name, path)
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
			regexp.MustCompile(`(emulatortest\.Start|tenanttest\.New)\(`), regexp.MustCompile(`(?m)^HIPPOCAMPUS_EMULATOR=official .*go test .*$`),
			// The one moves the embedded emulator's clock, the other tries both by itself.
			[]string{"clock_test.go", "emulator/emulatortest/emulatortest_test.go"},
		},
		"benchmarks": {regexp.MustCompile(`(?m)^func Benchmark`), regexp.MustCompile(`(?m)^.*go test .*-bench .*$`), nil},
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

// What gRPC's codes mean is decided in one place. Those who speak the protocol themselves look at
// them too: the emulator, a meter, what stands in for a broken network, and a client that tries
// rules.
func TestCodesAreLookedAtInOnePlace(t *testing.T) {
	speakers := []string{"emulator/", "internal/outcome/", "internal/eval/bill/", "internal/chaos/", "internal/rules/"}
	found := 0
	require.NoError(t, filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		source, err := os.ReadFile(path)
		if err == nil && strings.Contains(string(source), `"google.golang.org/grpc/codes"`) {
			found++
			require.True(t, slices.ContainsFunc(speakers, func(s string) bool { return strings.HasPrefix(filepath.ToSlash(path), s) }), path)
		}
		return err
	}))
	require.Greater(t, found, 10)
}

// ours returns the path of a package in the module.
func ours(module, path string) string {
	return strings.TrimPrefix(strings.TrimPrefix(path, module), "/")
}

// modulePath is that of go.mod: a copy may have another one, see scripts/module-path.
func modulePath(t *testing.T) string {
	out, err := exec.CommandContext(t.Context(), "go", "list", "-m").Output()
	require.NoError(t, err)
	return strings.TrimSpace(string(out))
}

// Every case of docs/cases.md is a test that carries its number, and every such test is of a case.
func TestEveryCaseIsATest(t *testing.T) {
	page, err := os.ReadFile("docs/cases.md")
	require.NoError(t, err)
	cases, tests := map[string]bool{}, map[string]bool{}
	for _, row := range regexp.MustCompile(`(?m)^\| (\d\d[a-z]?) \|`).FindAllStringSubmatch(string(page), -1) {
		require.False(t, cases[row[1]], "case %s is there twice", row[1])
		cases[row[1]] = true
	}
	require.GreaterOrEqual(t, len(cases), 30)
	name := regexp.MustCompile(`(?m)^func TestCase((?:\d\d[a-z]?_)+)\w+\(t \*testing\.T\)`)
	require.NoError(t, filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, "_test.go") {
			return err
		}
		source, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		for _, match := range name.FindAllSubmatch(source, -1) {
			for number := range strings.SplitSeq(strings.TrimSuffix(string(match[1]), "_"), "_") {
				tests[number] = true
			}
		}
		return nil
	}))
	require.Equal(t, cases, tests)
}
