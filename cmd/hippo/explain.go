package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"google.golang.org/grpc/status"

	"hippocampus/internal/outcome"
)

// explain adds to an error of Firestore what to do about it, and to any error of a
// command that was interrupted that it was: what it had done by then stays told.
func explain(ctx context.Context, err error) error {
	if errors.Is(ctx.Err(), context.Canceled) {
		if isBareCancellation(err) {
			return errors.New("interrupted")
		}
		return fmt.Errorf("interrupted: %w", err)
	}
	if hint := hint(err); hint != "" {
		return fmt.Errorf("%w\n  %s", err, hint)
	}
	return err
}

// isBareCancellation reports whether an error says nothing but that the context
// was cancelled, as the context's or as gRPC's own error.
func isBareCancellation(err error) bool {
	// Not errors.Is and errors.As: an error that wraps one of these says more.
	_, ok := err.(interface{ GRPCStatus() *status.Status })
	return err == context.Canceled || ok && outcome.Of(err) == outcome.Canceled
}

func hint(err error) string {
	switch outcome.Of(err) {
	case outcome.Denied:
		return "These credentials may not do that: check --project, and that the account has the role roles/datastore.user (to read only: roles/datastore.viewer)."
	case outcome.Unauthenticated:
		return "Run \"gcloud auth application-default login\", or set GOOGLE_APPLICATION_CREDENTIALS."
	case outcome.NotFound:
		return "Check --project and --database: the project must exist and have a Firestore database in native mode."
	case outcome.Unavailable:
		return "Check the network, --project and FIRESTORE_EMULATOR_HOST; --timeout gives it longer."
	case outcome.Exhausted:
		return "A quota or limit of Firestore is reached: try again later, or see the project's quotas."
	}
	if strings.Contains(err.Error(), "could not find default credentials") {
		return "Run \"gcloud auth application-default login\", or export FIRESTORE_EMULATOR_HOST as \"hippo dev\" prints it."
	}
	return ""
}
