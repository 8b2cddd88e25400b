package eventarc_test

import (
	"testing"

	"cloud.google.com/go/firestore"
	"github.com/stretchr/testify/require"

	"hippocampus/emulator/eventarc"
)

// Each trigger sees its type of events only, and none of writes that change nothing, which the
// official emulator posts too.
func TestEventTypes(t *testing.T) { onBoth(t, eventTypes) }

func eventTypes(t *testing.T, em eventarc.Firestore) {
	ctx := t.Context()
	client := newClient(t, em)
	b := start(t, &eventarc.Options{Provider: em})
	functions := map[string]*function{}
	for name, eventType := range map[string]string{
		"created": eventarc.Created, "updated": eventarc.Updated, "deleted": eventarc.Deleted, "written": eventarc.Written,
	} {
		functions[name] = newFunction(t)
		add(t, b, eventarc.Trigger{Name: name, EventType: eventType, Pattern: "x/{id}", URL: functions[name].url})
	}
	doc := client.Doc("x/1")
	steps := []struct {
		name string
		do   func() error
		want []string
	}{
		{"create", func() error { _, err := doc.Set(ctx, map[string]any{"a": 1}); return err }, []string{"created", "written"}},
		{"change", func() error { _, err := doc.Set(ctx, map[string]any{"a": 2}); return err }, []string{"updated", "written"}},
		{"write the same again", func() error { _, err := doc.Set(ctx, map[string]any{"a": 2}); return err }, nil},
		{"merge the same again", func() error { _, err := doc.Set(ctx, map[string]any{"a": 2}, firestore.MergeAll); return err }, nil},
		{"delete", func() error { _, err := doc.Delete(ctx); return err }, []string{"deleted", "written"}},
		{"delete what is gone", func() error { _, err := doc.Delete(ctx); return err }, nil},
		{"another collection", func() error { _, err := client.Doc("y/1").Set(ctx, map[string]any{"a": 1}); return err }, nil},
		{"a subcollection", func() error { _, err := client.Doc("x/1/y/1").Set(ctx, map[string]any{"a": 1}); return err }, nil},
	}
	for _, step := range steps {
		require.NoError(t, step.do(), step.name)
		drain(t, b)
		want := map[string]int{}
		for _, name := range step.want {
			want[name] = 1
		}
		for name, f := range functions {
			f.mu.Lock()
			require.Len(t, f.requests, want[name], "%s: trigger %s", step.name, name)
			f.requests = nil
			f.mu.Unlock()
		}
	}
	require.Equal(t, 6, b.Stats().Delivered)
}
