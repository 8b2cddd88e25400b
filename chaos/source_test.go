package chaos_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"hippocampus/emulator/eventarc"
	"hippocampus/emulator/official"
	"hippocampus/emulator/official/officialtest"
)

// relayVariable names, in a child process that shares its parent's emulator, the
// parent's server. An emulator posts its events to the process that started it.
const relayVariable = "CHAOS_RELAY"

// projects counts the projects that a child has used.
var projects atomic.Int64

// project returns a project of this test's own in the emulator that this process
// shares with its tests or, a child, with its parent.
func project(t testing.TB) *official.Emulator {
	if os.Getenv(relayVariable) == "" {
		return officialtest.Start(t)
	}
	em, err := official.Start(t.Context(), nil)
	require.NoError(t, err)
	require.True(t, em.External(), "a child has no emulator of its own: FIRESTORE_EMULATOR_HOST must name its parent's")
	return em.In(fmt.Sprintf("demo-child-%d-%d", os.Getpid(), projects.Add(1)))
}

// source returns where the events of a project come from.
func source(t testing.TB, em *official.Emulator) eventarc.Source {
	if relay := os.Getenv(relayVariable); relay != "" {
		return &relayed{Emulator: em, t: t, relay: relay}
	}
	return em
}

// relayed is a project of the parent's emulator, in a child.
type relayed struct {
	*official.Emulator
	t     testing.TB
	relay string
}

// Receive has the parent pass on the project's events.
func (r *relayed) Receive(h http.Handler) error {
	if h == nil {
		return r.ask(context.Background(), "receive", "")
	}
	server := httptest.NewServer(h)
	r.t.Cleanup(server.Close)
	return r.ask(context.Background(), "receive", server.URL)
}

// Settle has the parent wait for the project's events.
func (r *relayed) Settle(ctx context.Context) error { return r.ask(ctx, "settle", "") }

func (r *relayed) ask(ctx context.Context, what, body string) error {
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, r.relay+"/"+what+"/"+r.Project(), strings.NewReader(body))
	if err != nil {
		return err
	}
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err == nil && answer.StatusCode != http.StatusOK {
		err = fmt.Errorf("%s %s: %s", what, r.Project(), text)
	}
	return err
}

// serveRelay serves children that share an emulator, and returns the URL.
func serveRelay(t testing.TB, em *official.Emulator) string {
	mux := http.NewServeMux()
	answer := func(w http.ResponseWriter, err error) {
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
		}
	}
	mux.HandleFunc("POST /receive/{project}", func(w http.ResponseWriter, r *http.Request) {
		child, err := io.ReadAll(r.Body)
		if err != nil {
			answer(w, err)
			return
		}
		if len(child) == 0 {
			answer(w, em.In(r.PathValue("project")).Receive(nil))
			return
		}
		to, err := url.Parse(string(child))
		if err != nil {
			answer(w, err)
			return
		}
		answer(w, em.In(r.PathValue("project")).Receive(httputil.NewSingleHostReverseProxy(to)))
	})
	mux.HandleFunc("POST /settle/{project}", func(w http.ResponseWriter, r *http.Request) {
		answer(w, em.In(r.PathValue("project")).Settle(r.Context()))
	})
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	require.NotEmpty(t, server.URL)
	return server.URL
}
