package repair_test

import (
	"context"
	"fmt"
	"log/slog"

	"hippocampus/emulator"
	"hippocampus/repair"
)

// A build lists what the store holds, whatever events were lost.
func ExampleBuild() {
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
	memories := client.Collection("tenants/acme/memories")
	for _, id := range []string{"YQ", "Yg", "Yw"} { // a, b and c; nobody sees their events
		if _, err := memories.Doc(id).Set(ctx, map[string]any{"body": "…"}); err != nil {
			panic(err)
		}
	}

	o := &repair.Options{Horizon: -1, Logger: slog.New(slog.DiscardHandler)}
	result, err := repair.Build(ctx, client, "tenants/acme/memories", o)
	fmt.Println(result.Memories, "memories,", result.NotCompared, err)

	if _, err := memories.Doc("YQ").Delete(ctx); err != nil {
		panic(err)
	}
	result, err = repair.Build(ctx, client, "tenants/acme/memories", o)
	fmt.Println(result.Memories, "memories,", result.Drift.Ghosts, "ghost", err)
	// Output:
	// 3 memories, index missing <nil>
	// 2 memories, 1 ghost <nil>
}
