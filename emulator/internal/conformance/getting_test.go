package conformance

import (
	"cloud.google.com/go/firestore/apiv1/firestorepb"
	"github.com/stretchr/testify/require"
	"google.golang.org/grpc/codes"

	"hippocampus/emulator/internal/literal"
)

const getPage = "proto firestore.proto, GetDocumentRequest"

// getting is about reading one document.
var getting = []Check{
	{
		Name: "a document is read with its name, fields and times",
		Page: getPage,
		Run: func(t *T) {
			at := t.commit(t.set("c/d", fields{"a": literal.Int(1)})).CommitTime
			t.same(&firestorepb.Document{Name: t.Name("c/d"), Fields: fields{"a": literal.Int(1)}, CreateTime: at, UpdateTime: at}, t.get("c/d"))
		},
	},
	{
		Name: "a missing document is not found",
		Page: getPage,
		Run: func(t *T) {
			_, err := t.Firestore.GetDocument(t.Ctx, &firestorepb.GetDocumentRequest{Name: t.Name("c/d")})
			t.fails(codes.NotFound, err)
		},
	},
	{
		Name: "a document that has only documents below it is not found",
		Page: "firestore/data-model: subcollections",
		Run: func(t *T) {
			t.commit(t.set("c/d/s/e", nil))
			_, err := t.Firestore.GetDocument(t.Ctx, &firestorepb.GetDocumentRequest{Name: t.Name("c/d")})
			t.fails(codes.NotFound, err)
		},
	},
	{
		Name: "a read sees the last commit",
		Page: "proto firestore.proto, GetDocumentRequest: strong consistency",
		Run: func(t *T) {
			for n := range int64(20) {
				t.commit(t.set("c/d", fields{"n": literal.Int(n)}))
				t.has("c/d", fields{"n": literal.Int(n)})
			}
		},
	},
	reads("a mask chooses the fields", []string{"a", "c"}, fields{"a": literal.Int(1)}),
	reads("a mask chooses keys of a map", []string{"m.x"}, fields{"m": literal.Map(fields{"x": literal.Int(2)})}),
	reads("a mask with keys of one map keeps them together", []string{"m.x", "m.y", "a"},
		fields{"a": literal.Int(1), "m": literal.Map(fields{"x": literal.Int(2), "y": literal.Int(3)})}),
	reads("a mask with a path around another reads the whole", []string{"m.x", "m"},
		fields{"m": literal.Map(fields{"x": literal.Int(2), "y": literal.Int(3)})}),
	reads("a mask with a key that is not there reads no map", []string{"m.z"}, fields{}),
	reads("a mask with a path through a value that is no map reads nothing", []string{"a.b"}, fields{}),
	reads("a mask with a quoted name reads the field of that name", []string{"`p.q`"}, fields{"p.q": literal.Int(4)}),
	reads("a mask does not look into arrays", []string{"l.`0`"}, fields{}),
	reads("the mask __name__ reads no field", []string{"__name__"}, fields{}),
	{
		Name: "a mask of no paths reads no field",
		Page: getPage + ".mask",
		Run: func(t *T) {
			t.commit(t.set("c/d", fields{"a": literal.Int(1)}))
			doc, err := t.Firestore.GetDocument(t.Ctx, &firestorepb.GetDocumentRequest{Name: t.Name("c/d"), Mask: &firestorepb.DocumentMask{}})
			require.NoError(t, err)
			require.Empty(t, doc.Fields)
		},
	},
	{
		Name: "a mask of a field that is not there still finds the document",
		Page: getPage + ".mask",
		Run: func(t *T) {
			at := t.commit(t.set("c/d", fields{"a": literal.Int(1)})).CommitTime
			doc, err := t.Firestore.GetDocument(t.Ctx, &firestorepb.GetDocumentRequest{Name: t.Name("c/d"), Mask: &firestorepb.DocumentMask{FieldPaths: []string{"b"}}})
			require.NoError(t, err)
			t.same(&firestorepb.Document{Name: t.Name("c/d"), CreateTime: at, UpdateTime: at}, doc)
		},
	},
	{
		Name: "a mask with a path that is none is refused",
		Page: getPage + ".mask",
		Run: func(t *T) {
			t.commit(t.set("c/d", nil))
			_, err := t.Firestore.GetDocument(t.Ctx, &firestorepb.GetDocumentRequest{Name: t.Name("c/d"), Mask: &firestorepb.DocumentMask{FieldPaths: []string{"a..b"}}})
			t.fails(codes.InvalidArgument, err)
		},
	},
}

// reads is the check of what a mask reads of a document, alone and among many.
func reads(name string, mask []string, want fields) Check {
	return Check{
		Name: name,
		Page: getPage + ".mask",
		Run: func(t *T) {
			t.commit(t.set("c/d", fields{"a": literal.Int(1), "b": literal.Int(5), "m": literal.Map(fields{"x": literal.Int(2), "y": literal.Int(3)}),
				"p.q": literal.Int(4), "l": literal.Array(literal.Int(6))}))
			m := &firestorepb.DocumentMask{FieldPaths: mask}
			doc, err := t.Firestore.GetDocument(t.Ctx, &firestorepb.GetDocumentRequest{Name: t.Name("c/d"), Mask: m})
			require.NoError(t, err)
			t.same(&firestorepb.MapValue{Fields: want}, &firestorepb.MapValue{Fields: doc.Fields})
			answers := t.batchGet(&firestorepb.BatchGetDocumentsRequest{Documents: []string{t.Name("c/d")}, Mask: m})
			t.same(doc, answers[0].GetFound())
		},
	}
}
