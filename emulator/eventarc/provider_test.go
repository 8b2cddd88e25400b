package eventarc_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"hippocampus/emulator/eventarc"
	"hippocampus/emulator/official"
	"hippocampus/emulator/official/officialtest"
)

// Brokers of two projects of one emulator see nothing of each other.
func TestProjectsAreApart(t *testing.T) { onProjectsOfBoth(t, projectsAreApart) }

func projectsAreApart(t *testing.T, next func() eventarc.Firestore) {
	ctx := t.Context()
	functions := []*function{newFunction(t), newFunction(t)}
	var emulators []eventarc.Firestore
	var brokers []*eventarc.Broker
	for _, f := range functions {
		em := next()
		b := start(t, &eventarc.Options{Provider: em})
		add(t, b, eventarc.Trigger{Name: "same", Pattern: "x/{id}", URL: f.url})
		emulators, brokers = append(emulators, em), append(brokers, b)
	}
	for i, em := range emulators {
		_, err := newClient(t, em).Doc("x/1").Set(ctx, map[string]any{"from": i})
		require.NoError(t, err)
	}
	for i, b := range brokers {
		drain(t, b)
		require.Len(t, functions[i].got(), 1)
		require.Equal(t, emulators[i].Project(), functions[i].got()[0].header.Get("ce-project"))
	}

	// A closed broker leaves the project to the next one.
	require.NoError(t, brokers[0].Close())
	again := start(t, &eventarc.Options{Provider: emulators[0]})
	add(t, again, eventarc.Trigger{Name: "same", Pattern: "x/{id}", URL: functions[0].url})
	_, err := newClient(t, emulators[0]).Doc("x/2").Set(ctx, map[string]any{"a": 1})
	require.NoError(t, err)
	drain(t, again)
	require.Equal(t, []string{"x/1", "x/2"}, functions[0].documents())
}

func TestSourceThatCannotPost(t *testing.T) {
	em := officialtest.Start(t)
	t.Setenv("FIRESTORE_EMULATOR_HOST", em.Host())
	other, err := official.Start(t.Context(), nil)
	require.NoError(t, err)
	_, err = eventarc.Start(&eventarc.Options{Provider: other})
	require.ErrorContains(t, err, "unset FIRESTORE_EMULATOR_HOST")
	_, err = eventarc.Start(&eventarc.Options{Provider: em, Project: "demo-else"})
	require.ErrorContains(t, err, "is not that of the provider")
}

// Posts that make no sense are refused and change nothing.
func TestBadPosts(t *testing.T) {
	f := newFunction(t)
	b := start(t, nil)
	add(t, b, eventarc.Trigger{Name: "t", Pattern: "x/{id}", URL: f.url})
	post := func(path, body string) int {
		req, err := http.NewRequest(http.MethodPost, path, strings.NewReader(body))
		require.NoError(t, err)
		w := httptest.NewRecorder()
		b.ServeHTTP(w, req)
		return w.Code
	}
	const good = "/functions/projects/demo-eventarc/triggers/t"
	require.Equal(t, http.StatusNotFound, post("/elsewhere", ""))
	require.Equal(t, http.StatusBadRequest, post("/functions/projects/other/triggers/t", ""))
	require.Equal(t, http.StatusBadRequest, post("/functions/projects/demo-eventarc/triggers/u", "GgA="))
	require.Equal(t, http.StatusBadRequest, post(good, "no base64"))
	require.Equal(t, http.StatusBadRequest, post(good, "////"))
	drain(t, b)
	require.Empty(t, f.got())
	require.Zero(t, b.Stats().Matched)
}
