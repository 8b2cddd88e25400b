package emulator

import (
	"context"

	"cloud.google.com/go/firestore"
	"google.golang.org/api/option"

	"hippocampus/emulator/internal/client"
)

// Connect returns a client of a database in whatever emulator listens at a host such as
// 127.0.0.1:8080, of this package or Google's, in this process or not. It passes all security
// rules, as a server does, and neither reads nor changes the environment. opts come last. The
// caller closes it.
func Connect(ctx context.Context, host, project, database string,
	opts ...option.ClientOption) (*firestore.Client, error) {
	return client.NewWithDatabase(ctx, host, project, database, client.Owner, opts...)
}

// IsEmbedded reports whether the emulator that listens at a host is one of this package, in
// whatever process. If nothing answers there as an emulator does, it is not.
func IsEmbedded(ctx context.Context, host string) bool {
	embedded, err := client.Probe(ctx, host)
	return err == nil && embedded
}
