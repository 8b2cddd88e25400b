package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
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
	s, ok := err.(interface{ GRPCStatus() *status.Status })
	return err == context.Canceled || ok && s.GRPCStatus().Code() == codes.Canceled
}

func hint(err error) string {
	switch code(err) {
	case codes.PermissionDenied:
		return "These credentials may not do that: check --project, and that the account has the role roles/datastore.user (to read only: roles/datastore.viewer)."
	case codes.Unauthenticated:
		return "Run \"gcloud auth application-default login\", or set GOOGLE_APPLICATION_CREDENTIALS."
	case codes.NotFound:
		return "Check --project and --database: the project must exist and have a Firestore database in native mode."
	case codes.DeadlineExceeded, codes.Unavailable:
		return "Check the network, --project and FIRESTORE_EMULATOR_HOST; --timeout gives it longer."
	case codes.ResourceExhausted:
		return "A quota or limit of Firestore is reached: try again later, or see the project's quotas."
	}
	if strings.Contains(err.Error(), "could not find default credentials") {
		return "Run \"gcloud auth application-default login\", or export FIRESTORE_EMULATOR_HOST as \"hippo dev\" prints it."
	}
	return ""
}

// code returns the gRPC code of an error, that of an expired context included.
func code(err error) codes.Code {
	if errors.Is(err, context.DeadlineExceeded) {
		return codes.DeadlineExceeded
	}
	var s interface{ GRPCStatus() *status.Status }
	if errors.As(err, &s) {
		return s.GRPCStatus().Code()
	}
	return codes.Unknown
}
