// Package resource knows the names of databases, documents and collections: which are well formed,
// how they nest and in which order Firestore sorts them.
//
//	projects/P/databases/D/documents/cities/SF/landmarks/bridge
//	└──── Database ──────┘           └────────── Path ────────┘
//
// A name that is not well formed gets INVALID_ARGUMENT, as of Firestore. Limits of length and depth
// are not looked at here: Firestore checks them when a document is written, not when it is asked
// for.
package resource

import (
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
)

func invalid(format string, args ...any) error {
	return status.Errorf(codes.InvalidArgument, format, args...)
}
