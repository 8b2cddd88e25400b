package limit

import (
	"slices"

	pb "cloud.google.com/go/firestore/apiv1/firestorepb"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"hippocampus/emulator/internal/resource"
	"hippocampus/emulator/internal/value"
)

// Limits of a document's index entries: query-data/index-overview#indexing_limits.
const (
	maxEntries     = 40_000
	maxEntry       = 7<<10 + 512 // bytes, 7.5 KiB
	maxEntriesSize = 8 << 20     // bytes, of all entries together
	maxIndexed     = 1500        // bytes of a value that an entry has
)

// entries are the index entries of a document.
type entries struct {
	number  int
	size    int // bytes of all
	largest int // bytes

	name, parent int // sizes of the document's name and of that above it
}

// count counts as query-data/index-overview#index_entries does: of every value one entry in each of
// its indexes, a map's own and those in it, an array's own and its elements. ix may be nil.
func count(p resource.Path, doc *pb.Document, ix *Indexes) *entries {
	e := &entries{name: nameSize(p), parent: nameSize(p.Parent())}
	var g *group
	if ix != nil {
		g = ix.groups[p.CollectionID()]
	}
	if g == nil {
		g = &group{}
	}
	indexes := automatic
	if g.all != nil {
		indexes = g.all.indexes
	}
	for name, v := range doc.GetFields() {
		e.addField(len(name), v, g.fields.child(name), indexes)
	}
	for _, c := range g.composites {
		e.addComposite(doc.GetFields(), c)
	}
	return e
}

// addField adds the entries of a field in single-field indexes. path is the length of its path, n
// what is set for it, and above the indexes of the field that it is in.
func (e *entries) addField(path int, v *pb.Value, n *node, above []single) {
	indexes := above
	if n != nil && n.set {
		indexes = n.indexes
	}
	// What is large takes long to add up or to sort, so that is done once, and not for what is
	// exempt.
	has := func(contains bool) bool {
		return slices.ContainsFunc(indexes, func(index single) bool { return index.contains == contains })
	}
	size := 0
	if has(false) {
		size = indexedSize(v)
	}
	var elements []*pb.Value
	class := value.ClassOf(v)
	if class == value.Array && has(true) {
		elements = distinct(v.GetArrayValue().GetValues())
	}
	for _, index := range indexes {
		if !index.contains {
			e.addSingle(index.group, path, size)
			continue
		}
		for _, element := range elements {
			e.addSingle(index.group, path, indexedSize(element))
		}
	}
	if class != value.Map || n == nil && len(indexes) == 0 {
		return
	}
	for name, inner := range v.GetMapValue().GetFields() {
		e.addField(path+1+len(name), inner, n.child(name), indexes)
	}
}

// addSingle adds an entry of a single-field index, with size bytes of a value:
// storage-size#single-field-index-entry-size.
func (e *entries) addSingle(group bool, path, size int) {
	e.add(group, path+1+size)
}

// addComposite adds the entries of a composite index, if the document has all its fields:
// storage-size#composite-index-entry-size.
func (e *entries) addComposite(fields map[string]*pb.Value, c composite) {
	size := 0
	elements := []*pb.Value{nil}
	for _, f := range c.fields {
		v, ok := value.Get(fields, f.path)
		class := value.ClassOf(v)
		if !ok || f.contains && class != value.Array || f.vector && class != value.Vector {
			return
		}
		if f.contains {
			elements = distinct(v.GetArrayValue().GetValues())
			continue
		}
		size += indexedSize(v)
	}
	for _, element := range elements {
		n := size
		if element != nil {
			n += indexedSize(element)
		}
		e.add(c.group, n)
	}
}

// add adds an entry of an index whose own part has so many bytes.
func (e *entries) add(group bool, size int) {
	size += e.name + extra
	if !group {
		size += e.parent
	}
	e.number++
	e.size += size
	e.largest = max(e.largest, size)
}

func indexedSize(v *pb.Value) int { return min(valueSize(v), maxIndexed) }

// distinct returns the values without those that are equal to another.
func distinct(values []*pb.Value) []*pb.Value {
	sorted := slices.SortedFunc(slices.Values(values), value.Compare)
	return slices.CompactFunc(sorted, func(a, b *pb.Value) bool { return value.Compare(a, b) == 0 })
}

func checkEntries(p resource.Path, doc *pb.Document, ix *Indexes) error {
	const advice = "exempt large maps, arrays and strings from indexing in firestore.indexes.json"
	e := count(p, doc, ix)
	switch {
	case e.number > maxEntries:
		return status.Errorf(codes.InvalidArgument,
			"%.100s has %d index entries: at most %d are allowed: %s", p, e.number, maxEntries, advice)
	case e.largest > maxEntry:
		return status.Errorf(codes.InvalidArgument,
			"%.100s has an index entry of %d bytes: at most %d bytes are allowed: shorten its name, or %s", p, e.largest, maxEntry, advice)
	case e.size > maxEntriesSize:
		return status.Errorf(codes.InvalidArgument,
			"%.100s has index entries of %d bytes together: at most %d bytes are allowed: %s", p,
			e.size, maxEntriesSize, advice)
	default:
		return nil
	}
}
