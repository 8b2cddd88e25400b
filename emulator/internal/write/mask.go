package write

import (
	pb "cloud.google.com/go/firestore/apiv1/firestorepb"

	"hippocampus/emulator/internal/value"
)

// checkMask reads the paths of a mask. A path may occur twice, or with a path below it.
func checkMask(mask *pb.DocumentMask) ([]value.Path, error) {
	var paths []value.Path
	for _, s := range mask.GetFieldPaths() {
		p, err := parsePath(s)
		if err != nil {
			return nil, err
		}
		paths = append(paths, p)
	}
	return paths, nil
}

// parsePath reads the path of a field to write, which a document's name is not.
func parsePath(s string) (value.Path, error) {
	p, err := value.ParsePath(s)
	if err == nil && p[0] == value.NameField {
		return nil, invalid("the field path %q is reserved: a document's name cannot be written", s)
	}
	return p, err
}

// merge makes the fields of mask as they are in update: set, or removed if update has them not.
func merge(e *value.Editor, update map[string]*pb.Value, mask []value.Path) {
	for _, p := range mask {
		if v, ok := value.Get(update, p); ok {
			e.Set(p, v)
		} else {
			e.Remove(p)
		}
	}
}
