package conformance

import (
	"context"
	"fmt"
	"sync/atomic"
	"testing"
	"time"

	"cloud.google.com/go/firestore/apiv1/firestorepb"
	"github.com/stretchr/testify/require"
	"google.golang.org/grpc"
)

// Server is a Firestore to check.
type Server struct {
	// Conn is a connection to it whose calls carry the owner's token.
	Conn grpc.ClientConnInterface
	// Host is its host:port, for calls over HTTP.
	Host string
	// Official says that it is the official emulator: checks with a Difference then expect that.
	Official bool
}

// Check is one thing that is known of Firestore.
type Check struct {
	// Topic is the file of checks that it belongs to, Name what it shows: "a merge keeps the other
	// fields".
	Topic, Name string
	// Page is where Firestore's documentation says so: the path of the page under
	// firebase.google.com/docs or cloud.google.com, or the proto file and message. Empty if it was
	// learned by trying.
	Page string
	// Run checks the documented behaviour.
	Run func(t *T)
	// Difference is empty, or says in a sentence what the official emulator does instead.
	Difference string
	// Official checks that the official emulator does that. It is set if Difference is.
	Official func(t *T)
}

// Checks returns all checks, by topic, in the order of their files.
func Checks() []Check {
	var all []Check
	for _, topic := range topics {
		for _, c := range topic.checks {
			c.Topic = topic.name
			all = append(all, c)
		}
	}
	return all
}

type topic struct {
	name   string
	checks []Check
}

// Run runs every check as a subtest named topic/name, each in a project of its own.
func Run(t *testing.T, server Server) {
	require.Empty(t, duplicates(Checks()), "two checks have this name")
	for _, topic := range topics {
		t.Run(topic.name, func(t *testing.T) {
			require.NotEmpty(t, topic.checks)
			for _, c := range topic.checks {
				require.Equal(t, c.Difference == "", c.Official == nil, "%s: a difference and its check go together", c.Name)
				t.Run(c.Name, func(t *testing.T) {
					t.Parallel()
					run := c.Run
					if server.Official && c.Official != nil {
						run = c.Official
					}
					run(newT(t, server))
				})
			}
		})
	}
}

// projects counts the projects of this process.
var projects atomic.Int64

// T is one run of one check: a test with an empty database of its own.
type T struct {
	testing.TB
	// Firestore is the client of the server that is checked.
	Firestore firestorepb.FirestoreClient
	// Server is what is checked.
	Server Server
	// Database is the name of the database: projects/P/databases/(default).
	Database string
	// Ctx ends with the check.
	Ctx context.Context
}

func newT(t testing.TB, server Server) *T {
	ctx, cancel := context.WithTimeout(t.Context(), 3*time.Minute)
	t.Cleanup(cancel)
	return &T{
		TB: t, Firestore: firestorepb.NewFirestoreClient(server.Conn), Server: server, Ctx: ctx,
		Database: fmt.Sprintf("projects/demo-check-%d-%d/databases/(default)", time.Now().UnixNano(), projects.Add(1)),
	}
}

// Root is the parent of the top collections.
func (t *T) Root() string { return t.Database + "/documents" }

// Name is the full name of the document or collection at path.
func (t *T) Name(path string) string { return t.Root() + "/" + path }

// duplicates returns the topic and the name that two checks have, or "".
func duplicates(checks []Check) string {
	seen := map[string]bool{}
	for _, c := range checks {
		name := c.Topic + "/" + c.Name
		if seen[name] {
			return name
		}
		seen[name] = true
	}
	return ""
}
