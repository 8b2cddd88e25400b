// Package limit holds documents and commits to Firestore's documented limits. The official emulator
// has some of them, and draws the same lines, but for two sizes: it leaves out the 32 bytes that a
// map has beside its fields, and takes the id of a numbered document for text.
//
// Pages are those of firebase.google.com/docs/firestore: quotas, storage-size and
// query-data/index-overview. Whatever is over a limit gets INVALID_ARGUMENT, as of Firestore.
package limit

import (
	"strings"

	pb "cloud.google.com/go/firestore/apiv1/firestorepb"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"

	"hippocampus/emulator/internal/resource"
	"hippocampus/emulator/internal/value"
)

// Limits in bytes, from quotas#collections_documents_and_fields.
const (
	maxID        = 1500    // of a collection's or document's id
	maxName      = 6 << 10 // of a document's name, sized as storage-size#document-name-size says
	maxDocument  = 1 << 20
	maxFieldPath = 1500       // of the names and the dots between them; a field's own name is the shortest path
	maxValue     = 1<<20 - 89 // of a string or bytes
)

const (
	// maxSubcollections is the depth of a document's collection:
	// quotas#collections_documents_and_fields.
	maxSubcollections = 100
	// maxDepth of maps and arrays in each other in a field:
	// quotas#collections_documents_and_fields.
	maxDepth = 20
	// maxRequest in bytes: quotas#writes_and_transactions.
	maxRequest = 10 << 20
	// maxTransforms of one document in a commit: quotas#writes_and_transactions.
	maxTransforms = 500
)

// CheckPath checks the path of a document to write: the length of its ids and name, and its depth.
func CheckPath(p resource.Path) error {
	ids := 0
	for rest, more := string(p), true; more; ids++ {
		var id string
		id, rest, more = strings.Cut(rest, "/")
		if len(id) > maxID {
			return over("an id of %d bytes in a document's name (%.40s…)", len(id), id, maxID)
		}
	}
	if depth := ids / 2; depth > maxSubcollections {
		return status.Errorf(codes.InvalidArgument,
			"the document is in %d collections in each other: at most %d are allowed", depth,
			maxSubcollections)
	}
	if n := nameSize(p); n > maxName {
		return over("a document's name of %d bytes (%.40s…)", n, string(p), maxName)
	}
	return nil
}

// over makes the error of something of n bytes, described by format with n and text, that may be of
// most bytes only.
func over(format string, n int, text string, most int) error {
	return status.Errorf(codes.InvalidArgument, format+": at most %d bytes are allowed", n, text, most)
}

// CheckDocument checks a document as it would be stored at p: its size, the length and depth of its
// fields, and its index entries. ix may be nil.
//
// That of an indexed value only the first 1,500 bytes count (index-overview#indexing_limits) is not
// checked: Firestore takes such values, and queries may miss them.
func CheckDocument(p resource.Path, doc *pb.Document, ix *Indexes) error {
	for name, v := range doc.GetFields() {
		if len(name) > maxFieldPath {
			return over("a field name of %d bytes (%.40s…)", len(name), name, maxFieldPath)
		}
		if err := checkValue(name, v, len(name), 0); err != nil {
			return err
		}
	}
	if n := documentSize(p, doc); n > maxDocument {
		return over("a document of %d bytes (%.100s)", n, string(p), maxDocument)
	}
	return checkEntries(p, doc, ix)
}

// checkValue checks a value in field. path is the length of the path down to it, depth the number
// of maps and arrays that it is in.
func checkValue(field string, v *pb.Value, path, depth int) error {
	switch t := v.GetValueType().(type) {
	case *pb.Value_StringValue:
		return checkLength(field, len(t.StringValue))
	case *pb.Value_BytesValue:
		return checkLength(field, len(t.BytesValue))
	case *pb.Value_ReferenceValue:
		_, p, err := resource.Parse(t.ReferenceValue)
		if err != nil {
			return err
		}
		return CheckPath(p)
	case *pb.Value_ArrayValue:
		values := t.ArrayValue.GetValues()
		if len(values) > 0 && depth == maxDepth {
			return tooDeep(field)
		}
		for _, element := range values {
			if err := checkValue(field, element, path, depth+1); err != nil {
				return err
			}
		}
	case *pb.Value_MapValue:
		if value.ClassOf(v) == value.Vector {
			return nil
		}
		if depth == maxDepth {
			return tooDeep(field)
		}
		for name, inner := range t.MapValue.GetFields() {
			n := path + 1 + len(name)
			if n > maxFieldPath {
				return over("a field path of %d bytes in field %.40q", n, field, maxFieldPath)
			}
			if err := checkValue(field, inner, n, depth+1); err != nil {
				return err
			}
		}
	}
	return nil
}

func checkLength(field string, n int) error {
	if n > maxValue {
		return over("a value of %d bytes in field %.40q", n, field, maxValue)
	}
	return nil
}

func tooDeep(field string) error {
	return status.Errorf(codes.InvalidArgument,
		"field %.40q has more than %d maps and arrays in each other", field, maxDepth)
}

// pathLength is the bytes of the names of a field path and of the dots between them. Quotes do not
// count.
func pathLength(path string) int {
	p, err := value.ParsePath(path)
	if err != nil {
		return len(path) // somebody else refuses it
	}
	n := len(p) - 1
	for _, name := range p {
		n += len(name)
	}
	return n
}

// CheckCommit checks the size of a commit's request and the number of transforms of each document.
func CheckCommit(req *pb.CommitRequest) error {
	if n := proto.Size(req); n > maxRequest {
		return status.Errorf(codes.InvalidArgument,
			"a commit of %d bytes: at most %d bytes are allowed: commit in parts", n, maxRequest)
	}
	transforms := map[string]int{}
	for _, w := range req.GetWrites() {
		for _, path := range w.GetUpdateMask().GetFieldPaths() {
			if len(path) <= maxFieldPath {
				continue // written out, no path is shorter than it is
			}
			if n := pathLength(path); n > maxFieldPath {
				return over("a field path of %d bytes in a mask (%.40s…)", n, path, maxFieldPath)
			}
		}
		var name string
		n := len(w.GetUpdateTransforms())
		switch o := w.GetOperation().(type) {
		case *pb.Write_Update:
			name = o.Update.GetName()
		case *pb.Write_Transform:
			name = o.Transform.GetDocument()
			n += len(o.Transform.GetFieldTransforms())
		}
		if n == 0 {
			continue
		}
		if transforms[name] += n; transforms[name] > maxTransforms {
			return status.Errorf(codes.InvalidArgument,
				"the commit transforms more than %d fields of %s: commit in parts", maxTransforms, name)
		}
	}
	return nil
}
