package query_test

import (
	"testing"

	pb "cloud.google.com/go/firestore/apiv1/firestorepb"
	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/testing/protocmp"
	"google.golang.org/protobuf/types/known/timestamppb"

	"hippocampus/emulator/internal/literal"
)

func TestProject(t *testing.T) {
	type fields = map[string]*pb.Value
	doc := &pb.Document{
		Name: db.Name("c/d"), CreateTime: timestamppb.New(literal.Time(1, 0).GetTimestampValue().AsTime()), UpdateTime: timestamppb.New(literal.Time(2, 0).GetTimestampValue().AsTime()),
		Fields: fields{
			"a": literal.Int(1), "e": literal.Map(nil), "v": literal.Vector(1), "arr": literal.Array(literal.Int(1)),
			"m": literal.Map(fields{"x": literal.Map(fields{"p": literal.Int(1), "q": literal.Int(2)}), "y": literal.Int(3), "z b": literal.Int(4)}),
		},
	}
	original := proto.Clone(doc)
	for _, test := range []struct {
		name  string
		paths []string
		want  fields
	}{
		{"the name only", []string{"__name__"}, nil},
		{"a field", []string{"a"}, fields{"a": literal.Int(1)}},
		{"the name is always there", []string{"__name__", "a"}, fields{"a": literal.Int(1)}},
		{"a field twice", []string{"a", "a"}, fields{"a": literal.Int(1)}},
		{"a field that is not there", []string{"b"}, nil},
		{"an empty map", []string{"e"}, fields{"e": literal.Map(nil)}},
		{"a field of an empty map", []string{"e.x"}, nil},
		{"a field of a number", []string{"a.x"}, nil},
		{"a field of an array", []string{"arr.x"}, nil},
		{"the numbers of a vector", []string{"v.value"}, nil},
		{"a vector", []string{"v"}, fields{"v": literal.Vector(1)}},
		{"a nested field", []string{"m.x.p"}, fields{"m": literal.Map(fields{"x": literal.Map(fields{"p": literal.Int(1)})})}},
		{"nested fields", []string{"m.x.p", "m.y"}, fields{"m": literal.Map(fields{"x": literal.Map(fields{"p": literal.Int(1)}), "y": literal.Int(3)})}},
		{"a nested field that is not there", []string{"m.x.r"}, nil},
		{"a map and a field of it", []string{"m.x", "m.x.p"}, fields{"m": literal.Map(fields{"x": literal.Map(fields{"p": literal.Int(1), "q": literal.Int(2)})})}},
		{"a field of a map and the map", []string{"m.x.p", "m.x"}, fields{"m": literal.Map(fields{"x": literal.Map(fields{"p": literal.Int(1), "q": literal.Int(2)})})}},
		{"a quoted path", []string{"m.`z b`"}, fields{"m": literal.Map(fields{"z b": literal.Int(4)})}},
	} {
		t.Run(test.name, func(t *testing.T) {
			text := "select{"
			for _, p := range test.paths {
				text += `fields{field_path:"` + p + `"} `
			}
			want := &pb.Document{Name: doc.Name, CreateTime: doc.CreateTime, UpdateTime: doc.UpdateTime, Fields: test.want}
			require.Empty(t, cmp.Diff(want, compile(t, c(text+"}")).Project(doc), protocmp.Transform()))
			require.True(t, proto.Equal(original, doc), "the document stays as it is")
		})
	}
	require.Same(t, doc, compile(t, c("")).Project(doc), "no projection copies nothing")
}
