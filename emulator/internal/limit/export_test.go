package limit

import (
	pb "cloud.google.com/go/firestore/apiv1/firestorepb"

	"hippocampus/emulator/internal/resource"
)

// DocumentSize and IndexEntries are what the documentation has examples of.
var DocumentSize = documentSize

func IndexEntries(p resource.Path, doc *pb.Document, ix *Indexes) int {
	return count(p, doc, ix).number
}
