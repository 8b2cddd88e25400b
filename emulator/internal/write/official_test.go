package write_test

import (
	"fmt"
	"testing"

	pb "cloud.google.com/go/firestore/apiv1/firestorepb"
	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"hippocampus/emulator/official/officialtest"
)

func TestMain(m *testing.M) { officialtest.Main(m) }

// emulator is the official one, asked without a client library.
type emulator struct {
	pb.FirestoreClient
	database string
}

func official(t *testing.T) emulator {
	em := officialtest.Start(t)
	return emulator{pb.NewFirestoreClient(officialtest.Dial(t, em.Host())), "projects/" + em.Project() + "/databases/(default)"}
}

// name is the full name of a document.
func (e emulator) name(path string) string { return e.database + "/documents/" + path }

func (e emulator) commit(t *testing.T, w *pb.Write) (*pb.WriteResult, error) {
	res, err := e.Commit(t.Context(), &pb.CommitRequest{Database: e.database, Writes: []*pb.Write{w}})
	if err != nil {
		return nil, err
	}
	return res.WriteResults[0], nil
}

// get returns the document of that name, or nil.
func (e emulator) get(t *testing.T, name string) *pb.Document {
	doc, err := e.GetDocument(t.Context(), &pb.GetDocumentRequest{Name: name})
	if status.Code(err) == codes.NotFound {
		return nil
	}
	require.NoError(t, err)
	return doc
}

// The official emulator does what the rules say.
func TestRulesOfficially(t *testing.T) {
	em := official(t)
	for i, r := range rules() {
		t.Run(r.name, func(t *testing.T) {
			name := em.name(fmt.Sprintf("c/d%d", i))
			if r.old != nil {
				_, err := em.commit(t, named(update(r.old), name))
				require.NoError(t, err)
			}
			before := em.get(t, name)

			result, err := em.commit(t, named(r.write, name))

			if r.differs != "" {
				require.Equal(t, r.officially, status.Code(err), "it now does as we do, or something else: %v", err)
				return
			}
			require.Equal(t, r.code, status.Code(err), "%v", err)
			after := em.get(t, name)
			if r.code != codes.OK || r.kept {
				require.Empty(t, cmp.Diff(before, after, exactly))
			} else {
				require.Equal(t, r.want == nil, after == nil)
				require.Empty(t, cmp.Diff(r.want, after.GetFields(), exactly, emptyIsNil))
			}
			require.Empty(t, cmp.Diff(r.results, result.GetTransformResults(), exactly))
		})
	}
}

// emptyIsNil compares fields that came over the wire, which knows no difference.
var emptyIsNil = cmp.FilterValues(func(a, b fields) bool { return len(a) == 0 && len(b) == 0 }, cmp.Comparer(func(a, b fields) bool { return true }))
