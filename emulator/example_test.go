package emulator_test

import (
	"context"
	"fmt"
	"time"

	"hippocampus/emulator"
	"hippocampus/emulator/clock"
)

func Example() {
	ctx := context.Background()
	em, err := emulator.Start(ctx, nil) // on a free port of 127.0.0.1
	if err != nil {
		panic(err)
	}
	defer em.Close()
	client, err := em.Client(ctx) // a *firestore.Client
	if err != nil {
		panic(err)
	}
	defer client.Close()

	_, err = client.Doc("cities/SF").Set(ctx, map[string]any{"name": "San Francisco"})
	fmt.Println(err)
	doc, err := client.Doc("cities/SF").Get(ctx)
	fmt.Println(doc.Data()["name"], err)
	// Output:
	// <nil>
	// San Francisco <nil>
}

func ExampleOptions_clock() {
	ctx := context.Background()
	c := clock.NewManual(time.Date(2026, 8, 1, 12, 0, 0, 0, time.UTC))
	em, err := emulator.Start(ctx, &emulator.Options{Clock: c})
	if err != nil {
		panic(err)
	}
	defer em.Close()
	client, err := em.Client(ctx)
	if err != nil {
		panic(err)
	}
	defer client.Close()

	for range 2 {
		written, err := client.Doc("c/d").Set(ctx, map[string]any{"at": c.Now()})
		fmt.Println(written.UpdateTime, err)
		c.Advance(time.Hour)
	}
	// Output:
	// 2026-08-01 12:00:00 +0000 UTC <nil>
	// 2026-08-01 13:00:00 +0000 UTC <nil>
}
