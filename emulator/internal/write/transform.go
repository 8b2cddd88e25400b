package write

import (
	"slices"
	"time"

	pb "cloud.google.com/go/firestore/apiv1/firestorepb"
	"google.golang.org/protobuf/types/known/timestamppb"

	"hippocampus/emulator/internal/literal"
	"hippocampus/emulator/internal/value"
)

// transform is one change to one field.
type transform struct {
	path value.Path
	// next returns the field's value after the transform, of the value before, nil if there is
	// none.
	next func(old *pb.Value, now time.Time) *pb.Value
	// silent says that the result is null, not the new value.
	silent bool
}

// apply does the transform and returns its result.
func (t transform) apply(e *value.Editor, now time.Time) *pb.Value {
	old, _ := e.Get(t.path)
	v := t.next(old, now)
	if v != old {
		e.Set(t.path, v)
	}
	if t.silent {
		return literal.Null()
	}
	return v
}

// checkTransforms reads transforms. A field may have several, which are done one after the other,
// but not together with a field in it.
func checkTransforms(list []*pb.DocumentTransform_FieldTransform) ([]transform, error) {
	var transforms []transform
	above := map[string]bool{} // the paths above those of transforms
	for _, f := range list {
		t, err := checkTransform(f)
		if err != nil {
			return nil, err
		}
		for n := 1; n < len(t.path); n++ {
			above[t.path[:n].String()] = true
		}
		transforms = append(transforms, t)
	}
	for _, t := range transforms {
		if len(above) > 0 && above[t.path.String()] {
			return nil, invalid("the field %s and a field in it are both transformed: transform only one of them", t.path)
		}
	}
	return transforms, nil
}

func checkTransform(f *pb.DocumentTransform_FieldTransform) (transform, error) {
	path, err := parsePath(f.GetFieldPath())
	if err != nil {
		return transform{}, err
	}
	t := transform{path: path}
	switch o := f.GetTransformType().(type) {
	case *pb.DocumentTransform_FieldTransform_SetToServerValue:
		if o.SetToServerValue != pb.DocumentTransform_FieldTransform_REQUEST_TIME {
			return t, invalid("the transform of field %s sets it to an unknown server value: give REQUEST_TIME", path)
		}
		t.next = requestTime
	case *pb.DocumentTransform_FieldTransform_Increment:
		t.next, err = numeric(path, o.Increment, increment)
	case *pb.DocumentTransform_FieldTransform_Maximum:
		t.next, err = numeric(path, o.Maximum, maximum)
	case *pb.DocumentTransform_FieldTransform_Minimum:
		t.next, err = numeric(path, o.Minimum, minimum)
	case *pb.DocumentTransform_FieldTransform_AppendMissingElements:
		t.next, err = appendMissing(path, o.AppendMissingElements.GetValues())
		t.silent = true
	case *pb.DocumentTransform_FieldTransform_RemoveAllFromArray:
		t.next, err = removeAll(path, o.RemoveAllFromArray.GetValues())
		t.silent = true
	default:
		err = invalid("the transform of field %s says not what to do: set one of transform_type", path)
	}
	return t, err
}

// requestTime is the time of the commit, with the precision of milliseconds that proto write.proto,
// ServerValue, promises.
func requestTime(_ *pb.Value, now time.Time) *pb.Value {
	return &pb.Value{ValueType: &pb.Value_TimestampValue{TimestampValue: timestamppb.New(now.Truncate(time.Millisecond))}}
}

// appendMissing adds the elements that an array does not have. Equal numbers of different types are
// the same here.
func appendMissing(path value.Path,
	elements []*pb.Value) (func(*pb.Value, time.Time) *pb.Value, error) {
	stored := make([]*pb.Value, len(elements))
	for i, element := range elements {
		if err := checkElement(path.String(), element); err != nil {
			return nil, err
		}
		stored[i] = value.Truncate(element)
	}
	return func(old *pb.Value, _ time.Time) *pb.Value {
		values := old.GetArrayValue().GetValues()
		all := slices.Clip(values)
		for _, element := range stored {
			if !contains(all, element) {
				all = append(all, element)
			}
		}
		return arrayOr(old, all, len(values))
	}, nil
}

// removeAll takes all of the elements out of an array. Equal numbers of different types are the
// same here.
func removeAll(path value.Path,
	elements []*pb.Value) (func(*pb.Value, time.Time) *pb.Value, error) {
	stored := make([]*pb.Value, len(elements))
	for i, element := range elements {
		if err := checkValue(path.String(), element); err != nil {
			return nil, err
		}
		stored[i] = value.Truncate(element)
	}
	return func(old *pb.Value, _ time.Time) *pb.Value {
		values := old.GetArrayValue().GetValues()
		var left []*pb.Value
		for _, v := range values {
			if !contains(stored, v) {
				left = append(left, v)
			}
		}
		return arrayOr(old, left, len(values))
	}, nil
}

// arrayOr returns old if it is an array of n values and that is how many there are now, and else an
// array of values.
func arrayOr(old *pb.Value, values []*pb.Value, n int) *pb.Value {
	if _, ok := old.GetValueType().(*pb.Value_ArrayValue); ok && len(values) == n {
		return old
	}
	return literal.Array(values...)
}

func contains(values []*pb.Value, v *pb.Value) bool {
	return slices.ContainsFunc(values, func(w *pb.Value) bool { return value.Compare(v, w) == 0 })
}
