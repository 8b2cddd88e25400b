package reader_test

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"hippocampus/index"
	"hippocampus/memory"
	"hippocampus/reader"
)

func TestCase21_OneRequestHoweverManyAsk(t *testing.T) {
	tn := newTenant(t)
	tn.put("pages/a")
	// Four readers, as in four processes. No turn asks before every turn has
	// seen that there is no request, and goes on to scan.
	const turns = 50
	var seen sync.WaitGroup
	seen.Add(turns)
	var s spy
	s.fail = func(_ context.Context, _ int, c call) error {
		switch c.method {
		case "BatchGetDocuments":
			seen.Done()
		case "Commit":
			seen.Wait()
		}
		return nil
	}
	patient := &reader.Options{Logger: quiet.Logger, AskTimeout: time.Minute} // the emulator is slow on contention
	readers := make([]*reader.Reader, 4)
	for i := range readers {
		readers[i] = reader.New(s.client(t, tn), patient)
	}
	outcomes := make(chan string, turns)
	for i := range turns {
		go func() {
			list, err := readers[i%len(readers)].List(context.Background(), memories)
			if err != nil {
				outcomes <- err.Error()
				return
			}
			outcomes <- fmt.Sprint(len(list.Entries), " ", list.Receipt.Request)
		}()
	}
	count := map[string]int{}
	for range turns {
		count[<-outcomes]++
	}
	require.Equal(t, map[string]int{"1 " + reader.Asked: 1, "1 " + reader.AlreadyAsked: turns - 1}, count)
	require.NotNil(t, tn.request())
}

func TestCrowdedShardsAskForACompaction(t *testing.T) {
	tn := newTenant(t)
	tn.build()
	for shard := range 2 {
		tn.Deliver(shard, index.Change{ID: fmt.Sprintf("YQ%d", shard), New: &index.State{Version: tn.Now(), Date: 1}})
	}
	require.Equal(t, reader.NotNeeded, tn.list().Receipt.Request)
	tn.Deliver(2, index.Change{ID: "YQ2", New: &index.State{Version: tn.Now(), Date: 1}})

	list := tn.list()
	require.Equal(t, reader.FromIndex, list.Receipt.Source)
	require.Equal(t, reader.Asked, list.Receipt.Request)
	require.Equal(t, index.Request{Kind: index.Compaction, Reason: "crowded"}, index.ParseRequest(tn.request()))
	again := tn.list()
	require.Equal(t, reader.AlreadyAsked, again.Receipt.Request)
	require.Equal(t, reader.FromIndex, again.Receipt.Source)
	require.Equal(t, 5, again.Receipt.DocumentsRead, "meta, three shards, the request")
}

// mayNotAsk lets a server read everything and write nothing.
const mayNotAsk = `rules_version = '2';
service cloud.firestore {
  match /databases/{database}/documents {
    match /{document=**} { allow read: if true; }
  }
}`

func TestPermissionToAskDenied(t *testing.T) {
	tn, em := newTenantWithRules(t)
	tn.put("pages/a", "pages/b")
	require.NoError(t, em.LoadRules(t.Context(), mayNotAsk))
	client, err := em.ClientAs(t.Context(), "acme", nil)
	require.NoError(t, err)
	t.Cleanup(func() { client.Close() })
	var log bytes.Buffer
	list, err := reader.New(client, &reader.Options{Logger: slog.New(slog.NewTextHandler(&log, nil))}).List(t.Context(), memories)
	require.NoError(t, err)
	require.Equal(t, []string{"pages/a", "pages/b"}, names(list))
	require.Contains(t, list.Receipt.Request, reader.Refused)
	require.Contains(t, list.Receipt.Request, "PermissionDenied")
	require.Contains(t, list.Receipt.String(), "build refused: ")
	require.Contains(t, log.String(), "could not be asked for")
	require.Nil(t, tn.request())
}

// TestDeniedPermissionIsNotTriedEveryTurn also shows that it is tried again,
// for permission may be given.
func TestDeniedPermissionIsNotTriedEveryTurn(t *testing.T) {
	tn := newTenant(t)
	denied := true
	var s spy
	s.fail = func(_ context.Context, _ int, c call) error {
		if c.method == "Commit" && denied {
			return status.Error(codes.PermissionDenied, "not you")
		}
		return nil
	}
	r := reader.New(s.client(t, tn), quiet)
	for range 101 {
		list, err := r.List(t.Context(), memories)
		require.NoError(t, err)
		require.Contains(t, list.Receipt.Request, "not you")
	}
	require.Equal(t, 1, s.count("Commit"))
	denied = false
	list, err := r.List(t.Context(), memories)
	require.NoError(t, err)
	require.Equal(t, reader.Asked, list.Receipt.Request)
}

// TestAskingIsBounded has a server that never answers a commit.
func TestAskingIsBounded(t *testing.T) {
	tn := newTenant(t)
	tn.put("pages/a")
	var s spy
	s.fail = func(ctx context.Context, _ int, c call) error {
		if c.method == "Commit" {
			<-ctx.Done()
			return status.FromContextError(ctx.Err()).Err()
		}
		return nil
	}
	r := reader.New(s.client(t, tn), &reader.Options{AskTimeout: 20 * time.Millisecond, Logger: quiet.Logger})
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	list, err := r.List(ctx, memories)
	require.NoError(t, err)
	require.NoError(t, ctx.Err())
	require.Equal(t, []string{"pages/a"}, names(list))
	require.Contains(t, list.Receipt.Request, reader.Refused)
	require.Contains(t, list.Receipt.Request, "DeadlineExceeded")
}

// TestOtherSettingsAgainAskForNoSecondBuild: whoever builds is set otherwise
// than the reader, and would be asked for ever.
func TestOtherSettingsAgainAskForNoSecondBuild(t *testing.T) {
	tn := newTenantOf(t, memory.Schema{DateField: "updated_at"})
	tn.put("pages/a")
	tn.build()
	r := reader.New(tn.Client, &reader.Options{Schema: tn.Store.Schema(), Logger: quiet.Logger})
	tn.Patch(index.MetaID, "date_field", "changed")
	list, err := r.List(t.Context(), memories)
	require.NoError(t, err)
	require.Equal(t, reader.Asked, list.Receipt.Request)

	tn.remove(index.RequestID) // asked in vain: the next turns may ask again
	list, err = r.List(t.Context(), memories)
	require.NoError(t, err)
	require.Equal(t, reader.Asked, list.Receipt.Request)

	tn.remove(index.RequestID) // built, with other settings again
	tn.Patch(index.MetaID, "generation", 2)
	for range 2 {
		list, err = r.List(t.Context(), memories)
		require.NoError(t, err)
		require.Equal(t, []string{"pages/a"}, names(list))
		require.Contains(t, list.Receipt.Request, "functions alike")
	}
	require.Nil(t, tn.request())

	tn.Patch(index.MetaID, "date_field", "updated_at") // set right: all is forgotten
	list, err = r.List(t.Context(), memories)
	require.NoError(t, err)
	require.Equal(t, reader.FromIndex, list.Receipt.Source)
	tn.Patch(index.MetaID, "date_field", "changed")
	list, err = r.List(t.Context(), memories)
	require.NoError(t, err)
	require.Equal(t, reader.Asked, list.Receipt.Request)
}
