package limit_test

import (
	pb "cloud.google.com/go/firestore/apiv1/firestorepb"

	"hippocampus/emulator/internal/literal"
)

type fields = map[string]*pb.Value

func ref(path string) *pb.Value {
	return literal.Ref("projects/p/databases/(default)/documents/" + path)
}

func document(f fields) *pb.Document { return &pb.Document{Fields: f} }

// deep is v in a map, in a map, so often.
func deep(n int, v *pb.Value) *pb.Value {
	for range n {
		v = literal.Map(fields{"a": v})
	}
	return v
}
