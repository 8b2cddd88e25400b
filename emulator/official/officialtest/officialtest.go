// Package officialtest gives tests the official Firestore emulator: one process for all tests of a
// package, and for each test a project of its own in it, so that tests cannot see each other's
// documents, rules or triggers and may run in parallel.
//
//	func TestMain(m *testing.M) { officialtest.Main(m) }
//
//	func TestSomething(t *testing.T) {
//		em := officialtest.Start(t)
//		client := officialtest.Client(t, em)
package officialtest

import (
	"context"
	"fmt"
	"os"
	"sync"
	"sync/atomic"
	"testing"

	"cloud.google.com/go/firestore"
	"github.com/stretchr/testify/require"
	"google.golang.org/api/option"
	"google.golang.org/grpc"

	"hippocampus/emulator/internal/client"
	"hippocampus/emulator/official"
	"hippocampus/internal/deep"
)

var shared = struct {
	sync.Mutex
	emulator *official.Emulator
	err      error
	main     bool
}{}

// tests counts the projects handed out by this process.
var tests atomic.Int64

// Main runs a package's tests with Run and ends the process with their exit code. Call it from
// TestMain.
func Main(m *testing.M) { os.Exit(Run(m)) }

// Run runs a package's tests, stops the shared emulator, if a test started it, and returns the exit
// code. It takes FIRESTORE_EMULATOR_HOST out of the environment: tests use an emulator of their
// own, which can post events to them, not the one that somebody is working with. m is a *testing.M,
// or what runs one.
func Run(m interface{ Run() int }) int {
	_ = os.Unsetenv("FIRESTORE_EMULATOR_HOST")
	shared.Lock()
	shared.main = true
	shared.Unlock()
	code := m.Run()
	shared.Lock()
	defer shared.Unlock()
	if shared.emulator != nil {
		if err := shared.emulator.Close(); err != nil {
			fmt.Fprintln(os.Stderr, err)
			code = max(code, 1)
		}
	}
	return code
}

// Need skips the test unless the official emulator is wanted: the deep tests are, with
// HIPPOCAMPUS_DEEP in the environment, or the test's process is to run on it, with
// HIPPOCAMPUS_EMULATOR=official. If it is wanted and this machine has none, the test fails.
func Need(t testing.TB) {
	t.Helper()
	if os.Getenv("HIPPOCAMPUS_EMULATOR") != "official" {
		deep.Only(t)
	}
	require.NoError(t, official.Available())
}

// Start returns the shared emulator as a project of this test's own. The first call of a process
// starts it, which takes about a second. As in Need, the test may be skipped.
func Start(t testing.TB) *official.Emulator {
	t.Helper()
	Need(t)
	shared.Lock()
	defer shared.Unlock()
	require.True(t, shared.main, "officialtest.Start needs func TestMain(m *testing.M) { officialtest.Main(m) } in this package, to stop the emulator")
	if shared.emulator == nil && shared.err == nil {
		shared.emulator, shared.err = official.Start(context.Background(), nil)
	}
	require.NoError(t, shared.err)
	return shared.emulator.In(fmt.Sprintf("demo-test-%d", tests.Add(1)))
}

// Client returns a client of em that passes the rules and is closed when the test ends.
func Client(t testing.TB, em interface {
	Client(ctx context.Context, opts ...option.ClientOption) (*firestore.Client, error)
}, opts ...option.ClientOption) *firestore.Client {
	t.Helper()
	c, err := em.Client(t.Context(), opts...)
	require.NoError(t, err)
	t.Cleanup(func() { _ = c.Close() })
	return c
}

// Dial returns a connection, as the owner, to the emulator at host. It is closed when the test
// ends.
func Dial(t testing.TB, host string) *grpc.ClientConn {
	t.Helper()
	conn, err := client.Dial(host, client.Owner)
	require.NoError(t, err)
	t.Cleanup(func() { _ = conn.Close() })
	return conn
}
