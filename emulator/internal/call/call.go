// Package call reads what interceptors need to know of a call to Firestore.
package call

import (
	"path"
	"strings"
)

// RPC is the name of the method that is called, "Commit", of a gRPC method such as
// "/google.firestore.v1.Firestore/Commit".
func RPC(fullMethod string) string { return path.Base(fullMethod) }

// Project is the project that a request names, or "" if it names none.
func Project(req any) string {
	var name string
	switch r := req.(type) {
	case interface{ GetDatabase() string }:
		name = r.GetDatabase()
	case interface{ GetParent() string }:
		name = r.GetParent()
	case interface{ GetName() string }:
		name = r.GetName()
	}
	rest, ok := strings.CutPrefix(name, "projects/")
	if !ok {
		return ""
	}
	project, _, _ := strings.Cut(rest, "/")
	return project
}
