package conformance

import (
	"io"

	"cloud.google.com/go/firestore/apiv1/firestorepb"
	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/testing/protocmp"
)

// set returns the write that replaces the document at path.
func (t *T) set(path string, f fields) *firestorepb.Write {
	return &firestorepb.Write{Operation: &firestorepb.Write_Update{Update: &firestorepb.Document{Name: t.Name(path), Fields: f}}}
}

// remove returns the write that deletes the document at path.
func (t *T) remove(path string) *firestorepb.Write {
	return &firestorepb.Write{Operation: &firestorepb.Write_Delete{Delete: t.Name(path)}}
}

// tryCommit commits writes.
func (t *T) tryCommit(writes ...*firestorepb.Write) (*firestorepb.CommitResponse, error) {
	return t.Firestore.Commit(t.Ctx, &firestorepb.CommitRequest{Database: t.Database, Writes: writes})
}

// commit commits writes, which must succeed.
func (t *T) commit(writes ...*firestorepb.Write) *firestorepb.CommitResponse {
	t.Helper()
	res, err := t.tryCommit(writes...)
	require.NoError(t, err)
	return res
}

// get returns the document at path, or nil.
func (t *T) get(path string) *firestorepb.Document {
	t.Helper()
	doc, err := t.Firestore.GetDocument(t.Ctx, &firestorepb.GetDocumentRequest{Name: t.Name(path)})
	if status.Code(err) == codes.NotFound {
		return nil
	}
	require.NoError(t, err)
	return doc
}

// has checks that the document at path has exactly these fields.
func (t *T) has(path string, want fields) {
	t.Helper()
	doc := t.get(path)
	require.NotNil(t, doc, "%s does not exist", path)
	require.Empty(t, cmp.Diff(want, doc.GetFields(), protocmp.Transform()))
}

// fails checks that err has a code.
func (t *T) fails(want codes.Code, err error) {
	t.Helper()
	require.Error(t, err)
	require.Equal(t, want, status.Code(err), "%v", err)
}

// receiver is a stream of answers.
type receiver[A any] interface{ Recv() (A, error) }

// all reads a stream to its end.
func all[A any](stream receiver[A], err error) ([]A, error) {
	if err != nil {
		return nil, err
	}
	var answers []A
	for {
		a, err := stream.Recv()
		if err == io.EOF {
			return answers, nil
		}
		if err != nil {
			return answers, err
		}
		answers = append(answers, a)
	}
}
