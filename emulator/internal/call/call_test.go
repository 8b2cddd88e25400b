package call_test

import (
	"testing"

	"cloud.google.com/go/firestore/apiv1/firestorepb"
	"github.com/stretchr/testify/require"

	"hippocampus/emulator/internal/call"
)

func TestProject(t *testing.T) {
	const database = "projects/p/databases/(default)"
	for name, c := range map[string]struct {
		req  any
		want string
	}{
		"a database":        {&firestorepb.CommitRequest{Database: database}, "p"},
		"a parent":          {&firestorepb.RunQueryRequest{Parent: database + "/documents"}, "p"},
		"a document":        {&firestorepb.GetDocumentRequest{Name: database + "/documents/c/d"}, "p"},
		"the project alone": {&firestorepb.ListenRequest{Database: "projects/p"}, "p"},
		"something else":    {&firestorepb.CommitRequest{Database: "p/databases"}, ""},
		"nothing":           {&firestorepb.CommitRequest{}, ""},
		"no request":        {nil, ""},
	} {
		require.Equal(t, c.want, call.Project(c.req), name)
	}
}

func TestRPC(t *testing.T) {
	require.Equal(t, "Commit", call.RPC(firestorepb.Firestore_Commit_FullMethodName))
}
