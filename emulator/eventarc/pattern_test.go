package eventarc_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"hippocampus/emulator/eventarc"
)

var patterns = []struct {
	pattern string
	match   []string
	other   []string
}{
	{"x/1", []string{"x/1"}, []string{"x/2", "x/1/y/1", "X/1", "y/1"}},
	{"x/{id}", []string{"x/1", "x/日 本"}, []string{"y/1", "x/1/y/1"}},
	{"x/{id=*}", []string{"x/1"}, []string{"x/1/y/1"}},
	{"x/*", []string{"x/1"}, []string{"x/1/y/1"}},
	{"x/{id=**}", []string{"x/1", "x/1/y/1", "x/1/y/1/z/1"}, []string{"y/1", "xx/1"}},
	{"{all=**}", []string{"x/1", "x/1/y/1", "y/2"}, nil},
	{"tenants/{t}/memories/{m}", []string{"tenants/a/memories/1"}, []string{"tenants/a/notes/1", "tenants/a", "tenants/a/memories/1/x/1", "users/a/memories/1"}},
	{"{c}/{d}/{e}/{f}", []string{"x/1/y/1"}, []string{"x/1"}},
	{"{rest=**}/memories/{m}", []string{"tenants/a/memories/1", "users/u/agents/a/memories/2"}, []string{"tenants/a/notes/1", "memories/1/x/2"}},
	{"x/{rest=**}/y/{id}", []string{"x/1/y/1", "x/1/z/2/y/1"}, []string{"x/1", "y/1/y/1", "x/1/y/1/z/1"}},
}

func TestPatterns(t *testing.T) {
	for _, c := range patterns {
		t.Run(c.pattern, func(t *testing.T) {
			f := newFunction(t)
			b := start(t, nil)
			add(t, b, eventarc.Trigger{Name: "t", Pattern: c.pattern, URL: f.url})
			for _, path := range append(append([]string(nil), c.match...), c.other...) {
				require.NoError(t, b.Publish(eventarc.Event{Data: document(path, 1, 0)}))
			}
			drain(t, b)
			require.Equal(t, len(c.match), b.Stats().Matched)
			var got []string
			for _, r := range f.got() {
				got = append(got, r.data.GetValue().GetName()[len("projects/demo-eventarc/databases/(default)/documents/"):])
			}
			require.ElementsMatch(t, c.match, got)
		})
	}
}

// The emulator matches the patterns first: what it does not post is lost.
func TestEmulatorMatchesPatternsTheSameWay(t *testing.T) {
	onBoth(t, emulatorMatchesPatternsTheSameWay)
}

func emulatorMatchesPatternsTheSameWay(t *testing.T, em eventarc.Firestore) {
	ctx := t.Context()
	client := newClient(t, em)
	f := newFunction(t)
	b := start(t, &eventarc.Options{Provider: em})
	var want []string
	paths := map[string]bool{}
	for i, c := range patterns {
		add(t, b, eventarc.Trigger{Name: fmt.Sprint("p", i), Pattern: c.pattern, URL: fmt.Sprint(f.url, "/", i)})
		for _, path := range append(append([]string(nil), c.match...), c.other...) {
			paths[path] = true
		}
	}
	direct := start(t, nil)
	for i, c := range patterns {
		add(t, direct, eventarc.Trigger{Name: fmt.Sprint("p", i), Pattern: c.pattern, URL: fmt.Sprint(f.url, "/", i)})
	}
	for path := range paths {
		require.NoError(t, direct.Publish(eventarc.Event{Data: document(path, 1, 0)}))
	}
	drain(t, direct)
	for _, r := range f.got() {
		want = append(want, r.path+" "+r.document())
	}
	f.mu.Lock()
	f.requests = nil
	f.mu.Unlock()

	for path := range paths {
		_, err := client.Doc(path).Set(ctx, map[string]any{"a": 1})
		require.NoError(t, err)
	}
	drain(t, b)
	var got []string
	for _, r := range f.got() {
		got = append(got, r.path+" "+r.document())
	}
	require.ElementsMatch(t, want, got)
}

func TestBadTriggers(t *testing.T) {
	ok := eventarc.Trigger{Name: "t", Pattern: "x/{id}", URL: "http://127.0.0.1:1/f"}
	for name, c := range map[string]struct {
		change func(*eventarc.Trigger)
		want   string
	}{
		"no name":         {func(tr *eventarc.Trigger) { tr.Name = "" }, "a name is 1 to 100"},
		"name with slash": {func(tr *eventarc.Trigger) { tr.Name = "a/b" }, "a name is 1 to 100"},
		"unknown type":    {func(tr *eventarc.Trigger) { tr.EventType = "written" }, "is not one of google.cloud"},
		"no URL":          {func(tr *eventarc.Trigger) { tr.URL = "" }, "give the function's"},
		"URL of a path":   {func(tr *eventarc.Trigger) { tr.URL = "/f" }, "give the function's"},
		"concurrency":     {func(tr *eventarc.Trigger) { tr.Concurrency = -1 }, "give a positive number"},
		"no pattern":      {func(tr *eventarc.Trigger) { tr.Pattern = "" }, "empty segment"},
		"leading slash":   {func(tr *eventarc.Trigger) { tr.Pattern = "/x/{id}" }, "empty segment"},
		"a collection":    {func(tr *eventarc.Trigger) { tr.Pattern = "x/{id}/y" }, "names a collection"},
		"part wildcard":   {func(tr *eventarc.Trigger) { tr.Pattern = "x/a*" }, "takes a whole segment"},
		"part capture":    {func(tr *eventarc.Trigger) { tr.Pattern = "x/a{b}" }, "takes a whole segment"},
		"capture pattern": {func(tr *eventarc.Trigger) { tr.Pattern = "x/{b=c*}" }, "only {name}"},
		"unclosed":        {func(tr *eventarc.Trigger) { tr.Pattern = "x/{b" }, "takes a whole segment"},
		"same name twice": {func(tr *eventarc.Trigger) { tr.Pattern = "x/{b}/y/{b}" }, "two {b}"},
		"two rests":       {func(tr *eventarc.Trigger) { tr.Pattern = "{a=**}/x/{b=**}" }, "more than one **"},
	} {
		b := start(t, nil)
		trigger := ok
		c.change(&trigger)
		require.ErrorContains(t, b.Add(t.Context(), trigger), c.want, name)
	}
	b := start(t, nil)
	require.NoError(t, b.Add(t.Context(), ok))
	require.ErrorContains(t, b.Add(t.Context(), ok), "there is one of that name")

	onBoth(t, func(t *testing.T, em eventarc.Firestore) {
		b := start(t, &eventarc.Options{Provider: em})
		other := ok
		other.Database = "two"
		require.ErrorContains(t, b.Add(t.Context(), other), "of (default) only")
	})
}
