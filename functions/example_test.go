package functions_test

import (
	"context"
	"fmt"
	"log/slog"
	"net/http/httptest"

	"hippocampus/emulator"
	"hippocampus/emulator/eventarc"
	"hippocampus/functions"
	"hippocampus/index"
)

// The functions in this process, with the events that a deployed trigger would deliver.
func Example() {
	ctx := context.Background()
	em, err := emulator.Start(ctx, nil)
	if err != nil {
		panic(err)
	}
	defer em.Close()
	client, err := em.Client(ctx)
	if err != nil {
		panic(err)
	}
	defer client.Close()

	quiet := slog.New(slog.DiscardHandler)
	service, err := functions.New(client, functions.Config{}, &functions.Options{Logger: quiet})
	if err != nil {
		panic(err)
	}
	server := httptest.NewServer(service.Handler())
	defer server.Close()
	broker, err := eventarc.Start(&eventarc.Options{Provider: em, Logger: quiet})
	if err != nil {
		panic(err)
	}
	defer broker.Close()
	err = broker.Add(ctx, eventarc.Trigger{
		Name: "written", Pattern: functions.DefaultMemories + "/{memory}",
		URL: server.URL + "/" + functions.NameOnMemoryWritten,
	})
	if err != nil {
		panic(err)
	}

	// Any writer changes a memory, and its entry is in a shard.
	if _, err := client.Doc("tenants/acme/memories/YQ").Set(ctx, map[string]any{"body": "…"}); err != nil {
		panic(err)
	}
	if err := broker.Drain(ctx); err != nil {
		panic(err)
	}
	path, err := index.Path("tenants/acme/memories")
	if err != nil {
		panic(err)
	}
	shard, err := client.Collection(path).Doc(index.ShardID(0)).Get(ctx)
	if err != nil {
		panic(err)
	}
	fmt.Println(len(shard.Data()[index.EntriesField].(map[string]any)), "entry in", shard.Ref.ID)
	fmt.Println(service.Close(ctx))
	// Output:
	// 1 entry in shard-0
	// <nil>
}
