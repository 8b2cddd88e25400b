package scripts_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"hippocampus/internal/deep"
)

// What the CLI answers about a project: common is true of each, fresh has nothing of
// ours yet, deployed has it all.
var (
	common = []answer{
		{"'gcloud version'", "echo 'Google Cloud SDK 528.0.0'"},
		{"'gcloud firestore databases describe '*", `printf 'nam5\tFIRESTORE_NATIVE\n'`},
		{"'gcloud functions describe '*", "echo https://repair-due-abc-uc.a.run.app"},
		{"'gcloud auth print-access-token '*", "echo secret-token"},
		{"'gcloud firestore indexes fields describe '*", `[ $n = 0 ] && printf 'COLLECTION_GROUP\tCREATING\n' || printf 'COLLECTION_GROUP\tREADY\n'`},
	}
	fresh    = append([]answer{{"'gcloud firestore indexes fields list '*", `printf '*\tCOLLECTION;COLLECTION\tREADY;READY\n'`}}, common...)
	accounts = answer{"'gcloud iam service-accounts list '*", "printf '%s@my-project.iam.gserviceaccount.com\\n' other hippo-functions hippo-trigger hippo-scheduler"}
	deployed = append([]answer{
		accounts,
		{"'gcloud scheduler jobs list '*", "printf 'other\\nhippo-repair\\n'"},
		{"'gcloud firestore indexes fields list '*", `printf '*\tCOLLECTION\tREADY\nb\t\t\ndue\tCOLLECTION_GROUP\tREADY\ne\t\t\nlast\t\t\n'`},
	}, common...)
)

func TestFreshProject(t *testing.T) {
	c := newCloud(t, fresh...)
	real := c.deploy("--project=my-project")
	require.Zero(t, real.code, real.errors)
	calls := c.calls()
	require.Len(t, those(calls, "gcloud", "firestore", "indexes", "fields", "update"), 3)
	require.Len(t, those(calls, "gcloud", "firestore", "indexes", "fields", "describe"), 2, "it waits until the index is ready")
	require.Len(t, those(calls, "sleep"), 1)
	require.Len(t, those(calls, "gcloud", "iam", "service-accounts", "create"), 3)
	require.Len(t, those(calls, "gcloud", "functions", "deploy"), 3)
	require.Len(t, those(calls, "gcloud", "scheduler", "jobs", "create", "http"), 1)
	require.Empty(t, those(calls, "gcloud", "scheduler", "jobs", "update"))
	job := those(calls, "gcloud", "scheduler", "jobs", "create", "http")[0]
	require.Equal(t, []string{"https://repair-due-abc-uc.a.run.app"}, flag(job, "--uri"))
	require.Equal(t, []string{"nam5"}, flag(those(calls, "gcloud", "functions", "deploy")[0], "--trigger-location"))
	require.Equal(t, []string{"us-central1"}, flag(those(calls, "gcloud", "functions", "deploy")[0], "--region"))

	require.Len(t, those(calls, "curl"), 1)
	stdin, err := os.ReadFile(filepath.Join(c.bin, "curl.stdin"))
	require.NoError(t, err)
	require.Equal(t, "Authorization: Bearer secret-token\n", string(stdin))
	for _, call := range calls {
		require.NotContains(t, strings.Join(call, " "), "secret-token", "arguments can be seen by others")
	}
	require.NotContains(t, real.out+real.errors, "secret-token")
}

// TestDryRunIsWhatRuns: the printed commands, read by a shell, are those that a real
// run on a fresh project makes, argument by argument.
func TestDryRunIsWhatRuns(t *testing.T) {
	for _, config := range configurations {
		c := newCloud(t, fresh...)
		real := c.deploy(config.args...)
		require.Zero(t, real.code, real.errors)
		source := regexp.MustCompile(`--source=[^"]+/source`) // a new folder each time
		only := func(calls [][]string) []string {
			var lines []string
			for _, call := range calls {
				switch {
				case is(call, "gcloud", "version"), is(call, "sleep"), is(call, "gcloud", "scheduler", "jobs", "update"):
				default:
					lines = append(lines, source.ReplaceAllString(fmt.Sprintf("%q", call), "--source=STAGED"))
				}
			}
			return lines
		}
		want := printed(t, config.args...)
		for _, call := range want {
			for i := range call {
				call[i] = strings.NewReplacer("DATABASE_LOCATION", "nam5", "FUNCTION_REGION", "us-central1",
					"https://REPAIR_DUE_URL", "https://repair-due-abc-uc.a.run.app").Replace(call[i])
			}
		}
		require.ElementsMatch(t, slices.Compact(only(want)), slices.Compact(removeRepeats(only(c.calls()))), config.name)
	}
}

// removeRepeats takes out what a run asks again while it waits.
func removeRepeats(lines []string) []string {
	seen := map[string]bool{}
	return slices.DeleteFunc(lines, func(line string) bool {
		repeat := seen[line]
		seen[line] = true
		return repeat
	})
}

func TestRunAgain(t *testing.T) {
	c := newCloud(t, deployed...)
	again := c.deploy("--project=my-project")
	require.Zero(t, again.code, again.errors)
	calls := c.calls()
	require.Empty(t, those(calls, "gcloud", "iam", "service-accounts", "create"))
	require.Empty(t, those(calls, "gcloud", "firestore", "indexes", "fields", "update"))
	require.Empty(t, those(calls, "curl"))
	require.Empty(t, those(calls, "gcloud", "scheduler", "jobs", "create"))
	require.Len(t, those(calls, "gcloud", "scheduler", "jobs", "update", "http"), 1)
	require.Len(t, those(calls, "gcloud", "functions", "deploy"), 3)
}

// TestHalfDeployed: what is there is left, what is missing or unlike is made, also
// where a name only looks like ours.
func TestHalfDeployed(t *testing.T) {
	c := newCloud(t, append([]answer{
		{"'gcloud iam service-accounts list '*", "printf '%s@my-project.iam.gserviceaccount.com\\n' my-hippo-functions hippo-trigger hippo-scheduler2"},
		{"'gcloud scheduler jobs list '*", "echo hippo-repair-old"},
		{"'gcloud firestore indexes fields list '*", `printf 'b\tCOLLECTION\tREADY\ndue\tCOLLECTION\tREADY\ne\t\t\n'`},
	}, common...)...)
	half := c.deploy("--project=my-project")
	require.Zero(t, half.code, half.errors)
	calls := c.calls()
	names := func(at int, words ...string) []string {
		var names []string
		for _, call := range those(calls, words...) {
			names = append(names, call[at])
		}
		return names
	}
	require.Equal(t, []string{"hippo-functions", "hippo-scheduler"}, names(4, "gcloud", "iam", "service-accounts", "create"))
	require.Equal(t, []string{"b", "last"}, names(5, "gcloud", "firestore", "indexes", "fields", "update"))
	require.Len(t, those(calls, "curl"), 1)
	require.Len(t, those(calls, "gcloud", "scheduler", "jobs", "create"), 1)
}

// TestFailures lets the n-th call fail, for n = 0, 1, 2 … until a run succeeds: each
// time it stops there, says what failed and that it can be run again.
func TestFailures(t *testing.T) {
	project := append([]answer{accounts}, fresh...)
	for n := 0; ; n += deep.Choose(6, 1) {
		c := newCloud(t, append([]answer{{
			"*", fmt.Sprintf("if [ $n = %d ]; then echo 'ERROR: no' >&2; exit 1; fi\ncase \"${0##*/} $*\" in", n) + "\n" + cases(project) + "esac",
		}}, project...)...)
		failed := c.deploy("--project=my-project")
		if failed.code == 0 {
			require.Greater(t, n, 20, "too few calls were made to fail")
			if deep.On() {
				require.Len(t, c.calls(), n)
			}
			return
		}
		last := c.calls()[len(c.calls())-1]
		require.Equal(t, 1, failed.code, last)
		require.Len(t, c.calls(), n+1, "a failed call must be the last")
		if last[0] == "sleep" {
			continue
		}
		require.Contains(t, failed.errors, "ERROR: no", "the tool's own message must be seen")
		require.Regexp(t, `scripts/deploy: .+(again|see above)`, failed.errors, "after %q", last)
		require.NotContains(t, failed.out, "left to you")
	}
}

func cases(answers []answer) string {
	var code strings.Builder
	for i, a := range answers {
		fmt.Fprintf(&code, "%s)\ncount %d\n%s\n;;\n", a.match, 100+i, a.do)
	}
	return code.String()
}

// TestNewAccounts: others learn of a new account after a while.
func TestNewAccounts(t *testing.T) {
	unknown := answer{"'gcloud projects add-iam-policy-binding '*datastore.user*", "[ $n -ge 2 ] || { echo 'ERROR: does not exist' >&2; exit 1; }"}
	c := newCloud(t, append([]answer{unknown}, fresh...)...)
	patient := c.deploy("--project=my-project")
	require.Zero(t, patient.code, patient.errors)
	require.Len(t, those(c.calls(), "sleep", "10"), 3, "two for the account, one for the index")

	unknown.do = "exit 1"
	c = newCloud(t, append([]answer{unknown}, fresh...)...)
	never := c.deploy("--project=my-project")
	require.Equal(t, 1, never.code)
	require.Contains(t, never.errors, "could not give the functions their database")
	require.Len(t, those(c.calls(), "gcloud", "projects", "add-iam-policy-binding"), 6)

	c = newCloud(t, append([]answer{unknown}, deployed...)...)
	old := c.deploy("--project=my-project")
	require.Equal(t, 1, old.code)
	require.Empty(t, those(c.calls(), "sleep"), "an account that is old is known")
}

func TestUnusableDatabase(t *testing.T) {
	for _, c := range []struct{ name, is, says string }{
		{"Datastore mode", `us-east1\tDATASTORE_MODE`, "is 'DATASTORE_MODE', not FIRESTORE_NATIVE"},
		{"unknown multi-region", `nam7\tFIRESTORE_NATIVE`, "choose one for the functions with --region"},
	} {
		t.Run(c.name, func(t *testing.T) {
			cloud := newCloud(t, append([]answer{{"'gcloud firestore databases describe '*", "printf '" + c.is + "\\n'"}}, fresh...)...)
			bad := cloud.deploy("--project=my-project")
			require.Equal(t, 1, bad.code)
			require.Contains(t, bad.errors, c.says)
			require.Len(t, cloud.calls(), 3, "version, services, database")
		})
	}
}

func TestIndexIsNeverReady(t *testing.T) {
	c := newCloud(t, append([]answer{{"'gcloud firestore indexes fields describe '*", `printf 'COLLECTION_GROUP\tCREATING\n'`}}, fresh...)...)
	never := c.deploy("--project=my-project")
	require.Equal(t, 1, never.code)
	require.Contains(t, never.errors, "was not ready after 20 minutes")
	require.Empty(t, those(c.calls(), "gcloud", "functions"))
}
