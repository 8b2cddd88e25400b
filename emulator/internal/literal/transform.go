package literal

import pb "cloud.google.com/go/firestore/apiv1/firestorepb"

type transform = pb.DocumentTransform_FieldTransform

func Increment(path string, by *pb.Value) *transform {
	return &transform{FieldPath: path, TransformType: &pb.DocumentTransform_FieldTransform_Increment{Increment: by}}
}

func Maximum(path string, with *pb.Value) *transform {
	return &transform{FieldPath: path, TransformType: &pb.DocumentTransform_FieldTransform_Maximum{Maximum: with}}
}

func Minimum(path string, with *pb.Value) *transform {
	return &transform{FieldPath: path, TransformType: &pb.DocumentTransform_FieldTransform_Minimum{Minimum: with}}
}

// Append adds the elements that an array does not have yet.
func Append(path string, elements ...*pb.Value) *transform {
	return &transform{FieldPath: path, TransformType: &pb.DocumentTransform_FieldTransform_AppendMissingElements{
		AppendMissingElements: &pb.ArrayValue{Values: elements}}}
}

// RemoveAll removes the elements from an array.
func RemoveAll(path string, elements ...*pb.Value) *transform {
	return &transform{FieldPath: path, TransformType: &pb.DocumentTransform_FieldTransform_RemoveAllFromArray{
		RemoveAllFromArray: &pb.ArrayValue{Values: elements}}}
}

// RequestTime sets a field to the time of the commit.
func RequestTime(path string) *transform {
	return &transform{FieldPath: path, TransformType: &pb.DocumentTransform_FieldTransform_SetToServerValue{
		SetToServerValue: pb.DocumentTransform_FieldTransform_REQUEST_TIME}}
}
