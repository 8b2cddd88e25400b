package query_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"testing"

	pb "cloud.google.com/go/firestore/apiv1/firestorepb"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/stretchr/testify/require"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/encoding/prototext"
	"google.golang.org/protobuf/testing/protocmp"

	"hippocampus/emulator/internal/literal"
	"hippocampus/emulator/internal/query"
	"hippocampus/emulator/internal/resource"
	"hippocampus/emulator/internal/value"
	"hippocampus/emulator/official/officialtest"
)

// official is the official emulator with an empty database of the test's own.
type official struct {
	pb.FirestoreClient
	db resource.Database
}

func startOfficial(t *testing.T) official {
	em := officialtest.Start(t)
	return official{pb.NewFirestoreClient(officialtest.Dial(t, em.Host())), resource.Database{Project: em.Project(), ID: "(default)"}}
}

// store replaces documents.
func (o official) store(t *testing.T, docs []*pb.Document) {
	writes := make([]*pb.Write, len(docs))
	for i, doc := range docs {
		writes[i] = &pb.Write{Operation: &pb.Write_Update{Update: doc}}
	}
	_, err := o.Commit(t.Context(), &pb.CommitRequest{Database: o.db.String(), Writes: writes})
	require.NoError(t, err)
}

// run returns the results without their times.
func (o official) run(ctx context.Context, parent string, q *pb.StructuredQuery) ([]*pb.Document, error) {
	stream, err := o.RunQuery(ctx, &pb.RunQueryRequest{Parent: parent, QueryType: &pb.RunQueryRequest_StructuredQuery{StructuredQuery: q}})
	if err != nil {
		return nil, err
	}
	var docs []*pb.Document
	for {
		answer, err := stream.Recv()
		if errors.Is(err, io.EOF) {
			return docs, nil
		}
		if err != nil {
			return nil, err
		}
		if doc := answer.GetDocument(); doc != nil {
			docs = append(docs, &pb.Document{Name: doc.GetName(), Fields: doc.GetFields()})
		}
	}
}

// run is what a store does with a compiled query, without any index.
func run(db resource.Database, parent string, docs []*pb.Document, q *pb.StructuredQuery) ([]*pb.Document, error) {
	compiled, err := query.Compile(db, parent, q)
	if err != nil {
		return nil, err
	}
	var found []*pb.Document
	for _, doc := range docs {
		p, err := db.Document(doc.GetName())
		if err != nil {
			return nil, err
		}
		if compiled.In(p) && compiled.Matches(p, doc) {
			if err := enclosed(compiled, doc); err != nil {
				return nil, err
			}
			found = append(found, doc)
		}
	}
	slices.SortFunc(found, compiled.Compare)
	found = found[min(compiled.Offset, len(found)):]
	if compiled.Limit >= 0 {
		found = found[:min(compiled.Limit, len(found))]
	}
	for i, doc := range found {
		found[i] = compiled.Project(doc)
	}
	return found, nil
}

// enclosed returns an error if a result is not what Equal, Lower and Upper promise.
func enclosed(q *query.Query, doc *pb.Document) error {
	for _, e := range q.Equal {
		if v, ok := value.Get(doc.GetFields(), e.Field); !ok || value.Compare(v, e.Value) != 0 {
			return fmt.Errorf("%s is a result, but %s is not %v", doc.GetName(), e.Field, e.Value)
		}
	}
	v := literal.Ref(doc.GetName())
	if first := q.Orders[0]; !first.Name {
		v, _ = value.Get(doc.GetFields(), first.Field)
	}
	if b := q.Lower; b != nil {
		if c := value.Compare(v, b.Value); c < 0 || c == 0 && !b.Inclusive {
			return fmt.Errorf("%s is a result, but %v is below %v", doc.GetName(), v, b)
		}
	}
	if b := q.Upper; b != nil {
		if c := value.Compare(v, b.Value); c > 0 || c == 0 && !b.Inclusive {
			return fmt.Errorf("%s is a result, but %v is above %v", doc.GetName(), v, b)
		}
	}
	return nil
}

// Every seed is a database and queries on it. Queries whose results the official emulator and the
// documentation disagree on are not generated: TestDifferences has them.
func TestOfficial(t *testing.T) {
	const queries = 250
	o := startOfficial(t)
	outcomes := map[codes.Code]int{}
	found := 0
	for seed := uint64(1); seed <= 10; seed++ {
		r := newRandom(seed, o.db)
		docs := r.documents()
		o.clear(t)
		o.store(t, docs)
		for n := range queries {
			parent, q := r.query()
			want, wantErr := o.run(t.Context(), parent, q)
			got, gotErr := run(o.db, parent, docs, q)
			about := fmt.Sprintf("seed %d, query %d, parent %s\n%s\nofficial: %v\nours: %v", seed, n, parent, prototext.Format(q), wantErr, gotErr)
			require.Equal(t, status.Code(wantErr), status.Code(gotErr), about)
			require.Empty(t, cmp.Diff(want, got, protocmp.Transform(), cmpopts.EquateNaNs(), cmpopts.EquateEmpty()), about)
			outcomes[status.Code(wantErr)]++
			if len(got) > 0 {
				found++
			}
		}
	}
	t.Logf("%v, of which %d found documents", outcomes, found)
	require.Greater(t, outcomes[codes.OK], outcomes[codes.InvalidArgument], "most queries are well formed")
	require.Greater(t, outcomes[codes.InvalidArgument], 100)
	require.Positive(t, outcomes[codes.FailedPrecondition])
	require.Greater(t, found, outcomes[codes.OK]/4, "queries find something")
}

// clear deletes all documents.
func (o official) clear(t *testing.T) {
	docs, err := o.run(t.Context(), o.db.Root(), &pb.StructuredQuery{From: literal.From("", true)})
	require.NoError(t, err)
	writes := make([]*pb.Write, len(docs))
	for i, doc := range docs {
		writes[i] = &pb.Write{Operation: &pb.Write_Delete{Delete: doc.GetName()}}
	}
	_, err = o.Commit(t.Context(), &pb.CommitRequest{Database: o.db.String(), Writes: writes})
	require.NoError(t, err)
}
