package differential_test

import (
	"maps"

	pb "cloud.google.com/go/firestore/apiv1/firestorepb"
	"google.golang.org/protobuf/types/known/timestamppb"

	"hippocampus/emulator/internal/literal"
)

// write is of the document at a path. updated is a time of a step that may have written it.
func (r *random) write(path string, updated *timestamppb.Timestamp) *pb.Write {
	name := r.name(path)
	if r.oneIn(200) {
		name = pick(r, "", "x", r.root(), r.name("c"), r.name("c/a/c"), r.name("c//a"), r.name("c/.."), r.name("__c__/a"), r.name("c/__a__"))
	}
	update := &pb.Write_Update{Update: &pb.Document{Name: name}}
	w := &pb.Write{Operation: update}
	switch n := r.IntN(20); {
	case n < 3:
		w.Operation = &pb.Write_Delete{Delete: name}
	case n < 5:
		w.Operation = &pb.Write_Transform{Transform: &pb.DocumentTransform{Document: name, FieldTransforms: r.transforms(1)}}
	case n < 10:
		update.Update.Fields = r.nearly(path)
	case n < 12:
		update.Update.Fields = r.docFields()
		w.UpdateTransforms = r.transforms(1)
	case n < 16:
		w.UpdateMask = r.mask(3)
		update.Update.Fields = r.covered(w.UpdateMask)
	default:
		w.UpdateMask = r.mask(2)
		update.Update.Fields = r.covered(w.UpdateMask)
		w.UpdateTransforms = r.transforms(1)
	}
	if f := update.Update.Fields; len(f) > 0 && r.oneIn(60) {
		f[pick(r, names...)] = r.unstorable()
	}
	if r.oneIn(200) && update.Update.Fields != nil {
		update.Update.Fields[pick(r, "__x__", "____x__")] = literal.Int(1)
	}
	switch n := r.IntN(30); {
	case n < 3:
		w.CurrentDocument = &pb.Precondition{ConditionType: &pb.Precondition_Exists{Exists: true}}
	case n < 5:
		w.CurrentDocument = &pb.Precondition{ConditionType: &pb.Precondition_Exists{}}
	case n < 9:
		w.CurrentDocument = &pb.Precondition{ConditionType: &pb.Precondition_UpdateTime{UpdateTime: updated}}
	case n == 9 && r.oneIn(4):
		w.CurrentDocument = &pb.Precondition{}
	}
	return w
}

// nearly are fields like those that a path was given last, often with one that is different, or
// others.
func (r *random) nearly(path string) fields {
	f := maps.Clone(r.given[path])
	if f == nil || r.oneIn(3) {
		f = r.docFields()
	} else if name := r.fieldName(); !r.oneIn(3) {
		f[name] = r.value(1)
	}
	r.given[path] = maps.Clone(f)
	return f
}

func (r *random) mask(most int) *pb.DocumentMask {
	m := &pb.DocumentMask{}
	for range r.IntN(most + 1) {
		m.FieldPaths = append(m.FieldPaths, r.fieldPath())
	}
	return m
}

// covered are fields for a merge: most of them are in the mask, by chance or because it is about
// the map m.
func (r *random) covered(*pb.DocumentMask) fields {
	f := r.docFields()
	if r.oneIn(3) {
		f["m"] = literal.Map(fields{"x": r.value(1), "y": literal.Map(fields{"x": r.value(1)}), "m-x": r.value(1)})
	}
	if r.oneIn(5) {
		f["a"] = literal.Map(fields{"b": r.value(1)})
	}
	return f
}

// transforms are at least some.
func (r *random) transforms(least int) []*pb.DocumentTransform_FieldTransform {
	var all []*pb.DocumentTransform_FieldTransform
	for range least + r.IntN(3) {
		all = append(all, r.transform())
	}
	return all
}

func (r *random) transform() *pb.DocumentTransform_FieldTransform {
	t := &pb.DocumentTransform_FieldTransform{FieldPath: r.fieldPath()}
	number := func() *pb.Value {
		if r.oneIn(60) {
			return pick(r, literal.Null(), literal.Str("a"), literal.Time(1, 0), &pb.Value{}, literal.Array())
		}
		if r.oneIn(4) {
			return literal.Double([]float64{0, negativeZero, 1, 1.5, -1, 1e300, -1e300, 1 << 53, 1 << 63}[r.IntN(9)])
		}
		for {
			v := r.value(0)
			switch v.GetValueType().(type) {
			case *pb.Value_IntegerValue, *pb.Value_DoubleValue:
				return v
			}
		}
	}
	elements := func() *pb.ArrayValue {
		a := &pb.ArrayValue{}
		for range r.IntN(4) {
			a.Values = append(a.Values, r.element(1))
		}
		return a
	}
	switch r.IntN(6) {
	case 0:
		t.TransformType = &pb.DocumentTransform_FieldTransform_SetToServerValue{SetToServerValue: pb.DocumentTransform_FieldTransform_REQUEST_TIME}
	case 1:
		t.TransformType = &pb.DocumentTransform_FieldTransform_Increment{Increment: number()}
	case 2:
		t.TransformType = &pb.DocumentTransform_FieldTransform_Maximum{Maximum: number()}
	case 3:
		t.TransformType = &pb.DocumentTransform_FieldTransform_Minimum{Minimum: number()}
	case 4:
		t.TransformType = &pb.DocumentTransform_FieldTransform_AppendMissingElements{AppendMissingElements: elements()}
	default:
		t.TransformType = &pb.DocumentTransform_FieldTransform_RemoveAllFromArray{RemoveAllFromArray: elements()}
	}
	if r.oneIn(2) && t.GetAppendMissingElements() != nil || t.GetRemoveAllFromArray() != nil && r.oneIn(2) {
		t.FieldPath = "arr"
	}
	return t
}
