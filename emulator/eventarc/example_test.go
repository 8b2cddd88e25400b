package eventarc_test

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"

	"hippocampus/emulator"
	"hippocampus/emulator/eventarc"
)

// A function gets the event of every change of a document that a pattern matches.
func Example() {
	ctx := context.Background()
	function := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		fmt.Println(r.Header.Get("Ce-Type"), r.Header.Get("Ce-Document"))
	}))
	defer function.Close()
	em, err := emulator.Start(ctx, nil)
	if err != nil {
		panic(err)
	}
	defer em.Close()
	broker, err := eventarc.Start(&eventarc.Options{Provider: em, Logger: slog.New(slog.DiscardHandler)})
	if err != nil {
		panic(err)
	}
	defer broker.Close()
	trigger := eventarc.Trigger{Name: "notes", Pattern: "users/{user}/notes/{note}", URL: function.URL}
	if err := broker.Add(ctx, trigger); err != nil {
		panic(err)
	}

	client, err := em.Client(ctx)
	if err != nil {
		panic(err)
	}
	defer client.Close()
	for _, path := range []string{"users/u/notes/1", "users/u", "users/u/notes/2"} {
		if _, err := client.Doc(path).Set(ctx, map[string]any{"a": 1}); err != nil {
			panic(err)
		}
		if err := broker.Drain(ctx); err != nil {
			panic(err)
		}
	}
	// Output:
	// google.cloud.firestore.document.v1.written users/u/notes/1
	// google.cloud.firestore.document.v1.written users/u/notes/2
}
