package query

import (
	pb "cloud.google.com/go/firestore/apiv1/firestorepb"

	"hippocampus/emulator/internal/literal"
	"hippocampus/emulator/internal/value"
)

// mask is a set of field paths: a whole value, or some fields of a map. The empty mask is the name
// only.
type mask struct {
	whole  bool
	fields map[string]*mask
}

// readMask reads a projection; nil is everything, which is also what an empty one means.
func readMask(p *pb.StructuredQuery_Projection) (*mask, error) {
	if len(p.GetFields()) == 0 {
		return nil, nil
	}
	m := &mask{}
	for _, ref := range p.GetFields() {
		path, name, err := readField(ref)
		if err != nil {
			return nil, err
		}
		if !name {
			m.add(path)
		}
	}
	return m, nil
}

func (m *mask) add(p value.Path) {
	for _, name := range p {
		next := m.fields[name]
		if next == nil {
			next = &mask{}
			if m.fields == nil {
				m.fields = map[string]*mask{}
			}
			m.fields[name] = next
		}
		m = next
	}
	m.whole = true
}

// Project returns what the query asks for of a document: itself, or one that has only the selected
// fields, and shares them.
func (q *Query) Project(doc *pb.Document) *pb.Document {
	if q.mask == nil {
		return doc
	}
	return &pb.Document{
		Name: doc.GetName(), Fields: q.mask.apply(doc.GetFields()),
		CreateTime: doc.GetCreateTime(), UpdateTime: doc.GetUpdateTime(),
	}
}

// apply returns the fields that the mask has, or nil if there are none.
func (m *mask) apply(fields map[string]*pb.Value) map[string]*pb.Value {
	var kept map[string]*pb.Value
	for name, sub := range m.fields {
		v, ok := fields[name]
		if !ok {
			continue
		}
		if !sub.whole {
			if value.ClassOf(v) != value.Map {
				continue
			}
			inner := sub.apply(v.GetMapValue().GetFields())
			if inner == nil {
				continue
			}
			v = literal.Map(inner)
		}
		if kept == nil {
			kept = make(map[string]*pb.Value, len(m.fields))
		}
		kept[name] = v
	}
	return kept
}
