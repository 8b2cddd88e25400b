package query

import (
	"strings"

	pb "cloud.google.com/go/firestore/apiv1/firestorepb"

	"hippocampus/emulator/internal/resource"
	"hippocampus/emulator/internal/value"
)

// Limits of firebase.google.com/docs/firestore/quotas.
const (
	maxPathBytes = 1500 // of a field path
	maxPathDepth = 20
	maxIDBytes   = 1500 // of a collection's or document's id
)

// readField reads a field that a filter, an order or a projection is about. name says that it is
// __name__.
func readField(ref *pb.StructuredQuery_FieldReference) (path value.Path, name bool, err error) {
	path, err = value.ParsePath(ref.GetFieldPath())
	if err != nil {
		return nil, false, err
	}
	if len(path) == 1 && path[0] == value.NameField {
		return nil, true, nil
	}
	if len(path) > maxPathDepth {
		return nil, false, invalid("the field path %.100q has %d names: fields are at most %d deep",
			ref.GetFieldPath(), len(path), maxPathDepth)
	}
	size := len(path) - 1
	for _, segment := range path {
		size += len(segment)
	}
	if size > maxPathBytes {
		return nil, false, invalid("the field path %.100q… has %d bytes: it can have %d",
			ref.GetFieldPath(), size, maxPathBytes)
	}
	return path, false, nil
}

// readName reads the value that names are compared with: a reference to a document of db. It is
// returned relative to the root. what says in an error where the value is.
func readName(db resource.Database, what string, v *pb.Value) (string, error) {
	ref, ok := v.GetValueType().(*pb.Value_ReferenceValue)
	if !ok {
		return "", invalid("%s compares __name__ with %s: give a reference value, the full name of a document", what, kindOf(v))
	}
	p, err := db.Document(ref.ReferenceValue)
	if err != nil {
		return "", err
	}
	return string(p), checkIDs(string(p))
}

func checkIDs(path string) error {
	for id := range strings.SplitSeq(path, "/") {
		if len(id) > maxIDBytes {
			return invalid("the id %.100q… has %d bytes: ids can have %d", id, len(id), maxIDBytes)
		}
	}
	return nil
}
