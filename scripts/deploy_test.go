package scripts_test

import (
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"hippocampus/functions"
	"hippocampus/internal/stack"
)

// configurations are what the tests of the printed commands go through.
var configurations = []struct {
	name             string
	args             []string
	location, region string // of the triggers and of the functions
	written, created string // the documents whose events they get
}{
	{
		name:     "defaults",
		args:     []string{"--project=my-project"},
		location: "DATABASE_LOCATION", region: "FUNCTION_REGION",
		written: "tenants/{tenant}/memories/{memory}",
		created: "hippocampus/v1/tenants/{tenant}/memories/index/memory_shards/request",
	},
	{
		name:     "multi-region in America",
		args:     []string{"--project=my-project", "--location", "nam5"},
		location: "nam5", region: "us-central1",
		written: "tenants/{tenant}/memories/{memory}",
		created: "hippocampus/v1/tenants/{tenant}/memories/index/memory_shards/request",
	},
	{
		name: "multi-region in Europe, another layout",
		args: []string{"--project", "my-project", "--location", "eur3", "--memories", "users/{u}/agents/{a}/notes",
			"--ids=plain", "--date-field=changed", "--prefix=notes"},
		location: "eur3", region: "europe-west4",
		written: "users/{u}/agents/{a}/notes/{memory}",
		created: "hippocampus/v1/users/{u}/agents/{a}/notes/index/memory_shards/request",
	},
	{
		name: "a region, a named database, one collection",
		args: []string{"--project=my-project", "--location=europe-west3", "--database=memory-base", "--memories=notes",
			"--schedule=15 2 * * 1-5", "--time-zone=Europe/Berlin"},
		location: "europe-west3", region: "europe-west3",
		written: "notes/{memory}",
		created: "hippocampus/v1/notes/index/memory_shards/request",
	},
	{
		name:     "functions elsewhere",
		args:     []string{"--project=my-project", "--location=nam7", "--region=us-east4"},
		location: "nam7", region: "us-east4",
		written: "tenants/{tenant}/memories/{memory}",
		created: "hippocampus/v1/tenants/{tenant}/memories/index/memory_shards/request",
	},
}

func TestDryRunExplainsItsPlaceholders(t *testing.T) {
	c := newCloud(t)
	for _, config := range configurations {
		dry := c.deploy(append(config.args, "--dry-run")...)
		require.Zero(t, dry.code, dry.errors)
		require.Empty(t, dry.errors)
		for _, placeholder := range []string{"DATABASE_LOCATION", "FUNCTION_REGION", "REPAIR_DUE_URL"} {
			if strings.Contains(dry.out, placeholder) {
				require.Regexp(t, "# .*"+placeholder+" below stands for", dry.out)
			}
		}
		require.Contains(t, dry.out, "REPAIR_DUE_URL")
	}
	require.Empty(t, c.calls())
}

func TestFunctions(t *testing.T) {
	for _, config := range configurations {
		t.Run(config.name, func(t *testing.T) {
			calls := printed(t, config.args...)
			deploys := those(calls, "gcloud", "functions", "deploy")
			require.Len(t, deploys, 3)
			hook, request, repair := deploys[0], deploys[1], deploys[2]
			for i, entry := range []string{"OnMemoryWritten", "OnRequest", "RepairDue"} {
				require.Equal(t, []string{entry}, flag(deploys[i], "--entry-point"))
				require.Equal(t, []string{config.region}, flag(deploys[i], "--region"))
				require.Equal(t, []string{"go126"}, flag(deploys[i], "--runtime"))
				require.NotEmpty(t, flag(deploys[i], "--gen2"))
				require.NotEmpty(t, flag(deploys[i], "--no-allow-unauthenticated"))
				require.Contains(t, flag(deploys[i], "--service-account")[0], "-functions@my-project.")
				require.Equal(t, flag(deploys[0], "--source"), flag(deploys[i], "--source"))
			}
			for _, event := range []struct {
				call           []string
				kind, document string
			}{{hook, "written", config.written}, {request, "created", config.created}} {
				filters := append(flag(event.call, "--trigger-event-filters"), flag(event.call, "--trigger-event-filters-path-pattern")...)
				require.Equal(t, []string{"type=google.cloud.firestore.document.v1." + event.kind,
					"database=" + database(config.args), "document=" + event.document}, filters)
				require.Equal(t, strings.Contains(event.document, "{"), len(flag(event.call, "--trigger-event-filters-path-pattern")) == 1,
					"a path without wildcards is an ordinary filter")
				require.Equal(t, []string{config.location}, flag(event.call, "--trigger-location"))
				require.Contains(t, flag(event.call, "--trigger-service-account")[0], "-trigger@my-project.")
				require.NotEmpty(t, flag(event.call, "--retry"), "events without --retry are lost")
			}
			// On one's own machine events come as many at once as in production.
			require.Equal(t, []string{strconv.Itoa(stack.HookConcurrency)}, flag(hook, "--concurrency"))
			require.Equal(t, []string{strconv.Itoa(stack.RequestConcurrency)}, flag(request, "--concurrency"))
			require.Equal(t, []string{"1"}, flag(hook, "--cpu"))
			require.Equal(t, []string{"4"}, flag(hook, "--max-instances"))
			require.Equal(t, []string{"540s"}, flag(request, "--timeout"), "the most an event function may take")
			require.Equal(t, []string{"3600s"}, flag(repair, "--timeout"))
			require.NotEmpty(t, flag(repair, "--trigger-http"))
			require.Empty(t, flag(repair, "--retry"))
			require.Empty(t, flag(repair, "--trigger-location"))
		})
	}
}

func database(args []string) string {
	if given := flag(args, "--database"); given != nil {
		return given[0]
	}
	return "(default)"
}

// TestEnvironment: what is deployed is what the functions read and are called.
func TestEnvironment(t *testing.T) {
	for _, config := range configurations {
		for i, call := range those(printed(t, config.args...), "gcloud", "functions", "deploy") {
			require.Equal(t, []string{functions.NameOnMemoryWritten, functions.NameOnRequest, functions.NameRepairDue}[i],
				flag(call, "--entry-point")[0])
			set := map[string]string{}
			for _, pair := range strings.Split(flag(call, "--set-env-vars")[0], ",") {
				name, value, _ := strings.Cut(pair, "=")
				set[name] = value
			}
			read := map[string]bool{}
			e, err := functions.FromEnvironment(func(name string) string {
				read[name] = true
				return set[name]
			})
			require.NoError(t, err)
			for name := range set {
				require.True(t, read[name], "nobody reads %s", name)
			}
			require.Equal(t, "my-project", e.Project)
			require.Equal(t, database(config.args), e.Database)
			require.Equal(t, config.written, e.Memories+"/{memory}")
			require.Equal(t, i == 2, e.RepairBudget == functions.DefaultRepairBudget)
			if slices.Contains(config.args, "--ids=plain") {
				require.Equal(t, "plain", e.Schema.IDs.String())
				require.Equal(t, "changed", e.Schema.DateField)
			} else {
				require.Equal(t, "base64url", e.Schema.IDs.String())
				require.Equal(t, "updated_at", e.Schema.DateField)
			}
		}
	}
}

func TestScheduler(t *testing.T) {
	calls := printed(t, configurations[3].args...)
	updates := those(calls, "gcloud", "scheduler", "jobs", "update", "http", "hippo-repair")
	creates := those(calls, "gcloud", "scheduler", "jobs", "create", "http", "hippo-repair")
	require.Len(t, updates, 1)
	require.Len(t, creates, 1)
	require.Equal(t, updates[0][5:], creates[0][5:], "a job is the same, changed or created")
	for name, value := range map[string]string{
		"--location": "europe-west3", "--schedule": "15 2 * * 1-5", "--time-zone": "Europe/Berlin",
		"--attempt-deadline": "1800s", "--max-retry-attempts": "3",
		"--uri": "https://REPAIR_DUE_URL", "--oidc-token-audience": "https://REPAIR_DUE_URL",
		"--oidc-service-account-email": "hippo-scheduler@my-project.iam.gserviceaccount.com",
	} {
		require.Equal(t, []string{value}, flag(creates[0], name), name)
	}
}

// TestOrder: nothing may write index documents before their fields are exempt, and no
// list be built before the hook keeps it.
func TestOrder(t *testing.T) {
	for _, config := range configurations {
		calls := printed(t, config.args...)
		var steps []string
		for _, call := range calls {
			step := strings.Join(call[1:min(4, len(call))], " ")
			if call[0] == "curl" {
				step = "curl"
			} else if is(call, "gcloud", "functions") {
				step = call[2] + call[3][strings.Index(call[3], "-"):]
			}
			if len(steps) == 0 || steps[len(steps)-1] != step {
				steps = append(steps, step)
			}
		}
		steps = slices.DeleteFunc(steps, func(s string) bool { return s == "firestore databases describe" })
		require.Equal(t, []string{
			"services enable artifactregistry.googleapis.com",
			"firestore indexes fields", "auth print-access-token --project=my-project", "curl", "firestore indexes fields",
			"iam service-accounts list", "iam service-accounts create", "projects add-iam-policy-binding my-project",
			"deploy-on-memory-written", "add-invoker-policy-binding-on-memory-written",
			"deploy-on-request", "add-invoker-policy-binding-on-request",
			"deploy-repair-due", "add-invoker-policy-binding-repair-due", "describe-repair-due",
			"scheduler jobs list", "scheduler jobs update", "scheduler jobs create",
		}, sortTokenFirst(steps))
		require.NotEmpty(t, those(calls, "gcloud", "firestore", "indexes", "fields", "update"))
	}
}

// sortTokenFirst undoes a race: the two ends of a pipe start at once.
func sortTokenFirst(steps []string) []string {
	for i := 1; i < len(steps); i++ {
		if steps[i-1] == "curl" && strings.HasPrefix(steps[i], "auth") {
			steps[i-1], steps[i] = steps[i], steps[i-1]
		}
	}
	return steps
}

func TestLeastRoles(t *testing.T) {
	for _, config := range configurations {
		calls := printed(t, config.args...)
		prefix := "hippo"
		if given := flag(config.args, "--prefix"); given != nil {
			prefix = given[0]
		}
		account := func(name string) string {
			return "serviceAccount:" + prefix + "-" + name + "@my-project.iam.gserviceaccount.com"
		}
		var grants []string
		for _, call := range calls {
			if members := flag(call, "--member"); members != nil {
				role := "invoker"
				if roles := flag(call, "--role"); roles != nil {
					role = roles[0]
				}
				grants = append(grants, fmt.Sprint(call[2], " ", call[3], " ", role, " ", members[0], " ", flag(call, "--condition")))
			}
		}
		require.Equal(t, []string{
			"add-iam-policy-binding my-project roles/datastore.user " + account("functions") +
				` [expression=resource.name=="projects/my-project/databases/` + database(config.args) + `",title=` + prefix + `-database]`,
			"add-iam-policy-binding my-project roles/eventarc.eventReceiver " + account("trigger") + " [None]",
			"add-invoker-policy-binding " + prefix + "-on-memory-written invoker " + account("trigger") + " []",
			"add-invoker-policy-binding " + prefix + "-on-request invoker " + account("trigger") + " []",
			"add-invoker-policy-binding " + prefix + "-repair-due invoker " + account("scheduler") + " []",
		}, grants)
	}
}

func TestRulesAreLeftAlone(t *testing.T) {
	c := newCloud(t, fresh...)
	real := c.deploy("--project=my-project")
	require.Zero(t, real.code, real.errors)
	calls := c.calls()
	for _, config := range configurations {
		calls = append(calls, printed(t, config.args...)...)
	}
	for _, call := range calls {
		require.NotContains(t, strings.ToLower(strings.Join(call[:len(call)-1], " ")), "rules")
		require.Contains(t, []string{"gcloud", "curl", "sleep"}, call[0])
	}
	script, err := os.ReadFile("deploy")
	require.NoError(t, err)
	require.NotContains(t, string(script), "firebase ")
	require.Contains(t, real.out, "go run ./cmd/hippo doctor --rules path/to/your/firestore.rules")

	rules, err := os.ReadFile("../firestore.rules")
	require.NoError(t, err)
	block := "    match /hippocampus/{document=**} {\n      allow read, write: if false;\n    }\n"
	require.Contains(t, string(rules), block)
	require.Contains(t, real.out, "#"+strings.ReplaceAll(strings.TrimSuffix(block, "\n"), "\n", "\n#"))
}
