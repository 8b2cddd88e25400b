package limit_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"hippocampus/emulator/internal/limit"
	"hippocampus/emulator/internal/literal"
	"hippocampus/emulator/internal/resource"
)

func resourcePath(s string) resource.Path { return resource.Path(s) }

func TestFilesWithComments(t *testing.T) {
	ix := parsed(t, `// Indexes /* of "all" kinds
{
  /* none // yet
  "indexes": [broken */
  "indexes": [],  // "fieldOverrides": [
  "fieldOverrides": [{"collectionGroup": "c", "fieldPath": "`+"`/* \\\" // */`"+`", "indexes": []}] /**/
}
// the end`)
	doc := document(fields{`/* " // */`: literal.Null(), "b": literal.Null()})
	require.Equal(t, 2, limit.IndexEntries("c/d", doc, ix))
	require.Equal(t, 4, limit.IndexEntries("d/d", doc, ix))
}

func TestFilesThatAreNot(t *testing.T) {
	for name, c := range map[string]struct{ source, says string }{
		"a comment that does not end": {`{"indexes": [] /* }`, "firestore.indexes.json"},
		"nothing":                     {``, "firestore.indexes.json"},
		"no JSON":                     {`{`, "firestore.indexes.json"},
		"a list":                      {`[]`, "firestore.indexes.json"},
		"no collection":               {`{"indexes": [{"fields": [{"fieldPath": "a", "order": "ASCENDING"}]}]}`, "indexes[0]"},
		"no fields":                   {`{"indexes": [{"collectionGroup": "c"}]}`, "indexes[0]"},
		"a bad path":                  {`{"indexes": [{"collectionGroup": "c", "fields": [{"fieldPath": "a..b", "order": "ASCENDING"}]}]}`, "a..b"},
		"a bad scope":                 {`{"indexes": [{"collectionGroup": "c", "queryScope": "ALL", "fields": [{"fieldPath": "a"}]}]}`, "ALL"},
		"no path":                     {`{"fieldOverrides": [{"collectionGroup": "c", "indexes": []}]}`, "fieldOverrides[0]"},
		"an override of none":         {`{"fieldOverrides": [{"fieldPath": "a", "indexes": []}]}`, "fieldOverrides[0]"},
		"no indexes":                  {`{"fieldOverrides": [{"collectionGroup": "c", "fieldPath": "a"}]}`, `"indexes": []`},
		"no kind":                     {`{"fieldOverrides": [{"collectionGroup": "c", "fieldPath": "a", "indexes": [{"queryScope": "COLLECTION"}]}]}`, "an order or an arrayConfig"},
		"two kinds":                   {`{"fieldOverrides": [{"collectionGroup": "c", "fieldPath": "a", "indexes": [{"order": "ASCENDING", "arrayConfig": "CONTAINS"}]}]}`, "an order or an arrayConfig"},
		"an override's scope":         {`{"fieldOverrides": [{"collectionGroup": "c", "fieldPath": "a", "indexes": [{"order": "ASCENDING", "queryScope": "x"}]}]}`, "queryScope"},
		"two files":                   {`{} {}`, "firestore.indexes.json"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := limit.ParseIndexes([]byte(c.source))
			require.ErrorContains(t, err, c.says)
		})
	}
}

func FuzzParseIndexes(f *testing.F) {
	f.Add([]byte(`{"fieldOverrides": [{"collectionGroup": "c", "fieldPath": "a", "indexes": []}]} // "`))
	f.Add([]byte("/*/ \"\\"))
	f.Fuzz(func(t *testing.T, data []byte) {
		ix, err := limit.ParseIndexes(data)
		if err == nil {
			limit.IndexEntries("c/d", document(fields{"a": literal.Null()}), ix)
		}
	})
}
