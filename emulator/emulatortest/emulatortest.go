// Package emulatortest gives tests a Firestore: one emulator for all tests of a package, and for
// each test a project of its own in it, so that tests cannot see each other's documents or triggers
// and may run in parallel.
//
//	func TestMain(m *testing.M) { emulatortest.Main(m) }
//
//	func TestSomething(t *testing.T) {
//		em := emulatortest.Start(t)
//		client := emulatortest.Client(t, em)
//
// The emulator runs in this process. With HIPPOCAMPUS_EMULATOR=official in the environment it is
// the official one, so that the same tests can be run on both.
package emulatortest

import (
	"context"
	"fmt"
	"os"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"cloud.google.com/go/firestore"
	"github.com/stretchr/testify/require"
	"google.golang.org/api/option"

	"hippocampus/emulator"
	"hippocampus/emulator/clock"
	"hippocampus/emulator/eventarc"
	"hippocampus/emulator/official/officialtest"
)

// Variable is the environment variable that chooses the emulator: "official", or "embedded", the
// default.
const Variable = "HIPPOCAMPUS_EMULATOR"

// ClockVariable is the environment variable that says, as "-10m", by how much the clock of the
// embedded emulator is ahead of the machine's: for tests of machines whose clock is wrong.
const ClockVariable = "HIPPOCAMPUS_EMULATOR_AHEAD"

// Official reports whether tests run on the official emulator.
func Official() bool { return os.Getenv(Variable) == "official" }

var shared = struct {
	sync.Mutex
	emulator *emulator.Emulator
	err      error
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
	switch v := os.Getenv(Variable); v {
	case "", "embedded", "official":
	default:
		fmt.Fprintf(os.Stderr, "%s=%s: set it to official or embedded, or unset it\n", Variable, v)
		return 2
	}
	code := officialtest.Run(m)
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

// Start returns the shared emulator as a project of this test's own. The first call of a process
// starts it.
func Start(t testing.TB) eventarc.Firestore {
	t.Helper()
	if Official() {
		return officialtest.Start(t)
	}
	shared.Lock()
	defer shared.Unlock()
	if shared.emulator == nil && shared.err == nil {
		shared.emulator, shared.err = start()
	}
	require.NoError(t, shared.err)
	return shared.emulator.In(fmt.Sprintf("demo-test-%d", tests.Add(1)))
}

func start() (*emulator.Emulator, error) {
	o := &emulator.Options{}
	if v := os.Getenv(ClockVariable); v != "" {
		by, err := time.ParseDuration(v)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", ClockVariable, err)
		}
		o.Clock = clock.Ahead(clock.System, by)
	}
	return emulator.Start(context.Background(), o)
}

// Client returns a client of em that is closed when the test ends.
func Client(t testing.TB, em eventarc.Firestore, opts ...option.ClientOption) *firestore.Client {
	t.Helper()
	return officialtest.Client(t, em, opts...)
}
