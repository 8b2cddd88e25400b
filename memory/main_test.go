package memory_test

import (
	"testing"

	"cloud.google.com/go/firestore"
	"github.com/stretchr/testify/require"

	"hippocampus/emulator/emulatortest"
	"hippocampus/memory"
)

func TestMain(m *testing.M) { emulatortest.Main(m) }

const collection = "tenants/acme/memories"

// newStore returns a store over an empty collection of a project of the test's
// own, and its client.
func newStore(t *testing.T, schema memory.Schema) (*memory.Store, *firestore.Client) {
	t.Helper()
	client := emulatortest.Client(t, emulatortest.Start(t))
	store, err := memory.NewStore(client, collection, schema)
	require.NoError(t, err)
	return store, client
}

// document returns the document of a name in a collection with base64url ids.
func document(t *testing.T, client *firestore.Client, name string) *firestore.DocumentRef {
	t.Helper()
	id, err := memory.ID(name)
	require.NoError(t, err)
	return client.Collection(collection).Doc(id)
}

// read returns the fields of the document of a name.
func read(t *testing.T, client *firestore.Client, name string) map[string]any {
	t.Helper()
	snapshot, err := document(t, client, name).Get(t.Context())
	require.NoError(t, err)
	return snapshot.Data()
}
