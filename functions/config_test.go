package functions_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"hippocampus/functions"
	"hippocampus/memory"
)

func TestEnvironment(t *testing.T) {
	get := func(env map[string]string) func(string) string {
		return func(name string) string { return env[name] }
	}
	e, err := functions.FromEnvironment(get(nil))
	require.NoError(t, err)
	require.Equal(t, functions.Environment{Database: "(default)"}, e)

	e, err = functions.FromEnvironment(get(map[string]string{
		"HIPPO_MEMORIES": "users/{user}/agents/{agent}/notes", "HIPPO_DATE_FIELD": "edited", "HIPPO_IDS": "plain",
		"HIPPO_DATABASE": "other", "HIPPO_REPAIR_BUDGET": "90s", "GOOGLE_CLOUD_PROJECT": "demo-x", "FIRESTORE_EMULATOR_HOST": "127.0.0.1:1",
	}))
	require.NoError(t, err)
	require.Equal(t, functions.Environment{
		Config: functions.Config{
			Memories:     "users/{user}/agents/{agent}/notes",
			Schema:       memory.Schema{IDs: memory.Plain, DateField: "edited"},
			RepairBudget: 90 * time.Second,
		},
		Project: "demo-x", Database: "other", Emulator: true,
	}, e)

	for name, values := range map[string][]string{
		"HIPPO_MEMORIES": {
			"tenants/{tenant}", "tenants/{tenant}/memories/{memory}", "/memories", "memories/", "a//b", "tenants/{t/memories",
			"tenants/t}/memories", "tenants/{}/memories", "tenants/{t=**}/memories", "tenants/x{t}/memories", "{c}", "tenants/{t}/{c}",
			"tenants/*/memories", "tenants/../memories", "tenants/__t__/memories", "hippocampus/{v}/x", "tenants/{t}/memory_shards", "a/\xff/b",
		},
		"HIPPO_DATE_FIELD":    {"__x__", "a.b", "a/b", "`a`"},
		"HIPPO_IDS":           {"base64", "PLAIN"},
		"HIPPO_DATABASE":      {"projects/p/databases/d", "my base"},
		"HIPPO_REPAIR_BUDGET": {"25", "soon", "0s", "-1m", "61m"},
	} {
		for _, value := range values {
			_, err := functions.FromEnvironment(get(map[string]string{name: value}))
			require.ErrorContains(t, err, "environment variable "+name, value)
		}
	}
	_, err = functions.FromEnvironment(get(map[string]string{"HIPPO_IDS": "x", "HIPPO_MEMORIES": "x/y"}))
	require.ErrorContains(t, err, "HIPPO_IDS")
	require.ErrorContains(t, err, "HIPPO_MEMORIES")
}
