package memory_test

import (
	"testing"
	"time"

	"cloud.google.com/go/firestore"
	"github.com/stretchr/testify/require"
	"google.golang.org/genproto/googleapis/type/latlng"

	"hippocampus/memory"
)

// The example of Firestore's page "Storage size calculations": the document
// users/jeff/tasks/my_task_id takes 147 bytes, 44 for its name, 71 for its
// fields and 32 besides.
func TestDocumentSizeOfTheDocumentedExample(t *testing.T) {
	fields := map[string]any{
		"type":        "Personal",
		"done":        false,
		"priority":    int64(1),
		"description": "Learn Cloud Firestore",
	}
	require.Equal(t, 147, memory.DocumentSize("users/jeff/tasks/my_task_id", fields))
	require.Equal(t, 44+32, memory.DocumentSize("users/jeff/tasks/my_task_id", nil))
}

func TestDocumentSizeOfValues(t *testing.T) {
	ref := func(path string) *firestore.DocumentRef {
		client := &firestore.Client{}
		return client.Doc(path)
	}
	type text string
	type Base struct{ ID string }
	type derived struct {
		Base
		hidden string
	}
	type task struct {
		Title string
		Done  bool
	}
	empty := memory.DocumentSize("c/d", nil)
	for name, c := range map[string]struct {
		value any
		size  int
	}{
		"null":              {nil, 1},
		"boolean":           {true, 1},
		"integer":           {int64(1), 8},
		"another integer":   {7, 8},
		"double":            {1.5, 8},
		"time":              {time.Now(), 8},
		"text":              {"héllo", 7},
		"empty text":        {"", 1},
		"bytes":             {[]byte{1, 2, 3}, 3},
		"place":             {&latlng.LatLng{Latitude: 1}, 16},
		"no reference":      {(*firestore.DocumentRef)(nil), 1},
		"reference":         {ref("users/jeff/tasks/my_task_id"), 44},
		"list":              {[]any{"a", int64(1), nil}, 2 + 8 + 1},
		"list of texts":     {[]string{"a", "bc"}, 2 + 3},
		"array":             {[2]string{"a", "bc"}, 2 + 3},
		"empty list":        {[]any{}, 0},
		"map":               {map[string]any{"ab": "c"}, 32 + 3 + 2},
		"map of texts":      {map[string]string{"ab": "c"}, 32 + 3 + 2},
		"empty map":         {map[string]any{}, 32},
		"map in a list":     {[]any{map[string]any{}}, 32},
		"vector of doubles": {firestore.Vector64{1, 2, 3}, 24},
		"vector of floats":  {firestore.Vector32{1, 2, 3}, 24},
		"struct":            {task{Title: "a"}, 32 + 6 + 2 + 5 + 1},
		"pointer":           {&task{Title: "a"}, 32 + 6 + 2 + 5 + 1},
		"embedded struct":   {derived{Base: Base{"a"}, hidden: "b"}, 32 + 5 + 32 + 3 + 2},
		"keys of no text":   {map[int]string{}, 32},
		"no pointer":        {(*task)(nil), 1},
		"named text":        {text("abc"), 4},
	} {
		t.Run(name, func(t *testing.T) {
			require.Equal(t, empty+len("f")+1+c.size, memory.DocumentSize("c/d", map[string]any{"f": c.value}))
		})
	}
}
