package value

import (
	"maps"

	pb "cloud.google.com/go/firestore/apiv1/firestorepb"
)

// Get returns the value at p in a document's fields. Only maps are looked into, and a vector is
// none, though it is sent as one.
func Get(fields map[string]*pb.Value, p Path) (*pb.Value, bool) {
	last := len(p) - 1
	for _, name := range p[:last] {
		fields = mapOf(fields[name]).GetFields()
	}
	v, ok := fields[p[last]]
	return v, ok
}

// Set returns fields with v at p. It makes the maps on the way and replaces what is there and not a
// map. fields itself stays as it is, and the result shares with it all that is not on the way to p.
func Set(fields map[string]*pb.Value, p Path, v *pb.Value) map[string]*pb.Value {
	e := Edit(fields)
	e.Set(p, v)
	return e.Fields()
}

// Editor makes several changes to a document's fields and copies each map once at most. It never
// changes what it was given, and its result shares with that all that is not on the way to a
// change.
type Editor struct {
	fields map[string]*pb.Value
	owned  bool                  // fields is a copy
	copies map[*pb.MapValue]bool // the maps that are copies
}

// Edit begins to change fields.
func Edit(fields map[string]*pb.Value) *Editor { return &Editor{fields: fields} }

// Fields returns the result, which is what Edit was given if nothing was changed. Do not use the
// Editor afterwards.
func (e *Editor) Fields() map[string]*pb.Value { return e.fields }

// Get returns the value at p as it is now.
func (e *Editor) Get(p Path) (*pb.Value, bool) { return Get(e.fields, p) }

// Set puts v at p, as the function Set does.
func (e *Editor) Set(p Path, v *pb.Value) {
	last := len(p) - 1
	e.parent(p)[p[last]] = v
}

// Remove takes away the value at p, if there is one. A map that becomes empty stays.
func (e *Editor) Remove(p Path) {
	if _, ok := Get(e.fields, p); ok {
		delete(e.parent(p), p[len(p)-1])
	}
}

// parent returns the map that p's last name belongs in, to be changed.
func (e *Editor) parent(p Path) map[string]*pb.Value {
	if !e.owned {
		e.fields, e.owned = clone(e.fields), true
	}
	at := e.fields
	for _, name := range p[:len(p)-1] {
		m := mapOf(at[name])
		if !e.copies[m] {
			m = &pb.MapValue{Fields: clone(m.GetFields())}
			if e.copies == nil {
				e.copies = map[*pb.MapValue]bool{}
			}
			e.copies[m] = true
			at[name] = &pb.Value{ValueType: &pb.Value_MapValue{MapValue: m}}
		}
		at = m.Fields
	}
	return at
}

// mapOf returns the map that v is, or nil.
func mapOf(v *pb.Value) *pb.MapValue {
	m := v.GetMapValue()
	if isVector(m.GetFields()) {
		return nil
	}
	return m
}

func clone(fields map[string]*pb.Value) map[string]*pb.Value {
	if fields == nil {
		return map[string]*pb.Value{}
	}
	return maps.Clone(fields)
}
