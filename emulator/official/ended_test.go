package official_test

import (
	"context"
	"net/http"
	"os/exec"
	"regexp"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"hippocampus/emulator/official"
	"hippocampus/emulator/official/officialtest"
)

// killIt kills an emulator's process, as somebody else or the kernel might.
func killIt(t *testing.T, em *official.Emulator) {
	t.Helper()
	_, port, _ := strings.Cut(em.Host(), ":")
	out, err := exec.Command("ps", "-A", "-o", "pid=,args=").Output()
	require.NoError(t, err)
	for line := range strings.Lines(string(out)) {
		if strings.Contains(line, "--port "+port+" ") {
			require.NoError(t, exec.Command("kill", "-9", strings.Fields(line)[0]).Run())
			return
		}
	}
	t.Fatalf("no process listens at %s", em.Host())
}

func TestDone(t *testing.T) {
	officialtest.Need(t)
	em, err := official.Start(t.Context(), nil)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, em.Close()) })
	select {
	case <-em.Done():
		t.Fatal("it runs")
	default:
	}
	require.NoError(t, em.Err())

	killIt(t, em)
	<-em.In("demo-other").Done()
	require.ErrorContains(t, em.Err(), "the emulator at "+em.Host()+" has ended by itself (signal: killed)")
	require.ErrorContains(t, em.Err(), "Dev App Server is now running")
	require.ErrorContains(t, em.Settle(t.Context()), "has ended by itself")
}

func TestDoneAfterClose(t *testing.T) {
	officialtest.Need(t)
	em, err := official.Start(t.Context(), nil)
	require.NoError(t, err)
	t.Setenv("FIRESTORE_EMULATOR_HOST", em.Host())
	other, err := official.Start(t.Context(), nil)
	require.NoError(t, err)
	require.NoError(t, em.Close())
	<-em.Done()
	require.ErrorContains(t, em.Err(), "was closed")
	require.Nil(t, other.Done(), "nobody here knows when another's emulator ends")
	require.NoError(t, other.Err())
}

// requireSettleWaits returns when a Settle has only its own event to wait for.
func requireSettleWaits(t *testing.T) {
	t.Helper()
	waits := regexp.MustCompile(`(?m)^goroutine \d+ .*\[select.*\]:\n[\w/]+/official\.\(\*Emulator\)\.Settle\(`)
	require.Eventually(t, func() bool {
		stacks := make([]byte, 1<<20)
		return waits.Match(stacks[:runtime.Stack(stacks, true)])
	}, 30*time.Second, time.Millisecond)
}

// A Settle that waits behind a handler ends with its context, or with the emulator.
func TestSettleGivesUp(t *testing.T) {
	officialtest.Need(t)
	em, err := official.Start(t.Context(), nil)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, em.Close()) })
	entered, leave := make(chan struct{}), make(chan struct{})
	t.Cleanup(func() { close(leave) }) // before the Close
	require.NoError(t, em.Receive(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
		close(entered)
		<-leave
	})))
	require.NoError(t, em.AddTrigger(t.Context(), "t", written, "x/{id}"))
	require.NoError(t, em.Settle(t.Context()))
	_, err = officialtest.Client(t, em).Doc("x/1").Set(t.Context(), map[string]any{"a": 1})
	require.NoError(t, err)
	<-entered

	ctx, cancel := context.WithCancel(t.Context())
	errs := make(chan error)
	go func() { errs <- em.Settle(ctx) }()
	requireSettleWaits(t)
	cancel()
	require.ErrorIs(t, <-errs, context.Canceled)

	go func() { errs <- em.Settle(t.Context()) }()
	requireSettleWaits(t)
	killIt(t, em)
	require.ErrorContains(t, <-errs, "has ended by itself")
}
