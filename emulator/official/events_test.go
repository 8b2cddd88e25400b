package official_test

import (
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"hippocampus/emulator/official/officialtest"
)

const written = "google.cloud.firestore.document.v1.written"

// recorder notes the events that the emulator posts.
type recorder struct {
	mu     sync.Mutex
	events []string // {trigger} {document}
}

func (r *recorder) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.events = append(r.events, req.URL.Path+" "+req.Header.Get("ce-document"))
}

func (r *recorder) taken() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	events := r.events
	r.events = nil
	return events
}

func TestTriggersPostToTheirProject(t *testing.T) {
	ctx := t.Context()
	one, two := officialtest.Start(t), officialtest.Start(t)
	var got, none recorder
	require.NoError(t, one.Receive(&got))
	require.NoError(t, two.Receive(&none))
	require.NoError(t, one.AddTrigger(ctx, "a", written, "x/{id}"))
	require.NoError(t, one.AddTrigger(ctx, "b", written, "{document=**}"))

	client, other := officialtest.Client(t, one), officialtest.Client(t, two)
	_, err := client.Doc("x/1").Set(ctx, map[string]any{"a": 1})
	require.NoError(t, err)
	_, err = client.Doc("y/1").Set(ctx, map[string]any{"a": 1})
	require.NoError(t, err)
	_, err = other.Doc("x/2").Set(ctx, map[string]any{"a": 1})
	require.NoError(t, err)
	require.NoError(t, one.Settle(ctx))

	path := "/functions/projects/" + one.Project() + "/triggers/"
	var events []string
	for _, event := range got.taken() {
		if !strings.Contains(event, "official-settle/") { // the trigger for all documents may see the marker, too
			events = append(events, event)
		}
	}
	require.Len(t, events, 3)
	require.ElementsMatch(t, []string{path + "a x/1", path + "b x/1"}, events[:2])
	require.Equal(t, path+"b y/1", events[2])
	require.Empty(t, none.taken())
}

// The promise of Settle: after it, the events of all commits that have returned are there, whoever
// made them.
func TestSettleWaitsForAllCommits(t *testing.T) {
	ctx := t.Context()
	em := officialtest.Start(t)
	var got recorder
	require.NoError(t, em.Receive(&got))
	require.NoError(t, em.AddTrigger(ctx, "all", written, "x/{id}"))
	client := officialtest.Client(t, em)

	const rounds, writers, writes = 20, 4, 10
	for round := range rounds {
		var wg sync.WaitGroup
		for w := range writers {
			wg.Go(func() {
				for n := range writes {
					_, err := client.Doc(fmt.Sprintf("x/%d-%d", w, n)).Set(ctx, map[string]any{"round": round})
					if err != nil {
						t.Error(err)
					}
				}
			})
		}
		wg.Wait()
		require.NoError(t, em.Settle(ctx))
		require.Len(t, got.taken(), writers*writes, "round %d", round)
	}
	docs, err := client.Collection("official-settle").Documents(ctx).GetAll()
	require.NoError(t, err)
	require.Empty(t, docs)
}
