package scripts_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"hippocampus/index"
)

func readJSON(t *testing.T, path string, into any) {
	data, err := os.ReadFile(path)
	require.NoError(t, err)
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.DisallowUnknownFields()
	require.NoError(t, decoder.Decode(into), path)
	require.False(t, decoder.More(), path)
}

type fieldIndex struct {
	Order      string `json:"order"`
	QueryScope string `json:"queryScope"`
}

type fieldOverride struct {
	CollectionGroup string       `json:"collectionGroup"`
	FieldPath       string       `json:"fieldPath"`
	Indexes         []fieldIndex `json:"indexes"`
}

// TestIndexes: the file, the script and the stored form agree.
func TestIndexes(t *testing.T) {
	var file struct {
		Indexes        []struct{}      `json:"indexes"`
		FieldOverrides []fieldOverride `json:"fieldOverrides"`
	}
	readJSON(t, "../firestore.indexes.json", &file)
	require.Empty(t, file.Indexes)
	require.Equal(t, []fieldOverride{
		{index.CollectionID, index.EntriesField, []fieldIndex{}},
		{index.CollectionID, index.BlockField, []fieldIndex{}},
		{index.CollectionID, "last", []fieldIndex{}},
		{index.CollectionID, index.DueField, []fieldIndex{{"ASCENDING", "COLLECTION_GROUP"}}},
	}, file.FieldOverrides)

	var script []fieldOverride
	for _, call := range printed(t, "--project=my-project") {
		if is(call, "gcloud", "firestore", "indexes", "fields", "update") {
			require.NotEmpty(t, flag(call, "--disable-indexes"))
			script = append(script, fieldOverride{flag(call, "--collection-group")[0], call[5], []fieldIndex{}})
		}
		if is(call, "curl") {
			script = append(script, dueIndex(t, call))
		}
	}
	require.Equal(t, file.FieldOverrides, script)
}

// dueIndex reads what is asked of the API, by its own names.
func dueIndex(t *testing.T, call []string) fieldOverride {
	url := regexp.MustCompile(`^https://firestore\.googleapis\.com/v1/projects/my-project/databases/\(default\)/collectionGroups/(\w+)/fields/(\w+)\?updateMask=indexConfig$`).
		FindStringSubmatch(call[len(call)-1])
	require.NotNil(t, url, call)
	var body struct {
		IndexConfig struct {
			Indexes []struct {
				QueryScope string
				Fields     []struct{ FieldPath, Order string }
			}
		}
	}
	require.Equal(t, "--data", call[len(call)-3])
	decoder := json.NewDecoder(strings.NewReader(call[len(call)-2]))
	decoder.DisallowUnknownFields()
	require.NoError(t, decoder.Decode(&body))
	require.Len(t, body.IndexConfig.Indexes, 1)
	one := body.IndexConfig.Indexes[0]
	require.Len(t, one.Fields, 1)
	require.Equal(t, url[2], one.Fields[0].FieldPath)
	return fieldOverride{url[1], url[2], []fieldIndex{{one.Fields[0].Order, one.QueryScope}}}
}

// TestFirebaseJSON: only what firebase emulators:start knows, and files that exist.
func TestFirebaseJSON(t *testing.T) {
	var file struct {
		Firestore struct {
			Rules   string `json:"rules"`
			Indexes string `json:"indexes"`
		} `json:"firestore"`
		Emulators struct {
			Firestore struct {
				Host string `json:"host"`
				Port int    `json:"port"`
			} `json:"firestore"`
			UI struct {
				Enabled *bool `json:"enabled"`
			} `json:"ui"`
			SingleProjectMode bool `json:"singleProjectMode"`
		} `json:"emulators"`
	}
	readJSON(t, "../firebase.json", &file)
	require.FileExists(t, filepath.Join("..", file.Firestore.Rules))
	require.FileExists(t, filepath.Join("..", file.Firestore.Indexes))
	require.Equal(t, "127.0.0.1", file.Emulators.Firestore.Host)
	require.Positive(t, file.Emulators.Firestore.Port)
	require.NotNil(t, file.Emulators.UI.Enabled)
}

// TestRulesOpenNothing reads the rules; that they hold is tried on the emulator
// elsewhere.
func TestRulesOpenNothing(t *testing.T) {
	rules, err := os.ReadFile("../firestore.rules")
	require.NoError(t, err)
	live := regexp.MustCompile(`(?m)//.*$`).ReplaceAllString(string(rules), "")
	require.True(t, strings.HasPrefix(live, "rules_version = '2';"))
	require.Equal(t, []string{"match /databases/{database}/documents", "match /hippocampus/{document=**}"},
		regexp.MustCompile(`match \S+`).FindAllString(live, -1))
	require.Equal(t, []string{"allow read, write: if false;"}, regexp.MustCompile(`allow.*`).FindAllString(live, -1))
}
